//! The list of games as CSV.

use record::{Contents, GameRecord};
use rules::Seat;

use crate::number::{fixed, optional};
use crate::spreadsheet::{Spreadsheet, text};
use crate::tally::ThinkingTime;
use crate::{Player, Tally};

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

/// Returns `games.csv`: one line a finished game, by number.
#[must_use]
pub fn games_csv(contents: &Contents) -> Vec<u8> {
    let players = Tally::of(contents).results().players;
    let version = |game: &GameRecord, seat: Seat| {
        let player = Player::seated(&game.seats[seat.index()]);
        players.find(&player).map_or_else(String::new, |player| text(players.version(player)))
    };
    let mut sheet = Spreadsheet::new(&HEADER);
    for game in by_number(contents) {
        let [white, black] = &game.seats;
        let [white_time, black_time] = ThinkingTime::of(&game.plies);
        let options: Vec<_> = game.options.iter().map(|(key, value)| format!("{key}={value}")).collect();
        sheet.row(&[
            game.number.to_string(),
            game.pair.to_string(),
            game.leg.to_string(),
            game.round.to_string(),
            text(&game.label),
            text(&options.join(" ")),
            text(&white.bot),
            version(game, Seat::P1),
            text(&black.bot),
            version(game, Seat::P2),
            game.result.to_string(),
            game.reason.to_string(),
            game.fault().map_or_else(String::new, |seat| seat.to_string()),
            game.plies.len().to_string(),
            turns(game).to_string(),
            fixed(game.seconds, 3),
            optional(white_time.mean(), 3),
            optional(black_time.mean(), 3),
            white.overruns.to_string(),
            black.overruns.to_string(),
            game.opening.to_string(),
            text(&white.tc),
            text(&black.tc),
            text(&game.started),
            text(game.detail.as_deref().unwrap_or_default()),
        ]);
    }
    sheet.into_bytes()
}

/// Returns the games by number.
pub(crate) fn by_number(contents: &Contents) -> Vec<&GameRecord> {
    let mut games: Vec<_> = contents.games.iter().collect();
    games.sort_by_key(|game| (game.number, game.pair, game.leg));
    games
}

/// Returns the number of the last turn.
fn turns(game: &GameRecord) -> u32 {
    game.plies.last().map_or(0, |ply| ply.turn)
}
