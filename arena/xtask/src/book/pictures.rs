//! The pictures in `arena/docs/images`: pages of the arena, taken with Chromium.

use std::fs;
use std::path::Path;

use crate::shell::{ChoreError, need, root, run};

/// The run in the pictures. Its bots are limited by nodes, so the games are the same at each call.
const TOURNAMENT: &str = "\
name: spring cup
games: [farook, faust, frenzy, 2-frenzy, sophia, {game: fanorona, options: {size: 5x5}}]
bots:
  - {name: otter, builtin: alphabeta}
  - {name: heron, builtin: mcts}
  - {name: newt, builtin: greedy}
  - {name: random, builtin: random}
rounds: 2
tc: nodes 200
";

/// A run that goes on while its live page is looked at.
const LIVE: &str = "\
name: spring cup
games: [farook, 2-frenzy, {game: fanorona, options: {size: 5x5}}]
bots:
  - {name: otter, builtin: alphabeta}
  - {name: heron, builtin: mcts}
  - {name: newt, builtin: greedy}
  - {name: random, builtin: random}
rounds: 1000
tc: movetime 100ms
margin: 5s
concurrency: 2
out: runs/cup
";

/// A position with a capture in it, as arena/docs/positions.md shows it.
const BOARD: &str = "fanorona:size=5x5 --plies c2c3+ d4c5-c4+ b3c3+d4+d3-";

/// Takes all pictures anew.
///
/// # Errors
/// When a run or the browser fails.
pub(super) fn take(arena: &Path) -> Result<(), ChoreError> {
    let work = root().join("target/book-pictures");
    if work.exists() {
        fs::remove_dir_all(&work)?;
    }
    fs::create_dir_all(&work)?;
    fs::write(work.join("spring.yaml"), TOURNAMENT)?;
    fs::write(work.join("cup.yaml"), LIVE)?;
    let arena = arena.display();
    run(&format!("'{arena}' run spring.yaml --out played"), &work)?;
    let images = root().join("arena/docs/images");
    need(&["node"], &["nodejs"])?;
    need(&["chromium"], &["chromium"])?;
    // It writes pictures with a palette of colours, a third as large.
    need(&["pngquant"], &["pngquant"])?;
    let board = images.join("board.png");
    run(&format!("'{arena}' position {BOARD} --png '{}' --size 480", board.display()), &work)?;
    let script =
        format!("node tests/browser/pictures.mjs '{arena}' '{}' '{}'", work.display(), images.display());
    run(&script, &root())?;
    run("pngquant --speed 1 --strip --force --ext .png 128 *.png", &images)
}
