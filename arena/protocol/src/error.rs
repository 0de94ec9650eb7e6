//! Why a line is not a message.

use thiserror::Error;

use crate::{AnswerError, printable_capped};

/// How many characters of a faulty token are kept in an error.
const SHOWN: usize = 80;

/// Why a line is not a message. What it quotes is already fit to be shown.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LineError {
    /// The line is empty or a comment, which every reader skips.
    #[error("no message on the line")]
    Blank,
    /// The first word belongs to no message, which every reader skips.
    #[error("unknown message `{word}`")]
    Unknown {
        /// The first word.
        word: String,
    },
    /// A message lacks something that it needs.
    #[error("`{message}` without {what}")]
    Missing {
        /// The first word of the message.
        message: &'static str,
        /// What is missing.
        what: &'static str,
    },
    /// Something that a message needs is written wrongly.
    #[error("{what} of `{message}` cannot be `{found}`")]
    Invalid {
        /// The first word of the message.
        message: &'static str,
        /// What is wrong.
        what: &'static str,
        /// What stands there.
        found: String,
    },
    /// A `bestmove` that names no ply.
    #[error(transparent)]
    Answer(#[from] AnswerError),
}

impl LineError {
    /// Returns the error of something unknown, quoted with care.
    pub(crate) fn unknown(word: &str) -> Self {
        Self::Unknown { word: printable_capped(word, SHOWN) }
    }

    /// Returns the error of something wrong, quoted with care.
    pub(crate) fn invalid(message: &'static str, what: &'static str, found: &str) -> Self {
        Self::Invalid { message, what, found: printable_capped(found, SHOWN) }
    }
}
