//! What a run leaves behind: the journal, which is the only truth, and the game log made from it.
//!
//! The journal is a file of JSON lines: a [`RunRecord`] whenever the run is started with another
//! configuration, and a [`GameRecord`] for every finished game. `protocol-spec/results.md` documents every
//! field. Everything else in a run's directory is a function of it.

mod config;
mod file;
mod fingerprint;
mod game;
mod grants;
mod in_order;
mod journal;
mod outcome;
mod pgn;
mod start;
mod summary;
mod termination;
mod warning;

pub use config::{
    BotConfig, GameConfig, Identity, OpeningConfig, PairingConfig, RunConfig, RunRecord, ScheduleConfig,
    SprtConfig,
};
pub use file::{open_named, open_regular, read_named, read_regular};
pub use game::{GameRecord, GameResult, InfoRecord, PlyRecord, ProcessTimes, SeatRecord};
pub use grants::Grants;
pub use in_order::in_order;
pub use journal::{
    Contents, FORMAT, GameLines, GameReader, JOURNAL, Journal, JournalError, JournalReader, Line, Numbers,
    OutcomeReader, open_games, read, summarize, summarize_start, write_whole,
};
pub use outcome::{Contestant, Outcome, UNNAMED_GAME, Unrated};
pub use pgn::{
    PgnError, PgnEval, PgnForm, PgnGame, PgnPly, PgnReader, PgnScanner, PgnScore, PgnStream, PgnStreamError,
    PgnWriter,
};
pub use start::StartConfig;
pub use summary::{GameSummary, Remarks, Ruleset, RunSummary, Sitter, Summarizer, ThinkingTime};
pub use termination::Termination;
pub use warning::{Warning, WarningKind};
