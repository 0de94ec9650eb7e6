//! The tags of a game that ratings need.

use std::fmt;

use crate::GameResult;
use crate::fingerprint::PlyTexts;
use crate::pgn::result::decoded;
use crate::pgn::tags::{SAFE_VARIANT, VARIANT};

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
}

/// What the tags of one game say, and what its moves tell of the result.
#[derive(Debug, Default)]
pub(super) struct Header {
    values: [Option<String>; Tag::ALL.len()],
    /// The plies outside of variations, as far as they are kept.
    pub(super) plies: PlyTexts,
    /// How many of them a comment says are the opening.
    pub(super) opening: usize,
    /// Whether anything but tags and comments came.
    pub(super) has_moves: bool,
    /// The result at the end of the moves: `Some(None)` says that the game is not finished.
    pub(super) ending: Option<Option<GameResult>>,
}

impl Tag {
    const ALL: [(Self, &'static str); 15] = [
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
    ];

    /// Returns the tag of this name, if it matters.
    pub(super) fn find(name: &[u8]) -> Option<Self> {
        let name = if name == SAFE_VARIANT.as_bytes() { VARIANT.as_bytes() } else { name };
        Self::ALL.iter().find(|(_, known)| known.as_bytes() == name).map(|(tag, _)| *tag)
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Self::ALL[*self as usize].1)
    }
}

impl Header {
    pub(super) fn get(&self, tag: Tag) -> Option<&str> {
        self.values[tag as usize].as_deref()
    }

    /// Sets a value: UTF-8, or Latin-1 as the standard of PGN has it.
    pub(super) fn set(&mut self, tag: Tag, value: &[u8]) {
        self.values[tag as usize] = Some(decoded(value).trim().to_owned());
    }
}
