//! The games of a run as far as tables need them: they stay where they are summed up.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use record::{GameSummary, RunSummary};

use crate::results::Results;
use crate::{Player, Standings, Trial};

/// What a run is asked to play: its bots are shown before they have played, and its games in its order.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    pub(crate) labels: Vec<String>,
    pub(crate) bots: Vec<Player>,
    pub(crate) rounds: u32,
    /// Whether a test or the format says that the run has ended; `None` for a round robin, which ends with its games.
    pub(crate) is_over: Option<bool>,
}

/// The games of a run in any order: equal games give equal tables.
#[derive(Clone, Debug)]
pub struct Tally<'a> {
    asked: Cow<'a, Asked>,
    games: &'a [GameSummary],
}

impl Asked {
    /// Returns what the last configuration of a run asks for.
    #[must_use]
    pub fn of(contents: &RunSummary) -> Self {
        let is_over = match Trial::of(contents) {
            Some(trial) => Some(trial.stop().is_some()),
            None => contents.runs.last().and_then(|run| formats::is_over(&run.config, &contents.games)),
        };
        let Some(run) = contents.runs.last() else { return Self { is_over, ..Self::default() } };
        Self {
            labels: run.config.games.iter().map(|game| game.label.clone()).collect(),
            bots: run.config.bots.iter().map(Player::configured).collect(),
            rounds: run.config.rounds,
            is_over,
        }
    }

    /// Returns the games so far of what is asked for.
    #[must_use]
    pub const fn tally<'a>(&'a self, games: &'a [GameSummary]) -> Tally<'a> {
        Tally { asked: Cow::Borrowed(self), games }
    }
}

impl<'a> Tally<'a> {
    /// Returns the games of a journal.
    #[must_use]
    pub fn of(contents: &'a RunSummary) -> Self {
        Self { asked: Cow::Owned(Asked::of(contents)), games: &contents.games }
    }

    /// Returns the table of a game (by its label), or of all games together.
    #[must_use]
    pub fn standings(&self, label: Option<&str>) -> Standings {
        let results = self.results();
        match label {
            None => Standings::of(&results, None),
            Some(label) => {
                let number = results.labels.iter().position(|other| other == label);
                // A game that was never played has a table in which nobody has played.
                Standings::of(&results, Some(number.unwrap_or(results.labels.len())))
            }
        }
    }

    /// Returns the table of all games together for somebody who may look again: as of a run that is not over.
    #[must_use]
    pub fn live_standings(&self) -> Standings {
        Standings::of(&Results { is_live: true, ..self.results() }, None)
    }

    /// Puts everything in an order that does not depend on the order of arrival.
    pub(crate) fn results(&self) -> Results<'a> {
        let (mut players, mut labels) = (Numbering::default(), Numbering::default());
        // What games share is looked at once: it stays at its address as long as they are there.
        let mut numbers: [HashMap<usize, usize>; 2] = Default::default();
        let [seated, named] = &mut numbers;
        let games = self.games.iter().map(|game| {
            let seats = game.seats.each_ref().map(|seat| {
                let address = std::ptr::from_ref(&**seat).addr();
                *seated.entry(address).or_insert_with(|| players.number(Player::seated(seat)))
            });
            let address = std::ptr::from_ref(&*game.ruleset).addr();
            let label = named.entry(address).or_insert_with(|| labels.number(game.label().to_owned()));
            Entry { game, label: *label, seats }
        });
        let games = games.collect();
        Results::new(&players.numbers, &labels.numbers, games, &self.asked)
    }
}

/// A game with the numbers of its label and its players.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<'a> {
    pub game: &'a GameSummary,
    pub label: usize,
    pub seats: [usize; 2],
}

/// Numbers things in the order of their first appearance.
struct Numbering<T> {
    numbers: BTreeMap<T, usize>,
}

impl<T> Default for Numbering<T> {
    fn default() -> Self {
        Self { numbers: BTreeMap::new() }
    }
}

impl<T: Ord> Numbering<T> {
    fn number(&mut self, item: T) -> usize {
        let next = self.numbers.len();
        *self.numbers.entry(item).or_insert(next)
    }
}
