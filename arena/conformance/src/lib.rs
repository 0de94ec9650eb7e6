//! The conformance suite of ABP/1: does a bot keep to the protocol, and what to fix if it does not.
//!
//! [`check`] puts a bot to the tests of [`TESTS`] over [`Connection`]s, which somebody else provides: this crate
//! starts no process and prints nothing. Every wait has a deadline, every text that is kept of a bot has a bound
//! and is escaped, and each fault says what was sent, what came back, how long it took and what to do. Positions
//! come from the rules engine by random play with a seed. [`hold`] holds a [`Script`], a dialogue that somebody has
//! written down. A bot fails many clauses for one [`Cause`]: that is told first.
//!
//! [`check_game`] is to the rules of a game of one's own what [`check`] is to a bot: the tests of [`GAME_TESTS`], over a
//! carrier of questions.

mod answer;
mod bench;
mod cause;
mod connection;
mod fault;
mod game_check;
mod positions;
mod report;
mod script;
mod session;
mod subject;
mod suite;
mod transcript;
mod trial;

pub use cause::{Cause, CauseKind};
pub use connection::{Connection, Connector, ExitReport, Received};
pub use fault::Fault;
pub use game_check::catalogue::{GAME_TESTS, GameTest};
pub use game_check::interview::Opener;
pub use game_check::perft::LineCounts;
pub use game_check::report::{GameReport, QuestionPace};
pub use game_check::summary::PlaySummary;
pub use game_check::{GameCheckSettings, check_game};
pub use report::{SharedCause, Subject, SuiteReport, TestReport, TestVerdict};
pub use script::{Script, ScriptError};
pub use subject::SuiteSettings;
pub use suite::catalogue::{Rule, TESTS, Test};
pub use suite::{CheckError, check};
pub use trial::hold;
