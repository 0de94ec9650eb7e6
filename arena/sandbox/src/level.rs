//! The levels.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// How far a bot is confined. Written `none`, `basic`, `contest` or `strict`; each holds to what the one before it
/// promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Not at all: the bot may do what the user may.
    None,
    /// What any user can enforce without harm to an ordinary bot.
    Basic,
    /// Everything that can be enforced without namespaces, with limits, and a user of its own where the arena is root.
    Contest,
    /// Namespaces too: no network, other process or shared memory is even visible.
    Strict,
}

/// All levels, the weakest first.
const LEVELS: [(Level, &str); 4] =
    [(Level::None, "none"), (Level::Basic, "basic"), (Level::Contest, "contest"), (Level::Strict, "strict")];

/// A word that is no level.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{text}` is not one of `none`, `basic`, `contest`, `strict`")]
pub struct LevelError {
    /// The word.
    pub text: String,
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "none",
            Self::Basic => "basic",
            Self::Contest => "contest",
            Self::Strict => "strict",
        })
    }
}

impl FromStr for Level {
    type Err = LevelError;

    fn from_str(text: &str) -> Result<Self, LevelError> {
        let found = LEVELS.iter().find(|(_, name)| *name == text);
        found.map(|(level, _)| *level).ok_or_else(|| LevelError { text: text.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_reads_as_it_is_written() {
        for (level, name) in LEVELS {
            assert_eq!(level.to_string(), name);
            assert_eq!(name.parse(), Ok(level));
        }
        assert!("Basic".parse::<Level>().is_err());
        assert!(Level::None < Level::Basic && Level::Contest < Level::Strict);
    }
}
