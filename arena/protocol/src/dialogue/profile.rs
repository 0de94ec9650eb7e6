//! The dialect of a bot: the few words that differ between families of protocols.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::message::ClockNames;

/// The dialect of a bot. `Default` is ABP itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// The greeting.
    pub hello: Family,
    /// The names of the clocks.
    pub clock: ClockWords,
    /// The word that announces a position string.
    pub position_keyword: PositionKeyword,
    /// Whether the arena leaves out the `game` line for a bot of protocol 0.
    pub quiet: bool,
}

/// A family of protocols, named by its greeting: `ugi` implies `ugiok` and `uginewgame`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family(String);

/// The names of the clocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClockWords {
    /// `p1time`, `p2time`, `p1inc`, `p2inc`.
    #[default]
    Seats,
    /// `wtime`, `btime`, `winc`, `binc`, white being `p1`.
    Wb,
}

/// The word that announces a position string.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PositionKeyword {
    /// `position fen`.
    #[default]
    Fen,
    /// `position sfen`.
    Sfen,
    /// `position tps`.
    Tps,
}

/// The word belongs to no dialect.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the word can be {allowed}")]
pub struct UnknownWord {
    /// The allowed words.
    pub allowed: &'static str,
}

impl Family {
    /// The greetings of the families that existing bots speak.
    pub const KNOWN: [&str; 4] = ["ugi", "uci", "usi", "tei"];

    /// Returns the greeting.
    #[must_use]
    pub fn hello(&self) -> &str {
        &self.0
    }

    /// Returns the word that ends the handshake.
    #[must_use]
    pub fn hello_ok(&self) -> String {
        format!("{}ok", self.0)
    }

    /// Returns the line that starts a game.
    #[must_use]
    pub fn new_game(&self) -> String {
        format!("{}newgame", self.0)
    }
}

impl Default for Family {
    fn default() -> Self {
        Self("ugi".to_owned())
    }
}

impl FromStr for Family {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Self, UnknownWord> {
        let is_word = (1..=16).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_lowercase());
        if is_word { Ok(Self(word.to_owned())) } else { Err(UnknownWord { allowed: "a lower-case word" }) }
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl ClockWords {
    pub(super) fn names(self) -> ClockNames {
        match self {
            Self::Seats => ClockNames::Seats,
            Self::Wb => ClockNames::Colours,
        }
    }
}

impl FromStr for ClockWords {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Self, UnknownWord> {
        match word {
            "seats" => Ok(Self::Seats),
            "wb" => Ok(Self::Wb),
            _ => Err(UnknownWord { allowed: "`seats` or `wb`" }),
        }
    }
}

impl fmt::Display for ClockWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Seats => "seats",
            Self::Wb => "wb",
        })
    }
}

impl FromStr for PositionKeyword {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Self, UnknownWord> {
        match word {
            "fen" => Ok(Self::Fen),
            "sfen" => Ok(Self::Sfen),
            "tps" => Ok(Self::Tps),
            _ => Err(UnknownWord { allowed: "`fen`, `sfen` or `tps`" }),
        }
    }
}

impl PositionKeyword {
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Fen => "fen",
            Self::Sfen => "sfen",
            Self::Tps => "tps",
        }
    }
}

impl fmt::Display for PositionKeyword {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
