//! The list of games as CSV.

use std::sync::Arc;

use record::{GameRecord, GameSummary, RunSummary, SeatRecord, ThinkingTime};
use rules::Seat;

use crate::results::players::Players;
use crate::writing::number::{fixed, optional};
use crate::writing::spreadsheet::{Spreadsheet, text};
use crate::{ContestantId, RunReport};

/// Returns the columns of `games.csv` in a run whose largest table has `seats` seats.
fn header(seats: usize) -> Vec<String> {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let of_seats = |what: &str| Seat::all(seats).map(|seat| format!("{seat}_{what}")).collect::<Vec<_>>();
    let mut header = names(&["number", "pair", "leg", "round", "game", "options"]);
    header.extend(Seat::all(seats).flat_map(|seat| [seat.to_string(), format!("{seat}_version")]));
    header.extend(names(&["result", "reason", "fault", "plies", "turns", "seconds"]));
    header.extend(of_seats("ms_per_ply"));
    header.extend(of_seats("overruns"));
    header.extend(names(&["opening"]));
    header.extend(of_seats("tc"));
    header.extend(names(&["started", "detail"]));
    header
}

/// The list `games.csv`: one line per finished game, by number.
#[derive(Debug)]
pub struct GameList {
    players: Arc<Players>,
    sheet: Spreadsheet,
    /// The number of seats at the largest table of the run, at least 2.
    seats: usize,
}

impl GameList {
    /// Creates the list of a run with its first line.
    #[must_use]
    pub fn new(run: &RunReport<'_>) -> Self {
        let players = Arc::new(run.results().players.clone());
        let seats = run.results().most_seats(None).max(2);
        Self { players, sheet: Spreadsheet::new(&header(seats)), seats }
    }

    /// Returns a later part of the list, without the first line, which another thread may make.
    #[must_use]
    pub fn part(&self) -> Self {
        Self { players: Arc::clone(&self.players), sheet: Spreadsheet::continued(), seats: self.seats }
    }

    /// Adds the line of the next game.
    pub fn push(&mut self, game: &GameRecord) {
        let version = |seat: &SeatRecord| {
            let player = self.players.find(&ContestantId::recorded(seat));
            player.map_or_else(String::new, |player| text(self.players.version(player)))
        };
        let times = ThinkingTime::of(&game.plies, game.seats.len());
        let options: Vec<_> = game.options.iter().map(|(key, value)| format!("{key}={value}")).collect();
        // A table smaller than the largest leaves cells empty.
        let of_seats = |cell: &dyn Fn(usize) -> String| -> Vec<String> {
            (0..self.seats)
                .map(|seat| if seat < game.seats.len() { cell(seat) } else { String::new() })
                .collect()
        };
        let bots = of_seats(&|seat| text(&game.seats[seat].bot));
        let versions = of_seats(&|seat| version(&game.seats[seat]));
        let mut cells = vec![
            game.number.to_string(),
            game.pair.to_string(),
            game.leg.to_string(),
            game.round.to_string(),
            text(&game.label),
            text(&options.join(" ")),
        ];
        cells.extend(bots.into_iter().zip(versions).flat_map(|(bot, version)| [bot, version]));
        cells.extend([
            game.result.to_string(),
            game.reason.to_string(),
            game.faults().map(|(seat, _)| seat.to_string()).collect::<Vec<_>>().join(" "),
            game.plies.len().to_string(),
            turns(game).to_string(),
            fixed(game.seconds, 3),
        ]);
        cells.extend(of_seats(&|seat| optional(times[seat].mean(), 3)));
        cells.extend(of_seats(&|seat| game.seats[seat].overruns.to_string()));
        cells.push(game.opening.to_string());
        cells.extend(of_seats(&|seat| text(game.seats[seat].tc.as_str())));
        cells.extend([text(&game.started), text(game.detail.as_deref().unwrap_or_default())]);
        self.sheet.row(&cells);
    }

    /// Returns the lines since the last call, including the first line of the file.
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
