//! False claims of a bot about its search.

use std::fmt;

use serde::{Deserialize, Serialize};

/// All warnings of one kind about a bot in one game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// The kind of false claim.
    pub kind: WarningKind,
    /// The number of such claims.
    pub count: u32,
    /// The number of the ply, from 1, that the bot was asked for when it first made one.
    pub ply: u32,
    /// The first of them, in words. It may quote the bot's text, escaped.
    pub what: String,
}

/// The kind of false claim. Records hold its code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WarningKind {
    /// A ply of a principal variation is illegal.
    PvIllegal,
    /// A principal variation continues after the end of the game.
    PvPastEnd,
    /// The bot announced a win in a line that does not win, or a loss in a line that wins.
    MateSign,
    /// The announced end is a different number of own turns away.
    MateLength,
    /// The bot used the processor while the opponent was to decide.
    Background,
}

impl WarningKind {
    /// Every kind, in the order in which tables show them.
    pub const ALL: [Self; 5] =
        [Self::PvIllegal, Self::PvPastEnd, Self::MateSign, Self::MateLength, Self::Background];

    /// Returns the code, as records write it.
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
