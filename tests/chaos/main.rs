//! Misbehaving bots, each against an honest one in a real tournament by the real executable, run by an ordinary user.
//!
//! `attacks` is the table: what each bot does and what comes of it. `attacker/` in Python and `attacker.c` do it.
//! A third of the table is played by a plain `cargo test`; `cargo xtask chaos` plays all of it at every level.

mod attacks;
mod level;
mod limits;
mod outputs;
mod programs;
mod site;
mod suite;
mod traces;
mod user;
