//! The entries of a course or contest: each is copied, built, put to the tests of the protocol and tried in games against
//! `random`, and its author gets a page that says what came of it and what to do.
//!
//! [`take_in`] does all of it, as its [`IntakeSettings`] say, and leaves a table, the pages, the built entries and a tournament of
//! those that were accepted. What an earlier intake has found out of an entry that has not changed is not found out again.
//! [`BotConnector`] connects the tests of the protocol ([`conformance`]) to processes that are started as those of games;
//! `arena check` uses it too.
//!
//! This crate parses no arguments, and says what it does only to whom it is told to.
//!
//! ```
//! # use std::num::NonZeroUsize;
//! # use std::time::Duration;
//! use intake::IntakeSettings;
//! use runner::Control;
//!
//! let folder = tempfile::tempdir()?;
//! let settings = IntakeSettings {
//!     directory: folder.path().join("entries"),
//!     out: folder.path().join("intake"),
//!     games: Vec::new(),
//!     build_limit: Duration::from_secs(120),
//!     sandbox: None,
//!     tc: "10+0.1".to_owned(),
//!     margin_text: "50ms".to_owned(),
//!     margin: Duration::from_millis(50),
//!     seed: 1,
//!     concurrency: NonZeroUsize::MIN,
//!     is_quick: true,
//!     is_forced: false,
//! };
//! std::fs::create_dir(&settings.directory)?;
//! let failure = intake::take_in(&settings, &Control::new(), &|line| println!("{line}")).expect_err("nothing is there");
//! assert!(failure.to_string().contains("there are no entries in"));
//! # Ok::<(), std::io::Error>(())
//! ```

#![warn(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr)]

mod connector;
mod course;
mod examiner;
mod feedback;
mod folder;
mod handover;
mod intake_settings;
mod outcome;
mod tools;
mod trial;

pub use connector::BotConnector;
pub use course::{IntakeSummary, take_in};
pub use intake_settings::IntakeSettings;
