//! `cargo bench -p rules`: nodes and playouts a second of every game, on one thread.
//!
//! Words after `--` choose games; `--once` does every piece of work once, which is what an instruction counter
//! wants: `valgrind --tool=callgrind`.

use std::env;
use std::time::{Duration, Instant};

use rules::{BENCH_POSITIONS, GAMES, benchmark_playouts, benchmark_signature, fastest};

fn main() {
    let words: Vec<String> = env::args().skip(1).collect();
    let is_once = words.iter().any(|word| word == "--once");
    let time = if is_once { Duration::ZERO } else { Duration::from_millis(600) };
    let chosen: Vec<&str> = words.iter().map(String::as_str).filter(|word| !word.starts_with("--")).collect();
    let is_chosen = |name: &str| chosen.is_empty() || chosen.iter().any(|word| name.starts_with(word));

    let start = Instant::now();
    let mut clock = || start.elapsed();
    println!("{:<9} {:<9} {:>5} {:>12} {:>12}", "game", "position", "depth", "nodes", "nodes/s");
    let mut counts = Vec::new();
    for task in BENCH_POSITIONS.iter().filter(|task| is_chosen(&format!("{}/{}", task.game, task.name))) {
        let (nodes, fastest) = fastest(time, &mut clock, || task.count());
        counts.push(nodes);
        let rate = nodes as f64 / fastest.as_secs_f64();
        println!("{:<9} {:<9} {:>5} {nodes:>12} {rate:>12.0}", task.game, task.name, task.depth);
    }
    println!("\n{:<9} {:>14} {:>12} {:>12}", "game", "plies/playout", "plies/s", "playouts/s");
    for game in GAMES.iter().filter(|game| is_chosen(&format!("{}/playouts", game.id))) {
        let (played, fastest) = fastest(time, &mut clock, || benchmark_playouts(game));
        let (games, plies, seconds) = (played.games as f64, played.plies as f64, fastest.as_secs_f64());
        println!(
            "{:<9} {:>14.1} {:>12.0} {:>12.0}",
            game.id,
            plies / games,
            plies / seconds,
            games / seconds
        );
    }
    println!("\nsignature {}", benchmark_signature(counts));
}
