//! What an illegal ply costs.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use crate::WordError;
use crate::reading::digits;

/// What an illegal ply costs. Written `forfeit` or `retry:3`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Illegal {
    /// The game.
    #[default]
    Forfeit,
    /// Only time, up to this number of times in one decision; the next one costs the game.
    Retry(NonZeroU32),
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Forfeit => f.write_str("forfeit"),
            Self::Retry(tries) => write!(f, "retry:{tries}"),
        }
    }
}

impl FromStr for Illegal {
    type Err = WordError;

    fn from_str(text: &str) -> Result<Self, WordError> {
        let retry = || text.strip_prefix("retry:").and_then(digits).map(Self::Retry);
        match text {
            "forfeit" => Ok(Self::Forfeit),
            _ => retry().ok_or_else(|| WordError {
                text: text.to_owned(),
                expected: "`forfeit`, `retry:N` with a count from 1 up",
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_illegal_ply_costs_is_read_as_written() {
        for text in ["forfeit", "retry:1", "retry:3"] {
            assert_eq!(text.parse::<Illegal>().unwrap().to_string(), text);
        }
        for text in ["", "retry", "retry:", "retry:0", "retry:-1", "retry:+1", "Forfeit"] {
            assert!(text.parse::<Illegal>().is_err(), "{text}");
        }
    }
}
