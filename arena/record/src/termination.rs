//! Why a game ended.

use std::fmt;
use std::str::FromStr;

use rules::{BadReason, Reason};
use serde::{Deserialize, Serialize};

/// Why a game ended: by its rules, by a fault of a bot, or because somebody stopped it.
///
/// Records and messages hold its code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "&'static str")]
pub enum Termination {
    /// The rules of the game, including caps and repetition.
    Rules(Reason),
    /// Adjudicated as a win.
    AdjudicatedWin,
    /// Adjudicated as a draw.
    AdjudicatedDraw,
    /// The arena's own limit on plies.
    PlyLimit,
    /// A bot resigned.
    Resign,
    /// A bot's process ended or closed its output while the arena needed it.
    Crash,
    /// A bot overran its clock by more than the margin.
    Timeout,
    /// A bot did not answer in time when no clock was running.
    Stall,
    /// A bot answered with an illegal ply.
    IllegalMove,
    /// A bot's answer is not a ply.
    BadMove,
    /// A bot wrote more than the protocol allows.
    Flood,
    /// A bot reached a configured limit on memory or processor time.
    Resource,
    /// The bot is withdrawn after too many faults.
    Withdrawn,
    /// A bot refused the game.
    Rejected,
    /// The arena could not start a bot.
    SpawnFailed,
    /// The arena failed.
    ArenaError,
    /// The user stopped the game.
    Aborted,
}

impl Termination {
    /// Every termination except those by the rules, with its code.
    const OTHERS: [(Self, &'static str); 16] = [
        (Self::AdjudicatedWin, "adjudicated-win"),
        (Self::AdjudicatedDraw, "adjudicated-draw"),
        (Self::PlyLimit, "ply-limit"),
        (Self::Resign, "resign"),
        (Self::Crash, "crash"),
        (Self::Timeout, "timeout"),
        (Self::Stall, "stall"),
        (Self::IllegalMove, "illegal-move"),
        (Self::BadMove, "bad-move"),
        (Self::Flood, "flood"),
        (Self::Resource, "resource"),
        (Self::Withdrawn, "withdrawn"),
        (Self::Rejected, "rejected"),
        (Self::SpawnFailed, "spawn-failed"),
        (Self::ArenaError, "arena-error"),
        (Self::Aborted, "aborted"),
    ];

    /// The faults that cost a bot the game, in the order in which tables show them.
    pub const FAULTS: [Self; 7] = [
        Self::Timeout,
        Self::Crash,
        Self::Stall,
        Self::IllegalMove,
        Self::BadMove,
        Self::Flood,
        Self::Resource,
    ];

    /// Returns the code, as records and `gameover` write it.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Rules(reason) => reason.code(),
            other => Self::OTHERS
                .iter()
                .find(|(termination, _)| *termination == other)
                .map(|(_, code)| *code)
                .expect("every other termination has a code"),
        }
    }

    /// Returns whether a bot lost the game by a fault of its own.
    #[must_use]
    pub fn is_fault(self) -> bool {
        Self::FAULTS.contains(&self)
    }

    /// Returns whether the rules, the arena's limits or a resignation ended the game, and no fault or interruption. Bots that
    /// always decide alike then end it alike.
    #[must_use]
    pub const fn is_decided(self) -> bool {
        match self {
            Self::Rules(_) | Self::AdjudicatedWin | Self::AdjudicatedDraw | Self::PlyLimit | Self::Resign => {
                true
            }
            Self::Crash
            | Self::Timeout
            | Self::Stall
            | Self::IllegalMove
            | Self::BadMove
            | Self::Flood
            | Self::Resource
            | Self::Withdrawn
            | Self::Rejected
            | Self::SpawnFailed
            | Self::ArenaError
            | Self::Aborted => false,
        }
    }

    /// Returns the value of PGN's `Termination` tag.
    #[must_use]
    pub const fn pgn(self) -> &'static str {
        match self {
            Self::Rules(_) | Self::Resign => "normal",
            Self::AdjudicatedWin | Self::AdjudicatedDraw | Self::PlyLimit => "adjudication",
            Self::Crash | Self::Aborted => "abandoned",
            Self::Timeout | Self::Stall => "time forfeit",
            Self::IllegalMove | Self::BadMove | Self::Flood | Self::Resource => "rules infraction",
            Self::Withdrawn | Self::Rejected | Self::SpawnFailed | Self::ArenaError => "unterminated",
        }
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl FromStr for Termination {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // The arena's own codes come first: no game has such a reason.
        let found = Self::OTHERS.iter().find(|(_, code)| *code == text);
        found.map_or_else(
            || text.parse().map(Self::Rules).map_err(|error: BadReason| error.to_string()),
            |(termination, _)| Ok(*termination),
        )
    }
}

impl TryFrom<String> for Termination {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Termination> for &'static str {
    fn from(termination: Termination) -> Self {
        termination.code()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_come_back() {
        let rules = Reason::ALL.iter().map(|(reason, _)| Termination::Rules(*reason));
        for termination in rules.chain(Termination::OTHERS.iter().map(|(termination, _)| *termination)) {
            assert_eq!(termination.code().parse(), Ok(termination));
        }
        assert_eq!("four-in-a-row".parse::<Termination>().map(Termination::code), Ok("four-in-a-row"));
        assert!("No such reason".parse::<Termination>().is_err());
    }
}
