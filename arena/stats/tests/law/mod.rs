//! Results drawn by lot between players of known strength: what simulations and the benchmark have in common.

use rand::{RngExt as _, rngs::ChaCha8Rng};

use stats::GameScore;

/// The expected score of a player who is `elo` stronger.
pub(crate) fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Draws the score of a player who is `elo` stronger; `draws` is the share of the possible draws, 0 to 1.
pub(crate) fn score(random: &mut ChaCha8Rng, elo: f64, draws: f64) -> GameScore {
    let expected = expected(elo);
    let draw = draws * 2.0 * expected.min(1.0 - expected);
    let lot: f64 = random.random();
    if lot < draw {
        GameScore::Draw
    } else if lot < expected + draw / 2.0 {
        GameScore::Win
    } else {
        GameScore::Loss
    }
}
