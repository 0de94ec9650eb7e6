//! Playing a tournament from its plan: which games come next, and what is told and kept while they are played.
//!
//! [`play()`] takes a plan ([`tournament_file::Plan`]) and returns how the run ended ([`RunOutcome`]); the caller hands in what
//! shows the run meanwhile ([`Presentation`], [`Display`]). [`configure`] checks whether a plan can continue with a journal.
//! [`FeedbackSchedule`] decides the next meetings where results do, [`Expected`] estimates how long games take, and
//! [`Outlook`] says what is left to play. [`read`] reads a run's directory and [`write_files`] writes its tables, and
//! [`evidence`] explains games beside the journal.
//!
//! This crate parses no arguments, draws no progress bar and no screen, and prints no results.
//!
//! ```
//! use std::path::Path;
//!
//! let failure = tournament::read(Path::new("no/run/here"), &rules::Catalogue::default()).expect_err("there is none");
//! assert!(failure.to_string().contains("no/run/here/journal.jsonl"));
//! ```

#![warn(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr)]

mod display;
pub mod evidence;
mod expected;
mod feedback_schedule;
mod forecast;
mod merge;
mod outlook;
pub mod pinning;
mod play;
pub mod resume;
mod run_directory;

pub use display::{Display, Presentation, RunStart};
pub use expected::Expected;
pub use feedback_schedule::FeedbackSchedule;
pub use merge::{Merged, merge};
pub use outlook::Outlook;
pub use play::{RunOutcome, Store, play, play_on, try_bots};
pub use resume::configure;
pub use run_directory::{failure, read, read_for_files, write_files};
