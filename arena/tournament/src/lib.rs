//! A run from its plan: which games are played next, what is told and kept while they are, and the files that are made of
//! its journal.
//!
//! [`play`] is the whole way from a plan ([`tournament_file::Plan`]) to what came of it ([`Played`]); what shows the run
//! meanwhile is handed in ([`Presentation`], [`Display`]). [`configure`] says whether a plan goes on with what a journal
//! holds; [`Director`] decides the next meetings where results do; [`Expected`] says how long games will take. [`read`]
//! and [`write_files`] go from a run's directory to its tables, [`derived`] makes single ones, and [`evidence`] is what
//! explains games beside the journal.
//!
//! This crate parses no arguments, draws no bar and no screen, and prints no results.
//!
//! ```
//! use std::path::Path;
//!
//! let failure = tournament::read(Path::new("no/run/here")).expect_err("there is none");
//! assert!(failure.to_string().contains("no/run/here/journal.jsonl"));
//! ```

#![warn(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr)]

pub mod derived;
mod directed;
mod display;
pub mod evidence;
mod expected;
mod forecast;
pub mod growth;
pub mod pinning;
mod play;
mod written;

pub use directed::Director;
pub use display::{Display, Opening, Presentation};
pub use expected::Expected;
pub use play::{Played, Store, configure, play, read, try_bots};
pub use written::{failure, write_files};
