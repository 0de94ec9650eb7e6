//! Games without their plies: what tables, schedules and limits need, in little memory.

mod game_summary;
mod packed_games;
mod thinking_time;
mod uncounted;

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{BuildHasher as _, Hash as _, Hasher as _};
use std::sync::Arc;

use rules::{Catalogue, PerSeat, Seat};
use rustc_hash::{FxBuildHasher, FxHasher};
use settings::TimeFactor;

pub use game_summary::{GameContext, GameSummary, Lineup, LineupWorker, Ruleset, SeatedBot};
pub use packed_games::PackedGames;
pub use thinking_time::ThinkingTime;
pub(crate) use thinking_time::ThinkingTimes;
pub(crate) use uncounted::VoidSummary;
pub use uncounted::{Uncounted, UncountedGame};

use self::game_summary::Remarks;
use crate::{GameRecord, PlyRecord, RunRecord, SeatExit, SeatRecord, Termination};

/// A run without the plies of its games. Only the journal holds the plies; [`crate::GameReader`] reads them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunSummary {
    /// The configurations, in the order in which they were used.
    pub runs: Vec<RunRecord>,
    /// The offset of each configuration's line in the journal, in bytes; empty if there is no journal.
    pub run_places: Vec<u64>,
    /// The games, by number.
    pub games: PackedGames,
    /// The void games, by number; those with the same number in the order of the file.
    pub void: Vec<GameSummary<'static>>,
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
    pub fn run_of(&self, game: &GameSummary<'_>) -> Option<&RunRecord> {
        let known = self.run_places.iter().filter(|place| **place < game.place).count();
        self.runs.get(known.checked_sub(1)?)
    }

    /// Returns the games by number, also while they are in the order in which they ended.
    pub fn by_number(&self) -> impl ExactSizeIterator<Item = GameSummary<'_>> {
        self.games.in_order(self.games.order_by_number())
    }

    fn push_void(&mut self, game: VoidSummary) {
        match game {
            VoidSummary::Replayed(game) => self.void.push(game),
            VoidSummary::Uncounted(game) => self.uncounted.push(game),
        }
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
    /// By the addresses of their parts.
    lineups: HashMap<Addresses, Arc<Lineup>, FxBuildHasher>,
    workers: ByHash<LineupWorker>,
    /// Lineups of other summarizers, each with the equal one of this one. A place holds the one met last of those that belong
    /// there. Empty if none was adopted.
    adopted: Vec<Option<[Arc<Lineup>; 2]>>,
}

/// How many lineups of other summarizers are remembered.
const MOST_ADOPTED: usize = 1 << 14;

impl Summarizer {
    /// Continues with a run.
    #[must_use]
    pub fn new(run: RunSummary) -> Self {
        let mut summarizer = Self::default();
        let uncounted = run.uncounted.iter().map(|uncounted| &uncounted.game);
        let others = run.void.iter().chain(uncounted).map(|game| &game.context.lineup);
        for lineup in run.games.lineups().chain(others) {
            let Lineup { ruleset, seats, worker } = &**lineup;
            let key = addresses(ruleset, seats, worker.as_ref());
            summarizer.lineups.entry(key).or_insert_with(|| Arc::clone(lineup));
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
    pub fn push(&mut self, game: &GameRecord, place: u64) -> GameSummary<'static> {
        let summary = self.summary(game, &Gist::of(game), place);
        self.run.games.push(&summary);
        summary
    }

    /// Adds a void game, or one of an attempt of a worker that counts nowhere.
    pub fn push_void(&mut self, game: &GameRecord, place: u64) {
        let void = self.void_summary(game, place);
        self.run.push_void(void);
    }

    /// Adds a game that another summarizer has summarized.
    pub(crate) fn adopt(&mut self, mut game: GameSummary<'static>) {
        self.share(&mut game);
        self.run.games.push(&game);
    }

    /// Adds a void game that another summarizer has summarized.
    pub(crate) fn adopt_void(&mut self, mut game: VoidSummary) {
        match &mut game {
            VoidSummary::Replayed(game) | VoidSummary::Uncounted(UncountedGame { game, .. }) => {
                self.share(game);
            }
        }
        self.run.push_void(game);
    }

    /// Returns the run, with its games by number.
    #[must_use]
    pub fn finish(mut self) -> RunSummary {
        self.run.games.sort_by_number();
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
    ) -> GameSummary<'static> {
        let (ruleset, seats) = (self.ruleset(game), game.seats.each_ref().map(|seat| self.sitter(seat)));
        let worker = game.worker.as_ref().map(|worker| self.worker(worker.name.as_ref(), worker.factor));
        let [first, second, others @ ..] = &gist.thinking.0;
        let mut remarks = remarks(game);
        if let Some(others) = others.get(..seats.len().saturating_sub(2)).filter(|others| !others.is_empty())
        {
            remarks.thinking = others.to_vec();
        }
        GameSummary {
            number: game.number,
            pair: game.pair,
            context: Cow::Owned(GameContext {
                lineup: self.lineup(ruleset, seats, worker),
                remarks: (remarks != Remarks::default()).then(|| Box::new(remarks)),
            }),
            seconds: game.seconds as f32,
            started: seconds_since_1970(game.started.as_ref()),
            thinking: [*first, *second],
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

    /// Replaces the lineup of a game by the equal one of earlier games.
    fn share(&mut self, game: &mut GameSummary<'static>) {
        let other = &mut game.context.to_mut().lineup;
        let place = FxBuildHasher.hash_one(Arc::as_ptr(other).addr()) as usize % MOST_ADOPTED;
        if let Some(Some([known, own])) = self.adopted.get(place)
            && Arc::ptr_eq(known, other)
        {
            *other = Arc::clone(own);
            return;
        }
        let Lineup { ruleset, seats, worker } = &**other;
        let hash = hash_of(&ruleset.game, &ruleset.label, "", "");
        let ruleset = shared(&mut self.rulesets, hash, |known| known == &**ruleset, || Arc::clone(ruleset));
        let seats = seats.each_ref().map(|seat| {
            let SeatedBot { bot, version, digest, tc } = &**seat;
            let hash = hash_of(bot, version, digest, tc.as_str());
            shared(&mut self.sitters, hash, |known| known == &**seat, || Arc::clone(seat))
        });
        let worker = worker.as_ref().map(|worker| self.worker(&worker.name, worker.factor));
        let own = self.lineup(ruleset, seats, worker);
        self.adopted.resize(MOST_ADOPTED, None);
        self.adopted[place] = Some([std::mem::replace(other, Arc::clone(&own)), own]);
    }

    fn lineup(
        &mut self,
        ruleset: Arc<Ruleset>,
        seats: PerSeat<Arc<SeatedBot>>,
        worker: Option<Arc<LineupWorker>>,
    ) -> Arc<Lineup> {
        let key = addresses(&ruleset, &seats, worker.as_ref());
        let new = || Arc::new(Lineup { ruleset, seats, worker });
        Arc::clone(self.lineups.entry(key).or_insert_with(new))
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
    pub(crate) fn of<T: AsRef<str> + Ord, C>(game: &GameRecord<T, Vec<PlyRecord<T>>, C>) -> Self {
        let mut thinking = ThinkingTimes::default();
        game.plies.iter().for_each(|ply| thinking.take(ply));
        let (fingerprint, opening) = game.fingerprints();
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

/// Returns the first of [`GameRecord::fingerprints`] in half as many bytes. It mixes both halves, because the lower one alone is a weak
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
    fn the_start_of_a_game_is_kept_in_seconds_where_it_is_a_time() {
        assert_eq!(seconds_since_1970("2026-11-21T09:30:05.923Z"), 1_795_253_405);
        assert_eq!(seconds_since_1970("2026-11-21T10:30:05+01:00"), 1_795_253_405);
        for text in ["", "yesterday", "1969-12-31T23:59:59Z", "2107-01-01T00:00:00Z"] {
            assert_eq!(seconds_since_1970(text), 0, "{text}");
        }
    }
}
