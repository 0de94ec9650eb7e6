//! Why a command line cannot be translated.

use thiserror::Error;

/// Why a command line becomes no tournament file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ImportError {
    /// There are no words.
    #[error("there is no command line")]
    Empty,
    /// The program is not known.
    #[error("the command line begins with `{0}`, which is neither `cutechess-cli` nor `fastchess`")]
    Program(String),
    /// A word stands before the first option.
    #[error("`{0}` belongs to no option")]
    Stray(String),
    /// The program has no such option.
    #[error("{program} has no option `{option}`")]
    Unknown {
        /// The program.
        program: &'static str,
        /// What was written.
        option: String,
        /// The nearest that it has.
        near: Option<&'static str>,
    },
    /// A value is not one that the option can have.
    #[error("`{option}`: {fault}")]
    Value {
        /// The option, with the key below it.
        option: String,
        /// What is wrong, in words.
        fault: String,
    },
    /// The games cannot be played by the arena.
    #[error("{0}")]
    Unplayable(String),
}

impl ImportError {
    /// Returns a fault of a value.
    pub(crate) fn value(option: impl Into<String>, fault: impl Into<String>) -> Self {
        Self::Value { option: option.into(), fault: fault.into() }
    }

    /// Returns what to do, where that can be said.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Empty | Self::Program(_) => {
                Some("for example: `arena import -- fastchess -engine cmd=./new -engine cmd=./old -each tc=8+0.08`".to_owned())
            }
            Self::Unknown { near: Some(near), .. } => Some(format!("did you mean `{near}`?")),
            _ => None,
        }
    }
}
