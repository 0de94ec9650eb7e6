//! Who won by the rules, and why.

pub(crate) mod proof;

use std::fmt;
use std::str::FromStr;
use std::sync::{PoisonError, RwLock};

use crate::{Places, Seat};

/// Who won by the rules of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This seat won, at a table of two seats.
    Win(Seat),
    /// A draw, at a table of two seats.
    Draw,
    /// The places at a table of more than two seats.
    Places(Places),
}

impl Outcome {
    /// Returns the seat that won: at a table of more than two seats, the only one in first place.
    #[must_use]
    pub fn winner(self) -> Option<Seat> {
        match self {
            Self::Win(seat) => Some(seat),
            Self::Draw => None,
            Self::Places(places) => places.winner(),
        }
    }

    /// Returns the score of a seat, 0 to 1: the share of its opponents that it beats, where a tie counts a half.
    #[must_use]
    pub fn score(self, seat: Seat) -> f64 {
        match self {
            Self::Win(winner) => f64::from(u8::from(winner == seat)),
            Self::Draw => 0.5,
            Self::Places(places) => places.score(seat).unwrap_or(0.0),
        }
    }

    /// Returns the places of all seats of a table of `seats`.
    #[must_use]
    pub fn places(self, seats: usize) -> Places {
        match self {
            Self::Win(seat) => Places::won_by(seat, seats),
            Self::Draw => Places::shared(seats),
            Self::Places(places) => places,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win(seat) => write!(f, "{seat}win"),
            Self::Draw => f.write_str("draw"),
            Self::Places(places) => places.fmt(f),
        }
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
    /// All seats that were left lost at once (2-Frenzy for more than two).
    AllLost,
    /// All seats but one are out, the last one because of a fault (tables of more than two seats). The rules do not know which
    /// fault.
    Fault,
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
    /// The same position was reached for the third time, or as often as the game requires.
    Repetition,
    /// A reason that only a game of one's own has.
    Own(OwnReason),
}

impl Reason {
    /// Every reason of the built-in games, with its code.
    pub const ALL: [(Self, &'static str); 17] = [
        (Self::Pattern, "pattern"),
        (Self::BothPatterns, "both-patterns"),
        (Self::Annihilated, "annihilated"),
        (Self::NoLegalPly, "no-legal-ply"),
        (Self::NoFish, "no-fish"),
        (Self::SharksImmobilized, "sharks-immobilized"),
        (Self::NoSharks, "no-sharks"),
        (Self::BothLost, "both-lost"),
        (Self::AllLost, "all-lost"),
        (Self::Fault, "fault"),
        (Self::Line, "line"),
        (Self::BothLines, "both-lines"),
        (Self::NoStones, "no-stones"),
        (Self::MaxMoves, "max-moves"),
        (Self::MaxTurns, "max-turns"),
        (Self::QuietCap, "quiet-cap"),
        (Self::Repetition, "repetition"),
    ];

    /// Returns the code, as records and messages write it.
    #[must_use]
    pub fn code(self) -> &'static str {
        if let Self::Own(own) = self {
            return own.code();
        }
        let known = Self::ALL.iter().find(|(reason, _)| *reason == self);
        known.map(|(_, code)| *code).expect("every built-in reason has a code")
    }

    /// Returns whether a cap ended the game. Repetition has precedence over these reasons only.
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
    type Err = BadReason;

    fn from_str(text: &str) -> Result<Self, BadReason> {
        let known = Self::ALL.iter().find(|(_, code)| *code == text);
        known.map_or_else(|| OwnReason::new(text).map(Self::Own), |(reason, _)| Ok(*reason))
    }
}

/// A reason that only a game of one's own has: a token of 1 to 31 characters from `a-z`, `0-9` and `-`.
///
/// It is as small as the reasons of the built-in games, because millions of games are held in memory. Each different token is
/// stored once, for the life of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OwnReason(u16);

/// The tokens by number.
static OWN_REASONS: RwLock<Vec<&'static str>> = RwLock::new(Vec::new());

impl OwnReason {
    /// The most bytes of a token.
    pub const MOST_BYTES: usize = 31;

    /// The most different tokens of one process.
    pub const MOST: usize = 4096;

    /// Returns the reason with this token.
    ///
    /// # Errors
    /// If the token is malformed, or there are already [`OwnReason::MOST`] different ones.
    pub fn new(token: &str) -> Result<Self, BadReason> {
        let is_fine = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if !(1..=Self::MOST_BYTES).contains(&token.len()) || !token.bytes().all(is_fine) {
            return Err(BadReason::Spelling(token.to_owned()));
        }
        let number = |tokens: &[&str]| tokens.iter().position(|known| *known == token);
        let known = number(&OWN_REASONS.read().unwrap_or_else(PoisonError::into_inner));
        if let Some(number) = known {
            return Ok(Self::numbered(number));
        }
        let mut tokens = OWN_REASONS.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(number) = number(&tokens) {
            return Ok(Self::numbered(number));
        }
        if tokens.len() == Self::MOST {
            return Err(BadReason::TooMany(token.to_owned()));
        }
        tokens.push(Box::leak(token.to_owned().into_boxed_str()));
        Ok(Self::numbered(tokens.len() - 1))
    }

    fn numbered(number: usize) -> Self {
        Self(u16::try_from(number).expect("there are fewer tokens"))
    }

    /// Returns the token.
    #[must_use]
    pub fn code(self) -> &'static str {
        OWN_REASONS.read().unwrap_or_else(PoisonError::into_inner)[usize::from(self.0)]
    }
}

/// A text that is not a valid reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadReason {
    /// It is malformed.
    #[error("`{}` is not a reason: a reason has 1 to {most} of the characters a-z, 0-9 and -", .0.escape_debug(), most = OwnReason::MOST_BYTES)]
    Spelling(String),
    /// There are too many different ones.
    #[error("too many reasons: `{0}` would be one more than the {most} that a process can hold", most = OwnReason::MOST)]
    TooMany(String),
}

/// The end of a game by its rules: the outcome and the reason for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Verdict {
    /// Who won.
    pub outcome: Outcome,
    /// The reason.
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

/// A seat that is out while the others play on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeatOut {
    /// The seat.
    pub seat: Seat,
    /// Its place at the end.
    pub place: u8,
    /// Why it is out; [`Reason::Fault`] if it committed a fault. `None` if unknown, because the seat was out already in the
    /// position from which the game started.
    pub reason: Option<Reason>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_come_back() {
        for (reason, code) in Reason::ALL {
            assert_eq!(reason.code(), code);
            assert_eq!(code.parse(), Ok(reason));
        }
        let own: Reason = "four-in-a-row".parse().unwrap();
        assert_eq!(
            (own.code(), own),
            ("four-in-a-row", Reason::Own(OwnReason::new("four-in-a-row").unwrap()))
        );
        assert_ne!(own, "checkmate".parse().unwrap());
    }

    #[test]
    fn what_is_not_a_token_is_no_reason() {
        for text in ["", "Line", "two words", "a_b", "zug\u{e4}", "a-token-of-thirty-two-characters"] {
            assert_eq!(text.parse::<Reason>(), Err(BadReason::Spelling(text.to_owned())));
        }
    }
}
