//! The list of games as CSV.

use std::sync::Arc;

use record::{GameRecord, GameSummary, RunSummary, SeatRecord, ThinkingTime};

use crate::results::players::Players;
use crate::writing::number::{fixed, optional};
use crate::writing::spreadsheet::{Spreadsheet, text};
use crate::{ContestantId, RunReport};

/// The columns of `games.csv`.
const HEADER: [&str; 25] = [
    "number",
    "pair",
    "leg",
    "round",
    "game",
    "options",
    "p1",
    "p1_version",
    "p2",
    "p2_version",
    "result",
    "reason",
    "fault",
    "plies",
    "turns",
    "seconds",
    "p1_ms_per_ply",
    "p2_ms_per_ply",
    "p1_overruns",
    "p2_overruns",
    "opening",
    "p1_tc",
    "p2_tc",
    "started",
    "detail",
];

/// The list `games.csv`: one line a finished game, by number.
#[derive(Debug)]
pub struct GameList {
    players: Arc<Players>,
    sheet: Spreadsheet,
}

impl GameList {
    /// Begins the list of a run with its first line.
    #[must_use]
    pub fn new(run: &RunReport<'_>) -> Self {
        let players = Arc::new(run.results().players.clone());
        Self { players, sheet: Spreadsheet::new(&HEADER) }
    }

    /// Returns a part of the list that stands somewhere below the first line and may be made on another thread.
    #[must_use]
    pub fn part(&self) -> Self {
        Self { players: Arc::clone(&self.players), sheet: Spreadsheet::continued() }
    }

    /// Adds the line of the next game.
    pub fn push(&mut self, game: &GameRecord) {
        let [white, black] = [&game.seats[0], &game.seats[1]];
        let version = |seat: &SeatRecord| {
            let player = self.players.find(&ContestantId::recorded(seat));
            player.map_or_else(String::new, |player| text(self.players.version(player)))
        };
        let times = ThinkingTime::of(&game.plies, game.seats.len());
        let (white_time, black_time) = (times[0], times[1]);
        let options: Vec<_> = game.options.iter().map(|(key, value)| format!("{key}={value}")).collect();
        self.sheet.row(&[
            game.number.to_string(),
            game.pair.to_string(),
            game.leg.to_string(),
            game.round.to_string(),
            text(&game.label),
            text(&options.join(" ")),
            text(&white.bot),
            version(white),
            text(&black.bot),
            version(black),
            game.result.to_string(),
            game.reason.to_string(),
            game.faults().map(|(seat, _)| seat.to_string()).collect::<Vec<_>>().join(" "),
            game.plies.len().to_string(),
            turns(game).to_string(),
            fixed(game.seconds, 3),
            optional(white_time.mean(), 3),
            optional(black_time.mean(), 3),
            white.overruns.to_string(),
            black.overruns.to_string(),
            game.opening.to_string(),
            text(white.tc.as_str()),
            text(black.tc.as_str()),
            text(&game.started),
            text(game.detail.as_deref().unwrap_or_default()),
        ]);
    }

    /// Returns the lines since the last call, the first line included.
    #[must_use]
    pub fn take(&mut self) -> Vec<u8> {
        self.sheet.take()
    }
}

/// Returns the games by number, in the order of logs and lists.
#[must_use]
pub fn by_number(contents: &RunSummary) -> Vec<&GameSummary> {
    let mut games: Vec<_> = contents.games.iter().collect();
    games.sort_by_key(|game| (game.number, game.pair, game.leg));
    games
}

/// Returns the number of the last turn.
fn turns(game: &GameRecord) -> u32 {
    game.plies.last().map_or(0, |ply| ply.turn)
}
