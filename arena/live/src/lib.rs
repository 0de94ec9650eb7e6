//! A run while it goes on, for those who watch it and those who steer it.
//!
//! [`LiveState`] is the whole picture, a plain value: `live.json`, the full-screen view and the pages of `arena serve` are
//! made from it alone. A run makes it with a [`Scoreboard`] and shows it through an [`Endpoint`], which keeps it as `live.json`
//! in the run's directory ([`read`]) and takes [`ControlOrder`]s there by a socket ([`ask`]). [`Interrupts`] are Ctrl-C and its
//! kind. None of these may hold up a game or end a run.
//!
//! This crate plays no games and draws nothing; [`runner::Control`] is all that orders and signals act on.
//!
//! ```
//! use std::path::Path;
//!
//! use live::{ControlOrder, SocketError};
//!
//! let order: ControlOrder = "concurrency 4".parse().expect("an order");
//! assert!(matches!(live::ask(Path::new("no/run/here"), order), Err(SocketError::NobodyThere)));
//! assert!(live::read(Path::new("no/run/here")).expect("nothing to read").is_none());
//! ```

#![warn(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr)]

mod endpoint;
mod file;
mod order;
mod scoreboard;
mod signals;
mod socket;
mod state;

pub use endpoint::Endpoint;
pub use file::{clear, is_in_use, read};
pub use order::{ControlOrder, Steering};
pub use scoreboard::{Scoreboard, View};
pub use signals::{Interrupts, Trigger};
pub use socket::{SocketError, ask};
pub use state::{
    Evaluation, GameCounts, GameState, LiveBot, LiveFault, LiveStanding, LiveState, RunStage, SearchState,
    TestState, Throughput,
};
