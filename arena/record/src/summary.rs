//! Games without their plies: what tables, schedules and limits need, in little memory.

mod thinking_time;
mod uncounted;

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasher as _, Hash as _, Hasher as _};
use std::sync::Arc;

use rules::{Catalogue, PerSeat, Seat};
use rustc_hash::{FxBuildHasher, FxHasher};
use settings::TimeFactor;

pub use thinking_time::ThinkingTime;
pub(crate) use thinking_time::ThinkingTimes;
pub(crate) use uncounted::VoidSummary;
pub use uncounted::{Uncounted, UncountedGame};

use self::thinking_time::PackedTime;
use crate::{GameRecord, GameResult, RunRecord, SeatControl, SeatExit, SeatRecord, Termination, Warning};

/// A run without the plies of its games. Only the journal holds the plies; [`crate::GameReader`] reads them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunSummary {
    /// The configurations, in the order in which they were used.
    pub runs: Vec<RunRecord>,
    /// The offset of each configuration's line in the journal, in bytes; empty if there is no journal.
    pub run_places: Vec<u64>,
    /// The games, by number.
    pub games: Vec<GameSummary>,
    /// The void games, by number; those with the same number in the order of the file.
    pub void: Vec<GameSummary>,
    /// What workers have played or tried that counts nowhere, by number; games with the same number in the order of the file.
    pub uncounted: Vec<UncountedGame>,
    /// The length of an unfinished last line, in bytes, which is left out.
    pub torn: u64,
    /// The games that the labels name. It holds a user's own games only if their rules are loaded.
    pub catalogue: Catalogue,
}

impl RunSummary {
    /// Returns the configuration under which a game of the journal was played.
    #[must_use]
    pub fn run_of(&self, game: &GameSummary) -> Option<&RunRecord> {
        let known = self.run_places.iter().filter(|place| **place < game.place).count();
        self.runs.get(known.checked_sub(1)?)
    }

    /// Returns the games by number, also while they are in the order in which they ended.
    pub fn by_number(&self) -> impl ExactSizeIterator<Item = &GameSummary> {
        // Nearly always they lie in this order already: a list of it would take megabytes.
        let is_sorted = self.games.is_sorted_by_key(|game| game.number);
        let mut order: Vec<usize> = if is_sorted { Vec::new() } else { (0..self.games.len()).collect() };
        order.sort_by_key(|index| self.games[*index].number);
        (0..self.games.len()).map(move |index| &self.games[order.get(index).copied().unwrap_or(index)])
    }

    fn push_void(&mut self, game: VoidSummary) {
        match game {
            VoidSummary::Replayed(game) => self.void.push(game),
            VoidSummary::Uncounted(game) => self.uncounted.push(game),
        }
    }
}

/// A finished game without its plies.
#[derive(Clone, Debug, PartialEq)]
pub struct GameSummary {
    /// The number of the game in the schedule, from 1.
    pub number: u64,
    /// The number of its block, from 1. With two seats a block is a pair.
    pub pair: u64,
    /// What was played, who sat where, and what else is recorded.
    pub context: Arc<GameContext>,
    /// How long the game took, in seconds, with seven digits.
    pub seconds: f32,
    /// When it began, in whole seconds since 1970 (UTC); 0 if the journal has no time before 2106.
    pub started: u32,
    /// The time charged to the first two seats; the remarks hold that of the others.
    thinking: [PackedTime; 2],
    /// The offset of its line in the journal, in bytes.
    pub place: u64,
    /// The [`short_fingerprint`]: equal for games with the same plies. Any two among a million other games share one with a
    /// chance of 2^-25.
    pub fingerprint: u64,
    /// [`GameRecord::opening_fingerprint`].
    pub opening: u64,
    /// The round, from 1.
    pub round: u32,
    /// The number of plies, the opening included.
    pub plies: u32,
    /// The position of the game in its block, from 1.
    pub leg: u8,
    /// Who won.
    pub result: GameResult,
    /// Why the game ended.
    pub reason: Termination,
    /// The seat whose bot failed, if the game does not count because of that.
    pub failed: Option<Seat>,
}

/// What was played, and what else is recorded. Games of one lineup without remarks share it.
#[derive(Clone, Debug, PartialEq)]
pub struct GameContext {
    /// What was played, and who sat where.
    pub lineup: Arc<Lineup>,
    /// Empty for most games.
    pub remarks: Remarks,
}

/// What many games share: the game and the bots in its seats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lineup {
    /// The game with its options.
    pub ruleset: Arc<Ruleset>,
    /// Who sat where.
    pub seats: PerSeat<Arc<SeatedBot>>,
    /// The worker that played, if it was not the machine that keeps the journal.
    pub worker: Option<Arc<LineupWorker>>,
}

/// A worker as the games have it that it played at one speed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineupWorker {
    /// Its name.
    pub name: String,
    /// By how much times were longer there.
    pub factor: Option<TimeFactor>,
}

/// A game with its options, as records name it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ruleset {
    /// The game's id.
    pub game: String,
    /// The game's name with the options that differ from the defaults.
    pub label: String,
}

/// A bot under one time control, as records name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatedBot {
    /// The bot's name in the tournament.
    pub bot: String,
    /// Its version; empty if unknown.
    pub version: String,
    /// Its digest.
    pub digest: String,
    /// Its time control.
    pub tc: SeatControl,
}

/// Facts that few games have. A list by seat may be shorter than the table; the other seats then have no entry.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Remarks {
    /// What happened, in words, in a game that a fault or the arena itself ended.
    pub detail: Option<String>,
    /// How the process of each bot ended, in a game that was lost by a fault.
    pub exits: Vec<Option<String>>,
    /// The false claims of each bot about its search.
    pub warnings: Vec<Vec<Warning>>,
    /// How each seat went out before the others.
    pub out: Vec<Option<SeatExit>>,
    /// The time charged to the seats from the third on.
    thinking: Vec<PackedTime>,
}

impl GameSummary {
    /// Returns the game's name with the options that differ from the defaults.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.context.lineup.ruleset.label
    }

    /// Returns who sat where.
    #[must_use]
    pub fn seats(&self) -> &PerSeat<Arc<SeatedBot>> {
        &self.context.lineup.seats
    }

    /// Returns the time charged to the bot of a seat, capped at half a year and a million decisions.
    #[must_use]
    pub fn thinking(&self, seat: Seat) -> ThinkingTime {
        let index = seat.index();
        let others = || self.context.remarks.thinking.get(index - self.thinking.len());
        self.thinking.get(index).or_else(others).map_or_else(ThinkingTime::default, |time| time.unpack())
    }

    /// Returns the worker that played, if it was not the machine that keeps the journal.
    #[must_use]
    pub fn worker(&self) -> Option<&str> {
        self.context.lineup.worker.as_ref().map(|worker| worker.name.as_str())
    }

    /// Returns by how much times were longer for this game than its time control says, where the worker's speed was measured.
    #[must_use]
    pub fn time_factor(&self) -> Option<TimeFactor> {
        self.context.lineup.worker.as_ref()?.factor
    }

    /// Returns how a seat went out before the others, at a table of more than two.
    #[must_use]
    pub fn out(&self, seat: Seat) -> Option<&SeatExit> {
        self.context.remarks.out.get(seat.index())?.as_ref()
    }

    /// Returns the seats that lost, or went out, by their own faults, each with the fault.
    pub fn faults(&self) -> impl Iterator<Item = (Seat, Termination)> + '_ {
        let lost = self.result.loser().map(|seat| (seat, self.reason));
        let out = self.seats().seats().filter_map(|seat| Some((seat, self.out(seat)?.reason)));
        lost.into_iter().chain(out).filter(|(_, reason)| reason.is_fault())
    }

    /// Returns the fault by which a seat lost, or went out, if there was one.
    #[must_use]
    pub fn fault_of(&self, seat: Seat) -> Option<Termination> {
        self.faults().find(|(other, _)| *other == seat).map(|(_, fault)| fault)
    }

    /// Returns what happened, in words, when a seat lost or went out by a fault.
    #[must_use]
    pub fn fault_words(&self, seat: Seat) -> Option<&str> {
        match self.out(seat) {
            Some(out) => out.detail.as_deref(),
            None => self.detail().filter(|_| self.fault_of(seat).is_some()),
        }
    }

    /// Returns what happened, in words, in a game that a fault or the arena itself ended.
    #[must_use]
    pub fn detail(&self) -> Option<&str> {
        self.context.remarks.detail.as_deref()
    }

    /// Returns how the process of a seat ended, in a game that was lost by a fault.
    #[must_use]
    pub fn exit(&self, seat: Seat) -> Option<&str> {
        self.context.remarks.exits.get(seat.index())?.as_deref()
    }

    /// Returns the false claims of a seat's bot about its search.
    #[must_use]
    pub fn warnings(&self, seat: Seat) -> &[Warning] {
        self.context.remarks.warnings.get(seat.index()).map_or(&[], Vec::as_slice)
    }
}

/// What many games share, by its hash.
type ByHash<T> = HashMap<u64, Arc<T>, FxBuildHasher>;

/// Summarizes the games of a run one after the other. It stores what they share only once.
#[derive(Clone, Debug, Default)]
pub struct Summarizer {
    run: RunSummary,
    rulesets: ByHash<Ruleset>,
    sitters: ByHash<SeatedBot>,
    /// Lineups without remarks, by the addresses of their parts.
    lineups: HashMap<Addresses, Arc<GameContext>, FxBuildHasher>,
    workers: ByHash<LineupWorker>,
    /// Lineups without remarks of other summarizers, each with the equal one of this one. A place holds the one met last of
    /// those that belong there. Empty if none was adopted.
    adopted: Vec<Option<[Arc<GameContext>; 2]>>,
}

/// How many lineups of other summarizers are remembered.
const MOST_ADOPTED: usize = 1 << 14;

impl Summarizer {
    /// Continues with a run.
    #[must_use]
    pub fn new(run: RunSummary) -> Self {
        let mut summarizer = Self::default();
        let uncounted = run.uncounted.iter().map(|uncounted| &uncounted.game);
        for game in run.games.iter().chain(&run.void).chain(uncounted) {
            let Lineup { ruleset, seats, worker } = &*game.context.lineup;
            let key = addresses(ruleset, seats, worker.as_ref());
            let has_remarks = game.context.remarks != Remarks::default();
            match summarizer.lineups.entry(key) {
                Entry::Occupied(_) => continue,
                Entry::Vacant(place) if has_remarks => {
                    let (lineup, remarks) = (Arc::clone(&game.context.lineup), Remarks::default());
                    place.insert(Arc::new(GameContext { lineup, remarks }));
                }
                Entry::Vacant(place) => {
                    place.insert(Arc::clone(&game.context));
                }
            }
            let hash = hash_of(&ruleset.game, &ruleset.label, "", "");
            summarizer.rulesets.entry(hash).or_insert_with(|| Arc::clone(ruleset));
            for seat in seats {
                let hash = hash_of(&seat.bot, &seat.version, &seat.digest, seat.tc.as_str());
                summarizer.sitters.entry(hash).or_insert_with(|| Arc::clone(seat));
            }
            if let Some(worker) = worker {
                let hash = hash_of(&worker.name, &factor_text(worker.factor), "", "");
                summarizer.workers.entry(hash).or_insert_with(|| Arc::clone(worker));
            }
        }
        summarizer.run = run;
        summarizer
    }

    /// Returns the summary so far, with the games in the order in which they came.
    #[must_use]
    pub const fn run(&self) -> &RunSummary {
        &self.run
    }

    /// Makes room for about so many games, if there is so much: a list that grows leaves holes as large as itself in memory.
    pub(crate) fn expect(&mut self, games: usize) {
        // Room that is not used takes no memory.
        let _ = self.run.games.try_reserve(games.saturating_add(games / 64));
    }

    /// Adds a configuration.
    pub fn configure(&mut self, run: RunRecord) {
        self.run.runs.push(run);
    }

    /// Adds a configuration whose line begins at offset `place` of the journal.
    pub(crate) fn configure_at(&mut self, run: RunRecord, place: u64) {
        self.run.run_places.push(place);
        self.configure(run);
    }

    /// Adds a finished game whose line begins at offset `place` of the journal, and returns its summary.
    pub fn push(&mut self, game: &GameRecord, place: u64) -> &GameSummary {
        let summary = self.summary(game, &Gist::of(game), place);
        self.run.games.push(summary);
        &self.run.games[self.run.games.len() - 1]
    }

    /// Adds a void game, or one of an attempt of a worker that counts nowhere.
    pub fn push_void(&mut self, game: &GameRecord, place: u64) {
        let void = self.void_summary(game, place);
        self.run.push_void(void);
    }

    /// Adds a game that another summarizer has summarized.
    pub(crate) fn adopt(&mut self, game: GameSummary) {
        let game = self.shared(game);
        self.run.games.push(game);
    }

    /// Adds a void game that another summarizer has summarized.
    pub(crate) fn adopt_void(&mut self, game: VoidSummary) {
        let game = match game {
            VoidSummary::Replayed(game) => VoidSummary::Replayed(self.shared(game)),
            VoidSummary::Uncounted(UncountedGame { game, cause, detail, set_aside }) => {
                VoidSummary::Uncounted(UncountedGame { game: self.shared(game), cause, detail, set_aside })
            }
        };
        self.run.push_void(game);
    }

    /// Returns the run, with its games by number.
    #[must_use]
    pub fn finish(mut self) -> RunSummary {
        // Numbers are unique, so an unstable sort is enough and needs no memory.
        self.run.games.sort_unstable_by_key(|game| game.number);
        self.run.void.sort_by_key(|game| game.number);
        self.run.uncounted.sort_by_key(|uncounted| uncounted.game.number);
        self.run
    }

    /// Returns the summary of a void game whose line begins at offset `place` of the journal, without adding it.
    pub(crate) fn void_summary(&mut self, game: &GameRecord, place: u64) -> VoidSummary {
        VoidSummary::of(game, self.summary(game, &Gist::of(game), place))
    }

    /// Returns the summary of a game whose line begins at offset `place` of the journal, without adding it.
    pub(crate) fn summary<T: AsRef<str> + Ord, P, C: AsRef<str>>(
        &mut self,
        game: &GameRecord<T, P, C>,
        gist: &Gist,
        place: u64,
    ) -> GameSummary {
        let (ruleset, seats) = (self.ruleset(game), game.seats.each_ref().map(|seat| self.sitter(seat)));
        let worker = game.worker.as_ref().map(|worker| self.worker(worker.name.as_ref(), worker.factor));
        let [first, second, others @ ..] = gist.thinking.0.map(PackedTime::new);
        let mut remarks = remarks(game);
        if let Some(others) = others.get(..seats.len().saturating_sub(2)).filter(|others| !others.is_empty())
        {
            remarks.thinking = others.to_vec();
        }
        GameSummary {
            number: game.number,
            pair: game.pair,
            context: self.context(ruleset, seats, worker, remarks),
            seconds: game.seconds as f32,
            started: seconds_since_1970(game.started.as_ref()),
            thinking: [first, second],
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

    /// Replaces the parts of a game by equal parts of earlier games.
    fn shared(&mut self, mut game: GameSummary) -> GameSummary {
        let address = Arc::as_ptr(&game.context).addr();
        let place = FxBuildHasher.hash_one(address) as usize % MOST_ADOPTED;
        if let Some(Some([other, own])) = self.adopted.get(place)
            && Arc::ptr_eq(other, &game.context)
        {
            game.context = Arc::clone(own);
            return game;
        }
        let Lineup { ruleset, seats, worker } = &*game.context.lineup;
        let hash = hash_of(&ruleset.game, &ruleset.label, "", "");
        let ruleset = shared(&mut self.rulesets, hash, |known| known == &**ruleset, || Arc::clone(ruleset));
        let seats = seats.each_ref().map(|seat| {
            let SeatedBot { bot, version, digest, tc } = &**seat;
            let hash = hash_of(bot, version, digest, tc.as_str());
            shared(&mut self.sitters, hash, |known| known == &**seat, || Arc::clone(seat))
        });
        let worker = worker.as_ref().map(|worker| self.worker(&worker.name, worker.factor));
        let remarks = match Arc::get_mut(&mut game.context) {
            Some(context) => std::mem::take(&mut context.remarks),
            None => game.context.remarks.clone(),
        };
        let own = self.context(ruleset, seats, worker, remarks);
        let other = std::mem::replace(&mut game.context, own);
        if game.context.remarks == Remarks::default() {
            self.adopted.resize(MOST_ADOPTED, None);
            self.adopted[place] = Some([other, Arc::clone(&game.context)]);
        }
        game
    }

    fn context(
        &mut self,
        ruleset: Arc<Ruleset>,
        seats: PerSeat<Arc<SeatedBot>>,
        worker: Option<Arc<LineupWorker>>,
        remarks: Remarks,
    ) -> Arc<GameContext> {
        let key = addresses(&ruleset, &seats, worker.as_ref());
        let common = self.lineups.entry(key).or_insert_with(|| {
            let lineup = Arc::new(Lineup { ruleset, seats, worker });
            Arc::new(GameContext { lineup, remarks: Remarks::default() })
        });
        if remarks == common.remarks {
            return Arc::clone(common);
        }
        Arc::new(GameContext { lineup: Arc::clone(&common.lineup), remarks })
    }

    fn worker(&mut self, name: &str, factor: Option<TimeFactor>) -> Arc<LineupWorker> {
        let hash = hash_of(name, &factor_text(factor), "", "");
        let is_same = |known: &LineupWorker| known.name == name && known.factor == factor;
        shared(&mut self.workers, hash, is_same, || Arc::new(LineupWorker { name: name.to_owned(), factor }))
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

/// What a summary keeps about the plies.
#[derive(Clone, Debug)]
pub(crate) struct Gist {
    pub(crate) thinking: ThinkingTimes,
    pub(crate) plies: usize,
    pub(crate) fingerprint: u128,
    pub(crate) opening: u64,
}

impl Gist {
    pub(crate) fn of(game: &GameRecord) -> Self {
        let mut thinking = ThinkingTimes::default();
        game.plies.iter().for_each(|ply| thinking.take(ply));
        let (fingerprint, opening) = (game.fingerprint(), game.opening_fingerprint());
        Self { thinking, plies: game.plies.len(), fingerprint, opening }
    }
}

/// Returns the value stored under a hash if it equals the wanted one. Otherwise makes a new value and stores it for the next
/// games, unless two hashes happen to be equal.
fn shared<T>(
    known: &mut ByHash<T>,
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

/// Returns what tells a worker at one speed from itself at another; nothing where no speed was measured.
fn factor_text(factor: Option<TimeFactor>) -> String {
    factor.map_or_else(String::new, |factor| factor.to_string())
}

/// The addresses of the parts of a lineup: the rules, the worker, then the bots; 0 for an absent part.
type Addresses = [usize; Seat::MOST + 2];

/// Returns the addresses of the parts of a lineup. They stay valid because the lineup holds the parts.
fn addresses(
    ruleset: &Arc<Ruleset>,
    seats: &[Arc<SeatedBot>],
    worker: Option<&Arc<LineupWorker>>,
) -> Addresses {
    let mut addresses = [0; Seat::MOST + 2];
    addresses[0] = Arc::as_ptr(ruleset).addr();
    addresses[1] = worker.map_or(0, |worker| Arc::as_ptr(worker).addr());
    for (place, seat) in addresses[2..].iter_mut().zip(seats) {
        *place = Arc::as_ptr(seat).addr();
    }
    addresses
}

/// Returns a [`GameRecord::fingerprint`] in half as many bytes. It mixes both halves, because the lower one alone is a weak
/// hash.
#[must_use]
pub const fn short_fingerprint(hash: u128) -> u64 {
    (hash >> 64) as u64 ^ (hash as u64).rotate_left(32)
}

/// Returns an RFC 3339 time in whole seconds since 1970; 0 if they cannot express it.
fn seconds_since_1970(text: &str) -> u32 {
    let time = text.parse::<jiff::Timestamp>().ok();
    time.and_then(|time| u32::try_from(time.as_second()).ok()).unwrap_or(0)
}

fn hash_of(one: &str, two: &str, three: &str, four: &str) -> u64 {
    let mut hasher = FxHasher::default();
    (one, two, three, four).hash(&mut hasher);
    hasher.finish()
}

fn remarks<T: AsRef<str> + Ord, P, C>(game: &GameRecord<T, P, C>) -> Remarks {
    let text = |text: &Option<T>| text.as_ref().map(|text| text.as_ref().to_owned());
    let mut remarks = Remarks::default();
    if game.seats.iter().any(|seat| !seat.warnings.is_empty()) {
        remarks.warnings = game.seats.iter().map(|seat| seat.warnings.clone()).collect();
    }
    if game.faults().next().is_some() || game.reason == Termination::ArenaError {
        remarks.detail = text(&game.detail);
        if game.seats.iter().any(|seat| seat.exit.is_some()) {
            remarks.exits = game.seats.iter().map(|seat| text(&seat.exit)).collect();
        }
    }
    if game.seats.iter().any(|seat| seat.out.is_some()) {
        let out =
            |out: &SeatExit<T>| SeatExit { reason: out.reason, detail: text(&out.detail), ply: out.ply };
        remarks.out = game.seats.iter().map(|seat| seat.out.as_ref().map(out)).collect();
    }
    remarks
}

#[cfg(test)]
mod tests {
    use super::*;

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
