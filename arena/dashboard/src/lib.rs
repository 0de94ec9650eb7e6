//! The full-screen view of a run (`--tui`).
//!
//! [`Dashboard`] owns the terminal and a thread that draws and reads keys, so that a terminal that hangs holds up nothing.
//! What is drawn is a function of the run's picture ([`live::LiveState`]), the log and where the user looks; keys do what
//! signals and `arena ctl` do, by the same handles ([`live::Steering`]). [`check_terminal`] says beforehand whether there is
//! a terminal to be taken over, and [`restore_terminal`] gives it back on the way out of the process.
//!
//! ```no_run
//! use dashboard::Dashboard;
//! use live::{Interrupts, Steering};
//! use runner::Control;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! dashboard::check_terminal().map_err(|failure| failure.to_string())?;
//! let control = Control::new();
//! let interrupts = Interrupts::listen_for_run(control.clone(), false, dashboard::restore_terminal)?;
//! let dashboard = Dashboard::open(Steering { control, trigger: interrupts.trigger() })?;
//! dashboard.say("the games begin");
//! let log = dashboard.close();
//! # Ok(())
//! # }
//! ```
//!
//! This crate knows no journal and no tournament file, and changes nothing of a run but by orders.

#![warn(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr)]

mod context;
mod draw;
mod figures;
mod game;
mod games;
mod keys;
mod screen;
mod selection;
mod shared;
mod tables;
mod terminal;
#[cfg(test)]
mod tests;

pub use screen::{Dashboard, check_terminal};
pub use terminal::restore as restore_terminal;
