//! Games by hand.

#![warn(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr)]

mod begun;
mod entry;
mod game;
mod save;
mod seats;
mod stopwatch;
pub mod words;

pub use begun::{after, taken};
pub use entry::Entry;
pub use game::{Game, KeptGame, News, Tell, Told, Way, Wish};
pub use save::{Log, text as log_text};
pub use seats::{Chairs, Words};
