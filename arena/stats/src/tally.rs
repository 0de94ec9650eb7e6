//! The games of a tournament as counts.
//!
//! A fit needs no single games: what counts is how often each result occurred between the same seats, and for
//! the errors how often each combination of two results occurred in a pair. A million games cost as much as the
//! number of different match-ups, and the order of the games cannot matter.

use std::collections::BTreeMap;

use crate::{Game, Sample, Score};

/// All games, counted; games of a player against itself tell nothing of strength and are left out.
#[derive(Debug)]
pub(crate) struct Tally {
    /// The match-ups, by group, first and second player.
    pub(crate) cells: Vec<Cell>,
    /// The complete colour-swapped pairs.
    pub(crate) pairs: Vec<PairClass>,
}

/// All games of one group with the same seats.
#[derive(Debug, Clone)]
pub(crate) struct Cell {
    pub(crate) first: usize,
    pub(crate) second: usize,
    pub(crate) group: usize,
    /// By the first seat's score, from worst to best.
    pub(crate) counts: [u64; 3],
    /// Those of `counts` that are not half of a pair.
    pub(crate) unpaired: [u64; 3],
}

/// All pairs with the same players and results.
#[derive(Debug, Clone)]
pub(crate) struct PairClass {
    /// The cell and result in which the player of lower index has the first seat, then the other game.
    pub(crate) games: [(usize, Score); 2],
    pub(crate) count: u64,
}

impl Cell {
    pub(crate) fn count(&self, score: Score) -> u64 {
        self.counts[usize::from(score.halves())]
    }

    pub(crate) fn total(&self) -> u64 {
        self.counts.iter().sum()
    }
}

impl Tally {
    pub(crate) fn new(players: usize, groups: usize, games: &[Game]) -> Self {
        for game in games {
            assert!(game.first < players && game.second < players, "{game:?} among {players} players");
            assert!(game.group < groups, "{game:?} among {groups} groups");
        }
        Self::of(players, groups, &Sample::from_games(games))
    }

    /// The games of a sample, of `players` players in `groups` groups.
    pub(crate) fn of(players: usize, groups: usize, sample: &Sample) -> Self {
        let mut counts: BTreeMap<(usize, usize, usize), Cell> = BTreeMap::new();
        let cell = |(group, first, second)| {
            assert!(first < players && second < players, "{first} against {second} among {players} players");
            assert!(group < groups, "group {group} among {groups} groups");
            Cell { first, second, group, counts: [0; 3], unpaired: [0; 3] }
        };
        for (&seats, singles) in &sample.singles {
            let cell = counts.entry(seats).or_insert_with(|| cell(seats));
            (cell.counts, cell.unpaired) = (*singles, *singles);
        }
        for (&(group, low, high), results) in &sample.pairs {
            for (one, two, count) in all_results(results) {
                for (seats, score) in [((group, low, high), one), ((group, high, low), two)] {
                    let cell = counts.entry(seats).or_insert_with(|| cell(seats));
                    cell.counts[usize::from(score.halves())] += count;
                }
            }
        }
        let index: BTreeMap<_, _> = counts.keys().enumerate().map(|(i, &seats)| (seats, i)).collect();
        let mut pairs = Vec::new();
        for (&(group, low, high), results) in &sample.pairs {
            for (one, two, count) in all_results(results) {
                let games = [(index[&(group, low, high)], one), (index[&(group, high, low)], two)];
                pairs.push(PairClass { games, count });
            }
        }
        pairs.sort_unstable_by_key(|pair| pair.games);
        Self { cells: counts.into_values().collect(), pairs }
    }

    /// The games between players for whom `keep` holds; it must not depend on who has the first seat.
    pub(crate) fn filtered(&self, keep: impl Fn(usize, usize) -> bool) -> Self {
        let kept: Vec<bool> = self.cells.iter().map(|cell| keep(cell.first, cell.second)).collect();
        let mut place = Vec::with_capacity(kept.len());
        let mut cells: Vec<Cell> = Vec::new();
        for (cell, &kept) in self.cells.iter().zip(&kept) {
            place.push(cells.len());
            cells.extend(kept.then(|| cell.clone()));
        }
        let pairs = self
            .pairs
            .iter()
            .filter(|pair| pair.games.iter().all(|&(cell, _)| kept[cell]))
            .map(|pair| PairClass { games: pair.games.map(|(cell, score)| (place[cell], score)), ..*pair })
            .collect();
        Self { cells, pairs }
    }

    /// The number of complete pairs.
    pub(crate) fn pair_count(&self) -> u64 {
        self.pairs.iter().map(|pair| pair.count).sum()
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

/// The results of pairs that occurred, with how often: the game in which the player of lower index has the first
/// seat, then the other.
fn all_results(counts: &[[u64; 3]; 3]) -> impl Iterator<Item = (Score, Score, u64)> + '_ {
    let each = |one: Score| Score::ALL.into_iter().map(move |two| (one, two));
    Score::ALL
        .into_iter()
        .flat_map(each)
        .map(|(one, two)| (one, two, counts[usize::from(one.halves())][usize::from(two.halves())]))
        .filter(|(_, _, count)| *count > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(first: usize, second: usize, score: Score, pair: Option<u64>) -> Game {
        Game { first, second, score, group: 0, pair }
    }

    #[test]
    fn paired_games_are_counted_once_as_pairs() {
        let games = [
            game(0, 1, Score::Win, Some(7)),
            game(0, 1, Score::Win, Some(8)),
            game(0, 1, Score::Win, None),
            game(1, 0, Score::Draw, Some(7)),
            game(1, 0, Score::Draw, Some(8)),
        ];
        let tally = Tally::new(2, 1, &games);
        assert_eq!(tally.cells[0].counts, [0, 0, 3]);
        assert_eq!(tally.cells[0].unpaired, [0, 0, 1]);
        assert_eq!(tally.cells[1].unpaired, [0, 0, 0]);
        assert_eq!(tally.pairs.len(), 1);
        assert_eq!(tally.pair_count(), 2);
    }

    #[test]
    fn filtering_keeps_pairs_with_their_cells() {
        let games =
            [game(0, 1, Score::Win, None), game(1, 2, Score::Win, Some(1)), game(2, 1, Score::Loss, Some(1))];
        let tally = Tally::new(3, 1, &games).filtered(|i, j| i.min(j) > 0);
        assert_eq!(tally.cells.len(), 2);
        assert_eq!(tally.pairs[0].games, [(0, Score::Win), (1, Score::Loss)]);
    }

    #[test]
    fn games_against_oneself_do_not_count() {
        assert!(Tally::new(1, 1, &[game(0, 0, Score::Win, Some(1))]).cells.is_empty());
    }
}
