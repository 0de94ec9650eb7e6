//! What random games were like, for the author to recognize the game by.

use std::collections::BTreeMap;

use rules::Places;

/// What the random games of one game were like.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlaySummary {
    /// The game, with the options that are not the defaults.
    pub game: String,
    /// How many seats its table has.
    pub seats: usize,
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
    pub(super) fn new(game: &str, seats: usize) -> Self {
        Self { game: game.to_owned(), seats, ..Self::default() }
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

    /// Returns how many games had this result: `p1win` and so on, or `draw`. At a table of more than two a seat wins that is first
    /// alone, and all other games count as draws.
    #[must_use]
    pub fn results(&self, result: &str) -> u64 {
        let winner = |known: &str| known.parse::<Places>().ok().map(Places::winner);
        let is_it = |known: &str| match winner(known) {
            None => known == result,
            Some(None) => result == "draw",
            Some(Some(seat)) => result == format!("{seat}win"),
        };
        self.ends.iter().filter(|((known, _), _)| is_it(known)).map(|(_, count)| count).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_is_first_alone_at_a_table_has_won() {
        let mut summary = PlaySummary::new("candles players=3", 3);
        for result in ["1,2,3", "1,3,2", "3,1,2", "1,1,3", "1,1,1"] {
            summary.add(9, result, "stuck");
        }
        let counts = ["p1win", "p2win", "p3win", "draw"].map(|result| summary.results(result));
        assert_eq!(counts, [2, 1, 0, 2]);
        let mut summary = PlaySummary::new("dao", 2);
        ["p1win", "p1win", "draw"].into_iter().for_each(|result| summary.add(9, result, "line"));
        assert_eq!(["p1win", "p2win", "draw"].map(|result| summary.results(result)), [2, 0, 1]);
    }
}
