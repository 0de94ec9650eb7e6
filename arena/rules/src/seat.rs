//! The two seats of a game.

use std::fmt;
use std::str::FromStr;

/// A place at the board: `p1` moves first. Results belong to seats, whatever colour they play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Seat {
    /// The seat that moves first.
    P1,
    /// The other seat.
    P2,
}

impl Seat {
    /// Both seats, in order.
    pub const BOTH: [Self; 2] = [Self::P1, Self::P2];

    /// Returns the seat opposite.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::P1 => Self::P2,
            Self::P2 => Self::P1,
        }
    }

    /// Returns 0 for `p1` and 1 for `p2`.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::P1 => "p1",
            Self::P2 => "p2",
        })
    }
}

impl FromStr for Seat {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "p1" => Ok(Self::P1),
            "p2" => Ok(Self::P2),
            _ => Err(()),
        }
    }
}
