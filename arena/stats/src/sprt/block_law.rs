//! The law of pairs, and of blocks at tables of more seats, between players of known strength.

use thiserror::Error;

use crate::GameScore;
use crate::numeric::law::Law;
use crate::sprt::{BlockScore, Model, scale};

/// The largest value in Elo that describes players.
const LARGEST: f64 = 3000.0;

/// How often games are drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Draws {
    /// Draw Elo of the model, at least 0: each side wins as often as if it were weaker by this.
    Elo(f64),
    /// The share of games between equals that are drawn, at least 0 and less than 1.
    Rate(f64),
}

/// Two players: how often they draw, and the advantage of the first seat.
///
/// A game follows the model of *BayesElo* (R. Coulom): with a difference d, advantage included, the first seat wins
/// with probability 1 / (1 + 10^((draw − d)/400)) and loses with 1 / (1 + 10^((draw + d)/400)).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Players {
    /// How often games are drawn.
    pub draws: Draws,
    /// The advantage of the first seat, in Elo of the model.
    pub first_seat: f64,
}

/// The probabilities of the scores of a block: the five of a pair, or those at a table of more seats.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockLaw {
    law: Law,
    /// By seat of the player, the chances of its scores in a game, in half points from the worst. For a pair these are the
    /// chances of a loss, draw and win in the first seat and in the second.
    games: Vec<Vec<f64>>,
}

/// Why no such law exists.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum BlockLawError {
    /// A value is NaN or too large.
    #[error("{what} must be a number from -{LARGEST} to {LARGEST} Elo, not {value}")]
    Elo {
        /// The name of the value.
        what: &'static str,
        /// The given value.
        value: f64,
    },
    /// Draw Elo is negative.
    #[error("draw Elo must be at least 0, not {value}")]
    DrawElo {
        /// The given value.
        value: f64,
    },
    /// The share of draws is negative, or higher than the largest draw Elo allows.
    #[error("the draw rate must be at least 0 and less than 1, not {value}")]
    DrawRate {
        /// The given value.
        value: f64,
    },
    /// Players who draw this often cannot have this difference on the scale.
    #[error("no such players are {elo} Elo apart")]
    Unreachable {
        /// The requested difference.
        elo: f64,
    },
}

impl BlockLaw {
    /// Returns the law of pairs between players whose true difference is `elo` on the scale of `model`.
    ///
    /// # Errors
    /// When a figure is out of range, or no difference in strength makes `elo`.
    pub fn new(players: &Players, model: Model, elo: f64) -> Result<Self, BlockLawError> {
        Self::at_tables(players, 2, model, elo)
    }

    /// Returns the law of blocks at tables of `seats` seats. One player sits in every seat once, and copies of the other fill
    /// the other seats.
    ///
    /// With more than two seats the finishing order follows the model of Plackett and Luce. [`Players::first_seat`] is the
    /// advantage of the first seat over the last, and the seats between them are equally spaced. Two neighbours in the order
    /// may share one place of a game, which is drawn by lot. Such ties are at most as frequent as leaves every expected score
    /// between two players unchanged, and [`Players::draws`] is the share of that frequency.
    ///
    /// # Errors
    /// When a figure is out of range, or no difference in strength makes `elo`.
    ///
    /// # Panics
    /// When there are fewer than 2 or more than [`MOST_SEATS`](crate::MOST_SEATS) seats.
    pub fn at_tables(players: &Players, seats: usize, model: Model, elo: f64) -> Result<Self, BlockLawError> {
        assert!((2..=crate::MOST_SEATS).contains(&seats), "a table of {seats} seats");
        let first_seat = in_range("the first seat's advantage", players.first_seat)?;
        in_range("the true difference", elo)?;
        let draw = draw_elo(players.draws, first_seat)?;
        let difference = |law: &Self| match model {
            Model::Logistic => scale::elo(law.mean()),
            Model::Normalized => scale::nelo((law.mean() - 0.5) / law.deviation(), seats),
        };
        let (mut low, mut high) = (-4.0 * LARGEST, 4.0 * LARGEST);
        // Frequent draws leave hardly any variance: a rate that is not reached is refused.
        let rate = game(draw, 0.0)[1];
        let at = |strength| match seats {
            2 => Self::between(draw, first_seat, strength),
            _ => Self::of_seats((0..seats).map(|seat| finish(seats, seat, strength, first_seat, rate))),
        };
        if !(difference(&at(low)) < elo && difference(&at(high)) > elo) {
            return Err(BlockLawError::Unreachable { elo });
        }
        while high - low > 1e-10 {
            let middle = 0.5 * (low + high);
            if difference(&at(middle)) < elo {
                low = middle;
            } else {
                high = middle;
            }
        }
        Ok(at(0.5 * (low + high)))
    }

    /// Returns the law of players whose true difference is `elo` in Elo of the model of a game, BayesElo.
    ///
    /// # Errors
    /// When a figure is out of range.
    pub fn of_strength(players: &Players, elo: f64) -> Result<Self, BlockLawError> {
        let first_seat = in_range("the first seat's advantage", players.first_seat)?;
        in_range("the true difference", elo)?;
        Ok(Self::between(draw_elo(players.draws, first_seat)?, first_seat, elo))
    }

    /// Returns the law at a difference in strength, all in Elo of the model of a game.
    fn between(draw: f64, first_seat: f64, strength: f64) -> Self {
        let games = [first_seat, -first_seat].map(|advantage| game(draw, strength + advantage));
        let [[l1, d1, w1], [l2, d2, w2]] = games;
        let law = vec![l1 * l2, l1 * d2 + d1 * l2, l1 * w2 + d1 * d2 + w1 * l2, d1 * w2 + w1 * d2, w1 * w2];
        Self { games: games.map(|game| game.to_vec()).to_vec(), law: Law::of(law) }
    }

    /// Returns the law from the chances of the scores in each seat.
    fn of_seats(games: impl Iterator<Item = Vec<f64>>) -> Self {
        let games: Vec<Vec<f64>> = games.collect();
        let mut law = vec![1.0];
        for game in &games {
            let mut next = vec![0.0; law.len() + game.len() - 1];
            for (i, before) in law.iter().enumerate() {
                next[i..].iter_mut().zip(game).for_each(|(sum, chance)| *sum += before * chance);
            }
            law = next;
        }
        Self { games, law: Law::of(law) }
    }

    /// Returns the probabilities, from the worst score to the best.
    #[must_use]
    pub fn probabilities(&self) -> &[f64] {
        &self.law.probabilities
    }

    /// Returns the expected score, 0 to 1.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.law.mean()
    }

    /// Returns the standard deviation of a block's score.
    #[must_use]
    pub fn deviation(&self) -> f64 {
        self.law.variance().sqrt()
    }

    /// Returns the score of one of the two games of a pair, 0 in the first seat and 1 in the second, for a number in \[0, 1).
    pub(crate) fn game_at(&self, leg: usize, uniform: f64) -> GameScore {
        let (lost, drawn) = (self.games[leg][0], self.games[leg][1]);
        match uniform {
            u if u < lost => GameScore::Loss,
            u if u < lost + drawn => GameScore::Draw,
            _ => GameScore::Win,
        }
    }

    /// Returns the score for a number in \[0, 1). Uniform numbers give scores of this law.
    #[must_use]
    pub fn score_at(&self, uniform: f64) -> BlockScore {
        let mut below = 0.0;
        let all_but_best = &self.law.probabilities[..self.law.len() - 1];
        for (score, probability) in all_but_best.iter().enumerate() {
            below += probability;
            if uniform < below {
                return BlockScore::at(score);
            }
        }
        BlockScore::at(self.law.len() - 1)
    }
}

/// Returns the chances of the scores of a player in one seat of a table, in half points from the worst. The others are equal
/// and weaker by `strength`. See [`BlockLaw::at_tables`] for the seats and ties.
fn finish(seats: usize, seat: usize, strength: f64, first_seat: f64, ties: f64) -> Vec<f64> {
    let weight = |seat: usize, strength: f64| {
        let advantage = first_seat * (0.5 - seat as f64 / (seats - 1) as f64);
        10f64.powf((strength + advantage) / 400.0)
    };
    let own = weight(seat, strength);
    let others: Vec<f64> =
        (0..seats).filter(|other| *other != seat).map(|other| weight(other, 0.0)).collect();
    // By the set of others that have finished: the chance that they come first, in any order.
    let mut first = vec![0.0; 1 << others.len()];
    first[0] = 1.0;
    let mut chances = vec![0.0; 2 * others.len() + 1];
    for set in 0..first.len() {
        let waiting: Vec<usize> = (0..others.len()).filter(|other| set >> other & 1 == 0).collect();
        let all = own + waiting.iter().map(|&other| others[other]).sum::<f64>();
        let place = 2 * waiting.len();
        chances[place] += first[set] * own / all;
        for &other in &waiting {
            let next = first[set] * others[other] / all;
            first[set | 1 << other] += next;
            // The player finishes just before the other or just after it: the same share of both may be a tie.
            let before = first[set] * own / all * others[other] / (all - own);
            let after = next * own / (all - others[other]);
            let tied = ties * before.min(after) / (seats - 1) as f64;
            chances[place] -= tied;
            chances[place - 2] -= tied;
            chances[place - 1] += 2.0 * tied;
        }
    }
    chances
}

/// Returns the probabilities that a game is lost, drawn and won at a difference, all in Elo.
pub(super) fn game(draw: f64, difference: f64) -> [f64; 3] {
    let (won, lost) = (scale::score(difference - draw), scale::score(-difference - draw));
    [lost, (1.0 - won - lost).max(0.0), won]
}

/// Returns the draw Elo of players. A rate is that between equals, including the first seat's advantage.
fn draw_elo(draws: Draws, first_seat: f64) -> Result<f64, BlockLawError> {
    let rate = match draws {
        Draws::Elo(elo) if elo < 0.0 => return Err(BlockLawError::DrawElo { value: elo }),
        Draws::Elo(elo) => return in_range("draw Elo", elo),
        Draws::Rate(rate) => rate,
    };
    let drawn = |draw| game(draw, first_seat)[1];
    let (mut low, mut high) = (0.0, LARGEST);
    if !(rate >= 0.0 && rate < drawn(high)) {
        return Err(BlockLawError::DrawRate { value: rate });
    }
    while rate > 0.0 && high - low > 1e-10 {
        let middle = 0.5 * (low + high);
        if drawn(middle) < rate {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(low)
}

fn in_range(what: &'static str, value: f64) -> Result<f64, BlockLawError> {
    if (-LARGEST..=LARGEST).contains(&value) { Ok(value) } else { Err(BlockLawError::Elo { what, value }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn law(seats: usize, rate: f64, first_seat: f64, elo: f64) -> BlockLaw {
        let players = Players { draws: Draws::Rate(rate), first_seat };
        BlockLaw::at_tables(&players, seats, Model::Logistic, elo).expect("such players")
    }

    #[test]
    fn equals_beat_half_of_the_others_whatever_the_seats_and_ties() {
        for seats in 2..=8 {
            for (rate, first_seat) in [(0.0, 0.0), (0.3, 120.0), (0.9, -300.0)] {
                let law = law(seats, rate, first_seat, 0.0);
                assert!((law.mean() - 0.5).abs() < 1e-9, "{seats} {rate} {first_seat}: {}", law.mean());
                assert_eq!(law.probabilities().len(), crate::Counts::scores_at(seats));
                let sum: f64 = law.probabilities().iter().sum();
                assert!((sum - 1.0).abs() < 1e-9 && law.probabilities().iter().all(|p| *p >= 0.0));
            }
        }
    }

    #[test]
    fn without_an_advantage_ties_change_no_expected_score() {
        for seats in 3..=5 {
            let [none, many] = [0.0, 0.8].map(|ties| finish(seats, 1, 90.0, 0.0, ties));
            let mean = |chances: &[f64]| {
                (0..).zip(chances).map(|(halves, chance)| f64::from(halves) * chance).sum::<f64>()
            };
            let expected = 2.0 * (seats - 1) as f64 * scale::score(90.0);
            assert!((mean(&none) - expected).abs() < 1e-9 && (mean(&many) - expected).abs() < 1e-9);
            assert!(many[1] > 0.0 && none[1] == 0.0);
        }
    }

    #[test]
    fn two_seats_without_draws_finish_as_a_game_does() {
        let [lost, drawn, won] = game(0.0, 100.0);
        let chances = finish(2, 0, 40.0, 60.0, 0.0);
        let game = finish(2, 0, 40.0, 60.0, 0.5);
        assert!((chances[0] - lost).abs() < 1e-9 && drawn.abs() < 1e-9 && (chances[2] - won).abs() < 1e-9);
        // Half of the possible draws.
        assert!((game[1] - lost).abs() < 1e-9, "{game:?}");
    }
}
