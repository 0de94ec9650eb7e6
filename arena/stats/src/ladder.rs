//! Ladder ratings: running numbers that follow the games in the order of the schedule.
//!
//! Clubs and servers use them. The report shows them beside the table and says that they depend on the order of the games. The
//! `skillratings` crate does the arithmetic. These systems ignore the advantage of a seat. Elo and Glicko-2 only rate games of
//! two seats; Weng and Lin's ladder rates tables of any size.

use skillratings::MultiTeamOutcome;
use skillratings::Outcomes;
use skillratings::elo::{EloConfig, EloRating, elo};
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2_rating_period};
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};

use crate::{GameScore, RatedGame};

/// The initial rating of every player, in the Elo and Glicko-2 ladders.
pub const LADDER_START: f64 = 1500.0;

/// The K factor of the Elo ladder: the most a rating can move in one game.
pub const ELO_K: f64 = 20.0;

/// The initial rating deviation of a Glicko-2 player.
pub const GLICKO_DEVIATION: f64 = 350.0;

/// The initial volatility of a Glicko-2 player.
pub const GLICKO_VOLATILITY: f64 = 0.06;

/// The constant τ of Glicko-2, which limits how fast the volatility changes.
pub const GLICKO_TAU: f64 = 0.5;

/// A Glicko-2 rating.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Glicko {
    /// The rating, on a scale that starts at [`LADDER_START`].
    pub rating: f64,
    /// The standard deviation of the rating.
    pub deviation: f64,
    /// How erratic the player's results are.
    pub volatility: f64,
}

/// A rating of Weng and Lin's ladder.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WengLin {
    /// The rating, on a scale that starts at 25.
    pub rating: f64,
    /// Its standard deviation.
    pub uncertainty: f64,
}

/// Runs the Elo ladder over the games in their order: after each game both ratings move by
/// [`ELO_K`] (score − expected score).
///
/// It skips games of a player against itself and games of more than two seats.
///
/// # Panics
/// When a game names a player that does not exist.
#[must_use]
pub fn elo_ladder(players: usize, games: impl IntoIterator<Item = RatedGame>) -> Vec<f64> {
    let config = EloConfig { k: ELO_K };
    let mut ratings = vec![EloRating { rating: LADDER_START }; players];
    for (first, second, score) in games.into_iter().filter_map(|game| of_two(&game)) {
        let (one, two) = elo(&ratings[first], &ratings[second], &outcome(score), &config);
        ratings[first] = one;
        ratings[second] = two;
    }
    ratings.iter().map(|rating| rating.rating).collect()
}

/// Runs the Glicko-2 ladder, with one rating period per complete round.
///
/// Within a period every player is updated from the ratings before it, so the order of games within a round matters only
/// through rounding. A player without a game in a period becomes less certain. The method is Glickman's
/// [`GLICKO_VOLATILITY`] with τ = [`GLICKO_TAU`].
///
/// It skips games of a player against itself and games of more than two seats.
///
/// # Panics
/// When a game names a player that does not exist.
#[must_use]
pub fn glicko2_ladder(players: usize, rounds: impl IntoIterator<Item: AsRef<[RatedGame]>>) -> Vec<Glicko> {
    let start =
        Glicko2Rating { rating: LADDER_START, deviation: GLICKO_DEVIATION, volatility: GLICKO_VOLATILITY };
    let config = Glicko2Config { tau: GLICKO_TAU, ..Glicko2Config::default() };
    let mut ratings = vec![start; players];
    for round in rounds {
        let mut results: Vec<Vec<(Glicko2Rating, Outcomes)>> = vec![Vec::new(); players];
        for (first, second, score) in round.as_ref().iter().filter_map(of_two) {
            results[first].push((ratings[second], outcome(score)));
            results[second].push((ratings[first], outcome(score.opposite())));
        }
        for (rating, results) in ratings.iter_mut().zip(&results) {
            let new = glicko2_rating_period(rating, results, &config);
            // If ratings are so far apart that the expected score rounds to 0 or 1, the formulas divide by zero. Such a game
            // carries no information, so the rating stays.
            if new.rating.is_finite() && new.deviation.is_finite() && new.volatility.is_finite() {
                *rating = new;
            }
        }
    }
    ratings
        .iter()
        .map(|r| Glicko { rating: r.rating, deviation: r.deviation, volatility: r.volatility })
        .collect()
}

/// Runs the ladder of Weng and Lin (2011, *Journal of Machine Learning Research* 12) over the games in their order. Every seat
/// is a team of its own, and after each game all ratings change according to the places, for any number of seats. Ratings start
/// at 25 with an uncertainty of 25/3.
///
/// A player in several seats changes by the mean of its changes. Games of a player against itself are skipped.
///
/// # Panics
/// When a game names a player that does not exist.
#[must_use]
pub fn weng_lin_ladder(players: usize, games: impl IntoIterator<Item = RatedGame>) -> Vec<WengLin> {
    let config = WengLinConfig::default();
    let mut ratings = vec![WengLinRating::new(); players];
    for RatedGame { result, .. } in games {
        if result.duels().next().is_none() {
            continue;
        }
        let before: Vec<[WengLinRating; 1]> = result.players().map(|player| [ratings[player]]).collect();
        let teams: Vec<(&[WengLinRating], MultiTeamOutcome)> = before
            .iter()
            .enumerate()
            .map(|(seat, team)| (&team[..], MultiTeamOutcome::new(result.place(seat).into())))
            .collect();
        let after: Vec<WengLinRating> = weng_lin_multi_team(&teams, &config).into_iter().flatten().collect();
        for player in result.players() {
            let own = || result.players().zip(&after).filter(|(other, _)| *other == player).map(|(_, it)| it);
            let mean = |part: fn(&WengLinRating) -> f64| own().map(part).sum::<f64>() / own().count() as f64;
            ratings[player] =
                WengLinRating { rating: mean(|it| it.rating), uncertainty: mean(|it| it.uncertainty) };
        }
    }
    ratings.iter().map(|it| WengLin { rating: it.rating, uncertainty: it.uncertainty }).collect()
}

/// Returns the players of a game of two seats and the score of the first; `None` for other games.
fn of_two(game: &RatedGame) -> Option<(usize, usize, GameScore)> {
    let result = &game.result;
    let (first, second) = (result.player(0), result.player(1));
    (result.seats() == 2 && first != second).then(|| (first, second, result.score(0, 1)))
}

fn outcome(score: GameScore) -> Outcomes {
    match score {
        GameScore::Loss => Outcomes::LOSS,
        GameScore::Draw => Outcomes::DRAW,
        GameScore::Win => Outcomes::WIN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TableResult;

    fn game(first: usize, second: usize, score: GameScore) -> RatedGame {
        RatedGame::new(first, second, score)
    }

    #[test]
    fn elo_moves_by_half_of_k_between_equals() {
        let ratings = elo_ladder(3, [game(0, 1, GameScore::Win)]);
        assert_eq!(ratings, [1510.0, 1490.0, 1500.0]);
    }

    #[test]
    fn elo_depends_on_the_order_of_games() {
        let games = [game(0, 1, GameScore::Win), game(1, 0, GameScore::Win), game(0, 2, GameScore::Win)];
        let turned: Vec<RatedGame> = games.iter().rev().copied().collect();
        assert_ne!(elo_ladder(3, games), elo_ladder(3, turned));
    }

    #[test]
    fn glicko_agrees_with_a_period_worked_by_hand() {
        // Player 0 of three equal newcomers wins and draws: v = 1 / (2 g² / 4) with g = g(350 / 173.7178).
        let round = [game(0, 1, GameScore::Win), game(2, 0, GameScore::Draw)];
        let ladder = glicko2_ladder(3, [round]);
        let phi = 350.0 / 173.7178f64;
        let g = 1.0 / (1.0 + 3.0 * phi * phi / std::f64::consts::PI.powi(2)).sqrt();
        let v = 1.0 / (2.0 * g * g / 4.0);
        let new = 1.0 / (1.0 / (phi * phi + 0.06f64.powi(2)) + 1.0 / v);
        assert!((ladder[0].rating - (1500.0 + 173.7178 * new * g * 0.5)).abs() < 1e-3, "{ladder:?}");
        assert!((ladder[0].deviation - 173.7178 * new.sqrt()).abs() < 1e-3, "{ladder:?}");
        assert_eq!(ladder[2].rating, 1500.0);
    }

    #[test]
    fn glicko_updates_everyone_from_the_ratings_before_the_round() {
        let games = [game(0, 1, GameScore::Win), game(1, 2, GameScore::Win), game(2, 0, GameScore::Win)];
        let ladder = glicko2_ladder(3, [games]);
        assert!(ladder.iter().all(|rating| (rating.rating - 1500.0).abs() < 1e-9), "{ladder:?}");
    }

    #[test]
    fn glicko_grows_less_certain_without_games() {
        let once = [game(0, 1, GameScore::Draw)];
        let (before, after) = (glicko2_ladder(2, [once]), glicko2_ladder(2, [&once[..], &[]]));
        assert!(after[0].deviation > before[0].deviation);
        assert_eq!(after[0].rating, before[0].rating);
    }

    #[test]
    fn ladders_stay_finite_when_one_side_wins_for_ever() {
        let round = vec![game(0, 1, GameScore::Win); 50];
        let rounds = vec![&round[..]; 200];
        let ladder = glicko2_ladder(2, rounds);
        let finite = |r: &Glicko| [r.rating, r.deviation, r.volatility].iter().all(|x| x.is_finite());
        assert!(ladder.iter().all(finite), "{ladder:?}");
        let games = vec![game(0, 1, GameScore::Win); 10_000];
        assert!(elo_ladder(2, games).iter().all(|rating| rating.is_finite()));
    }

    #[test]
    fn weng_and_lin_follow_the_places_of_a_table() {
        let game = |places: [u8; 4]| RatedGame {
            result: TableResult::new((0..).zip(places)).expect("four seats"),
            group: 0,
            pair: None,
            opening: None,
        };
        let start = weng_lin_ladder(5, [game([1, 1, 1, 1])]);
        assert!(start[..4].windows(2).all(|pair| (pair[0].rating - pair[1].rating).abs() < 1e-9));
        assert_eq!((start[4].rating, start[0].uncertainty < start[4].uncertainty), (25.0, true));
        let ladder = weng_lin_ladder(4, vec![game([2, 1, 3, 3]); 200]);
        assert!(ladder[1].rating > ladder[0].rating && ladder[0].rating > ladder[2].rating, "{ladder:?}");
        assert!((ladder[2].rating - ladder[3].rating).abs() < 1e-6, "{ladder:?}");
        assert!(ladder.iter().all(|it| it.rating.is_finite() && it.uncertainty > 0.0), "{ladder:?}");
        // Elo and Glicko-2 do not rate tables of four.
        assert_eq!(elo_ladder(4, [game([1, 2, 3, 4])]), [LADDER_START; 4]);
        // Two copies of one player meet the others at the same table.
        let copies = RatedGame {
            result: TableResult::new([(0, 1), (1, 2), (1, 3)]).expect("three seats"),
            ..RatedGame::new(0, 1, GameScore::Win)
        };
        let ladder = weng_lin_ladder(2, [copies]);
        assert!(ladder[0].rating > 25.0 && ladder[1].rating < 25.0, "{ladder:?}");
    }

    #[test]
    fn no_players_have_no_ladder() {
        assert!(elo_ladder(0, []).is_empty());
        assert!(glicko2_ladder(0, [[]]).is_empty());
    }
}
