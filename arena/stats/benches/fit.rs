//! `cargo bench -p stats`: the time to fit the tables of large tournaments, on one thread.
//!
//! A million games of 200 bots, where the games count, and 50,000 of 1000, where the roster does; then pools of 3000 and of
//! 10,000 players with twenty games each, which are too large for matrices: in colour-swapped pairs, from a fixed seed. Then a [`Monitor`] of pairs of which every one is split, whose interval moves with each. The
//! fastest of several runs counts, since other programs can only slow a run down.

#[path = "../tests/law/mod.rs"]
mod law;

use std::hint::black_box;
use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};

use stats::{FitSettings, GameScore, Monitor, RatedGame, fit};

/// Numbers of bots and of games.
const TOURNAMENTS: [(usize, usize); 4] =
    [(200, 1_000_000), (1000, 50_000), (3000, 60_000), (10_000, 200_000)];
const PAIRS: usize = 20_000;
const RUNS: usize = 5;
/// The share of the possible draws.
const DRAWS: f64 = 1.0 / 3.0;

fn main() {
    for (bots, games) in TOURNAMENTS {
        let games = tournament(bots, games);
        let mut fastest = Duration::MAX;
        let mut leader = None;
        for _ in 0..RUNS {
            let start = Instant::now();
            let table = black_box(fit(bots, 1, black_box(&games), &FitSettings::default()));
            fastest = fastest.min(start.elapsed());
            leader = table.ratings[0].elo;
        }
        let elo = leader.map_or("none".to_string(), |elo| format!("{elo:.3}"));
        let (count, seconds) = (games.len(), fastest.as_secs_f64());
        println!("{count} games, {bots} bots: {seconds:.3} s (first bot: {elo} Elo)");
    }
    let fastest = (0..RUNS).map(|_| watch()).min().unwrap_or_default();
    println!("{PAIRS} pairs watched: {:.2} us a pair", fastest.as_secs_f64() * 1e6 / PAIRS as f64);
}

fn watch() -> Duration {
    let start = Instant::now();
    let mut monitor = Monitor::new(0.05);
    for _ in 0..PAIRS {
        black_box(&mut monitor).observe_pair(GameScore::Win, GameScore::Loss);
    }
    start.elapsed()
}

/// Bots 2 Elo apart, in large pools 2000 from the first to the last; a first seat worth 50 Elo, a third of the possible draws; opponents are drawn by lot.
fn tournament(bots: usize, count: usize) -> Vec<RatedGame> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut games = Vec::with_capacity(count);
    for pair in 0..count as u64 / 2 {
        let one = random.random_range(0..bots);
        let two = (one + random.random_range(1..bots)) % bots;
        for (first, second) in [(one, two), (two, one)] {
            let step = 2.0f64.min(2000.0 / bots as f64);
            let elo = step * (second as f64 - first as f64) + 50.0;
            let score = law::score(&mut random, elo, DRAWS);
            games.push(RatedGame { pair: Some(pair), ..RatedGame::new(first, second, score) });
        }
    }
    games
}
