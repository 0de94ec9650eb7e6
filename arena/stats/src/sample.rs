//! Results counted as they come: what a fit needs of any number of games.

use std::collections::BTreeMap;

use crate::counts::{Unit, by_match_up, units};
use crate::tally::Tally;
use crate::{Game, Settings, Table, fit};

/// Games counted by who played in which seat and how it ended, pairs by both of their results.
///
/// Two samples of the same games are equal, whatever the order in which the games were counted. The size is
/// bounded by the number of match-ups, not by that of games, so that a sample takes games from a stream.
///
/// ```
/// use stats::{Game, Sample, Score, Settings};
///
/// let game = |first, second, score| Game { first, second, score, group: 0, pair: None };
/// let mut sample = Sample::default();
/// sample.add_pair(&game(0, 1, Score::Win), &game(1, 0, Score::Draw));
/// sample.add(&game(0, 1, Score::Loss));
/// assert_eq!((sample.games(), sample.pairs()), (3, 1));
/// assert!(sample.fit(2, 1, &Settings::default()).ratings[0].elo.is_some());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sample {
    /// Games that are not half of a pair: by group, first and second player; then by the first seat's score.
    pub(crate) singles: BTreeMap<(usize, usize, usize), [u64; 3]>,
    /// Pairs: by group, player of lower and of higher index; then by the first seat's score in the game in which
    /// the player of lower index has the first seat, then in the other game.
    pub(crate) pairs: BTreeMap<(usize, usize, usize), [[u64; 3]; 3]>,
}

impl Sample {
    /// Counts games; those that share a pair number as [`Game::pair`] says count as pairs.
    #[must_use]
    pub fn from_games(games: &[Game]) -> Self {
        let mut sample = Self::default();
        sample.add_games(games);
        sample
    }

    /// Counts more games, as [`Sample::from_games`] counts them. All games of a pair number must be among the same ones:
    /// whoever counts a stream gathers them first.
    pub fn add_games(&mut self, games: &[Game]) {
        match games {
            [] => return,
            [game] => return self.add(game),
            // What most games are: a pair on its own.
            [one, two] if one.pair.is_some() && one.pair == two.pair => {
                self.add_pair(one, two);
                return;
            }
            _ => {}
        }
        for ((group, low, high), mut legs) in by_match_up(games.iter()) {
            let (mut singles, mut pairs) = ([[0; 3]; 2], [[0; 3]; 3]);
            for unit in units(&mut legs) {
                match unit {
                    Unit::Single(leg) => {
                        singles[usize::from(leg.is_swapped)][usize::from(leg.score.halves())] += 1;
                    }
                    Unit::Pair(one, two) => pairs[usize::from(one.halves())][usize::from(two.halves())] += 1,
                }
            }
            for (seats, counts) in [((group, low, high), singles[0]), ((group, high, low), singles[1])] {
                if counts != [0; 3] {
                    let sums = self.singles.entry(seats).or_default();
                    sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
                }
            }
            if pairs != [[0; 3]; 3] {
                let sums = self.pairs.entry((group, low, high)).or_default();
                let sums = sums.as_flattened_mut().iter_mut();
                sums.zip(pairs.as_flattened()).for_each(|(sum, count)| *sum += count);
            }
        }
    }

    /// Counts a game on its own, whatever its pair number. A game of a player against itself tells nothing of
    /// strength and is left out.
    pub fn add(&mut self, game: &Game) {
        if game.first != game.second {
            let counts = self.singles.entry((game.group, game.first, game.second)).or_default();
            counts[usize::from(game.score.halves())] += 1;
        }
    }

    /// Counts two games as a pair, whatever their pair numbers, and returns whether they can be one: the same
    /// group and players with the seats swapped. If not, each counts on its own.
    pub fn add_pair(&mut self, one: &Game, two: &Game) -> bool {
        let is_pair = one.group == two.group
            && one.first == two.second
            && one.second == two.first
            && one.first != one.second;
        if is_pair {
            let (one, two) = if one.first < two.first { (one, two) } else { (two, one) };
            let counts = self.pairs.entry((one.group, one.first, one.second)).or_default();
            counts[usize::from(one.score.halves())][usize::from(two.score.halves())] += 1;
        } else {
            self.add(one);
            self.add(two);
        }
        is_pair
    }

    /// Returns the number of games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.singles.values().flatten().sum::<u64>() + 2 * self.pairs()
    }

    /// Returns the number of pairs.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.pairs.values().flatten().flatten().sum()
    }

    /// Returns the same results with other numbers: player `i` becomes `players[i]` and group `i` becomes
    /// `groups[i]`. Players that get the same number become one; games between them are left out.
    ///
    /// # Panics
    /// When a player or group of the sample has no new number.
    #[must_use]
    pub fn renumbered(&self, players: &[usize], groups: &[usize]) -> Self {
        let mut sample = Self::default();
        for (&(group, first, second), counts) in &self.singles {
            let key = (groups[group], players[first], players[second]);
            if key.1 != key.2 {
                let sums = sample.singles.entry(key).or_default();
                sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
            }
        }
        for (&(group, low, high), counts) in &self.pairs {
            let (group, low, high) = (groups[group], players[low], players[high]);
            if low == high {
                continue;
            }
            let sums = sample.pairs.entry((group, low.min(high), low.max(high))).or_default();
            for (one, counts) in counts.iter().enumerate() {
                for (two, count) in counts.iter().enumerate() {
                    let (i, j) = if low < high { (one, two) } else { (two, one) };
                    sums[i][j] += count;
                }
            }
        }
        sample
    }

    /// Fits the ratings of `players` players and the first-seat advantages of `groups` groups: what
    /// [`crate::fit()`] says of the same games.
    ///
    /// # Panics
    /// As [`crate::fit()`].
    #[must_use]
    pub fn fit(&self, players: usize, groups: usize, settings: &Settings) -> Table {
        fit::table(players, groups, &Tally::of(players, groups, self), settings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Score;

    fn game(first: usize, second: usize, score: Score, pair: Option<u64>) -> Game {
        Game { first, second, score, group: 0, pair }
    }

    #[test]
    fn games_counted_one_by_one_are_games_counted_together() {
        let games = [
            game(0, 1, Score::Win, Some(1)),
            game(2, 1, Score::Draw, Some(2)),
            game(1, 0, Score::Draw, Some(1)),
            game(0, 2, Score::Loss, None),
            game(1, 2, Score::Loss, Some(2)),
        ];
        let mut sample = Sample::default();
        assert!(sample.add_pair(&games[4], &games[1]));
        sample.add(&games[3]);
        assert!(sample.add_pair(&games[0], &games[2]));
        assert_eq!(sample, Sample::from_games(&games));
        assert_eq!((sample.games(), sample.pairs()), (5, 2));
    }

    #[test]
    fn what_is_no_pair_counts_as_games() {
        let mut sample = Sample::default();
        let one = game(0, 1, Score::Win, None);
        assert!(!sample.add_pair(&one, &game(0, 1, Score::Loss, None)));
        assert!(!sample.add_pair(&one, &Game { group: 1, ..game(1, 0, Score::Loss, None) }));
        assert!(!sample.add_pair(&game(3, 3, Score::Win, None), &game(3, 3, Score::Win, None)));
        assert_eq!((sample.games(), sample.pairs()), (4, 0));
    }

    #[test]
    fn other_numbers_are_as_if_they_had_always_been_there() {
        let games = |numbers: [usize; 3]| {
            let [a, b, c] = numbers;
            Sample::from_games(&[
                game(a, b, Score::Win, Some(1)),
                game(b, a, Score::Draw, Some(1)),
                game(c, b, Score::Loss, None),
            ])
        };
        assert_eq!(games([0, 1, 2]).renumbered(&[2, 0, 1], &[0]), games([2, 0, 1]));
        // One player out of two: its games against itself are gone.
        assert_eq!(games([0, 1, 2]).renumbered(&[0, 0, 1], &[0]).games(), 1);
    }
}
