//! Referees and times recorded games again.
//!
//! [`RecordedGames`] reads the games of a journal or a game log one at a time. [`audit()`] plays one of them again, with every ply,
//! turn, clock, adjudication and result, and returns the first [`GameProblem`]: what is recorded, and what the rules say.
//! Nothing in a record is believed. No rule can check a loss by a fault or a resignation; [`Audited`] says where that is so.
//!
//! The arithmetic of clocks and adjudication is this crate's own and not the runner's: a check that shares the code it
//! checks would find nothing. This crate starts no bot and prints nothing.
//!
//! ```
//! use audit::{ProblemKind, RecordedGames, audit};
//!
//! # let directory = tempfile::tempdir()?;
//! # let path = directory.path().join("games.pgn");
//! std::fs::write(&path, "[Variant \"farook\"]\n[Reason \"resign\"]\n[Result \"1-0\"]\n\n1. zz9 1-0\n")?;
//! let games: Vec<_> = RecordedGames::open(&path)?.collect::<Result<_, _>>()?;
//! let problem = audit(&games[0], &rules::Catalogue::default()).expect_err("no rule of Farook knows `zz9`");
//! assert_eq!((problem.what, problem.ply), (ProblemKind::Ply, Some(1)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod adjudication;
mod audit;
mod clock;
mod recorded_game;
mod recorded_games;

pub use audit::{Audited, GameProblem, ProblemKind, audit, begin};
pub use recorded_game::RecordedGame;
pub use recorded_games::RecordedGames;
