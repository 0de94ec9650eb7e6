//! The length of random openings.

use std::fmt;

/// The length of random openings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OpeningLength {
    /// This many plies.
    Plies(u32),
    /// This many whole turns.
    Turns(u32),
}

impl OpeningLength {
    /// Returns the next greater length.
    pub(super) const fn longer(self) -> Self {
        match self {
            Self::Plies(plies) => Self::Plies(plies + 1),
            Self::Turns(turns) => Self::Turns(turns + 1),
        }
    }
}

impl fmt::Display for OpeningLength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (count, unit) = match self {
            Self::Plies(count) => (count, "ply"),
            Self::Turns(count) => (count, "turn"),
        };
        let unit = match (count, unit) {
            (1, unit) => unit,
            (_, "ply") => "plies",
            _ => "turns",
        };
        write!(f, "{count} {unit}")
    }
}
