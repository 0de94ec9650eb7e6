//! Games by hand: persons against bots or each other, or two bots ply by ply, for a terminal and for a browser.
//!
//! A [`HandGame`] joins a [`runner::InteractiveGame`] with those who sit at it: it asks bots, hands on what they say, and takes plies
//! back. [`Seating`] reads who sits where. [`TypedPly`] reads a ply part by part, [`cells_taken`] says what a ply would take,
//! [`words`] has the sentences for what happened, and a [`GameLogFile`] keeps games. Nothing here reads a keyboard, prints,
//! or knows a page; a front end calls [`HandGame::hear`] with what its [`TellEvent`] was told.
//!
//! ```
//! use std::sync::Arc;
//!
//! use hand_play::{HandGame, SeatWords, Seating};
//!
//! let confinement = tournament_file::Confinement::default();
//! let setup = rules::find("farook")?.setup(&[])?;
//! let seating = Seating::read(&SeatWords {
//!     setup: &setup,
//!     seats: vec!["human:Ada", "human:Grace"],
//!     adviser: None,
//!     file: None,
//!     confinement: &confinement,
//!     tc: None,
//!     nodes: None,
//!     depth: None,
//! })?;
//! let settings = runner::PlaySettings::new(1);
//! let mut game = HandGame::new(&setup, None, seating, settings, Arc::new(|_, _| {}))?;
//! game.play("a1")?;
//! assert!(game.is_open_to_person());
//! assert_eq!(game.session().len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr)]

mod game_log_file;
mod hand_game;
mod ply_preview;
mod seating;
mod stopwatch;
mod typed_ply;
pub mod words;

pub use game_log_file::{GameLogFile, log_text};
pub use hand_game::{HandGame, KeptGame, PartnerAct, PartnerNews, Purpose, TellEvent, Travel};
pub use ply_preview::{cells_taken, position_after};
pub use seating::{SeatWords, Seating, usual_bot};
pub use typed_ply::TypedPly;
