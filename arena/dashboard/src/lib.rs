//! The full-screen view of a run (`--tui`).
//!
//! [`Dashboard`] owns the terminal and a thread that draws and reads keys, so that a terminal that hangs holds up nothing.
//! What is drawn is a function of the run's picture ([`live::LiveState`]), the log and where the user looks; keys do what
//! signals and `arena ctl` do, by the same handles ([`live::Steering`]). [`check_terminal`] says beforehand whether there is
//! a terminal to be taken over, and [`restore_terminal`] gives it back on the way out of the process.
//!
//! This crate knows no journal and no tournament file, and changes nothing of a run but by orders.

#![warn(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr)]

mod draw;
mod game;
mod games;
mod hub;
mod keys;
mod screen;
mod sight;
mod tables;
mod terminal;
#[cfg(test)]
mod tests;
mod words;

pub use screen::{Dashboard, check_terminal};
pub use terminal::restore as restore_terminal;
