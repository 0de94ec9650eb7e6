//! The games of a run as tables read them, in place.

use std::borrow::Cow;
use std::sync::OnceLock;

use record::{PackedGames, RunSummary};

use crate::results::Results;
use crate::{Asked, Standings};

/// The games of a run in any order. Equal games give equal tables.
#[derive(Clone, Debug)]
pub struct Tally<'a> {
    asked: Cow<'a, Asked>,
    games: &'a PackedGames,
    results: OnceLock<Results<'a>>,
}

impl Asked {
    /// Returns a tally of the games so far under this configuration.
    #[must_use]
    pub const fn tally<'a>(&'a self, games: &'a PackedGames) -> Tally<'a> {
        Tally { asked: Cow::Borrowed(self), games, results: OnceLock::new() }
    }
}

impl<'a> Tally<'a> {
    /// Returns the games of a journal.
    #[must_use]
    pub fn of(contents: &'a RunSummary) -> Self {
        Self { asked: Cow::Owned(Asked::of(contents)), games: &contents.games, results: OnceLock::new() }
    }

    /// Returns the table of a game (by its label), or of all games together. It is made once.
    #[must_use]
    pub fn standings(&self, label: Option<&str>) -> &Standings {
        let results = self.results();
        let number = |label| results.labels.iter().position(|other| other == label);
        // A game that was never played has a table without results.
        results.standings(label.map(|label| number(label).unwrap_or(results.labels.len())))
    }

    /// Returns the table of all games together, as for an unfinished run: its figures stay valid if a reader looks again later.
    #[must_use]
    pub fn live_standings(&self) -> Standings {
        let mut results = Results::new(self.games, &self.asked);
        results.is_live = true;
        Standings::of(&results, None)
    }

    /// Returns the results in an order that does not depend on the order of arrival. They are sorted once.
    pub(crate) fn results(&self) -> &Results<'a> {
        self.results.get_or_init(|| Results::new(self.games, &self.asked))
    }
}
