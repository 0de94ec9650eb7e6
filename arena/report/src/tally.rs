//! The games of a run as far as tables need them: they stay where they are summed up.

use std::borrow::Cow;
use std::sync::OnceLock;

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
    results: OnceLock<Results<'a>>,
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
        Tally { asked: Cow::Borrowed(self), games, results: OnceLock::new() }
    }
}

impl<'a> Tally<'a> {
    /// Returns the games of a journal.
    #[must_use]
    pub fn of(contents: &'a RunSummary) -> Self {
        Self { asked: Cow::Owned(Asked::of(contents)), games: &contents.games, results: OnceLock::new() }
    }

    /// Returns the table of a game (by its label), or of all games together; it is made once.
    #[must_use]
    pub fn standings(&self, label: Option<&str>) -> &Standings {
        let results = self.results();
        let number = |label| results.labels.iter().position(|other| other == label);
        // A game that was never played has a table in which nobody has played.
        results.standings(label.map(|label| number(label).unwrap_or(results.labels.len())))
    }

    /// Returns the table of all games together for somebody who may look again: as of a run that is not over.
    #[must_use]
    pub fn live_standings(&self) -> Standings {
        let mut results = Results::new(self.games, &self.asked);
        results.is_live = true;
        Standings::bare(&results, None)
    }

    /// Puts everything in an order that does not depend on the order of arrival, once.
    pub(crate) fn results(&self) -> &Results<'a> {
        self.results.get_or_init(|| Results::new(self.games, &self.asked))
    }

    /// The same for who needs nothing else.
    pub(crate) fn into_results(self) -> Results<'a> {
        self.results.into_inner().unwrap_or_else(|| Results::new(self.games, &self.asked))
    }
}

/// A game with the numbers of its label and its players.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<'a> {
    pub game: &'a GameSummary,
    pub label: usize,
    pub seats: [usize; 2],
}
