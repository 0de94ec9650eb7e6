//! A run in progress: its state for those who watch it, orders and signals from those who steer it.
//!
//! [`LiveState`] is the whole state of a run, a plain value: `live.json`, the full-screen view and the pages of `arena serve`
//! use nothing else. A [`Scoreboard`] makes it from what happens. An [`Endpoint`] writes it to `live.json` in the run's
//! directory, where [`read`] finds it, and takes [`ControlOrder`]s through a socket there, which [`ask`] sends.
//! [`Interrupts`] turns Ctrl-C and other signals into the same orders. Nothing here may hold up a game or end a run.
//!
//! This crate plays no games and draws nothing; orders and signals act on a [`runner::Control`] only.
//!
//! ```
//! use std::path::Path;
//!
//! use live::{ControlOrder, SocketError};
//!
//! let order: ControlOrder = "concurrency 4".parse().expect("an order");
//! assert!(matches!(live::ask(Path::new("no/run/here"), &order), Err(SocketError::NobodyThere)));
//! assert!(live::read(Path::new("no/run/here")).expect("nothing to read").is_none());
//! ```

#![warn(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr)]

mod endpoint;
mod file;
mod order;
mod scoreboard;
mod signals;
#[cfg(unix)]
mod socket;
#[cfg(not(unix))]
#[path = "no_socket.rs"]
mod socket;
mod socket_error;
mod state;
mod workers;

pub use endpoint::Endpoint;
pub use file::{clear, is_in_use, read};
pub use order::{ControlOrder, Steering};
pub use scoreboard::{Scoreboard, View};
pub use signals::{Interrupts, SignalListener, SystemSignal, Trigger};
pub use socket::ask;
pub use socket_error::SocketError;
pub use state::{
    Evaluation, GameCounts, GameState, LiveBot, LiveFault, LiveStanding, LiveState, RunStage, SearchState,
    TestState, Throughput,
};
pub use workers::{LiveWorker, WorkerOrder, WorkerPanel, WorkerStage};
