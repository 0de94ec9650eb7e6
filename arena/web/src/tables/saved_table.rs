//! A table as it is written to a file, from which it continues after the server was restarted.

use std::time::Duration;

use hand_play::KeptGame;
use record::{GameResult, InfoRecord, Termination};
use runner::{Ending, Kept, KeptPly};
use serde::{Deserialize, Serialize};

use super::table_request::TableRequest;

/// The version of these files.
const VERSION: u32 = 1;

/// A table.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SavedTable {
    version: u32,
    /// What a list shows of it.
    pub summary: TableSummary,
    /// What was wanted, with the seats as they are.
    #[serde(rename = "wish")]
    pub request: TableRequest,
    /// The seed of everything random.
    pub seed: u64,
    /// The number of the game among those of the table.
    number: u64,
    started: String,
    took_us: u64,
    /// How long the seat to decide has been deciding.
    thought_us: u64,
    /// How many of the plies are on the board.
    at: usize,
    plies: Vec<SavedPly>,
    /// How the game ended, unless by its rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ending: Option<SavedEnding>,
    /// What was advised in the position on the board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advice: Option<SavedAdvice>,
}

/// What was advised.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SavedAdvice {
    pub words: String,
    /// The ply, of a hint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ply: Option<String>,
}

/// What a list shows of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TableSummary {
    /// The game's name with the options that are not the defaults.
    pub game: String,
    /// Who sits where.
    pub names: Vec<String>,
    /// How many plies are on the board.
    pub plies: usize,
    /// Whose decision it is, or how the game ended.
    pub state: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedPly {
    ply: String,
    /// What the decision took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    us: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    info: Option<InfoRecord>,
}

#[derive(Debug, Serialize, Deserialize)]
struct SavedEnding {
    #[serde(flatten, with = "record::result_fields")]
    result: GameResult,
    reason: Termination,
}

impl SavedTable {
    /// Puts together what is written.
    pub(crate) fn of(
        summary: TableSummary,
        request: TableRequest,
        seed: u64,
        game: KeptGame,
        advice: Option<SavedAdvice>,
    ) -> Self {
        let KeptGame { session: Kept { number, line, at, ending, thought }, started, took } = game;
        let ply = |KeptPly { ply, spent, info }| SavedPly { ply, us: spent.map(micros), info };
        Self {
            version: VERSION,
            summary,
            request,
            seed,
            number,
            started,
            took_us: micros(took),
            thought_us: micros(thought),
            at,
            plies: line.into_iter().map(ply).collect(),
            ending: ending.map(|Ending { result, reason }| SavedEnding { result, reason }),
            advice,
        }
    }

    /// Reads what was written.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, String> {
        let saved: Self = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        match saved.version {
            VERSION => Ok(saved),
            other => Err(format!("version {other} of the file is not known: this arena writes {VERSION}")),
        }
    }

    /// Returns the game.
    pub(crate) fn game(&self) -> KeptGame {
        let line = self.plies.iter().map(|ply| KeptPly {
            ply: ply.ply.clone(),
            spent: ply.us.map(Duration::from_micros),
            info: ply.info.clone(),
        });
        let session = Kept {
            number: self.number,
            line: line.collect(),
            at: self.at,
            ending: self
                .ending
                .as_ref()
                .map(|ending| Ending { result: ending.result, reason: ending.reason }),
            thought: Duration::from_micros(self.thought_us),
        };
        KeptGame { session, started: self.started.clone(), took: Duration::from_micros(self.took_us) }
    }
}

fn micros(time: Duration) -> u64 {
    time.as_micros().try_into().unwrap_or(u64::MAX)
}
