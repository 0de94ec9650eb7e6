//! Games without their plies: what tables, schedules and limits need of them, in little memory.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use rules::{Catalogue, Seat};

use crate::{GameRecord, GameResult, PlyRecord, RunRecord, SeatControl, SeatRecord, Termination, Warning};

/// A run without the plies of its games. The plies are in the journal alone; [`crate::GameReader`] reads them there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunSummary {
    /// The configurations, in the order in which they were used.
    pub runs: Vec<RunRecord>,
    /// Where the line of each of them begins in the journal, in bytes; nothing where there is none.
    pub run_places: Vec<u64>,
    /// The games, by number.
    pub games: Vec<GameSummary>,
    /// The games that count nowhere and are played again, by number; those of one number in the order of the file.
    pub void: Vec<GameSummary>,
    /// How many bytes of an unfinished last line were left out.
    pub torn: u64,
    /// The games that its labels name. Those of one's own are known to whoever loads their rules.
    pub catalogue: Catalogue,
}

impl RunSummary {
    /// Returns the configuration under which a game of the journal was played.
    #[must_use]
    pub fn run_of(&self, game: &GameSummary) -> Option<&RunRecord> {
        let known = self.run_places.iter().filter(|place| **place < game.place).count();
        self.runs.get(known.checked_sub(1)?)
    }
}

/// A finished game without its plies.
#[derive(Clone, Debug, PartialEq)]
pub struct GameSummary {
    /// The number of the game in the schedule, from 1.
    pub number: u64,
    /// The number of its pair, from 1.
    pub pair: u64,
    /// What was played, and who sat where.
    pub lineup: Arc<Lineup>,
    /// What is recorded of it beside the result, if anything.
    pub remarks: Option<Box<Remarks>>,
    /// How long it took, in seconds, with seven digits.
    pub seconds: f32,
    /// When it began, in whole seconds since 1970 (UTC); 0 where the journal names no time between then and 2106.
    pub started: u32,
    thinking: [PackedTime; 2],
    /// Where its line begins in the journal, in bytes.
    pub place: u64,
    /// The [`short_fingerprint`]: equal for games that are the same ply for ply, and among a million
    /// others with a chance of 2^-25.
    pub fingerprint: u64,
    /// [`GameRecord::opening_fingerprint`].
    pub opening: u64,
    /// The round, from 1.
    pub round: u32,
    /// The number of plies, the opening included.
    pub plies: u32,
    /// Which game of its pair it is: 1 or 2.
    pub leg: u8,
    /// Who won.
    pub result: GameResult,
    /// Why the game ended.
    pub reason: Termination,
    /// The seat whose bot failed, in a game that does not count because of it.
    pub failed: Option<Seat>,
}

/// What many games share: what was played, and who sat where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lineup {
    /// The game with its options.
    pub ruleset: Arc<Ruleset>,
    /// Who sat where: `p1`, then `p2`.
    pub seats: [Arc<SeatedBot>; 2],
    /// The worker that played, where that was another machine than the one that keeps the journal.
    pub worker: Option<Arc<String>>,
}

/// A game with its options, as records name it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ruleset {
    /// The game's id.
    pub game: String,
    /// The game's name with the options that are not the defaults.
    pub label: String,
}

/// A bot as records name it, under one time control.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatedBot {
    /// The bot's name in the tournament.
    pub bot: String,
    /// Its version; empty when unknown.
    pub version: String,
    /// Its digest.
    pub digest: String,
    /// The time control it played under.
    pub tc: SeatControl,
}

/// What is recorded of few games.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Remarks {
    /// What happened, in words, in a game that was lost by a fault, or that the arena itself spoilt.
    pub detail: Option<String>,
    /// How the process of each bot ended, in a game that was lost by a fault.
    pub exits: [Option<String>; 2],
    /// What each bot said of its search that cannot be true.
    pub warnings: [Vec<Warning>; 2],
}

/// The time charged to one seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ThinkingTime {
    /// The sum, in microseconds.
    pub micros: u64,
    /// For how many decisions.
    pub decisions: u64,
}

/// A [`ThinkingTime`] in eight bytes: the decisions in the upper ones, the microseconds below them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PackedTime(u64);

impl PackedTime {
    /// How many bits the microseconds have: half a year. The rest is for a million decisions.
    const BITS: u32 = 44;
    const MOST: ThinkingTime =
        ThinkingTime { micros: (1 << Self::BITS) - 1, decisions: (1 << (u64::BITS - Self::BITS)) - 1 };

    /// What is more than these bits hold becomes the most.
    fn new(time: ThinkingTime) -> Self {
        let ThinkingTime { micros, decisions } = time;
        Self(decisions.min(Self::MOST.decisions) << Self::BITS | micros.min(Self::MOST.micros))
    }

    const fn unpack(self) -> ThinkingTime {
        ThinkingTime { micros: self.0 & Self::MOST.micros, decisions: self.0 >> Self::BITS }
    }
}

impl GameSummary {
    /// Returns the game's name with the options that are not the defaults.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.lineup.ruleset.label
    }

    /// Returns who sat where: `p1`, then `p2`.
    #[must_use]
    pub fn seats(&self) -> &[Arc<SeatedBot>; 2] {
        &self.lineup.seats
    }

    /// Returns what the bots were charged: `p1`, then `p2`. More than half a year counts as that, more than a million
    /// decisions as a million.
    #[must_use]
    pub fn thinking(&self) -> [ThinkingTime; 2] {
        self.thinking.map(PackedTime::unpack)
    }

    /// Returns the worker that played, where that was another machine than the one that keeps the journal.
    #[must_use]
    pub fn worker(&self) -> Option<&str> {
        self.lineup.worker.as_ref().map(|name| name.as_str())
    }

    /// Returns the seat that lost by a fault of its own, if that is how the game ended.
    #[must_use]
    pub fn fault(&self) -> Option<Seat> {
        if self.reason.is_fault() { self.result.loser() } else { None }
    }

    /// Returns what happened, in words, in a game that was lost by a fault, or that the arena itself spoilt.
    #[must_use]
    pub fn detail(&self) -> Option<&str> {
        self.remarks.as_ref()?.detail.as_deref()
    }

    /// Returns how the process of a seat ended, in a game that was lost by a fault.
    #[must_use]
    pub fn exit(&self, seat: Seat) -> Option<&str> {
        self.remarks.as_ref()?.exits[seat.index()].as_deref()
    }

    /// Returns what the bot of a seat said of its search that cannot be true.
    #[must_use]
    pub fn warnings(&self, seat: Seat) -> &[Warning] {
        self.remarks.as_ref().map_or(&[], |remarks| &remarks.warnings[seat.index()])
    }
}

impl ThinkingTime {
    /// Sums up what both seats were charged.
    #[must_use]
    pub fn of(plies: &[PlyRecord]) -> [Self; 2] {
        let mut times = [Self::default(); 2];
        plies.iter().for_each(|ply| Self::take(&mut times, ply));
        times
    }

    /// Adds what a ply was charged to that of both seats.
    pub(crate) fn take<T>(times: &mut [Self; 2], ply: &PlyRecord<T>) {
        if let Some(micros) = ply.us {
            times[usize::from(ply.seat == 2)].add(Self { micros, decisions: 1 });
        }
    }

    /// Adds another one.
    pub const fn add(&mut self, other: Self) {
        self.micros = self.micros.saturating_add(other.micros);
        self.decisions += other.decisions;
    }

    /// Returns the mean in milliseconds; `None` without decisions.
    #[must_use]
    pub fn mean(self) -> Option<f64> {
        (self.decisions > 0).then(|| self.micros as f64 / self.decisions as f64 / 1000.0)
    }
}

/// Sums up the games of a run one after the other; what is the same in many of them is kept once.
#[derive(Clone, Debug, Default)]
pub struct Summarizer {
    run: RunSummary,
    rulesets: HashMap<u64, Arc<Ruleset>>,
    sitters: HashMap<u64, Arc<SeatedBot>>,
    /// By the addresses of what they hold.
    lineups: HashMap<[usize; 4], Arc<Lineup>>,
    workers: HashMap<u64, Arc<String>>,
}

impl Summarizer {
    /// Goes on with a run.
    #[must_use]
    pub fn new(run: RunSummary) -> Self {
        let mut summarizer = Self::default();
        for game in run.games.iter().chain(&run.void) {
            let Lineup { ruleset, seats, worker } = &*game.lineup;
            let key = addresses(ruleset, seats, worker.as_ref());
            let known = summarizer.lineups.insert(key, Arc::clone(&game.lineup));
            if known.is_some() {
                continue;
            }
            let hash = hash_of(&ruleset.game, &ruleset.label, "", "");
            summarizer.rulesets.entry(hash).or_insert_with(|| Arc::clone(ruleset));
            for seat in seats {
                let hash = hash_of(&seat.bot, &seat.version, &seat.digest, seat.tc.as_str());
                summarizer.sitters.entry(hash).or_insert_with(|| Arc::clone(seat));
            }
            if let Some(worker) = worker {
                summarizer.workers.entry(hash_of(worker, "", "", "")).or_insert_with(|| Arc::clone(worker));
            }
        }
        summarizer.run = run;
        summarizer
    }

    /// Returns the run as it was summed up so far: its games stand in the order in which they came.
    #[must_use]
    pub const fn run(&self) -> &RunSummary {
        &self.run
    }

    /// Takes a configuration.
    pub fn configure(&mut self, run: RunRecord) {
        self.run.runs.push(run);
    }

    /// Takes a configuration, whose line begins at this byte of the journal.
    pub(crate) fn configure_at(&mut self, run: RunRecord, place: u64) {
        self.run.run_places.push(place);
        self.configure(run);
    }

    /// Takes a finished game, whose line begins at this byte of the journal, and returns what is kept of it.
    pub fn push(&mut self, game: &GameRecord, place: u64) -> &GameSummary {
        let summary = self.summary(game, Gist::of(game), place);
        self.run.games.push(summary);
        &self.run.games[self.run.games.len() - 1]
    }

    /// Takes a game that counts nowhere.
    pub fn push_void(&mut self, game: &GameRecord, place: u64) {
        let summary = self.summary(game, Gist::of(game), place);
        self.run.void.push(summary);
    }

    /// Takes a game that another one has summed up.
    pub(crate) fn adopt(&mut self, game: GameSummary) {
        let game = self.shared(game);
        self.run.games.push(game);
    }

    /// Takes a game that counts nowhere and that another one has summed up.
    pub(crate) fn adopt_void(&mut self, game: GameSummary) {
        let game = self.shared(game);
        self.run.void.push(game);
    }

    /// Returns the run, with its games by number.
    #[must_use]
    pub fn finish(mut self) -> RunSummary {
        // Numbers come once: this needs no order of equals, and no memory.
        self.run.games.sort_unstable_by_key(|game| game.number);
        self.run.void.sort_by_key(|game| game.number);
        self.run
    }

    /// Returns what is kept of a game, whose line begins at this byte of the journal, and does not take it.
    pub(crate) fn summary<T: AsRef<str> + Ord, P, C: AsRef<str>>(
        &mut self,
        game: &GameRecord<T, P, C>,
        gist: Gist,
        place: u64,
    ) -> GameSummary {
        let (ruleset, seats) = (self.ruleset(game), game.seats.each_ref().map(|seat| self.sitter(seat)));
        let worker = game.worker.as_ref().map(|worker| self.worker(worker.name.as_ref()));
        GameSummary {
            number: game.number,
            pair: game.pair,
            lineup: self.lineup(ruleset, seats, worker),
            remarks: remarks(game),
            seconds: game.seconds as f32,
            started: seconds_since_1970(game.started.as_ref()),
            thinking: gist.thinking.map(PackedTime::new),
            place,
            fingerprint: short_fingerprint(gist.fingerprint),
            opening: gist.opening,
            round: game.round,
            plies: u32::try_from(gist.plies).unwrap_or(u32::MAX),
            leg: game.leg,
            result: game.result,
            reason: game.reason,
            failed: game.failed,
        }
    }

    /// Makes a game share what the games before it have.
    fn shared(&mut self, mut game: GameSummary) -> GameSummary {
        let Lineup { ruleset, seats, worker } = &*game.lineup;
        let hash = hash_of(&ruleset.game, &ruleset.label, "", "");
        let ruleset = shared(&mut self.rulesets, hash, |known| known == &**ruleset, || Arc::clone(ruleset));
        let seats = seats.each_ref().map(|seat| {
            let SeatedBot { bot, version, digest, tc } = &**seat;
            let hash = hash_of(bot, version, digest, tc.as_str());
            shared(&mut self.sitters, hash, |known| known == &**seat, || Arc::clone(seat))
        });
        let worker = worker.as_ref().map(|worker| self.worker(worker));
        game.lineup = self.lineup(ruleset, seats, worker);
        game
    }

    fn lineup(
        &mut self,
        ruleset: Arc<Ruleset>,
        seats: [Arc<SeatedBot>; 2],
        worker: Option<Arc<String>>,
    ) -> Arc<Lineup> {
        let key = addresses(&ruleset, &seats, worker.as_ref());
        Arc::clone(self.lineups.entry(key).or_insert_with(|| Arc::new(Lineup { ruleset, seats, worker })))
    }

    fn worker(&mut self, name: &str) -> Arc<String> {
        let hash = hash_of(name, "", "", "");
        shared(&mut self.workers, hash, |known| known == name, || Arc::new(name.to_owned()))
    }

    fn ruleset<T: AsRef<str> + Ord, P, C>(&mut self, game: &GameRecord<T, P, C>) -> Arc<Ruleset> {
        let (id, label) = (game.game.as_ref(), game.label.as_ref());
        let is_same = |known: &Ruleset| known.game == id && known.label == label;
        let new = || Arc::new(Ruleset { game: id.to_owned(), label: label.to_owned() });
        shared(&mut self.rulesets, hash_of(id, label, "", ""), is_same, new)
    }

    fn sitter<T: AsRef<str>, C: AsRef<str>>(&mut self, seat: &SeatRecord<T, C>) -> Arc<SeatedBot> {
        let [bot, version, digest] = [&seat.bot, &seat.version, &seat.digest].map(AsRef::<str>::as_ref);
        let tc = seat.tc.as_ref();
        let is_same = |known: &SeatedBot| {
            [known.bot.as_str(), &known.version, &known.digest, known.tc.as_str()]
                == [bot, version, digest, tc]
        };
        let new = || {
            let [bot, version, digest] = [bot, version, digest].map(str::to_owned);
            Arc::new(SeatedBot { bot, version, digest, tc: tc.to_owned().into() })
        };
        shared(&mut self.sitters, hash_of(bot, version, digest, tc), is_same, new)
    }
}

/// What a summary keeps of the plies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gist {
    pub(crate) thinking: [ThinkingTime; 2],
    pub(crate) plies: usize,
    pub(crate) fingerprint: u128,
    pub(crate) opening: u64,
}

impl Gist {
    pub(crate) fn of(game: &GameRecord) -> Self {
        let thinking = ThinkingTime::of(&game.plies);
        let (fingerprint, opening) = (game.fingerprint(), game.opening_fingerprint());
        Self { thinking, plies: game.plies.len(), fingerprint, opening }
    }
}

/// Returns what is known under a hash if it is the same, else a new thing, which the next ones share unless two hashes
/// happen to be equal.
fn shared<T>(
    known: &mut HashMap<u64, Arc<T>>,
    hash: u64,
    is_same: impl Fn(&T) -> bool,
    new: impl Fn() -> Arc<T>,
) -> Arc<T> {
    match known.get(&hash) {
        Some(thing) if is_same(thing) => Arc::clone(thing),
        Some(_) => new(),
        None => Arc::clone(known.entry(hash).or_insert_with(new)),
    }
}

/// Returns where the parts of a lineup are: they stay there, since the lineup holds them.
fn addresses(
    ruleset: &Arc<Ruleset>,
    [first, second]: &[Arc<SeatedBot>; 2],
    worker: Option<&Arc<String>>,
) -> [usize; 4] {
    let worker = worker.map_or(0, |worker| Arc::as_ptr(worker).addr());
    [Arc::as_ptr(ruleset).addr(), Arc::as_ptr(first).addr(), Arc::as_ptr(second).addr(), worker]
}

/// Returns a [`GameRecord::fingerprint`] in half as many bytes: both halves count, since the lower one alone is a weak hash.
#[must_use]
pub const fn short_fingerprint(hash: u128) -> u64 {
    (hash >> 64) as u64 ^ (hash as u64).rotate_left(32)
}

/// Returns a time as RFC 3339 writes it in whole seconds since 1970; 0 where it is none that these count.
fn seconds_since_1970(text: &str) -> u32 {
    let time = text.parse::<jiff::Timestamp>().ok();
    time.and_then(|time| u32::try_from(time.as_second()).ok()).unwrap_or(0)
}

fn hash_of(one: &str, two: &str, three: &str, four: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (one, two, three, four).hash(&mut hasher);
    hasher.finish()
}

fn remarks<T: AsRef<str> + Ord, P, C>(game: &GameRecord<T, P, C>) -> Option<Box<Remarks>> {
    let [first, second] = &game.seats;
    let has_warnings = !first.warnings.is_empty() || !second.warnings.is_empty();
    let mut remarks =
        Remarks { warnings: [first.warnings.clone(), second.warnings.clone()], ..Remarks::default() };
    if game.fault().is_some() || game.reason == Termination::ArenaError {
        let text = |text: &Option<T>| text.as_ref().map(|text| text.as_ref().to_owned());
        remarks.detail = text(&game.detail);
        remarks.exits = [text(&first.exit), text(&second.exit)];
    }
    let is_told = has_warnings || remarks.detail.is_some() || remarks.exits.iter().any(Option::is_some);
    is_told.then(|| Box::new(remarks))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinking_times_are_packed_without_loss_up_to_their_most() {
        for (micros, decisions) in
            [(0, 0), (1, 1), (PackedTime::MOST.micros, 7), (9, PackedTime::MOST.decisions)]
        {
            let time = ThinkingTime { micros, decisions };
            assert_eq!(PackedTime::new(time).unpack(), time);
        }
        let endless = ThinkingTime { micros: u64::MAX, decisions: u64::MAX };
        assert_eq!(PackedTime::new(endless).unpack(), PackedTime::MOST);
    }

    #[test]
    fn what_is_kept_of_a_game_is_small() {
        assert!(size_of::<GameSummary>() <= 96, "{} bytes", size_of::<GameSummary>());
    }

    #[test]
    fn the_start_of_a_game_is_kept_in_seconds_where_it_is_a_time() {
        assert_eq!(seconds_since_1970("2026-11-21T09:30:05.923Z"), 1_795_253_405);
        assert_eq!(seconds_since_1970("2026-11-21T10:30:05+01:00"), 1_795_253_405);
        for text in ["", "yesterday", "1969-12-31T23:59:59Z", "2107-01-01T00:00:00Z"] {
            assert_eq!(seconds_since_1970(text), 0, "{text}");
        }
    }
}
