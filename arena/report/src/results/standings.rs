//! The standings: all figures of the players in a run's tables.

use record::{Termination, ThinkingTime};
use rules::Seat;
use stats::{
    Advantage, ErrorKind, FitSettings, GameScore, Interval, Method, Points, RatingBound, TableResult,
};

use crate::ContestantId;
use crate::results::any_time;
use crate::results::entry::Entry;
use crate::results::{Duplicates, Results};

/// A table of players, for one game or for all games together.
#[derive(Clone, Debug)]
pub struct Standings {
    /// The game's name with the options that differ from the defaults; `None` for all games together.
    pub label: Option<String>,
    /// The players, best first; those without a rating last.
    pub rows: Vec<Row>,
    /// The advantages of the seats in the game; `None` for several games together, because each has its own.
    pub advantage: Option<Advantage>,
    /// Games that count.
    pub games: u64,
    /// Games that have no result and do not count.
    pub no_contest: u64,
    /// How the ratings were found.
    pub method: Method,
    /// How the errors were estimated.
    pub errors: ErrorKind,
    /// The number of sets of players that the results connect.
    pub components: usize,
    /// Whether games remain to be played. Tables then show [`Row::any_time`] and no figure that is valid only once, such as an
    /// error or a likelihood.
    pub is_live: bool,
    /// The number of seats at the largest table; 0 without games.
    pub seats: usize,
    pub(crate) duplicates: Duplicates,
    pub(crate) drawn: u64,
    pub(crate) plies: u64,
    pub(crate) seconds: f64,
    pub(crate) opponents: Opponents,
}

/// One player's row.
#[derive(Clone, Debug)]
pub struct Row {
    /// The place from 1; `None` without a rating.
    pub rank: Option<usize>,
    /// The player.
    pub player: ContestantId,
    /// The name as tables show it: with the version if the name alone is ambiguous. Safe to print.
    pub label: String,
    /// The version as tables show it: with seven digits of the digest if the version alone is ambiguous.
    pub version: String,
    /// The rating relative to the mean of all players.
    pub elo: Option<f64>,
    /// Half the width of the 95 % interval of `elo`; `None` while games remain to be played, like all figures that are valid at
    /// one number of games only.
    pub error95: Option<f64>,
    /// Whether the figure depends on a prior more than on the data (the `~` mark).
    pub is_regularized: bool,
    /// The bound that the data alone give if they determine no finite figure.
    pub bound: Option<RatingBound>,
    /// Games won; at larger tables, opponents beaten.
    pub wins: u64,
    /// Games drawn; at larger tables, opponents with the same place.
    pub draws: u64,
    /// Games lost; at larger tables, opponents lost to.
    pub losses: u64,
    /// How often the player was first, second and so on. Ties share the better place.
    pub places: Vec<u64>,
    /// The scores in each seat, `p1` first, for the seats of the largest table.
    pub seats: Vec<SeatScore>,
    /// Games lost by faults, in the order of [`Termination::FAULTS`].
    pub faults: [u64; Termination::FAULTS.len()],
    /// The mean thinking time of a decision, in milliseconds.
    pub mean_ms: Option<f64>,
    /// The mean scores, 0 to 1, against all other bots of the configuration that no whole round has refuted: a 95 % interval
    /// that is valid at any time; `None` once the run is over.
    pub any_time: Option<Interval>,
    /// The likelihood of being stronger than the next in rank; `None` while games remain to be played.
    pub los: Option<f64>,
    /// Whether it depends on a prior (the `~` mark).
    pub is_los_regularized: bool,
    /// The likelihood adjusted for all comparisons of the table (Holm).
    pub los_holm: Option<f64>,
    /// The number of the player among all of the run, by name, version and digest.
    pub(crate) number: usize,
    pub(crate) time: ThinkingTime,
}

/// The score of a player in one of the seats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeatScore {
    /// Games.
    pub games: u64,
    /// Points: the sum over games of the share of opponents beaten, where a tie counts a half.
    pub points: Points,
}

impl SeatScore {
    /// Returns the mean score, 0 to 1; `None` without games.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        self.points.mean(self.games)
    }
}

/// The scores of each player against each other one.
#[derive(Clone, Debug)]
pub(crate) struct Opponents {
    players: usize,
    cells: Vec<Meetings>,
}

/// The results of one player against another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Meetings {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Row {
    /// Returns the games that count.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.seats.iter().map(|seat| seat.games).sum()
    }

    /// Returns the points: the sum over games of the share of opponents beaten, where a tie counts a half.
    #[must_use]
    pub fn points(&self) -> Points {
        self.seats.iter().map(|seat| seat.points).sum()
    }

    /// Returns the mean score, 0 to 1; `None` without games.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        self.points().mean(self.games())
    }

    /// Returns games won, drawn and lost or, where the largest table has more than two seats, how often the player had each place.
    /// [`record_title`](crate::record_title) says which.
    #[must_use]
    pub fn record(&self) -> Vec<u64> {
        match self.seats.len() {
            0..=2 => vec![self.wins, self.draws, self.losses],
            seats => (0..seats).map(|place| self.places.get(place).copied().unwrap_or(0)).collect(),
        }
    }

    /// Returns the games lost by faults of any kind.
    #[must_use]
    pub fn fault_count(&self) -> u64 {
        self.faults.iter().sum()
    }

    fn count(&mut self, seat: usize, result: &TableResult) {
        let Some(points) = result.points(seat) else { return };
        for opponent in result.opponents(seat) {
            match result.score(seat, opponent) {
                GameScore::Win => self.wins += 1,
                GameScore::Draw => self.draws += 1,
                GameScore::Loss => self.losses += 1,
            }
        }
        let split = &mut self.seats[seat];
        split.games += 1;
        split.points += points;
        let place = usize::from(result.place(seat));
        if self.places.len() < place {
            self.places.resize(place, 0);
        }
        self.places[place - 1] += 1;
    }
}

impl Meetings {
    /// Returns the games that count.
    #[must_use]
    pub const fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Returns the score in half points.
    #[must_use]
    pub const fn halves(self) -> u64 {
        2 * self.wins + self.draws
    }
}

impl Opponents {
    fn new(players: usize) -> Self {
        Self { players, cells: vec![Meetings::default(); players * players] }
    }

    fn count(&mut self, player: usize, opponent: usize, score: GameScore) {
        let cell = &mut self.cells[player * self.players + opponent];
        match score {
            GameScore::Win => cell.wins += 1,
            GameScore::Draw => cell.draws += 1,
            GameScore::Loss => cell.losses += 1,
        }
    }

    pub(crate) fn get(&self, player: usize, opponent: usize) -> Meetings {
        self.cells[player * self.players + opponent]
    }
}

impl Standings {
    /// Returns the results of one row's player against another's. Both must be rows of this table.
    #[must_use]
    pub fn meetings(&self, row: &Row, opponent: &Row) -> Meetings {
        self.opponents.get(row.number, opponent.number)
    }

    /// Returns the mean number of plies of all games, also of those that do not count; 0 without games.
    #[must_use]
    pub fn mean_plies(&self) -> f64 {
        self.plies as f64 / (self.games + self.no_contest).max(1) as f64
    }

    /// Returns the mean time of these games, in seconds; 0 without games.
    pub(crate) fn mean_seconds(&self) -> f64 {
        self.seconds / (self.games + self.no_contest).max(1) as f64
    }

    /// Returns the same table as that of a label, which has all the games.
    pub(crate) fn named(&self, label: String) -> Self {
        Self { label: Some(label), ..self.clone() }
    }

    pub(crate) fn of(results: &Results<'_>, label: Option<usize>) -> Self {
        let players = results.players.len();
        let (sample, duplicates, copies) = results.sample_and_copies(label);
        let table = sample.fit(players, results.labels.len(), &FitSettings::default());
        drop(sample);
        let mut opponents = Opponents::new(players);
        let seats = results.most_seats(label);
        let mut rows: Vec<Row> = (0..players).map(|player| row(results, player, seats)).collect();
        let (mut all, mut games, mut drawn, mut plies, mut seconds) = (0, 0, 0, 0, 0.0);
        for entry in results.of(label) {
            all += 1;
            plies += u64::from(entry.game.plies);
            if entry.game.seconds.is_finite() {
                seconds += f64::from(entry.game.seconds);
            }
            for seat in Seat::all(entry.seats.len()) {
                rows[entry.seats.of(seat)].time.add(entry.game.thinking(seat));
            }
            if let Some(game) = entry.rated() {
                games += 1;
                count(&mut rows, &entry, &game.result);
                // Several seats share the first place.
                let firsts = (0..game.result.seats()).filter(|seat| game.result.place(*seat) == 1);
                drawn += u64::from(firsts.count() > 1);
                for (one, two, score) in game.result.duels() {
                    let [one, two] = [one, two].map(|seat| game.result.player(seat));
                    opponents.count(one, two, score);
                    opponents.count(two, one, score.opposite());
                }
            }
        }
        for (row, rating) in rows.iter_mut().zip(&table.ratings) {
            row.elo = rating.elo;
            row.error95 = rating.error95.filter(|_| !results.is_live);
            row.is_regularized = rating.is_regularized;
            row.bound = rating.bound;
            row.mean_ms = row.time.mean();
        }
        if results.is_live {
            for (row, any_time) in rows.iter_mut().zip(any_time::scores(results, label, copies)) {
                row.any_time = any_time;
            }
        }
        for pair in table.neighbours().iter().filter(|_| !results.is_live) {
            rows[pair.upper].los = pair.los;
            rows[pair.upper].is_los_regularized = pair.is_regularized;
            rows[pair.upper].los_holm = pair.los_holm;
        }
        let mut rows: Vec<Row> = table.ranking().into_iter().map(|player| rows[player].clone()).collect();
        for (place, row) in (1..).zip(&mut rows) {
            row.rank = row.elo.map(|_| place);
        }
        let played = results.played_labels();
        let only = label.or(if played.len() == 1 { played.first().copied() } else { None });
        Self {
            label: label.map(|label| results.labels.get(label).cloned().unwrap_or_default()),
            advantage: only.and_then(|label| table.advantages.get(label).cloned()),
            games,
            no_contest: all - games,
            method: table.method,
            errors: table.errors,
            components: table.components,
            is_live: results.is_live,
            seats,
            duplicates,
            drawn,
            plies,
            seconds,
            opponents,
            rows,
        }
    }
}

/// Returns the row of a player who has not played.
fn row(results: &Results<'_>, number: usize, seats: usize) -> Row {
    Row {
        rank: None,
        player: results.players.list()[number].clone(),
        label: results.players.label(number).to_owned(),
        version: results.players.version(number).to_owned(),
        elo: None,
        error95: None,
        is_regularized: false,
        bound: None,
        wins: 0,
        draws: 0,
        losses: 0,
        places: Vec::new(),
        seats: vec![SeatScore::default(); seats.max(2)],
        faults: [0; Termination::FAULTS.len()],
        mean_ms: None,
        any_time: None,
        los: None,
        is_los_regularized: false,
        los_holm: None,
        number,
        time: ThinkingTime::default(),
    }
}

fn count(rows: &mut [Row], entry: &Entry<'_>, result: &TableResult) {
    for (seat, player) in result.players().enumerate() {
        rows[player].count(seat, result);
    }
    for (seat, fault) in entry.game.faults() {
        if let Some(kind) = Termination::FAULTS.iter().position(|kind| *kind == fault) {
            rows[entry.seats.of(seat)].faults[kind] += 1;
        }
    }
}
