//! Fits whose maximum lies far out, where the likelihood is all but flat: the point found must solve the score equations.

use stats::{FitSettings, GameScore, RatedGame, fit};

const UNITS_PER_ELO: f64 = std::f64::consts::LN_10 / 400.0;

fn game(first: usize, second: usize, score: GameScore) -> RatedGame {
    RatedGame::new(first, second, score)
}

/// Player 0 scores all but one game of `n` against player 1, or all but half a point, in each seat.
fn check(n: usize, last: GameScore) {
    let mut games = Vec::new();
    for index in 0..n {
        let score = if index == 0 { last } else { GameScore::Win };
        games.push(game(0, 1, score));
        games.push(game(1, 0, score.opposite()));
    }
    let table = fit(2, 1, &games, &FitSettings::default());
    let elo = |player: usize| table.ratings[player].elo.expect("a rating");
    let expected = 1.0 / (1.0 + (-(elo(0) - elo(1)) * UNITS_PER_ELO).exp());
    let halves = 2.0 * (n - 1) as f64 + f64::from(last.halves());
    assert!((expected * n as f64 - halves / 2.0).abs() < 1e-7, "{n} {last:?}: {expected}");
}

#[test]
fn one_point_in_many_games_is_a_finite_difference() {
    for n in [2, 3, 10, 1000, 20_000] {
        check(n, GameScore::Draw);
        check(n, GameScore::Loss);
    }
}
