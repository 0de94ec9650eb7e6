//! Results as the tests of strength count them: single games, colour-swapped pairs, and blocks at tables of more seats.
//!
//! A block is the games of one opening in which the bot under test sits in every seat once. Openings favour seats, so the
//! games of a block depend on each other: a block is one observation.

use crate::MOST_SEATS;
use crate::numeric::law::Law;

/// How often each score of an observation occurred. The scores are evenly spaced from 0 to 1.
///
/// A game is lost, drawn or won: three scores. A pair scores 0, ¼, ½, ¾ or 1. At a table of n seats the bot under test meets n
/// − 1 others in each of n games, and a tie counts a half, so a block has 2 n (n − 1) + 1 scores. For n = 2 this is a pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counts {
    counts: Vec<u64>,
    games: usize,
}

impl Counts {
    /// Returns the counts of games that were lost, drawn and won.
    #[must_use]
    pub fn of_games(counts: [u64; 3]) -> Self {
        Self { counts: counts.to_vec(), games: 1 }
    }

    /// Returns the counts of pairs that scored 0, ¼, ½, ¾ and 1.
    #[must_use]
    pub fn of_pairs(counts: [u64; 5]) -> Self {
        Self { counts: counts.to_vec(), games: 2 }
    }

    /// Returns the counts of no blocks at tables of `seats` seats, 2 to [`MOST_SEATS`].
    ///
    /// # Panics
    /// When `seats` is out of range.
    #[must_use]
    pub fn at_tables(seats: usize) -> Self {
        assert!((2..=MOST_SEATS).contains(&seats), "a table of {seats} seats");
        Self { counts: vec![0; Self::scores_at(seats)], games: seats }
    }

    /// Returns the counts of blocks, given from worst to best score. The length of the list determines the number of seats; a
    /// list of three counts single games. Returns `None` for a length that no number of seats has.
    ///
    /// ```
    /// use stats::Counts;
    /// assert_eq!(Counts::from_list(vec![1, 2, 3, 2, 1]), Some(Counts::of_pairs([1, 2, 3, 2, 1])));
    /// assert_eq!(Counts::from_list(vec![0; 13]), Some(Counts::at_tables(3)));
    /// assert_eq!(Counts::from_list(vec![0; 12]), None);
    /// ```
    #[must_use]
    pub fn from_list(counts: Vec<u64>) -> Option<Self> {
        let games = match counts.len() {
            3 => 1,
            scores => (2..=MOST_SEATS).find(|seats| Self::scores_at(*seats) == scores)?,
        };
        Some(Self { counts, games })
    }

    /// Returns the number of different scores of a block at a table of `seats` seats.
    #[must_use]
    pub const fn scores_at(seats: usize) -> usize {
        2 * seats * (seats - 1) + 1
    }

    /// Returns the counts from worst to best score: lost, drawn, won for single games.
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Returns the number of games in one observation: 1, or the number of seats.
    #[must_use]
    pub const fn games(&self) -> usize {
        self.games
    }

    /// Returns the number of observations: games, pairs or blocks.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Returns the mean score, 0 to 1; `None` without observations.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.total() > 0).then(|| self.law().mean())
    }

    /// Returns the variance of a score, with the number of observations as divisor; `None` without observations.
    #[must_use]
    pub fn variance(&self) -> Option<f64> {
        (self.total() > 0).then(|| self.law().variance())
    }

    fn law(&self) -> Law {
        Law::of(self.counts.iter().map(|n| *n as f64).collect())
    }

    /// Returns the same results from the opponents' view.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        Self { counts: self.counts.iter().rev().copied().collect(), games: self.games }
    }

    /// Counts one more observation of the score with this number, 0 for the worst.
    pub(crate) fn add(&mut self, index: usize) {
        self.counts[index] += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_of_scores() {
        let pairs = Counts::of_pairs([1, 0, 2, 0, 1]);
        assert_eq!(pairs.mean(), Some(0.5));
        assert_eq!(pairs.variance(), Some(0.125));
        assert_eq!(Counts::at_tables(2).variance(), None);
        let mut blocks = Counts::at_tables(3);
        blocks.add(12);
        blocks.add(3);
        assert_eq!((blocks.mean(), blocks.total(), blocks.games()), (Some(0.625), 2, 3));
        assert_eq!(blocks.mirrored().mean(), Some(0.375));
    }

    #[test]
    fn a_list_says_by_its_length_what_it_counts() {
        let seats = |scores: usize| Counts::from_list(vec![0; scores]).map(|counts| counts.games());
        assert_eq!([3, 5, 13, 25, 113].map(seats), [1, 2, 3, 4, 8].map(Some));
        assert_eq!([0, 1, 4, 7, 145].map(seats), [None; 5]);
    }
}
