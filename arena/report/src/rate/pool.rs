//! Counting outcomes: which of them are rated, as whose, and which are pairs.

use std::collections::{BTreeMap, BTreeSet};

use record::{GameResult, LoggedGame, Unrated, short_fingerprint};
use rules::Seat;
use stats::{GameScore, RatedGame, Sample};

use crate::rate::left_out::LeftOut;
use crate::rate::roster::{By, Roster};
use crate::results::copies::{Copies, Mark};

/// How many games may wait for the other game of their pair at a time.
const MOST_OPEN: usize = 1 << 20;

/// Which games are rated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only these games, by id (with all their options) or by label; all if empty.
    pub games: Vec<String>,
    /// Only games in which one of these bots plays, by name; all if empty.
    pub bots: Vec<String>,
    /// Only games that began then or later: the beginning of an RFC 3339 instant in UTC, without `Z`.
    pub since: Option<String>,
}

/// Outcomes, counted.
///
/// Holds players, match-ups and the games that wait for the other game of their pair (never more than about a
/// million of these, after which they count as single games); and of each pair some fifty bytes, which tell what repeats it
/// and what shares its opening. A pair that repeats an earlier one ply for ply with the same results counts once, be it of
/// another file. What comes out does not depend on the order of the
/// games, unless several pairs of one file cannot be told apart.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    by: By,
    filter: Filter,
    pub(super) roster: Roster,
    groups: BTreeMap<String, usize>,
    sample: Sample,
    open: BTreeMap<PairKey, Leg>,
    copies: Copies,
    pub(super) left_out: LeftOut,
    /// How many games were given.
    pub(super) read: u64,
    pub(super) names: BTreeSet<String>,
    pub(super) games: BTreeSet<String>,
}

/// A game with what tells its copies.
#[derive(Clone, Copy, Debug)]
struct Leg {
    game: RatedGame,
    mark: Option<Mark>,
}

/// What the two games of a pair share: its number, the group, the player of lower and of higher number.
type PairKey = (u64, usize, usize, usize);

impl Pool {
    /// Starts to count.
    #[must_use]
    pub fn new(by: By, filter: Filter) -> Self {
        Self { by, filter, ..Self::default() }
    }

    /// Counts a game.
    pub fn add(&mut self, outcome: &LoggedGame<'_>) {
        self.read += 1;
        let [first, second] = &outcome.seats;
        if outcome.unrated == Some(Unrated::Bye) {
            self.left_out.byes += 1;
            return;
        }
        if first.name.is_empty() || second.name.is_empty() {
            self.left_out.unnamed += 1;
            return;
        }
        for name in [&first.name, &second.name] {
            remember(&mut self.names, name);
        }
        remember(&mut self.games, &outcome.game);
        remember(&mut self.games, &outcome.label);
        if !self.is_wanted(outcome) {
            self.left_out.filtered += 1;
            return;
        }
        let score = match outcome.result {
            GameResult::P1Win => GameScore::Win,
            GameResult::P2Win => GameScore::Loss,
            GameResult::Draw => GameScore::Draw,
            GameResult::None => return self.left_out.count(outcome.unrated.as_ref()),
        };
        let [first, second] = [first, second].map(|contestant| self.roster.number(contestant, self.by));
        if first == second {
            self.left_out.own += 1;
            return;
        }
        if let Some(seat) = outcome.fault {
            self.roster.count_fault(if seat == Seat::P1 { first } else { second });
        }
        let group = match self.groups.get(&*outcome.label) {
            Some(group) => *group,
            None => {
                let group = self.groups.len();
                self.groups.insert(outcome.label.to_string(), group);
                group
            }
        };
        let game = RatedGame {
            group,
            pair: outcome.pair,
            opening: outcome.opening,
            ..RatedGame::new(first, second, score)
        };
        let mark = outcome
            .fingerprint
            .map(|plies| Mark::new(group, [first, second], score, short_fingerprint(plies)));
        self.count(Leg { game, mark });
    }

    /// Ends a file: no pair has games in two files.
    pub fn end_file(&mut self) {
        for leg in std::mem::take(&mut self.open).into_values() {
            self.add_alone(leg);
        }
    }

    /// Counts a game without a partner, unless it is a copy.
    fn add_alone(&mut self, leg: Leg) {
        match self.copies.is_copy(&[leg.mark]) {
            true => self.left_out.copies += 1,
            false => self.sample.add(&leg.game),
        }
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

    fn count(&mut self, leg: Leg) {
        let game = leg.game;
        let Some(pair) = game.pair else {
            return self.add_alone(leg);
        };
        let (first, second) = (game.result.player(0), game.result.player(1));
        let key = (pair, game.group, first.min(second), first.max(second));
        match self.open.remove(&key) {
            None => {
                if self.open.len() >= MOST_OPEN {
                    self.end_file();
                }
                self.open.insert(key, leg);
            }
            Some(other) if other.game.result.player(0) == second => {
                match self.copies.is_copy(&[other.mark, leg.mark]) {
                    true => self.left_out.copies += 2,
                    false => drop(self.sample.add_block(&[other.game, game])),
                }
            }
            Some(other) => {
                self.add_alone(other);
                self.open.insert(key, leg);
            }
        }
    }

    pub(super) const fn by(&self) -> By {
        self.by
    }

    pub(super) const fn filter(&self) -> &Filter {
        &self.filter
    }

    /// Returns the labels of the games, sorted, and what was counted with players and games in sorted order.
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
