//! The results of a run: the journal, which is the only truth, and the game log made from it.
//!
//! The journal is a file of JSON lines: a [`RunRecord`] whenever the run starts with another configuration, and a
//! [`GameRecord`] for every finished game. `protocol-spec/results.md` documents every field. Everything else in a run's
//! directory is a function of the journal. This crate plays no games and calculates no ratings.
//!
//! ```
//! use record::{GameReader, Journal, JournalLine};
//!
//! # let run = serde_json::json!({
//! #     "format": record::FORMAT, "arena": "0.1.0", "rules": "", "written": "",
//! #     "config": {
//! #         "name": "cup", "format": "round-robin", "rounds": 1, "seed": 1, "games": [], "bots": [],
//! #         "settings": {"margin_ms": 50, "think_limit_ms": 60_000, "illegal": "forfeit", "restart": "auto"},
//! #     },
//! # });
//! # let run = serde_json::from_value(run)?;
//! # let seat = |bot: &str| serde_json::json!({"bot": bot, "version": "", "digest": "", "tc": "10+0.1", "seed": 1});
//! # let game = serde_json::from_value(serde_json::json!({
//! #     "number": 1, "pair": 1, "leg": 1, "round": 1, "game": "farook", "options": {}, "label": "farook",
//! #     "seats": [seat("one"), seat("other")], "opening": 0, "result": "p1win", "reason": "resign", "started": "",
//! #     "seconds": 1.5, "plies": [{"ply": "a1", "seat": 1, "turn": 1, "us": 900}],
//! # }))?;
//! # let directory = tempfile::tempdir()?;
//! # let directory = directory.path();
//! let (mut journal, _) = Journal::open(directory)?;
//! journal.append(&JournalLine::Run(run))?;
//! journal.append(&JournalLine::Game(game))?;
//! drop(journal);
//!
//! // Memory holds what tables need of the games. Their plies stay in the file.
//! let summary = record::summarize(directory)?;
//! let known = summary.games.get(0).ok_or("no game")?;
//! assert_eq!((summary.games.len(), known.plies), (1, 1));
//! let game = GameReader::open(directory)?.read(&known)?;
//! assert_eq!(game.plies[0].ply, "a1");
//! assert!(game.seats[0].tc.known().is_some_and(settings::TimeControl::has_clock));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod config;
mod file;
mod fingerprint;
mod game;
mod grants;
mod in_order;
mod journal;
mod logged_game;
mod pgn;
mod seat_control;
mod start;
mod summary;
mod termination;
mod warning;

pub use config::{
    BotConfig, BotId, FORMAT, GameConfig, OpeningConfig, PairingConfig, RulesConfig, RunConfig, RunRecord,
    ScheduleConfig, SprtConfig, TABLES_FORMAT,
};
pub use file::{open_regular, read_named, read_regular};
pub use game::embedded;
pub use game::exits::Exits;
pub use game::result::{GameResult, fields as result_fields};
pub use game::{
    GameRecord, Gathered, InfoRecord, PlyRecord, ProcessTimes, SeatExit, SeatRecord, WorkerRecord,
};
pub use grants::Grants;
pub use in_order::in_order;
pub use journal::{
    Contents, GameLines, GameReader, JOURNAL, Journal, JournalError, JournalLine, JournalReader, LineGame,
    LoggedGameReader, Numbers, open_games, read, summarize, summarize_start, summarize_with, write_whole,
};
pub use logged_game::{Contestant, LoggedGame, Unrated};
pub use pgn::{
    PgnError, PgnEval, PgnForm, PgnGame, PgnPly, PgnReader, PgnScanner, PgnScore, PgnStream, PgnStreamError,
    PgnWriter, is_pgn_move,
};
pub use seat_control::SeatControl;
pub use start::StartConfig;
pub use summary::{
    GameContext, GameSummary, Lineup, LineupWorker, PackedGames, Ruleset, RunSummary, SeatedBot, Summarizer,
    ThinkingTime, Uncounted, UncountedGame, short_fingerprint,
};
pub use termination::Termination;
pub use warning::{Warning, WarningKind};
