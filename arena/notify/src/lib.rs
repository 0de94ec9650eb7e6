//! What happens in a run, told to a command or a webhook.
//!
//! A [`Notice`] is one event as JSON. A [`Notifier`] hands notices to a thread of its own, which starts the command or sends the
//! request, one at a time and each with a deadline. Telling never waits: where too much is waiting, a notice is dropped, and a
//! complaint says so. A command that fails or hangs costs a complaint and nothing else; it is killed with all that it started, at
//! the latest when the user interrupts the run a second time.
//!
//! ```
//! use notify::{CommandLine, Notice, Notifier, Recipients, RunName};
//!
//! let command = CommandLine { words: vec!["true".to_owned()], directory: ".".into() };
//! let recipients = Recipients { command: Some(command), ..Recipients::default() };
//! let run = RunName { name: "cup".to_owned(), format: "round-robin".to_owned(), directory: "results/cup".into() };
//! let mut notifier = Notifier::open(&recipients, run, || 0);
//! notifier.tell(&Notice::RunStarted { games_recorded: 0, games_left: 90, bots: 3 });
//! assert_eq!(notifier.close(), Vec::<String>::new());
//! ```

#![warn(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr)]

mod command;
mod notice;
mod notifier;
mod recipients;
mod webhook;

pub use notice::{Notice, RunName, StopReason, ToldVerdict};
pub use notifier::Notifier;
pub use recipients::{CommandLine, Recipients, check_url};
