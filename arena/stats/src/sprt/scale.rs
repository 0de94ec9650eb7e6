//! From Elo to scores and back.

use std::f64::consts::{LN_10, SQRT_2};

/// Normalized Elo in one standard deviation of a game: 800 / ln 10.
pub(crate) const NELO_PER_SIGMA: f64 = 800.0 / LN_10;

/// Returns the expected score at a difference in logistic Elo: 1 / (1 + 10^(−elo/400)).
pub(crate) fn score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Returns the logistic Elo of an expected score strictly between 0 and 1.
pub(crate) fn elo(score: f64) -> f64 {
    // Subtracted from zero, so that equal players do not differ by -0.
    0.0 - 400.0 * (1.0 / score - 1.0).log10()
}

/// Returns the distance of the mean from ½ in standard deviations of one observation of `games` games, at a difference in
/// normalized Elo.
///
/// The mean score of two independent games has 1/√2 of the deviation of one game, so the factor for a pair is √2.
pub(crate) fn distance(nelo: f64, games: usize) -> f64 {
    nelo / NELO_PER_SIGMA * root(games)
}

/// Returns the normalized Elo of a distance: the inverse of [`distance`].
pub(crate) fn nelo(distance: f64, games: usize) -> f64 {
    distance / root(games) * NELO_PER_SIGMA
}

fn root(games: usize) -> f64 {
    if games == 2 { SQRT_2 } else { (games as f64).sqrt() }
}
