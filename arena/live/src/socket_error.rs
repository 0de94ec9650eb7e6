//! Why an order did not reach a run.

use std::fmt;
use std::io;

/// Why a run could not be told anything.
#[derive(Debug)]
pub enum SocketError {
    /// There is no socket, or no process listens to it.
    NobodyThere,
    /// It belongs to another user.
    Forbidden,
    /// The arena there ended or did not answer in time.
    NoAnswer(io::Error),
    /// The run refused the order, in its words.
    Refused(String),
}

impl fmt::Display for SocketError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NobodyThere => f.write_str("no arena plays there"),
            Self::Forbidden => f.write_str("the run there belongs to another user"),
            Self::NoAnswer(error) => write!(f, "the arena there did not answer: {error}"),
            Self::Refused(text) => f.write_str(text),
        }
    }
}
