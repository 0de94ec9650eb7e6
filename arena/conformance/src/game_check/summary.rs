//! What random games were like, for the author to recognize the game by.

use std::collections::BTreeMap;

/// What the random games of one game were like.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlaySummary {
    /// The game, with the options that are not the defaults.
    pub game: String,
    /// How many games were played to their end.
    pub games: u64,
    /// How many plies they had together.
    pub plies: u64,
    /// How many the longest had.
    pub longest: usize,
    /// The most legal plies of a position.
    pub most_legal: usize,
    /// The longest position string, in bytes.
    pub longest_position: usize,
    /// How often each result came, with its reason: `p1win`, `line`.
    pub ends: BTreeMap<(String, String), u64>,
}

impl PlaySummary {
    pub(super) fn new(game: &str) -> Self {
        Self { game: game.to_owned(), ..Self::default() }
    }

    /// Adds a game that has ended.
    pub(super) fn add(&mut self, plies: usize, result: &str, reason: &str) {
        self.games += 1;
        self.plies += plies as u64;
        self.longest = self.longest.max(plies);
        *self.ends.entry((result.to_owned(), reason.to_owned())).or_insert(0) += 1;
    }

    /// Notes a position.
    pub(super) fn see(&mut self, position: &str, legal: usize) {
        self.most_legal = self.most_legal.max(legal);
        self.longest_position = self.longest_position.max(position.len());
    }

    /// Returns how many games had this result.
    #[must_use]
    pub fn results(&self, result: &str) -> u64 {
        self.ends.iter().filter(|((known, _), _)| known == result).map(|(_, count)| count).sum()
    }
}
