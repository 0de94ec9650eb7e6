//! Nodes and random games a second, by the rules alone.

use std::time::{Duration, Instant};

use rules::{BENCH_POSITIONS, Game, benchmark_playouts, benchmark_signature, fastest};
use serde::Serialize;

/// What was measured; scripts rely on these keys.
#[derive(Debug, Serialize)]
pub struct RulesSpeed {
    /// What all counts together come to: the same wherever the rules are.
    pub signature: String,
    /// The games.
    pub games: Vec<GameSpeed>,
}

/// How fast the rules of a game are.
#[derive(Debug, Serialize)]
pub struct GameSpeed {
    /// The game's id.
    pub game: &'static str,
    /// The positions whose lines were counted.
    pub positions: Vec<PositionSpeed>,
    /// How many plies a random game has on average.
    pub plies_per_playout: f64,
    /// How many plies of random games a second.
    pub plies_per_second: f64,
    /// How many random games a second.
    pub playouts_per_second: f64,
}

/// How fast the lines from a position were counted.
#[derive(Debug, Serialize)]
pub struct PositionSpeed {
    /// The name of the position.
    pub position: &'static str,
    /// How many plies deep.
    pub depth: u32,
    /// How many nodes there were.
    pub nodes: u64,
    /// Whether there ought to be as many.
    pub is_right: bool,
    /// How many nodes a second.
    pub nodes_per_second: f64,
}

impl RulesSpeed {
    /// Measures games one after the other, each for about this time, on one thread. Every count is made once in any case.
    #[must_use]
    pub fn measure(games: &[&'static Game], time: Duration) -> Self {
        let games: Vec<_> = games.iter().map(|game| measure(game, time)).collect();
        let counts = games.iter().flat_map(|game| &game.positions).map(|position| position.nodes);
        Self { signature: benchmark_signature(counts), games }
    }
}

/// Measures one game for about this time.
fn measure(game: &'static Game, time: Duration) -> GameSpeed {
    let start = Instant::now();
    let mut clock = || start.elapsed();
    let tasks: Vec<_> = BENCH_POSITIONS.iter().filter(|task| task.game == game.id).collect();
    let share = time / (tasks.len() as u32 + 1);
    let positions = tasks.iter().map(|task| {
        let (nodes, time) = fastest(share, &mut clock, || task.count());
        PositionSpeed {
            position: task.name,
            depth: task.depth,
            nodes,
            is_right: nodes == task.nodes,
            nodes_per_second: rate(nodes, time),
        }
    });
    let positions = positions.collect();
    let (played, time) = fastest(share, &mut clock, || benchmark_playouts(game));
    GameSpeed {
        game: game.id,
        positions,
        plies_per_playout: played.plies as f64 / played.games as f64,
        plies_per_second: rate(played.plies, time),
        playouts_per_second: rate(played.games, time),
    }
}

fn rate(count: u64, time: Duration) -> f64 {
    // A clock that saw no time pass is counted as one that ticks every nanosecond.
    count as f64 / time.max(Duration::from_nanos(1)).as_secs_f64()
}
