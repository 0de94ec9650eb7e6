//! The games of a tournament as counts.
//!
//! A fit does not need single games. It needs how often each result occurred between the same seats and, for the errors, which
//! results depend on each other. The cost depends on the number of different match-ups and shared openings, not on the number
//! of games, and the order of the games cannot matter.
//!
//! A game of more than two seats counts as the results of every two of its seats: a composite likelihood (Lindsay 1988; Varin,
//! Reid and Firth 2011). Its expectation is correct, because in the model of Plackett and Luce the odds between two players do
//! not depend on the other players. The errors account for the dependence between these results.

pub(crate) mod blocks;
pub(crate) mod components;
pub(crate) mod sample;
pub(crate) mod seats;

use std::collections::BTreeMap;

use crate::tally::sample::UnitKind;
use crate::{GameScore, RatedGame, Sample};

/// All games as counts, without results of a player against itself.
#[derive(Debug)]
pub(crate) struct Tally {
    /// The match-ups, by group, players and seats.
    pub(crate) cells: Vec<Cell>,
    /// The kinds of units: a unit is a block, or a game that belongs to none.
    pub(crate) units: Vec<Unit>,
    /// The units that share an opening with others. Each list is one cluster of indices into `units`, with how often each
    /// occurred. Every other unit is a cluster of its own.
    pub(crate) clusters: Vec<Vec<(u32, u32)>>,
    /// By group, the number of seats at its largest table; 0 if it has no games.
    pub(crate) seats: Vec<usize>,
}

/// The results between two players in all games of one group with the same seats.
#[derive(Debug, Clone)]
pub(crate) struct Cell {
    pub(crate) first: usize,
    pub(crate) second: usize,
    pub(crate) group: usize,
    /// The seat of `first`, from 0, and the later seat of `second`.
    pub(crate) seats: [usize; 2],
    /// By the score of `first`, from worst to best.
    pub(crate) counts: [u64; 3],
}

/// All units with the same players and results.
#[derive(Debug, Clone)]
pub(crate) struct Unit {
    /// The games, each with the results of every two of its seats as cells and scores. In a pair, the game in which the player
    /// of lower index has the first seat comes first.
    legs: Box<[Leg]>,
    pub(crate) count: u64,
    /// How many of them share no opening with others.
    pub(crate) alone: u64,
}

/// The results of a game: cells, each with the score of the player in the earlier seat.
pub(crate) type Leg = Box<[(u32, GameScore)]>;

/// The result of one seat in a game.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Side {
    pub(crate) seat: usize,
    pub(crate) player: usize,
    /// The score against seats of other players, in half points.
    pub(crate) halves: u64,
    /// The number of these seats.
    pub(crate) opponents: u64,
    /// One plus the number of these seats that did better.
    pub(crate) place: usize,
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
    /// Returns the results of every two seats, in all games of the unit.
    pub(crate) fn results(&self) -> impl Iterator<Item = (usize, GameScore)> + '_ {
        self.legs.iter().flatten().map(|&(cell, score)| (cell as usize, score))
    }

    /// Returns the games of the unit.
    pub(crate) const fn legs(&self) -> &[Leg] {
        &self.legs
    }
}

impl Tally {
    pub(crate) fn new(players: usize, groups: usize, games: &[RatedGame]) -> Self {
        for game in games {
            assert!(game.result.players().all(|player| player < players), "{game:?} among {players} players");
            assert!(game.group < groups, "{game:?} among {groups} groups");
        }
        Self::of(players, groups, &Sample::from_games(games))
    }

    /// Returns the counts of a sample's games, with `players` players in `groups` groups.
    pub(crate) fn of(players: usize, groups: usize, sample: &Sample) -> Self {
        let mut kinds: BTreeMap<UnitKind, u64> = BTreeMap::new();
        sample.each_unit(|kind, count| *kinds.entry(kind).or_default() += count);
        let mut seats = vec![0; groups];
        let mut cells: BTreeMap<(usize, usize, usize, [usize; 2]), Cell> = BTreeMap::new();
        for (kind, count) in &kinds {
            let group = kind.group();
            assert!(group < groups, "group {group} among {groups} groups");
            for game in kind.games() {
                seats[group] = seats[group].max(game.seats());
                for (one, two, score) in game.duels() {
                    let (first, second, seats) = (game.player(one), game.player(two), [one, two]);
                    assert!(
                        first < players && second < players,
                        "{first} against {second} among {players} players"
                    );
                    let cell = cells.entry((group, first, second, seats));
                    let cell = cell.or_insert(Cell { first, second, group, seats, counts: [0; 3] });
                    cell.counts[usize::from(score.halves())] += count;
                }
            }
        }
        let places: BTreeMap<_, u32> = cells.keys().copied().zip(0..).collect();
        let legs = |kind: &UnitKind| -> Box<[Leg]> {
            let games = kind.games();
            let legs = games.iter().map(|game| {
                let place = |(one, two, score)| {
                    (places[&(kind.group(), game.player(one), game.player(two), [one, two])], score)
                };
                game.duels().map(place).collect()
            });
            legs.collect()
        };
        let mut units: Vec<(UnitKind, Unit)> = kinds
            .into_iter()
            .map(|(kind, count)| {
                let legs = legs(&kind);
                (kind, Unit { legs, count, alone: count })
            })
            .collect();
        // Blocks come before single games, in the order in which sums add them: otherwise figures differ in the last digit.
        units.sort_by(|(_, one), (_, two)| {
            (one.legs.len() == 1, &one.legs).cmp(&(two.legs.len() == 1, &two.legs))
        });
        let numbers: BTreeMap<&UnitKind, usize> =
            units.iter().enumerate().map(|(place, (kind, _))| (kind, place)).collect();
        let mut alone: Vec<u64> = units.iter().map(|(_, unit)| unit.alone).collect();
        let mut clusters = Vec::new();
        for shared in sample.shared_openings() {
            let mut parts: BTreeMap<u32, u32> = BTreeMap::new();
            for kind in shared {
                let place = numbers[&kind];
                alone[place] -= 1;
                *parts.entry(place as u32).or_default() += 1;
            }
            clusters.push(parts.into_iter().collect());
        }
        let units = units.into_iter().zip(alone).map(|((_, unit), alone)| Unit { alone, ..unit }).collect();
        Self { cells: cells.into_values().collect(), units, clusters, seats }
    }

    /// Returns only the results between players that satisfy `keep`, which must not depend on who has the first seat. In a game
    /// of more seats the results of other players are dropped.
    pub(crate) fn filtered(&self, keep: impl Fn(usize, usize) -> bool) -> Self {
        let mut cells: Vec<Cell> = Vec::new();
        let place = |cell: &Cell| {
            keep(cell.first, cell.second).then(|| {
                cells.push(cell.clone());
                cells.len() as u32 - 1
            })
        };
        let places: Vec<Option<u32>> = self.cells.iter().map(place).collect();
        let mut units: Vec<Unit> = Vec::new();
        let mut numbers: Vec<Option<u32>> = Vec::with_capacity(self.units.len());
        for unit in &self.units {
            let moved = |leg: &Leg| -> Leg {
                leg.iter().filter_map(|&(cell, score)| Some((places[cell as usize]?, score))).collect()
            };
            let legs: Box<[Leg]> = unit.legs.iter().map(moved).filter(|leg| !leg.is_empty()).collect();
            let is_kept = !legs.is_empty();
            numbers.push(is_kept.then_some(units.len() as u32));
            units.extend(is_kept.then_some(Unit { legs, count: unit.count, alone: unit.alone }));
        }
        let clusters = self
            .clusters
            .iter()
            .map(|parts| {
                parts.iter().filter_map(|&(unit, times)| Some((numbers[unit as usize]?, times))).collect()
            })
            .filter(|parts: &Vec<_>| !parts.is_empty())
            .collect();
        Self { cells, units, clusters, seats: self.seats.clone() }
    }

    /// Returns how often each result occurred, by cell.
    pub(crate) fn counts(&self) -> Vec<[f64; 3]> {
        self.cells.iter().map(|cell| cell.counts.map(|count| count as f64)).collect()
    }

    /// Returns the games in a canonical order, each with how often it was played.
    pub(crate) fn games(&self) -> impl Iterator<Item = (&Leg, u64)> {
        let mut games: BTreeMap<&Leg, u64> = BTreeMap::new();
        for unit in &self.units {
            unit.legs.iter().for_each(|leg| *games.entry(leg).or_default() += unit.count);
        }
        games.into_iter()
    }

    /// Returns the group of a game.
    pub(crate) fn group_of(&self, leg: &Leg) -> usize {
        self.cells[leg[0].0 as usize].group
    }

    /// Returns the result of every seat of a game against seats of other players, in the order of the seats.
    pub(crate) fn sides(&self, leg: &Leg) -> impl Iterator<Item = Side> + use<> {
        let mut sides: BTreeMap<usize, Side> = BTreeMap::new();
        for &(cell, score) in leg {
            let cell = &self.cells[cell as usize];
            let [one, two] = cell.seats;
            for (seat, player, score) in [(one, cell.first, score), (two, cell.second, score.opposite())] {
                let side = sides.entry(seat);
                let side = side.or_insert(Side { seat, player, halves: 0, opponents: 0, place: 1 });
                side.halves += u64::from(score.halves());
                side.opponents += 1;
                side.place += usize::from(score == GameScore::Loss);
            }
        }
        sides.into_values()
    }

    /// Returns the pairs played at two seats: units with both games.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&Unit, [(usize, GameScore); 2])> {
        let wide = |(cell, score): (u32, GameScore)| (cell as usize, score);
        self.units.iter().filter_map(move |unit| match &*unit.legs {
            [one, two] => match (&**one, &**two) {
                (&[one], &[two]) => Some((unit, [wide(one), wide(two)])),
                _ => None,
            },
            _ => None,
        })
    }

    /// Returns which groups have games.
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
    use crate::TableResult;

    fn game(first: usize, second: usize, score: GameScore, pair: Option<u64>) -> RatedGame {
        RatedGame { pair, ..RatedGame::new(first, second, score) }
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
        assert_eq!(tally.units[0].results().count(), 2);
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

    #[test]
    fn a_table_counts_as_the_results_of_every_two_of_its_seats() {
        let table = |players: [usize; 3], places: [u8; 3]| RatedGame {
            result: TableResult::new(players.into_iter().zip(places)).expect("three seats"),
            group: 1,
            pair: Some(4),
            opening: None,
        };
        let games = [table([0, 1, 2], [1, 2, 2]), table([1, 2, 0], [1, 2, 3]), table([2, 0, 1], [3, 1, 2])];
        let tally = Tally::new(3, 2, &games);
        assert_eq!((tally.cells.len(), tally.units.len(), tally.seats), (9, 1, vec![0, 3]));
        assert_eq!((tally.units[0].legs().len(), tally.units[0].results().count()), (3, 9));
        let cell = tally.cells.iter().find(|cell| (cell.first, cell.second, cell.seats) == (1, 2, [1, 2]));
        assert_eq!(cell.map(|cell| cell.counts), Some([0, 1, 0]));
        // Without one of the players, a game of three becomes a game of the other two.
        let tally = Tally::new(3, 2, &games).filtered(|i, j| i.min(j) > 0);
        assert_eq!((tally.cells.len(), tally.units[0].legs().len(), tally.games().count()), (3, 3, 3));
    }
}
