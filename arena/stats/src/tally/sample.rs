//! Results counted as they arrive: the input of a fit, for any number of games.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::tally::blocks::{Leg, are_block, by_players, is_between_players, units};
use crate::{GameScore, RatedGame, TableResult};

/// Games counted by seating and result, blocks by all of their results.
///
/// Two samples of the same games are equal, for any order of counting. Its size is bounded by the number of match-ups, plus 24
/// bytes for each pair (or game without a partner) of two seats with a known opening, and about sixty bytes for each game of
/// more seats. So a sample can count games from a stream.
///
/// ```
/// use stats::{RatedGame, Sample, GameScore, FitSettings};
///
/// let game = RatedGame::new;
/// let mut sample = Sample::default();
/// sample.add_block(&[game(0, 1, GameScore::Win), game(1, 0, GameScore::Draw)]);
/// sample.add(&game(0, 1, GameScore::Loss));
/// assert_eq!((sample.games(), sample.blocks()), (3, 1));
/// assert!(sample.fit(2, 1, &FitSettings::default()).ratings[0].elo.is_some());
/// ```
#[derive(Debug, Clone, Default)]
pub struct Sample {
    /// Units of two seats with unknown openings.
    unknown: BTreeMap<(usize, usize, usize, Results), u64>,
    /// Units of two seats with known openings, in any order.
    known: Vec<Shared>,
    /// Units of more seats, in any order.
    tables: Vec<TableUnit>,
}

/// The result of a unit of two seats: a colour-swapped pair, or a game that is not half of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Results {
    /// The score of the first seat in the game in which the player of lower index has it, then in the other game.
    Pair(GameScore, GameScore),
    /// Whether the player of higher index had the first seat, and the score of that seat.
    Single(bool, GameScore),
}

/// A unit of two seats with a known opening. In sorted order, those of one opening are adjacent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Shared {
    group: u32,
    opening: u64,
    low: u32,
    high: u32,
    results: Results,
}

/// A unit of more seats. In sorted order, those of one opening are adjacent.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct TableUnit {
    group: usize,
    opening: Option<u64>,
    games: Box<[TableResult]>,
}

/// All units with the same players and results, which a fit does not distinguish.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum UnitKind {
    /// Two seats: the group, the player of lower and that of higher index, and the results.
    Two(usize, usize, usize, Results),
    /// More seats: the group and the games.
    Table(usize, Box<[TableResult]>),
}

impl UnitKind {
    /// Returns the group.
    pub(crate) const fn group(&self) -> usize {
        match self {
            Self::Two(group, ..) | Self::Table(group, _) => *group,
        }
    }

    /// Returns the games.
    pub(crate) fn games(&self) -> Vec<TableResult> {
        match self {
            &Self::Two(_, low, high, results) => results
                .games()
                .map(|(is_swapped, score)| {
                    let (first, second) = if is_swapped { (high, low) } else { (low, high) };
                    TableResult::of_two(first, second, score)
                })
                .collect(),
            Self::Table(_, games) => games.to_vec(),
        }
    }
}

impl Results {
    /// Returns the games: whether the player of higher index has the first seat, and the score of that seat.
    pub(crate) fn games(self) -> impl Iterator<Item = (bool, GameScore)> {
        let (one, two) = match self {
            Self::Pair(one, two) => ((false, one), Some((true, two))),
            Self::Single(is_swapped, score) => ((is_swapped, score), None),
        };
        std::iter::once(one).chain(two)
    }

    /// Returns the results from the view of players in reversed order of index.
    fn reversed(self) -> Self {
        match self {
            Self::Pair(one, two) => Self::Pair(two, one),
            Self::Single(is_swapped, score) => Self::Single(!is_swapped, score),
        }
    }
}

impl PartialEq for Sample {
    fn eq(&self, other: &Self) -> bool {
        self.unknown == other.unknown
            && sorted(&self.known) == sorted(&other.known)
            && sorted(&self.tables) == sorted(&other.tables)
    }
}

impl Eq for Sample {}

impl Sample {
    /// Counts games. Those that share a pair number, see [`RatedGame::pair`], count as blocks.
    #[must_use]
    pub fn from_games(games: &[RatedGame]) -> Self {
        let mut sample = Self::default();
        sample.add_games(games);
        sample
    }

    /// Counts more games, as [`Sample::from_games`] does. All games with one pair number must be among them: a caller that
    /// reads a stream gathers them first.
    pub fn add_games(&mut self, games: &[RatedGame]) {
        match games {
            [] => return,
            [game] => return self.add(game),
            // The usual case: a block on its own.
            [one, others @ ..]
                if one.pair.is_some()
                    && others.iter().all(|other| other.pair == one.pair)
                    && are_block(games) =>
            {
                return self.add_results(one.group, &games.iter().map(Into::into).collect::<Vec<_>>());
            }
            _ => {}
        }
        for (group, mut legs) in by_players(games.iter()) {
            units(&mut legs).for_each(|unit| self.add_results(group, unit));
        }
    }

    /// Counts a single game, ignoring its pair number. Games of a player against itself are left out, because they say nothing
    /// about strength.
    pub fn add(&mut self, game: &RatedGame) {
        if is_between_players(&game.result) {
            self.add_results(game.group, &[game.into()]);
        }
    }

    /// Counts games as a block, ignoring their pair numbers, and returns whether they can form one: at least two of the same
    /// group and players, each with a different seating. If they cannot, each counts on its own.
    pub fn add_block(&mut self, games: &[RatedGame]) -> bool {
        let is_block = are_block(games);
        match games {
            [one, ..] if is_block => {
                self.add_results(one.group, &games.iter().map(Into::into).collect::<Vec<_>>());
            }
            _ => games.iter().for_each(|game| self.add(game)),
        }
        is_block
    }

    /// Counts a unit: games of the same group and players, each with a different seating.
    fn add_results(&mut self, group: usize, legs: &[Leg]) {
        let opening = legs[0].opening.filter(|_| legs.iter().all(|leg| leg.opening == legs[0].opening));
        let result = legs[0].result;
        if result.seats() > 2 {
            let mut games: Box<[TableResult]> = legs.iter().map(|leg| leg.result).collect();
            games.sort_unstable();
            self.tables.push(TableUnit { group, opening, games });
            return;
        }
        let (one, two) = (result.player(0), result.player(1));
        let is_swapped = one > two;
        let score = result.score(0, 1);
        let results = match (legs.get(1).map(|leg| leg.result.score(0, 1)), is_swapped) {
            (None, _) => Results::Single(is_swapped, score),
            (Some(other), false) => Results::Pair(score, other),
            (Some(other), true) => Results::Pair(other, score),
        };
        self.count((group, one.min(two), one.max(two)), results, opening);
    }

    fn count(&mut self, (group, low, high): (usize, usize, usize), results: Results, opening: Option<u64>) {
        // Beyond 2^32 groups, openings are ignored.
        let narrow = |number: usize| u32::try_from(number).ok();
        match (opening, narrow(group), narrow(low), narrow(high)) {
            (Some(opening), Some(group), Some(low), Some(high)) => {
                self.known.push(Shared { group, opening, low, high, results });
            }
            _ => *self.unknown.entry((group, low, high, results)).or_default() += 1,
        }
    }

    /// Brings the units of a whole sample into the order that a fit needs. Without this, a fit does so with a copy.
    pub fn sort(&mut self) {
        self.known.sort_unstable();
        self.tables.sort_unstable();
    }

    /// Returns the number of games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.sum(|games| games as u64)
    }

    /// Returns the number of blocks; with two seats, of colour-swapped pairs.
    #[must_use]
    pub fn blocks(&self) -> u64 {
        self.sum(|games| u64::from(games > 1))
    }

    /// Returns the sum of a function of the number of games, over all units.
    fn sum(&self, of: impl Fn(usize) -> u64) -> u64 {
        let two = |results: &Results| of(results.games().count());
        let unknown: u64 = self.unknown.iter().map(|((.., results), count)| count * two(results)).sum();
        let known: u64 = self.known.iter().map(|unit| two(&unit.results)).sum();
        unknown + known + self.tables.iter().map(|unit| of(unit.games.len())).sum::<u64>()
    }

    /// Returns the same results with other numbers: player `i` becomes `players[i]` and group `i` becomes `groups[i]`. Players
    /// that get the same number are merged, and games between them are left out.
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
        for unit in &self.tables {
            let games = unit.games.iter().map(|game| game.renumbered(players));
            let mut games: Box<[TableResult]> = games.filter(is_between_players).collect();
            games.sort_unstable();
            if !games.is_empty() {
                sample.tables.push(TableUnit { group: groups[unit.group], opening: unit.opening, games });
            }
        }
        sample
    }

    /// Passes every kind of unit to `take`, with its count. A kind may come several times.
    pub(crate) fn each_unit(&self, mut take: impl FnMut(UnitKind, u64)) {
        for (&(group, low, high, results), &count) in &self.unknown {
            take(UnitKind::Two(group, low, high, results), count);
        }
        self.known.iter().for_each(|unit| take(unit.kind(), 1));
        self.tables.iter().for_each(|unit| take(unit.kind(), 1));
    }

    /// Returns the units of each opening that several units share, in order. A group whose units all have one opening counts as
    /// having none, because its results concern that start alone.
    pub(crate) fn shared_openings(&self) -> Vec<Vec<UnitKind>> {
        let known = sorted(&self.known);
        let tables = sorted(&self.tables);
        let tables: Vec<&TableUnit> = tables.iter().filter(|unit| unit.opening.is_some()).collect();
        let mut shared = sharing(&known, |unit| (unit.group as usize, unit.opening), Shared::kind);
        shared.extend(sharing(
            &tables,
            |unit| (unit.group, unit.opening.unwrap_or_default()),
            |unit| unit.kind(),
        ));
        shared
    }
}

/// Returns the sorted units that share their group and opening with others, opening by opening.
fn sharing<T>(
    units: &[T],
    key: impl Fn(&T) -> (usize, u64),
    kind: impl Fn(&T) -> UnitKind,
) -> Vec<Vec<UnitKind>> {
    let groups = units.chunk_by(|one, two| key(one).0 == key(two).0);
    let several = groups.filter(|units| units.first().map(&key) != units.last().map(&key));
    several
        .flat_map(|units| units.chunk_by(|one, two| key(one) == key(two)))
        .filter(|units| units.len() > 1)
        .map(|units| units.iter().map(&kind).collect())
        .collect()
}

/// Returns the units in order; a copy of them where they are not.
fn sorted<T: Clone + Ord>(units: &[T]) -> Cow<'_, [T]> {
    if units.is_sorted() {
        return Cow::Borrowed(units);
    }
    let mut units = units.to_vec();
    units.sort_unstable();
    Cow::Owned(units)
}

impl Shared {
    fn kind(&self) -> UnitKind {
        UnitKind::Two(self.group as usize, self.low as usize, self.high as usize, self.results)
    }
}

impl TableUnit {
    fn kind(&self) -> UnitKind {
        UnitKind::Table(self.group, self.games.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(first: usize, second: usize, score: GameScore, pair: Option<u64>) -> RatedGame {
        RatedGame { pair, ..RatedGame::new(first, second, score) }
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
        // All games have the same start, so it does not count.
        assert_eq!(shared(&games), [0; 0]);
        games.push(opened(8, (2, 0)));
        assert_eq!(shared(&games), [2]);
        // The openings of another group are different ones.
        games.push(RatedGame { group: 1, ..opened(8, (2, 0)) });
        assert_eq!(shared(&games), [2]);
        games.reverse();
        assert_eq!(shared(&games), [2]);
        // A pair has the openings of both its games.
        let pair = |openings: [Option<u64>; 2]| {
            let mut sample = Sample::from_games(&[opened(1, (0, 1))]);
            let [one, two] =
                [(0, 1), (1, 0)].map(|(first, second)| game(first, second, GameScore::Win, None));
            sample.add_block(&[
                RatedGame { opening: openings[0], ..one },
                RatedGame { opening: openings[1], ..two },
            ]);
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
        assert!(sample.add_block(&[games[4], games[1]]));
        sample.add(&games[3]);
        assert!(sample.add_block(&[games[0], games[2]]));
        assert_eq!(sample, Sample::from_games(&games));
        assert_eq!((sample.games(), sample.blocks()), (5, 2));
    }

    #[test]
    fn what_is_no_pair_counts_as_games() {
        let mut sample = Sample::default();
        let one = game(0, 1, GameScore::Win, None);
        assert!(!sample.add_block(&[one, game(0, 1, GameScore::Loss, None)]));
        assert!(!sample.add_block(&[one, RatedGame { group: 1, ..game(1, 0, GameScore::Loss, None) }]));
        assert!(!sample.add_block(&[game(3, 3, GameScore::Win, None), game(3, 3, GameScore::Win, None)]));
        assert_eq!((sample.games(), sample.blocks()), (4, 0));
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
        // Two players become one: its games against itself are gone.
        assert_eq!(games([0, 1, 2]).renumbered(&[0, 0, 1], &[0]).games(), 1);
    }
}
