//! A run from its plan: which games are played next, what is told and kept while they are, and the files that are made of
//! its journal.
//!
//! [`play`] is the whole way from a plan ([`tournament_file::Plan`]) to what came of it ([`RunOutcome`]); what shows the run
//! meanwhile is handed in ([`Presentation`], [`Display`]). [`configure`] says whether a plan goes on with what a journal
//! holds; [`FeedbackSchedule`] decides the next meetings where results do; [`Expected`] says how long games will take. [`read`]
//! and [`write_files`] go from a run's directory to its tables, [`outputs`] makes single ones, and [`evidence`] is what
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

mod display;
pub mod evidence;
mod expected;
mod feedback_schedule;
mod forecast;
pub mod outputs;
pub mod pinning;
mod play;
pub mod resume;
mod run_directory;

pub use display::{Display, Presentation, RunStart};
pub use expected::Expected;
pub use feedback_schedule::FeedbackSchedule;
pub use play::{RunOutcome, Store, play, try_bots};
pub use resume::configure;
pub use run_directory::{failure, read, write_files};
