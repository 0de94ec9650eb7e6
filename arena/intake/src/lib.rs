//! The entries of a course or contest: each is copied, built, put to the tests of the protocol and tried in games against
//! `random`, and its author gets a page that says what happened and what to do.
//!
//! [`take_in`] does all of it as its [`IntakeSettings`] say. It leaves a table, the pages, the built entries, and a tournament
//! file for those that were accepted. An entry that has not changed since an earlier intake keeps its verdict.
//! [`BotConnector`] connects the tests of the protocol ([`conformance`]) to bots that run as they do in games; `arena check`
//! uses it too.
//!
//! This crate parses no arguments and prints nothing: it reports through the function it is given.
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
mod intake_settings;
mod outcome;
mod tools;
mod trial;

pub use connector::BotConnector;
pub use course::{IntakeSummary, take_in};
pub use intake_settings::IntakeSettings;
