//! The tags of a game that ratings need.

use std::fmt;

use rules::Seat;

use crate::GameResult;
use crate::fingerprint::PlyTexts;
use crate::pgn::result::decoded;
use crate::pgn::tags::{PLACES, SAFE_VARIANT, VARIANT};

/// The beginning of a player's tag at a table of more than two seats.
const PLAYER: &str = "Player";

/// A tag that matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    Event,
    Round,
    White,
    Black,
    Result,
    Variant,
    GameOptions,
    Date,
    UtcDate,
    UtcTime,
    Reason,
    WhiteVersion,
    BlackVersion,
    StartPosition,
    Fen,
    Places,
    /// The player in this seat, from 0, at a table of more than two seats.
    Player(u8),
    /// The version of that player.
    PlayerVersion(u8),
}

/// The tags of one game, and what its moves say about the result.
#[derive(Debug, Default)]
pub(super) struct Header {
    values: [Option<String>; Tag::COUNT],
    /// The plies outside of variations, as far as they are kept.
    pub(super) plies: PlyTexts,
    /// How many of them are the opening, according to the comments.
    pub(super) opening: usize,
    /// Whether anything except tags and comments has come.
    pub(super) has_moves: bool,
    /// The result at the end of the moves: `Some(None)` says that the game is not finished.
    pub(super) ending: Option<Option<GameResult>>,
}

impl Tag {
    /// The number of possible values.
    const COUNT: usize = Self::ALL.len() + 2 * Seat::MOST;

    const ALL: [(Self, &'static str); 16] = [
        (Self::Event, "Event"),
        (Self::Round, "Round"),
        (Self::White, "White"),
        (Self::Black, "Black"),
        (Self::Result, "Result"),
        (Self::Variant, VARIANT),
        (Self::GameOptions, "GameOptions"),
        (Self::Date, "Date"),
        (Self::UtcDate, "UTCDate"),
        (Self::UtcTime, "UTCTime"),
        (Self::Reason, "Reason"),
        (Self::WhiteVersion, "WhiteVersion"),
        (Self::BlackVersion, "BlackVersion"),
        (Self::StartPosition, "StartPosition"),
        (Self::Fen, "FEN"),
        (Self::Places, PLACES),
    ];

    /// Returns the tag with this name, if it matters.
    pub(super) fn find(name: &[u8]) -> Option<Self> {
        let name = if name == SAFE_VARIANT.as_bytes() { VARIANT.as_bytes() } else { name };
        let known = Self::ALL.iter().find(|(_, known)| known.as_bytes() == name).map(|(tag, _)| *tag);
        known.or_else(|| {
            let (&[digit @ b'1'..=b'8'], rest) = name.strip_prefix(PLAYER.as_bytes())?.split_at_checked(1)?
            else {
                return None;
            };
            let seat = digit - b'1';
            match rest {
                b"" => Some(Self::Player(seat)),
                b"Version" => Some(Self::PlayerVersion(seat)),
                _ => None,
            }
        })
    }

    /// Returns the index of its value.
    fn place(self) -> usize {
        match self {
            Self::Player(seat) => Self::ALL.len() + usize::from(seat),
            Self::PlayerVersion(seat) => Self::ALL.len() + Seat::MOST + usize::from(seat),
            _ => Self::ALL.iter().position(|(tag, _)| *tag == self).unwrap_or(0),
        }
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Player(seat) => write!(f, "{PLAYER}{}", seat + 1),
            Self::PlayerVersion(seat) => write!(f, "{PLAYER}{}Version", seat + 1),
            _ => f.write_str(Self::ALL[self.place()].1),
        }
    }
}

impl Header {
    pub(super) fn get(&self, tag: Tag) -> Option<&str> {
        self.values[tag.place()].as_deref()
    }

    /// Sets a value, in UTF-8, or in Latin-1 as the PGN standard requires.
    pub(super) fn set(&mut self, tag: Tag, value: &[u8]) {
        self.values[tag.place()] = Some(decoded(value).trim().to_owned());
    }
}
