//! The picture of a run in progress: what `live.json` holds.
//!
//! `protocol-spec/live.md` documents every field. Texts are as bots and users wrote them: what shows one escapes it.

use record::{Exits, PlyRecord, SeatExit};
use rules::Seat;
use serde::{Deserialize, Serialize};

use crate::workers::LiveWorker;

/// The version of the form, raised when a field changes its meaning or goes.
pub(crate) const VERSION: u32 = 1;

/// A run in progress.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LiveState {
    /// The version of this form.
    pub version: u32,
    /// The arena's version.
    pub arena: String,
    /// The name of the tournament.
    pub name: String,
    /// Its format.
    pub format: String,
    /// The number of the arena's process.
    pub process: u32,
    /// When it began to play; this and all times are in milliseconds since 1970.
    pub began: i64,
    /// When this picture was made.
    pub written: i64,
    /// Whether new games begin.
    pub stage: RunStage,
    /// How many games are to be played at once.
    pub concurrency: usize,
    /// How many games there are.
    pub counts: GameCounts,
    /// How fast games end.
    pub pace: Throughput,
    /// The games in progress, by number.
    pub games: Vec<GameState>,
    /// The bots, best first.
    pub standings: Vec<LiveStanding>,
    /// The last faults of this start, oldest first.
    pub faults: Vec<LiveFault>,
    /// The bots that are withdrawn.
    pub withdrawn: Vec<String>,
    /// The sequential test, in a run that is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<TestState>,
    /// What a run whose schedule follows results says about it, in a line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The workers by name, in a run that other machines play.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub workers: Vec<LiveWorker>,
}

/// Whether new games begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RunStage {
    /// They do.
    Running,
    /// No game begins until the run is resumed.
    Paused,
    /// None begins any more; those that are being played finish.
    Finishing,
    /// Those that were being played are abandoned.
    Aborting,
}

/// How many games there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameCounts {
    /// Recorded before this start.
    pub before: u64,
    /// To be played in this start: at most, where results decide.
    pub total: u64,
    /// Recorded in this start.
    pub done: u64,
    /// Being played.
    pub running: u64,
    /// Abandoned in this start.
    pub aborted: u64,
    /// Ended by a fault in this start.
    pub faults: u64,
}

/// How fast games end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Throughput {
    /// Games recorded in a second, over this start; none before the first.
    pub games_per_second: Option<f64>,
    /// How long the rest takes at that speed, in seconds.
    pub seconds_left: Option<f64>,
    /// Whether the run may end earlier, as a test does when it knows.
    pub is_upper_bound: bool,
}

/// A game in progress.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameState {
    /// Its number.
    pub number: u64,
    /// The number of its pair.
    pub pair: u64,
    /// Which game of its pair it is: 1 or 2.
    pub leg: u8,
    /// The round.
    pub round: u32,
    /// The slot it is played in, from 0.
    pub slot: usize,
    /// The game's name.
    pub game: String,
    /// The same with the options that are not the defaults.
    pub label: String,
    /// Who plays: `p1`, then `p2`.
    pub bots: Vec<LiveBot>,
    /// When its slot took it.
    pub started: i64,
    /// The position string of its start, where that is not the game's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// How many of the plies are the opening.
    pub opening: u32,
    /// The plies so far, as in the journal.
    pub plies: Vec<PlyRecord>,
    /// The position string; none while the bots come to the board.
    pub position: Option<String>,
    /// The seat that decides, 1 or 2; `None` while no bot is asked.
    pub seat: Option<u8>,
    /// Since when it has been asked: its clock runs from there.
    pub since: Option<i64>,
    /// What the clocks showed then, in milliseconds, where there are clocks.
    pub clocks: Vec<Option<u64>>,
    /// What each bot said last about its search.
    pub search: Vec<Option<SearchState>>,
    /// What the game is worth for `p1`, by the bot that spoke last; none at tables of more than two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<Evaluation>,
    /// How each seat went out before the others, as in the journal; empty while all are in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub out: Vec<Option<SeatExit>>,
}

impl GameState {
    /// Returns how a seat, from 0, went out before the others; `None` if it is in.
    #[must_use]
    pub fn out(&self, seat: usize) -> Option<&SeatExit> {
        self.out.get(seat)?.as_ref()
    }

    /// Returns the seats that went out between the plies.
    #[must_use]
    pub fn exits(&self) -> Exits {
        let seats = Seat::all(self.out.len()).zip(&self.out);
        Exits::among(seats.filter_map(|(seat, exit)| Some((seat, exit.as_ref()?))))
    }
}

/// Who plays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveBot {
    /// The name.
    pub name: String,
    /// The time control.
    pub tc: String,
}

/// What a bot said about its search.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchState {
    /// The depth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u64>,
    /// The score from the bot's own point of view, in hundredths of the game's unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cp: Option<i64>,
    /// A win (or, negative, a loss) in this many own turns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mate: Option<i64>,
    /// Whether the score is only a bound: `lower` or `upper`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<String>,
    /// The nodes searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Nodes in a second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nps: Option<u64>,
    /// The time it spent, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<u64>,
    /// The best line: at most 40 plies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pv: Vec<String>,
    /// Words: at most 300 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// What a game is worth for `p1`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evaluation {
    /// The score in hundredths of the game's unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cp: Option<i64>,
    /// A win (or, negative, a loss) in this many turns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mate: Option<i64>,
    /// The seat that says so.
    pub by: u8,
}

/// A bot in the standings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LiveStanding {
    /// The place from 1; none without a rating.
    pub rank: Option<usize>,
    /// The name, with the version where the name alone names several.
    pub bot: String,
    /// The rating from the mean of all bots, without an error: that is right only once.
    pub elo: Option<f64>,
    /// Games that count.
    pub games: u64,
    /// Games won; at larger tables, opponents beaten.
    pub wins: u64,
    /// Games drawn; at larger tables, opponents with the same place.
    pub draws: u64,
    /// Games lost; at larger tables, opponents lost to.
    pub losses: u64,
    /// The mean score, 0 to 1, where the largest table has more than two seats: the share of opponents beaten, ties a half.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// There also how often the bot was first, second and so on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<u64>,
    /// The mean score, 0 to 1, as a 95 % interval that holds however often one looks.
    pub any_time: Option<[f64; 2]>,
    /// Games lost by faults.
    pub faults: u64,
    /// The mean thinking time of a decision, in milliseconds.
    pub mean_ms: Option<f64>,
}

/// A fault of a bot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveFault {
    /// The game.
    pub game: u64,
    /// The bot.
    pub bot: String,
    /// Its seat, 1 or 2.
    pub seat: u8,
    /// How the game ended, as in the journal.
    pub reason: String,
    /// What happened, in words.
    pub detail: String,
    /// When the arena heard of it.
    pub at: i64,
}

/// A sequential test in progress.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TestState {
    /// The new bot.
    pub new: String,
    /// What it must beat.
    pub base: String,
    /// The log-likelihood ratio.
    pub llr: f64,
    /// At or below this the test has failed.
    pub lower: f64,
    /// At or above this it is passed.
    pub upper: f64,
    /// Pairs by the score of the new bot: 0, ½, 1, 1½, 2 points.
    pub pairs: Vec<u64>,
    /// What the pairs say: `H0`, `H1` or `continue`, as in the figures of `arena sprt`.
    pub decision: String,
    /// The same in a line for people.
    pub line: String,
}

impl LiveStanding {
    /// Returns a row of the standings as it stands in the picture.
    pub fn of(row: &report::Row) -> Self {
        Self {
            rank: row.rank,
            bot: row.label.clone(),
            elo: row.elo,
            games: row.games(),
            wins: row.wins,
            draws: row.draws,
            losses: row.losses,
            score: row.score().filter(|_| row.seats.len() > 2),
            places: if row.seats.len() > 2 { row.record() } else { Vec::new() },
            any_time: row.any_time.as_ref().map(|interval| [interval.low, interval.high]),
            faults: row.fault_count(),
            mean_ms: row.mean_ms,
        }
    }

    /// Returns the mean score, 0 to 1; `None` without games.
    pub fn mean_score(&self) -> Option<f64> {
        let of_pair = || (self.wins as f64 + 0.5 * self.draws as f64) / self.games as f64;
        self.score.or_else(|| (self.games > 0).then(of_pair))
    }

    /// Returns games won, drawn and lost, or at larger tables how often the bot had each place: `3/1/0`.
    pub fn record(&self) -> String {
        let own = [self.wins, self.draws, self.losses];
        let counts = if self.places.is_empty() { &own[..] } else { &self.places };
        counts.iter().map(u64::to_string).collect::<Vec<_>>().join("/")
    }

    /// Returns what the records of these rows count: `W/D/L`, or `1st/2nd/3rd`.
    pub fn record_title(rows: &[Self]) -> String {
        report::record_title(rows.iter().map(|row| row.places.len()).max().unwrap_or(0))
    }
}

impl GameState {
    /// Returns what the clock of a seat (0 or 1) shows at an instant, in milliseconds; none where it has no clock.
    pub fn clock_at(&self, seat: usize, now: i64) -> Option<u64> {
        let clock = self.clocks[seat]?;
        let since = self.since.filter(|_| self.seat == Some(seat as u8 + 1));
        let spent = since.map_or(0, |since| u64::try_from(now - since).unwrap_or(0));
        Some(clock.saturating_sub(spent))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_read_as_it_is_written() {
        let text = r#"{"number":1,"pair":1,"leg":1,"round":1,"slot":0,"game":"farook","label":"farook",
            "bots":[{"name":"a","tc":"10"},{"name":"b","tc":"10"}],"started":0,"opening":0,"plies":[],
            "position":null,"seat":2,"since":1000,"clocks":[9000,500],"search":[null,{"depth":3,"pv":["a1"]}],
            "evaluation":{"cp":-5,"by":2}}"#;
        let game: GameState = serde_json::from_str(text).expect("a game");
        let again = serde_json::to_value(&game).expect("a value");
        assert_eq!(again, serde_json::from_str::<serde_json::Value>(text).expect("a value"));
    }

    #[test]
    fn the_clock_of_the_seat_that_decides_runs() {
        let text = r#"{"number":1,"pair":1,"leg":1,"round":1,"slot":0,"game":"farook","label":"farook",
            "bots":[{"name":"a","tc":"10"},{"name":"b","tc":"10"}],"started":0,"opening":0,"plies":[],
            "position":null,"seat":2,"since":1000,"clocks":[9000,500],"search":[null,null]}"#;
        let game: GameState = serde_json::from_str(text).expect("a game");
        let clocks = |now| [game.clock_at(0, now), game.clock_at(1, now)];
        assert_eq!(clocks(1200), [Some(9000), Some(300)]);
        // A clock that was set back, and one that has run out.
        assert_eq!(clocks(900), [Some(9000), Some(500)]);
        assert_eq!(clocks(9000), [Some(9000), Some(0)]);
    }
}
