//! The laws of the built-in games (`arena/rules/tests`), held over the games of `arena/games` by the text that they speak: every
//! game of plies by lot, position strings and tokens that are almost right, clicks, and the symmetries of the boards.
//!
//! Telo runs wherever these tests do. The others need Node.js or were built by `cargo xtask games`: the second stage of CI sets
//! `ARENA_SECOND_STAGE`, and then none may be missing.

mod law;
mod shipped;
mod symmetries;
#[path = "../../../rules/tests/hostile/tamper.rs"]
mod tamper;
