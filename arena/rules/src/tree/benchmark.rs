//! The counts and games of the benchmark, and the measurement of its rates. The caller supplies the clock.

mod tasks;

use std::time::Duration;

use crate::tree::digest::Digest;
use crate::{Catalogue, Dice, Game, Playouts, Setup};

pub use tasks::{BENCH_POSITIONS, TABLE_BENCH_POSITIONS};

/// The number of games per measurement of playouts.
const GAMES: u64 = 100;

/// A position from which the benchmark counts the lines of some depth.
#[derive(Debug)]
pub struct BenchPosition {
    /// The label of the game: its id, with the options that differ from the defaults.
    pub game: &'static str,
    /// A word that describes the position.
    pub name: &'static str,
    /// The position string; `None` for the start.
    pub from: Option<&'static str>,
    /// The length of the lines, in plies.
    pub depth: u32,
    /// The number of lines.
    pub nodes: u64,
}

impl BenchPosition {
    /// Counts the lines.
    ///
    /// # Panics
    /// Never: the tests count all of them.
    #[must_use]
    pub fn count(&self) -> u64 {
        let setup = Catalogue::default().labelled(self.game);
        let count = setup.and_then(|setup| setup.perft(self.from, self.depth).ok());
        count.expect("the position is one of the game")
    }
}

/// Returns the benchmark positions of a game with these options.
pub fn bench_positions(setup: &Setup) -> impl Iterator<Item = &'static BenchPosition> {
    let label = setup.game().own_rules().is_none().then(|| setup.label());
    let tasks = BENCH_POSITIONS.iter().chain(TABLE_BENCH_POSITIONS);
    tasks.filter(move |task| label.as_deref() == Some(task.game))
}

/// Plays the benchmark's games of random plies from the start of a game: always the same ones.
///
/// # Panics
/// Never: the start is a position of every game.
#[must_use]
pub fn benchmark_playouts(game: &'static Game) -> Playouts {
    let setup = game.setup(&[]).expect("the defaults are valid");
    setup.playouts(None, GAMES, &mut Dice::new(1)).expect("the start is a position of the game")
}

/// Returns a short text that changes when a count does, which proves that the benchmark counted correctly.
#[must_use]
pub fn benchmark_signature(counts: impl IntoIterator<Item = u64>) -> String {
    let mut digest = Digest::default();
    digest.feed_bytes(counts.into_iter().flat_map(u64::to_le_bytes));
    format!("{:016x}", digest.value())
}

/// Runs `work` repeatedly for at least `time`, at least once, and returns its result with the time of the fastest run. Other
/// programs can only slow a run down.
pub fn fastest<T>(
    time: Duration,
    clock: &mut impl FnMut() -> Duration,
    mut work: impl FnMut() -> T,
) -> (T, Duration) {
    let start = clock();
    let mut begin = start;
    let mut best = Duration::MAX;
    loop {
        let result = work();
        let end = clock();
        best = best.min(end.saturating_sub(begin));
        if end.saturating_sub(start) >= time {
            return (result, best);
        }
        begin = end;
    }
}
