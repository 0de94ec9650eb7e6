//! What a bot said of its search that cannot be true.

use std::fmt;

use serde::{Deserialize, Serialize};

/// All warnings of one kind about a bot in one game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// What is wrong.
    pub kind: WarningKind,
    /// How often it was.
    pub count: u32,
    /// The number of the ply, from 1, for which the bot was asked when it was wrong first.
    pub ply: u32,
    /// What was wrong first, in words; may quote what the bot wrote, made harmless.
    pub what: String,
}

/// What is wrong with what a bot said. Written as its code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WarningKind {
    /// A ply of a principal variation is not legal.
    PvIllegal,
    /// A principal variation continues after the end of the game.
    PvPastEnd,
    /// A win was announced where the line or the game ends otherwise, or a loss where the line wins.
    MateSign,
    /// The announced end is not as many own turns away as was said.
    MateLength,
    /// The processor was used while the opponent was to decide.
    Background,
}

impl WarningKind {
    /// Every kind, in the order in which tables show them.
    pub const ALL: [Self; 5] =
        [Self::PvIllegal, Self::PvPastEnd, Self::MateSign, Self::MateLength, Self::Background];

    /// Returns the code, as written in records.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::PvIllegal => "pv-illegal",
            Self::PvPastEnd => "pv-past-end",
            Self::MateSign => "mate-sign",
            Self::MateLength => "mate-length",
            Self::Background => "background",
        }
    }
}

impl fmt::Display for WarningKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}
