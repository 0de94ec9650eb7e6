//! A second opinion on Faust, Frenzy and 2-Frenzy: each is implemented once more, straight from the rules page,
//! with cells in plain vectors, sets and loops and no code of the engine. Random games are played in both, from
//! the start and from random compositions, and at every ply the legal plies, the position string, the seat, the
//! turn and the result must be the same; so must be which position strings are taken.
//!
//! `ARENA_GAMES` sets the number of games that each test plays; game `i` is the same in every run:
//!
//! ```text
//! ARENA_GAMES=1000000 cargo test -p rules --release --test second_opinion_b -- --nocapture
//! ```
//!
//! `ARENA_FIRST` sets the number of the first game, to go on where a run ended or to repeat one game.
//! With `--nocapture` the counters are shown. A run of the usual length or longer fails if something that the
//! rules provide for did not happen in it.

mod board;
mod faust;
mod faust_compositions;
mod frenzy;
mod harness;
mod school;
mod two_frenzy;
mod two_frenzy_compositions;

use crate::faust::Faust;
use crate::frenzy::Frenzy;
use crate::harness::compare;
use crate::two_frenzy::TwoFrenzy;

#[test]
fn faust_is_agreed_on() {
    compare::<Faust>(1500);
}

#[test]
fn frenzy_is_agreed_on() {
    compare::<Frenzy>(1500);
}

#[test]
fn two_frenzy_is_agreed_on() {
    compare::<TwoFrenzy>(1500);
}
