//! Who won by the rules, and why.

pub(crate) mod proof;

use std::fmt;
use std::str::FromStr;

use crate::Seat;

/// Who won by the rules of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This seat won.
    Win(Seat),
    /// Nobody won.
    Draw,
}

impl Outcome {
    /// Returns the seat that won.
    #[must_use]
    pub const fn winner(self) -> Option<Seat> {
        match self {
            Self::Win(seat) => Some(seat),
            Self::Draw => None,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Win(Seat::P1) => "p1win",
            Self::Win(Seat::P2) => "p2win",
            Self::Draw => "draw",
        })
    }
}

/// How the rules of a game ended it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reason {
    /// One seat has a pattern (Farook).
    Pattern,
    /// Both seats have a pattern (Farook).
    BothPatterns,
    /// A seat has no disc left (Faust).
    Annihilated,
    /// A seat, or in Faust either seat, has no legal ply.
    NoLegalPly,
    /// A seat has no fish left (Frenzy, 2-Frenzy).
    NoFish,
    /// No shark can eat (Frenzy).
    SharksImmobilized,
    /// A seat has no shark left (2-Frenzy).
    NoSharks,
    /// Both seats lost at once (2-Frenzy).
    BothLost,
    /// One seat's goal is met (Sophia).
    Line,
    /// Both goals are met at once (Sophia).
    BothLines,
    /// A seat has no stone left (Fanorona).
    NoStones,
    /// The cap on plies is reached.
    MaxMoves,
    /// The cap on turns is reached.
    MaxTurns,
    /// The cap on plies without a capture is reached.
    QuietCap,
    /// The same position was reached for the third time.
    Repetition,
}

impl Reason {
    /// Every reason, with its code.
    pub const ALL: [(Self, &'static str); 15] = [
        (Self::Pattern, "pattern"),
        (Self::BothPatterns, "both-patterns"),
        (Self::Annihilated, "annihilated"),
        (Self::NoLegalPly, "no-legal-ply"),
        (Self::NoFish, "no-fish"),
        (Self::SharksImmobilized, "sharks-immobilized"),
        (Self::NoSharks, "no-sharks"),
        (Self::BothLost, "both-lost"),
        (Self::Line, "line"),
        (Self::BothLines, "both-lines"),
        (Self::NoStones, "no-stones"),
        (Self::MaxMoves, "max-moves"),
        (Self::MaxTurns, "max-turns"),
        (Self::QuietCap, "quiet-cap"),
        (Self::Repetition, "repetition"),
    ];

    /// Returns the code, as written in records and messages.
    #[must_use]
    pub fn code(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// Returns whether a cap ended the game: the only reasons that repetition takes precedence over.
    #[must_use]
    pub const fn is_cap(self) -> bool {
        matches!(self, Self::MaxMoves | Self::MaxTurns | Self::QuietCap)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl FromStr for Reason {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.iter().find(|(_, code)| *code == text).map(|(reason, _)| *reason).ok_or(())
    }
}

/// The end of a game by its rules: the outcome and the reason for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Verdict {
    /// Who won.
    pub outcome: Outcome,
    /// Why.
    pub reason: Reason,
}

impl Verdict {
    /// Returns a win of `seat` for `reason`.
    #[must_use]
    pub const fn win(seat: Seat, reason: Reason) -> Self {
        Self { outcome: Outcome::Win(seat), reason }
    }

    /// Returns a draw for `reason`.
    #[must_use]
    pub const fn draw(reason: Reason) -> Self {
        Self { outcome: Outcome::Draw, reason }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_stand_in_the_order_of_the_reasons() {
        for (reason, code) in Reason::ALL {
            assert_eq!(reason.code(), code);
            assert_eq!(code.parse(), Ok(reason));
        }
    }
}
