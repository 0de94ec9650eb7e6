//! Results counted as they come: what a fit needs of any number of games.

use std::collections::BTreeMap;

use crate::counts::{MatchUpKey, Unit, by_match_up, units};
use crate::{GameScore, RatedGame};

/// Games counted by who played in which seat and how it ended, pairs by both of their results.
///
/// Two samples of the same games are equal, whatever the order in which the games were counted. Its size is bounded by
/// the number of match-ups, and 24 bytes for each pair (or game without a partner) whose opening is known, so that a
/// sample takes games from a stream.
///
/// ```
/// use stats::{RatedGame, Sample, GameScore, FitSettings};
///
/// let game = RatedGame::new;
/// let mut sample = Sample::default();
/// sample.add_pair(&game(0, 1, GameScore::Win), &game(1, 0, GameScore::Draw));
/// sample.add(&game(0, 1, GameScore::Loss));
/// assert_eq!((sample.games(), sample.pairs()), (3, 1));
/// assert!(sample.fit(2, 1, &FitSettings::default()).ratings[0].elo.is_some());
/// ```
#[derive(Debug, Clone, Default)]
pub struct Sample {
    /// Units of unknown opening.
    unknown: BTreeMap<(usize, usize, usize, Results), u64>,
    /// Units of known opening, in any order.
    known: Vec<Shared>,
}

/// How a unit ended: a colour-swapped pair, or a game that is not half of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Results {
    /// What the first seat scored in the game in which the player of lower index has it, then in the other.
    Pair(GameScore, GameScore),
    /// Whether the player of higher index had the first seat, and what that seat scored.
    Single(bool, GameScore),
}

/// A unit of known opening. In the order of these, those of one opening stand together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Shared {
    pub(crate) group: u32,
    opening: u64,
    pub(crate) low: u32,
    pub(crate) high: u32,
    pub(crate) results: Results,
}

impl Results {
    /// The games: whether the player of higher index has the first seat, and what that seat scored.
    pub(crate) fn games(self) -> impl Iterator<Item = (bool, GameScore)> {
        let (one, two) = match self {
            Self::Pair(one, two) => ((false, one), Some((true, two))),
            Self::Single(is_swapped, score) => ((is_swapped, score), None),
        };
        std::iter::once(one).chain(two)
    }

    /// The same from the view of players whose order of index is reversed.
    fn reversed(self) -> Self {
        match self {
            Self::Pair(one, two) => Self::Pair(two, one),
            Self::Single(is_swapped, score) => Self::Single(!is_swapped, score),
        }
    }
}

impl PartialEq for Sample {
    fn eq(&self, other: &Self) -> bool {
        self.unknown == other.unknown && self.sorted() == other.sorted()
    }
}

impl Eq for Sample {}

impl Sample {
    /// Counts games; those that share a pair number as [`RatedGame::pair`] says count as pairs.
    #[must_use]
    pub fn from_games(games: &[RatedGame]) -> Self {
        let mut sample = Self::default();
        sample.add_games(games);
        sample
    }

    /// Counts more games, as [`Sample::from_games`] counts them. All games of a pair number must be among the same ones:
    /// a caller that reads a stream gathers them first.
    pub fn add_games(&mut self, games: &[RatedGame]) {
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
            for unit in units(&mut legs) {
                let (results, opening) = match unit {
                    Unit::Single(leg) => (Results::Single(leg.is_swapped, leg.score), leg.opening),
                    Unit::Pair(one, two) => {
                        (Results::Pair(one.score, two.score), common(one.opening, two.opening))
                    }
                };
                self.count((group, low, high), results, opening);
            }
        }
    }

    /// Counts a game on its own, whatever its pair number. A game of a player against itself tells nothing of
    /// strength and is left out.
    pub fn add(&mut self, game: &RatedGame) {
        if game.first != game.second {
            let is_swapped = game.first > game.second;
            let players = (game.group, game.first.min(game.second), game.first.max(game.second));
            self.count(players, Results::Single(is_swapped, game.score), game.opening);
        }
    }

    /// Counts two games as a pair, whatever their pair numbers, and returns whether they can be one: the same
    /// group and players with the seats swapped. If not, each counts on its own.
    pub fn add_pair(&mut self, one: &RatedGame, two: &RatedGame) -> bool {
        let is_pair = one.group == two.group
            && one.first == two.second
            && one.second == two.first
            && one.first != one.second;
        if is_pair {
            let (one, two) = if one.first < two.first { (one, two) } else { (two, one) };
            let results = Results::Pair(one.score, two.score);
            self.count((one.group, one.first, one.second), results, common(one.opening, two.opening));
        } else {
            self.add(one);
            self.add(two);
        }
        is_pair
    }

    fn count(&mut self, (group, low, high): MatchUpKey, results: Results, opening: Option<u64>) {
        // Beyond 2^32 players or groups openings are not kept track of.
        let narrow = |number: usize| u32::try_from(number).ok();
        match (opening, narrow(group), narrow(low), narrow(high)) {
            (Some(opening), Some(group), Some(low), Some(high)) => {
                self.known.push(Shared { group, opening, low, high, results });
            }
            _ => *self.unknown.entry((group, low, high, results)).or_default() += 1,
        }
    }

    /// Returns the number of games.
    #[must_use]
    pub fn games(&self) -> u64 {
        let mut games = 0;
        self.each_unit(|(.., results), count| games += count * results.games().count() as u64);
        games
    }

    /// Returns the number of pairs.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        let mut pairs = 0;
        self.each_unit(|(.., results), count| {
            pairs += if matches!(results, Results::Pair(..)) { count } else { 0 };
        });
        pairs
    }

    /// Returns the same results with other numbers: player `i` becomes `players[i]` and group `i` becomes
    /// `groups[i]`. Players that get the same number become one; games between them are left out.
    ///
    /// # Panics
    /// When a player or group of the sample has no new number.
    #[must_use]
    pub fn renumbered(&self, players: &[usize], groups: &[usize]) -> Self {
        let mut sample = Self::default();
        let renumber = |group: usize, low: usize, high: usize, results: Results| {
            let (group, low, high) = (groups[group], players[low], players[high]);
            let results = if low < high { results } else { results.reversed() };
            (low != high).then_some((group, low.min(high), low.max(high), results))
        };
        for (&(group, low, high, results), count) in &self.unknown {
            if let Some(kind) = renumber(group, low, high, results) {
                *sample.unknown.entry(kind).or_default() += count;
            }
        }
        for &Shared { group, opening, low, high, results } in &self.known {
            if let Some((group, low, high, results)) =
                renumber(group as usize, low as usize, high as usize, results)
            {
                sample.count((group, low, high), results, Some(opening));
            }
        }
        sample
    }

    /// Hands every kind of unit to `take`, with how often it occurred; a kind may come several times.
    pub(crate) fn each_unit(&self, mut take: impl FnMut((usize, usize, usize, Results), u64)) {
        self.unknown.iter().for_each(|(&kind, &count)| take(kind, count));
        for &Shared { group, low, high, results, .. } in &self.known {
            take((group as usize, low as usize, high as usize, results), 1);
        }
    }

    /// Returns the units of each opening that several of them share, in order. In a group whose units all have one
    /// opening none is told: the group is about that start.
    pub(crate) fn shared_openings(&self) -> Vec<Vec<Shared>> {
        let known = self.sorted();
        let groups = known.chunk_by(|one, two| one.group == two.group);
        let several =
            groups.filter(|units| units.first().map(|it| it.opening) != units.last().map(|it| it.opening));
        several
            .flat_map(|units| units.chunk_by(|one, two| one.opening == two.opening))
            .filter(|units| units.len() > 1)
            .map(<[Shared]>::to_vec)
            .collect()
    }

    fn sorted(&self) -> Vec<Shared> {
        let mut known = self.known.clone();
        known.sort_unstable();
        known
    }
}

/// Returns the opening of a pair whose games have these.
fn common(one: Option<u64>, two: Option<u64>) -> Option<u64> {
    one.filter(|_| one == two)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(first: usize, second: usize, score: GameScore, pair: Option<u64>) -> RatedGame {
        RatedGame { first, second, score, group: 0, pair, opening: None }
    }

    #[test]
    fn openings_tie_units_together_where_there_are_several() {
        let opened = |opening: u64, seats: (usize, usize)| RatedGame {
            opening: Some(opening),
            ..game(seats.0, seats.1, GameScore::Win, None)
        };
        let mut games = vec![opened(7, (0, 1)), opened(7, (2, 1)), game(0, 1, GameScore::Draw, None)];
        let shared = |games: &[RatedGame]| -> Vec<usize> {
            Sample::from_games(games).shared_openings().iter().map(Vec::len).collect()
        };
        // One start for all: the games are about it.
        assert_eq!(shared(&games), [0; 0]);
        games.push(opened(8, (2, 0)));
        assert_eq!(shared(&games), [2]);
        // Another game's openings are others.
        games.push(RatedGame { group: 1, ..opened(8, (2, 0)) });
        assert_eq!(shared(&games), [2]);
        games.reverse();
        assert_eq!(shared(&games), [2]);
        // A pair has the opening of both its games.
        let pair = |openings: [Option<u64>; 2]| {
            let mut sample = Sample::from_games(&[opened(1, (0, 1))]);
            let [one, two] =
                [(0, 1), (1, 0)].map(|(first, second)| game(first, second, GameScore::Win, None));
            sample.add_pair(
                &RatedGame { opening: openings[0], ..one },
                &RatedGame { opening: openings[1], ..two },
            );
            sample.add(&opened(2, (0, 1)));
            (sample.games(), sample.shared_openings().len())
        };
        assert_eq!(pair([Some(1), Some(1)]), (4, 1));
        assert_eq!(pair([Some(1), Some(2)]), (4, 0));
    }

    #[test]
    fn games_counted_one_by_one_are_games_counted_together() {
        let games = [
            game(0, 1, GameScore::Win, Some(1)),
            game(2, 1, GameScore::Draw, Some(2)),
            game(1, 0, GameScore::Draw, Some(1)),
            game(0, 2, GameScore::Loss, None),
            game(1, 2, GameScore::Loss, Some(2)),
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
        let one = game(0, 1, GameScore::Win, None);
        assert!(!sample.add_pair(&one, &game(0, 1, GameScore::Loss, None)));
        assert!(!sample.add_pair(&one, &RatedGame { group: 1, ..game(1, 0, GameScore::Loss, None) }));
        assert!(!sample.add_pair(&game(3, 3, GameScore::Win, None), &game(3, 3, GameScore::Win, None)));
        assert_eq!((sample.games(), sample.pairs()), (4, 0));
    }

    #[test]
    fn other_numbers_are_as_if_they_had_always_been_there() {
        let games = |numbers: [usize; 3]| {
            let [a, b, c] = numbers;
            Sample::from_games(&[
                game(a, b, GameScore::Win, Some(1)),
                game(b, a, GameScore::Draw, Some(1)),
                game(c, b, GameScore::Loss, None),
            ])
        };
        assert_eq!(games([0, 1, 2]).renumbered(&[2, 0, 1], &[0]), games([2, 0, 1]));
        // One player out of two: its games against itself are gone.
        assert_eq!(games([0, 1, 2]).renumbered(&[0, 0, 1], &[0]).games(), 1);
    }
}
