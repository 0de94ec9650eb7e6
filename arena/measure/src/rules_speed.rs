//! Nodes and random games a second, by the rules alone.

use std::time::{Duration, Instant};

use rules::{
    Dice, Setup, StartError, bench_positions, benchmark_playouts, benchmark_signature, fastest, find,
};
use serde::Serialize;

/// About how many lines are counted from the start of a game of which no counts are known, at most.
const MOST_LINES: u64 = 20_000;

/// How many random games are played of such a game: asked for each ply, its rules may be a thousand times slower.
const FEW_GAMES: u64 = 10;

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
    /// The game's id, with the options that are not the defaults.
    pub game: String,
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
    /// Whether there ought to be as many; `None` where nobody has counted them: in a game of one's own, and with other options.
    pub is_right: Option<bool>,
    /// How many nodes a second.
    pub nodes_per_second: f64,
}

impl RulesSpeed {
    /// Measures games one after the other, each for about this time, on one thread. Every count is made once in any case.
    ///
    /// # Errors
    /// When the rules of a game of one's own fail.
    pub fn measure(games: &[Setup], time: Duration) -> Result<Self, StartError> {
        let games = games.iter().map(|game| measure(game, time)).collect::<Result<Vec<_>, _>>()?;
        let counts = games.iter().flat_map(|game| &game.positions).map(|position| position.nodes);
        Ok(Self { signature: benchmark_signature(counts), games })
    }
}

/// Measures one game for about this time.
fn measure(setup: &Setup, time: Duration) -> Result<GameSpeed, StartError> {
    let start = Instant::now();
    let mut clock = || start.elapsed();
    let game = setup.label();
    // With the defaults, always the same games are played.
    let built_in = find(&game).ok();
    let tasks: Vec<_> = bench_positions(setup).collect();
    let share = time / (tasks.len().max(1) as u32 + 1);
    let mut positions: Vec<_> = tasks
        .iter()
        .map(|task| {
            let (nodes, time) = fastest(share, &mut clock, || task.count());
            PositionSpeed {
                position: task.name,
                depth: task.depth,
                nodes,
                is_right: Some(nodes == task.nodes),
                nodes_per_second: rate(nodes, time),
            }
        })
        .collect();
    if positions.is_empty() {
        let depth = depth(setup)?;
        let (nodes, time) = fastest(share, &mut clock, || setup.perft(None, depth));
        let nodes = nodes?;
        positions.push(PositionSpeed {
            position: "start",
            depth,
            nodes,
            is_right: None,
            nodes_per_second: rate(nodes, time),
        });
    }
    let (played, time) = fastest(share, &mut clock, || match built_in {
        Some(game) => Ok(benchmark_playouts(game)),
        None => setup.playouts(None, FEW_GAMES, &mut Dice::new(1)),
    });
    let played = played?;
    Ok(GameSpeed {
        game,
        positions,
        plies_per_playout: played.plies as f64 / played.games as f64,
        plies_per_second: rate(played.plies, time),
        playouts_per_second: rate(played.games, time),
    })
}

/// Returns how deep the lines of a game are counted: as deep as there are likely to be few enough, if they grow as before.
fn depth(setup: &Setup) -> Result<u32, StartError> {
    let (mut depth, mut before, mut count) = (1, 1, setup.perft(None, 1)?);
    while count > 0 && count.saturating_mul(count.div_ceil(before)) <= MOST_LINES {
        let next = setup.perft(None, depth + 1)?;
        if next == 0 {
            break;
        }
        (depth, before, count) = (depth + 1, count, next);
    }
    Ok(depth)
}

fn rate(count: u64, time: Duration) -> f64 {
    // A clock that saw no time pass is counted as one that ticks every nanosecond.
    count as f64 / time.max(Duration::from_nanos(1)).as_secs_f64()
}
