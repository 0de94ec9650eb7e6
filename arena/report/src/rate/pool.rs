//! Counting outcomes: which games are rated, for which players, and which form pairs.

use std::collections::{BTreeMap, BTreeSet};

use record::{LoggedGame, Unrated, short_fingerprint};
use stats::{MOST_SEATS, RatedGame, Sample, TableResult};

use crate::rate::left_out::LeftOut;
use crate::rate::roster::{By, Roster};
use crate::results::copies::{Copies, CountedGame, Mark};

/// The most pairs, or blocks at larger tables, that may wait for the rest of their games.
const MOST_OPEN: usize = 1 << 20;

/// Which games are rated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only these games, by id (with any options) or by label; all if empty.
    pub games: Vec<String>,
    /// Only games of these bots, by name; all if empty.
    pub bots: Vec<String>,
    /// Only games that began at this time or later: the beginning of an RFC 3339 instant in UTC, without `Z`.
    pub since: Option<String>,
}

/// Counted outcomes.
///
/// A pool holds players, match-ups and the games that wait for the other game of their pair. At most about a million of these
/// wait; then they count as single games. For each pair it also holds about fifty bytes, which detect copies and shared
/// openings. A pair that repeats an earlier one ply for ply with the same results counts once, even if it is in another file.
/// The result does not depend on the order of the games, unless several pairs of one file cannot be distinguished.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    by: By,
    filter: Filter,
    pub(super) roster: Roster,
    groups: BTreeMap<String, usize>,
    sample: Sample,
    open: BTreeMap<PairKey, Vec<CountedGame>>,
    copies: Copies,
    pub(super) left_out: LeftOut,
    /// The number of games read.
    pub(super) read: u64,
    pub(super) names: BTreeSet<String>,
    pub(super) games: BTreeSet<String>,
}

/// The key of a pair, or of a block at a larger table: its number, the group, and the players.
type PairKey = (u64, usize, [u32; MOST_SEATS]);

impl Pool {
    /// Creates an empty pool.
    #[must_use]
    pub fn new(by: By, filter: Filter) -> Self {
        Self { by, filter, ..Self::default() }
    }

    /// Counts a game.
    pub fn add(&mut self, outcome: &LoggedGame<'_>) {
        self.read += 1;
        if outcome.unrated == Some(Unrated::Bye) {
            self.left_out.byes += 1;
            return;
        }
        if outcome.seats.iter().any(|contestant| contestant.name.is_empty()) {
            self.left_out.unnamed += 1;
            return;
        }
        for contestant in &outcome.seats {
            remember(&mut self.names, &contestant.name);
        }
        remember(&mut self.games, &outcome.game);
        remember(&mut self.games, &outcome.label);
        if !self.is_wanted(outcome) {
            self.left_out.filtered += 1;
            return;
        }
        let places: Option<Vec<u8>> = outcome.seats.seats().map(|seat| outcome.result.place(seat)).collect();
        let Some(places) = places else { return self.left_out.count(outcome.unrated.as_ref()) };
        let by = self.by;
        let numbers: Vec<usize> =
            outcome.seats.iter().map(|contestant| self.roster.number(contestant, by)).collect();
        let Some(result) = TableResult::new(numbers.iter().copied().zip(places)) else {
            return self.left_out.count(None);
        };
        if result.duels().next().is_none() {
            self.left_out.own += 1;
            return;
        }
        for seat in &outcome.faults {
            self.roster.count_fault(numbers[seat.index()]);
        }
        let group = match self.groups.get(&*outcome.label) {
            Some(group) => *group,
            None => {
                let group = self.groups.len();
                self.groups.insert(outcome.label.to_string(), group);
                group
            }
        };
        let game = RatedGame { result, group, pair: outcome.pair, opening: outcome.opening };
        self.count(CountedGame::new(game, outcome.fingerprint.map(short_fingerprint)));
    }

    /// Ends a file, because no pair has games in two files.
    pub fn end_file(&mut self) {
        for legs in std::mem::take(&mut self.open).into_values() {
            self.add_unit(&legs);
        }
    }

    /// Counts the games of a block, or a game without a partner, unless it is a copy.
    fn add_unit(&mut self, legs: &[CountedGame]) {
        if self.copies.is_copy(Mark::of_unit(legs)) {
            self.left_out.copies += legs.len() as u64;
            return;
        }
        self.sample.add_block(&CountedGame::games(legs));
    }

    fn is_wanted(&mut self, outcome: &LoggedGame<'_>) -> bool {
        let Filter { games, bots, since } = &self.filter;
        let is_game =
            games.is_empty() || games.iter().any(|game| *game == *outcome.game || *game == *outcome.label);
        let is_bot =
            bots.is_empty() || outcome.seats.iter().any(|seat| bots.iter().any(|bot| *bot == *seat.name));
        if !is_game || !is_bot {
            return false;
        }
        let is_undated = since.is_some() && outcome.started.is_empty();
        self.left_out.undated += u64::from(is_undated);
        since.as_ref().is_none_or(|since| *outcome.started >= **since)
    }

    fn count(&mut self, leg: CountedGame) {
        let game = leg.game;
        let Some(pair) = game.pair else {
            return self.add_unit(&[leg]);
        };
        if self.open.len() >= MOST_OPEN {
            self.end_file();
        }
        let key = (pair, game.group, game.result.sorted_players());
        let legs = self.open.entry(key).or_default();
        // A player repeats a seat, so this game begins another block.
        let before = match legs.iter().any(|other| other.game.result.players().eq(game.result.players())) {
            true => std::mem::take(legs),
            false => Vec::new(),
        };
        legs.push(leg);
        let whole = match legs.len() == game.result.seats() {
            true => self.open.remove(&key).unwrap_or_default(),
            false => Vec::new(),
        };
        for legs in [before, whole].iter().filter(|legs| !legs.is_empty()) {
            self.add_unit(legs);
        }
    }

    pub(super) const fn by(&self) -> By {
        self.by
    }

    pub(super) const fn filter(&self) -> &Filter {
        &self.filter
    }

    /// Returns the labels of the games, sorted, and the counts with players and games in sorted order.
    ///
    /// Every file must have ended.
    pub(super) fn counted(&self) -> (Vec<&str>, Sample) {
        let mut places = vec![0; self.groups.len()];
        for (place, number) in self.groups.values().enumerate() {
            places[*number] = place;
        }
        let (_, players) = self.roster.sorted();
        (self.groups.keys().map(String::as_str).collect(), self.sample.renumbered(&players, &places))
    }
}

fn remember(names: &mut BTreeSet<String>, name: &str) {
    if !names.contains(name) {
        names.insert(name.to_owned());
    }
}
