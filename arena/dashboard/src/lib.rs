//! The full-screen view of a run (`--tui`).
//!
//! [`Dashboard`] owns the terminal and a thread that draws and reads keys, so a terminal that hangs holds up nothing. What it
//! draws depends only on the state of the run ([`live::LiveState`]), the log and what the user selected; keys do what signals
//! and `arena ctl` do, through the same handles ([`live::Steering`]). Call [`check_terminal`] first, and hand
//! [`restore_terminal`] to whatever may end the process.
//!
//! ```no_run
//! use dashboard::Dashboard;
//! use live::{Interrupts, Steering};
//! use rules::Catalogue;
//! use runner::Control;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! dashboard::check_terminal().map_err(|failure| failure.to_string())?;
//! let control = Control::new();
//! let interrupts = Interrupts::listen_for_run(control.clone(), false, dashboard::restore_terminal)?;
//! let steering = Steering { control, trigger: interrupts.trigger(), workers: None };
//! let dashboard = Dashboard::open(steering, Catalogue::default())?;
//! dashboard.say("the games begin");
//! let log = dashboard.close();
//! # Ok(())
//! # }
//! ```
//!
//! This crate reads no journal and no tournament file, and changes a run only by orders.

#![warn(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr)]

mod boards;
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
