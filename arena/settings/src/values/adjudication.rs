//! When the arena ends a game that its rules have not ended.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The adjudication of a run; nothing is adjudicated unless it says so. None of it may change within a run.
///
/// Games are judged at the end of a turn only. The score of a turn is that of the last `info` that its own bot gave
/// in it; a turn without one breaks every row of turns, and a turn that consists of a forced pass is passed over.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adjudication {
    /// A game is lost by the bot that says so often enough.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignRule>,
    /// A game is drawn that both bots call level for long enough.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// The number of plies, opening included, from which on a game ends at the end of its turn: the greater count
    /// wins (`rules::Referee::count`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<u32>,
}

/// When a bot is taken to have lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResignRule {
    /// Its score is minus this or worse, in hundredths of the game's unit, or an announced loss.
    pub score: u32,
    /// The number of own turns in a row in which it says so.
    pub turns: u32,
    /// Whether its opponent has to say as often that it wins by as much.
    pub both: bool,
}

/// When a game is taken to be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawRule {
    /// The scores of both bots are within this of zero, in hundredths of the game's unit.
    pub score: u32,
    /// The number of turns in a row, of each bot, in which both are.
    pub turns: u32,
    /// The number of turns of the game, of both seats, before which no draw is given.
    pub after: u32,
}

impl Adjudication {
    /// Returns whether nothing is adjudicated.
    #[must_use]
    pub const fn is_off(&self) -> bool {
        self.resign.is_none() && self.draw.is_none() && self.plies.is_none()
    }
}

impl fmt::Display for Adjudication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rules = Vec::new();
        if let Some(ResignRule { score, turns, both }) = self.resign {
            rules.push(format!("resign score={score} turns={turns} both={both}"));
        }
        if let Some(DrawRule { score, turns, after }) = self.draw {
            rules.push(format!("draw score={score} turns={turns} after={after}"));
        }
        rules.extend(self.plies.map(|plies| format!("plies={plies}")));
        if rules.is_empty() { f.write_str("off") } else { f.write_str(&rules.join(", ")) }
    }
}
