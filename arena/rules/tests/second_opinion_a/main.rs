//! A second opinion on Farook, Sophia and Fanorona: each is written once more, naively and from the rules
//! page alone, and plays random games beside the engine. At every ply the legal plies, the position string,
//! the seat and the result must be the same.
//!
//! `cargo test` plays [`GAMES`] games of each. More of them, and others:
//!
//! ```text
//! ARENA_GAMES=1000000 ARENA_SEED=7 cargo test --release --package rules --test second_opinion_a -- --nocapture
//! ```
//!
//! `ARENA_GAMES` is the number of games of each game instead, `ARENA_SEED` the seed of the
//! first (default 0); the seeds of the others follow. The counters of what was seen are printed.

mod board;
mod compose;
mod fanorona;
mod farook;
mod harness;
mod sophia;

use std::env;

use fanorona::Fanorona;
use farook::Farook;
use harness::{Naive, Tally};
use sophia::Sophia;

/// Games of each game, unless `ARENA_GAMES` says otherwise.
const GAMES: u64 = 1500;

#[test]
fn farook_agrees_with_a_naive_version() {
    check::<Farook>();
}

#[test]
fn sophia_agrees_with_a_naive_version() {
    check::<Sophia>();
}

#[test]
fn fanorona_agrees_with_a_naive_version() {
    check::<Fanorona>();
}

fn check<N: Naive>() {
    let (games, first) = (number("ARENA_GAMES").unwrap_or(GAMES), number("ARENA_SEED").unwrap_or(0));
    let mut tally = Tally::default();
    for seed in first..first + games {
        harness::play_game::<N>(seed, &mut tally);
    }
    println!("{}\n{tally}", N::GAME);
    // The default games show everything, and so do very many; a few others may miss what is rare.
    if (games, first) == (GAMES, 0) || games >= 20 * GAMES {
        tally.require(N::WITNESSES);
    }
}

fn number(name: &str) -> Option<u64> {
    let text = env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name}={text}: not a number")))
}
