//! The full-screen view of a run (`--tui`).
//!
//! What is drawn is a function of the run's picture ([`live::LiveState`]), the log and where the user looks: `draw`
//! and the files beside it know no terminal. [`Dashboard`] owns the terminal and a thread that draws and reads keys, so
//! that a terminal that hangs holds up nothing. Keys do what signals and `arena ctl` do, by the same handles.

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

pub(crate) use self::screen::{Dashboard, check_terminal};
pub(crate) use self::terminal::restore as restore_terminal;
