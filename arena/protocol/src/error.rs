//! Why a line is not a message.

use thiserror::Error;

use crate::{AnswerError, printable_capped};

/// The most characters of a faulty token that an error keeps.
const SHOWN: usize = 80;

/// Why a line is not a message. Quoted text is already escaped.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LineError {
    /// The line is empty or a comment. Every reader skips it.
    #[error("no message on the line")]
    Blank,
    /// The first word belongs to no message. Every reader skips the line.
    #[error("unknown message `{word}`")]
    Unknown {
        /// The first word.
        word: String,
    },
    /// A message lacks a required part.
    #[error("`{message}` without {what}")]
    Missing {
        /// The first word of the message.
        message: &'static str,
        /// What is missing.
        what: &'static str,
    },
    /// A required part of a message is malformed.
    #[error("{what} of `{message}` cannot be `{found}`")]
    Invalid {
        /// The first word of the message.
        message: &'static str,
        /// The malformed part.
        what: &'static str,
        /// The text found there.
        found: String,
    },
    /// A `bestmove` without a ply.
    #[error(transparent)]
    Answer(#[from] AnswerError),
}

impl LineError {
    /// Returns the error for an unknown word, quoted in escaped form.
    pub(crate) fn unknown(word: &str) -> Self {
        Self::Unknown { word: printable_capped(word, SHOWN) }
    }

    /// Returns the error for a malformed part, quoted in escaped form.
    pub(crate) fn invalid(message: &'static str, what: &'static str, found: &str) -> Self {
        Self::Invalid { message, what, found: printable_capped(found, SHOWN) }
    }
}
