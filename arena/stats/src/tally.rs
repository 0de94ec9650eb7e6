//! The games of a tournament as counts.
//!
//! A fit needs no single games: what counts is how often each result occurred between the same seats, and for the
//! errors which results depend on each other. A million games cost as much as the number of different match-ups and
//! shared openings, and the order of the games cannot matter.

pub(crate) mod components;
pub(crate) mod sample;
pub(crate) mod seats;

use std::collections::BTreeMap;

use crate::tally::sample::{Results, Shared};
use crate::{GameScore, RatedGame, Sample};

/// All games, counted; games of a player against itself tell nothing of strength and are left out.
#[derive(Debug)]
pub(crate) struct Tally {
    /// The match-ups, by group, first and second player.
    pub(crate) cells: Vec<Cell>,
    /// The kinds of units: a unit is a colour-swapped pair, or a game that is not half of one.
    pub(crate) units: Vec<Unit>,
    /// The units that share an opening with others: each list is one cluster, of units (as places in `units`) with how
    /// often they occurred. Whatever stands in no list is a cluster of its own.
    pub(crate) clusters: Vec<Vec<(u32, u32)>>,
}

/// All games of one group with the same seats.
#[derive(Debug, Clone)]
pub(crate) struct Cell {
    pub(crate) first: usize,
    pub(crate) second: usize,
    pub(crate) group: usize,
    /// By the first seat's score, from worst to best.
    pub(crate) counts: [u64; 3],
}

/// All units with the same players and results.
#[derive(Debug, Clone)]
pub(crate) struct Unit {
    /// A game as its cell and result. Of a pair it is the game in which the player of lower index has the first seat.
    pub(crate) one: (usize, GameScore),
    /// The other game of a pair.
    pub(crate) two: Option<(usize, GameScore)>,
    pub(crate) count: u64,
    /// How many of these share no opening with others.
    pub(crate) alone: u64,
}

impl Cell {
    pub(crate) fn count(&self, score: GameScore) -> u64 {
        self.counts[usize::from(score.halves())]
    }

    pub(crate) fn total(&self) -> u64 {
        self.counts.iter().sum()
    }
}

impl Unit {
    /// Its game, or both games of a pair.
    pub(crate) fn games(&self) -> impl Iterator<Item = (usize, GameScore)> + use<> {
        std::iter::once(self.one).chain(self.two)
    }
}

/// The group, the player of lower and of higher index, and the results.
type Kind = (usize, usize, usize, Results);

impl Tally {
    pub(crate) fn new(players: usize, groups: usize, games: &[RatedGame]) -> Self {
        for game in games {
            assert!(game.first < players && game.second < players, "{game:?} among {players} players");
            assert!(game.group < groups, "{game:?} among {groups} groups");
        }
        Self::of(players, groups, &Sample::from_games(games))
    }

    /// The games of a sample, of `players` players in `groups` groups.
    pub(crate) fn of(players: usize, groups: usize, sample: &Sample) -> Self {
        let mut kinds: BTreeMap<Kind, u64> = BTreeMap::new();
        sample.each_unit(|kind, count| *kinds.entry(kind).or_default() += count);
        let mut cells: BTreeMap<(usize, usize, usize), Cell> = BTreeMap::new();
        for (&(group, low, high, results), count) in &kinds {
            assert!(low < players && high < players, "{low} against {high} among {players} players");
            assert!(group < groups, "group {group} among {groups} groups");
            for (is_swapped, score) in results.games() {
                let (first, second) = if is_swapped { (high, low) } else { (low, high) };
                let cell = cells.entry((group, first, second));
                let cell = cell.or_insert(Cell { first, second, group, counts: [0; 3] });
                cell.counts[usize::from(score.halves())] += count;
            }
        }
        let places: BTreeMap<_, _> = cells.keys().enumerate().map(|(place, &seats)| (seats, place)).collect();
        let mut units: Vec<(Kind, Unit)> = kinds
            .into_iter()
            .map(|(kind, count)| {
                let (group, low, high, results) = kind;
                let mut games = results.games().map(|(is_swapped, score)| {
                    let seats = if is_swapped { (group, high, low) } else { (group, low, high) };
                    (places[&seats], score)
                });
                let one = games.next().expect("a unit has a game");
                (kind, Unit { one, two: games.next(), count, alone: count })
            })
            .collect();
        // Pairs before single games, as the sums over them go: figures do not depend on it but for the last digit.
        units.sort_by_key(|(_, unit)| (unit.two.is_none(), unit.one, unit.two));
        let numbers: BTreeMap<Kind, usize> =
            units.iter().enumerate().map(|(place, (kind, _))| (*kind, place)).collect();
        let mut units: Vec<Unit> = units.into_iter().map(|(_, unit)| unit).collect();
        let mut clusters = Vec::new();
        for shared in sample.shared_openings() {
            let mut parts: BTreeMap<u32, u32> = BTreeMap::new();
            for Shared { group, low, high, results, .. } in shared {
                let kind = (group as usize, low as usize, high as usize, results);
                let place = numbers[&kind];
                units[place].alone -= 1;
                *parts.entry(place as u32).or_default() += 1;
            }
            clusters.push(parts.into_iter().collect());
        }
        Self { cells: cells.into_values().collect(), units, clusters }
    }

    /// The games between players for whom `keep` holds; it must not depend on who has the first seat.
    pub(crate) fn filtered(&self, keep: impl Fn(usize, usize) -> bool) -> Self {
        let mut cells: Vec<Cell> = Vec::new();
        let place = |cell: &Cell| {
            keep(cell.first, cell.second).then(|| {
                cells.push(cell.clone());
                cells.len() - 1
            })
        };
        let places: Vec<Option<usize>> = self.cells.iter().map(place).collect();
        let mut units: Vec<Unit> = Vec::new();
        let mut numbers: Vec<Option<u32>> = Vec::with_capacity(self.units.len());
        for unit in &self.units {
            let moved = |(cell, score): (usize, GameScore)| places[cell].map(|place| (place, score));
            let kept = moved(unit.one);
            numbers.push(kept.map(|_| units.len() as u32));
            units.extend(kept.map(|one| Unit { one, two: unit.two.and_then(moved), ..unit.clone() }));
        }
        let clusters = self
            .clusters
            .iter()
            .map(|parts| {
                parts.iter().filter_map(|&(unit, times)| Some((numbers[unit as usize]?, times))).collect()
            })
            .filter(|parts: &Vec<_>| !parts.is_empty())
            .collect();
        Self { cells, units, clusters }
    }

    /// By cell, how often each result occurred.
    pub(crate) fn counts(&self) -> Vec<[f64; 3]> {
        self.cells.iter().map(|cell| cell.counts.map(|count| count as f64)).collect()
    }

    /// The pairs that were played: kinds of units with two games.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&Unit, [(usize, GameScore); 2])> {
        self.units.iter().filter_map(|unit| Some((unit, [unit.one, unit.two?])))
    }

    /// Which of `groups` groups have games.
    pub(crate) fn played(&self, groups: usize) -> Vec<bool> {
        let mut played = vec![false; groups];
        for cell in &self.cells {
            played[cell.group] = true;
        }
        played
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(first: usize, second: usize, score: GameScore, pair: Option<u64>) -> RatedGame {
        RatedGame { first, second, score, group: 0, pair, opening: None }
    }

    #[test]
    fn paired_games_are_counted_once_as_pairs() {
        let games = [
            game(0, 1, GameScore::Win, Some(7)),
            game(0, 1, GameScore::Win, Some(8)),
            game(0, 1, GameScore::Win, None),
            game(1, 0, GameScore::Draw, Some(7)),
            game(1, 0, GameScore::Draw, Some(8)),
        ];
        let tally = Tally::new(2, 1, &games);
        assert_eq!(tally.cells[0].counts, [0, 0, 3]);
        assert_eq!(tally.units.iter().map(|unit| unit.count).collect::<Vec<_>>(), [2, 1]);
        assert_eq!(tally.units[0].games().count(), 2);
        assert_eq!((tally.pairs().count(), tally.clusters.len()), (1, 0));
    }

    #[test]
    fn filtering_keeps_pairs_with_their_cells_and_clusters() {
        let mut games = vec![
            game(0, 1, GameScore::Win, None),
            game(1, 2, GameScore::Win, Some(1)),
            game(2, 1, GameScore::Loss, Some(1)),
            game(1, 2, GameScore::Draw, None),
        ];
        for (game, opening) in games.iter_mut().zip([5, 5, 5, 6]) {
            game.opening = Some(opening);
        }
        let tally = Tally::new(3, 1, &games);
        assert_eq!((tally.clusters.len(), tally.clusters[0].len()), (1, 2));
        let tally = tally.filtered(|i, j| i.min(j) > 0);
        assert_eq!(tally.cells.len(), 2);
        let (pair, games) = tally.pairs().next().expect("a pair");
        assert_eq!(games, [(0, GameScore::Win), (1, GameScore::Loss)]);
        assert_eq!((pair.count, pair.alone), (1, 0));
        assert_eq!(tally.clusters, [[(0, 1)]]);
    }

    #[test]
    fn games_against_oneself_do_not_count() {
        assert!(Tally::new(1, 1, &[game(0, 0, GameScore::Win, Some(1))]).cells.is_empty());
    }
}
