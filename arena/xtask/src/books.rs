//! Writes the books of openings in the executable again.

use crate::shell::{ChoreError, root, run};

/// How many openings each book has.
const COUNT: u32 = 200;
/// How long they are.
const TURNS: u32 = 4;
/// How many nodes `alphabeta` searches for each.
const NODES: u32 = 2000;

/// A game with how far its scores may be from which one. In Frenzy the sides are unlike, and no opening is worth
/// zero to the bot.
const BOOKS: [(&str, u32, i32); 6] = [
    ("farook", 30, 0),
    ("faust", 20, 0),
    ("frenzy", 50, -675),
    ("2-frenzy", 100, 0),
    ("sophia", 30, 0),
    ("fanorona", 100, 0),
];

/// Writes every book, with the executable as it is; afterwards it must be built again to hold them.
pub(crate) fn write() -> Result<(), ChoreError> {
    let root = root();
    for (game, most, around) in BOOKS {
        let judge = format!("--balance alphabeta --nodes {NODES} --max-score {most} --around={around}");
        let file = format!("arena/tournament-file/src/games/book/texts/{game}.txt");
        let words = format!("openings {game} --turns {TURNS} --count {COUNT} {judge} -o {file}");
        run(&format!("cargo run --quiet --release --bin arena -- {words}"), &root)?;
    }
    run("git status --short arena/tournament-file/src/games/book/texts", &root)
}
