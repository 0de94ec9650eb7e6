//! What people are told: messages with a place, a fact and advice; exit codes; and the one way to standard output and
//! standard error.
//!
//! A command that cannot do its work returns a [`Failure`] of [`Diagnostic`]s. What it has to say besides goes through
//! [`say()`] (standard error) and [`output`] (standard output), both of which let nothing pass that a terminal obeys
//! ([`harmless`]). This crate knows no bots, no games and no command line.
//!
//! ```
//! use diagnostic::{Diagnostic, Exit, Failure};
//!
//! let failure = Failure::from(Diagnostic::new("there is no bot `nova`").hint("did you mean `novo`?"));
//! assert_eq!(failure.exit(), Exit::Usage);
//! assert_eq!(failure.to_string(), "error: there is no bot `nova`\nhint: did you mean `novo`?\n");
//! ```

#![warn(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr)]

mod exit;
mod failure;
pub mod harmless;
pub mod output;
mod say;
mod terminal;
mod words;

pub use exit::{Exit, table};
pub use failure::{Diagnostic, Failure, Place};
pub use say::{say, say_torn};
