//! How often a game is won, drawn and lost: Davidson's model.
//!
//! The chances of a win, a draw and a loss of the first seat are proportional to `e^(d/2) : ν : e^(−d/2)`. Here d is the
//! difference in strength including the first-seat advantage, and ν, one per group, is the draw parameter (Davidson 1970; with
//! an order effect Davidson and Beaver 1977).

use crate::RIDGE_SIGMA;
use crate::fit::fitting::seat_precision;
use crate::fit::model::{Model, UNITS_PER_ELO, davidson_chances};
use crate::fit::solver::{Layout, Problem};
use crate::numeric::inverse::LARGE;
use crate::tally::Tally;
use crate::tally::components::Components;
use crate::tally::seats::seats;
use crate::{RatedGame, Sample};

/// A fit that predicts wins, draws and losses.
///
/// It only predicts results. It does not expose its ratings: their scale is wider than that of the
/// [`RatingTable`](crate::RatingTable) by a factor that depends on the share of draws, and users would confuse the two.
#[derive(Debug, Clone)]
pub struct Davidson {
    /// Each player's strength in natural units; `None` without games.
    strengths: Vec<Option<f64>>,
    groups: Vec<Option<Inclination>>,
    is_regularized: bool,
    log_likelihood: Option<f64>,
}

/// The chances of the three results, from the first seat's view; they sum to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Chances {
    /// The first seat wins.
    pub win: f64,
    /// The game is drawn.
    pub draw: f64,
    /// The first seat loses.
    pub loss: f64,
}

/// The parameters of a group, in natural units.
#[derive(Debug, Clone, Copy)]
struct Inclination {
    /// The advantage of the first seat over the second.
    advantage: f64,
    log_nu: f64,
}

impl Davidson {
    /// Fits the model to the games.
    ///
    /// If no finite fit exists, strengths and advantages have a normal prior with the standard deviation [`RIDGE_SIGMA`]. If
    /// every game of a group was drawn, or none was, the group also counts half a draw and half a decided game between equals
    /// (Jeffreys' prior), so no result is ever predicted with certainty.
    ///
    /// # Panics
    /// When a game names a player or a group that does not exist.
    #[must_use]
    pub fn fit(players: usize, groups: usize, games: &[RatedGame]) -> Self {
        Self::of_tally(players, groups, &Tally::new(players, groups, games))
    }

    fn of_tally(players: usize, groups: usize, tally: &Tally) -> Self {
        let components = Components::of(players, tally);
        let mut problem = problem(tally, &components, groups);
        let plain = if components.count() > 1 { None } else { problem.solve() };
        let is_regularized = plain.is_none();
        let solution = plain.or_else(|| {
            let weight = (RIDGE_SIGMA * UNITS_PER_ELO).powi(-2);
            for &place in problem.layout.players.iter().flatten() {
                problem.precision[place] = weight;
            }
            for places in &problem.layout.seats {
                places
                    .iter()
                    .for_each(|&place| problem.precision[place] = seat_precision(weight, places.len()));
            }
            problem.blocks.clear();
            problem.solve()
        });
        let value = |place: &Option<usize>| Some(solution.as_ref()?.values[(*place)?]);
        let layout = &problem.layout;
        let groups = layout.seats.iter().zip(&layout.draws);
        Self {
            strengths: layout.players.iter().map(value).collect(),
            groups: groups
                .map(|(seats, log_nu)| {
                    let second = seats.get(1).map_or(Some(0.0), |&place| value(&Some(place)))?;
                    let advantage = value(&seats.first().copied())? - second;
                    Some(Inclination { advantage, log_nu: value(log_nu)? })
                })
                .collect(),
            is_regularized,
            log_likelihood: solution.map(|solution| solution.log_likelihood),
        }
    }

    /// Returns the logarithm of the likelihood of all results, minus the priors' penalty; `None` if there is no fit.
    #[must_use]
    pub fn log_likelihood(&self) -> Option<f64> {
        self.log_likelihood
    }

    /// Returns the draw parameter ν; `None` for a group without games.
    #[must_use]
    pub fn nu(&self, group: usize) -> Option<f64> {
        let Inclination { log_nu, .. } = (*self.groups.get(group)?)?;
        Some(log_nu.exp())
    }

    /// Returns whether a prior determines the strengths because the results alone do not.
    #[must_use]
    pub fn is_regularized(&self) -> bool {
        self.is_regularized
    }

    /// Returns the chances between two players in the first two seats; `None` if a player or the group has no games.
    #[must_use]
    pub fn chances(&self, first: usize, second: usize, group: usize) -> Option<Chances> {
        let strength = |player: usize| self.strengths.get(player).copied().flatten();
        let Inclination { advantage, log_nu } = (*self.groups.get(group)?)?;
        let d = strength(first)? - strength(second)? + advantage;
        let ([loss, draw, win], _) = davidson_chances(d, log_nu);
        Some(Chances { win, draw, loss })
    }

    /// Returns the chance of a draw if strength and advantage cancel, ν / (2 + ν); `None` for a group without games.
    #[must_use]
    pub fn draw_rate_at_equality(&self, group: usize) -> Option<f64> {
        let Inclination { log_nu, .. } = (*self.groups.get(group)?)?;
        let ([_, draw, _], _) = davidson_chances(0.0, log_nu);
        Some(draw)
    }
}

impl Sample {
    /// Fits Davidson's model. The result is that of [`Davidson::fit`] for the same games. Returns `None` for pools of more than
    /// a thousand players and groups, whose fit would take too long.
    ///
    /// # Panics
    /// As [`Davidson::fit`].
    #[must_use]
    pub fn davidson(&self, players: usize, groups: usize) -> Option<Davidson> {
        (players + groups <= LARGE)
            .then(|| Davidson::of_tally(players, groups, &Tally::of(players, groups, self)))
    }
}

impl Chances {
    /// Returns the expected score of the first seat.
    #[must_use]
    pub fn expected_score(&self) -> f64 {
        self.win + self.draw / 2.0
    }
}

/// Returns the plain fit: strengths up to a shift, and an advantage and a ν for every group with games.
pub(crate) fn problem<'a>(tally: &'a Tally, components: &Components, groups: usize) -> Problem<'a> {
    let rated: Vec<bool> = components.of.iter().map(Option::is_some).collect();
    let played = tally.played(groups);
    let layout = Layout::new(&rated, &tally.seats, &played);
    let decided = |rate: Option<f64>| rate.is_some_and(|rate| rate == 0.0 || rate == 1.0);
    let even_draws = seats(groups, tally)
        .iter()
        .zip(&layout.draws)
        .filter_map(|(seats, place)| place.filter(|_| decided(seats.draw_rate)))
        .collect();
    let block: Vec<usize> = layout.players.iter().flatten().copied().collect();
    let mut blocks = if block.is_empty() { Vec::new() } else { vec![block] };
    blocks.extend(layout.seat_blocks().map(|(_, places)| places.clone()));
    let precision = vec![0.0; layout.size];
    Problem {
        model: Model::Davidson,
        tally,
        counts: tally.counts(),
        offsets: Vec::new(),
        layout,
        precision,
        even_draws,
        blocks,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GameScore;

    fn game(first: usize, second: usize, score: GameScore) -> RatedGame {
        RatedGame::new(first, second, score)
    }

    fn check(games: &[RatedGame]) -> Chances {
        let chances = Davidson::fit(2, 1, games).chances(0, 1, 0).unwrap();
        let all = [chances.win, chances.draw, chances.loss];
        assert!(all.iter().all(|chance| *chance > 0.0 && *chance < 1.0), "{chances:?}");
        assert!((all.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        chances
    }

    #[test]
    fn equal_results_give_back_their_rates() {
        let results = [GameScore::Win, GameScore::Draw, GameScore::Draw, GameScore::Loss];
        let games: Vec<RatedGame> =
            results.iter().flat_map(|&score| [game(0, 1, score), game(1, 0, score)]).collect();
        let chances = check(&games);
        assert!((chances.draw - 0.5).abs() < 1e-9 && (chances.win - 0.25).abs() < 1e-9, "{chances:?}");
        assert!(!Davidson::fit(2, 1, &games).is_regularized());
    }

    #[test]
    fn nothing_is_certain() {
        let draws = check(&[game(0, 1, GameScore::Draw), game(1, 0, GameScore::Draw)]);
        assert!(draws.draw > 0.6, "{draws:?}");
        let wins = check(&[game(0, 1, GameScore::Win), game(1, 0, GameScore::Loss)]);
        assert!(wins.win > 0.5 && wins.draw < 0.4, "{wins:?}");
        check(&[game(0, 1, GameScore::Win)]);
        check(&[game(0, 1, GameScore::Draw)]);
    }

    #[test]
    fn nothing_is_said_without_games() {
        assert_eq!(Davidson::fit(2, 1, &[]).chances(0, 1, 0), None);
        let fit = Davidson::fit(3, 2, &[game(0, 1, GameScore::Draw)]);
        assert_eq!(fit.chances(0, 2, 0), None);
        assert_eq!(fit.chances(0, 1, 1), None);
        assert_eq!(fit.draw_rate_at_equality(1), None);
    }
}
