//! The conformance suite of ABP/1: does a bot keep to the protocol, and what is to be mended if it does not.
//!
//! [`check`] puts a bot to the tests of [`TESTS`] over [`Connection`]s, which somebody else provides: this crate
//! starts no process and prints nothing. Every wait has a deadline, every text that is kept of a bot has a bound
//! and is escaped, and each fault says what was sent, what came back, how long it took and what to do. Positions
//! come from the rules engine by random play with a seed. [`hold`] holds a [`Script`], a dialogue that somebody has
//! written down.

mod answer;
mod bench;
mod connection;
mod fault;
mod positions;
mod report;
mod script;
mod session;
mod subject;
mod suite;
mod transcript;
mod trial;

pub use bench::Settings;
pub use connection::{Connection, Connector, Received, Remains};
pub use fault::Fault;
pub use report::{Report, Subject, TestReport, Verdict};
pub use script::{Script, ScriptError};
pub use suite::catalogue::{Rule, TESTS, Test};
pub use suite::{CheckError, check};
pub use trial::hold;
