//! Fish and groups, naively: what Frenzy and 2-Frenzy have in common.

use std::collections::BTreeSet;

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use crate::board::{Board, Cell, DIRECTIONS, name};
use crate::harness::pick;

/// The cells that a fish can move to, by whichever way.
#[derive(Debug, Default)]
pub(crate) struct Reach {
    /// By one step.
    pub(crate) steps: BTreeSet<Cell>,
    /// By one hop.
    pub(crate) hops: BTreeSet<Cell>,
    /// By a chain of hops of any length.
    pub(crate) chains: BTreeSet<Cell>,
    /// Whether more could be reached if a fish could be hopped twice.
    pub(crate) is_bounded: bool,
}

impl Reach {
    /// Returns where the fish on `from` can go; `fish` are the letters that can be hopped over.
    pub(crate) fn new(board: &Board, from: Cell, fish: &str) -> Self {
        // The start cell counts as empty, and the moving fish is never hopped.
        let mut board = board.clone();
        board.put(from, '.');
        let mut reach = Self::default();
        for place in board.neighbours(from) {
            if board.at(place) == '.' {
                reach.steps.insert(place);
            }
        }
        reach.hops = hops(&board, from, fish).map(|(_, to)| to).collect();
        let mut limit = flood(&board, from, fish);
        limit.remove(&from);
        follow(&board, from, fish, &mut Vec::new(), &limit, &mut reach.chains);
        reach.is_bounded = reach.chains != limit;
        reach
    }

    pub(crate) fn all(&self) -> BTreeSet<Cell> {
        self.steps.union(&self.chains).copied().collect()
    }
}

/// Returns the fish that can be hopped over from `from`, each with the cell right behind.
fn hops<'a>(board: &'a Board, from: Cell, fish: &'a str) -> impl Iterator<Item = (Cell, Cell)> + 'a {
    DIRECTIONS.iter().filter_map(move |direction| {
        let over = board.step(from, *direction, 1)?;
        let to = board.step(from, *direction, 2)?;
        (fish.contains(board.at(over)) && board.at(to) == '.').then_some((over, to))
    })
}

/// Follows every chain of hops over fish that have not been hopped, until all of `limit` is reached.
fn follow(
    board: &Board,
    here: Cell,
    fish: &str,
    hopped: &mut Vec<Cell>,
    limit: &BTreeSet<Cell>,
    reached: &mut BTreeSet<Cell>,
) {
    for (over, to) in hops(board, here, fish) {
        if reached == limit {
            return;
        }
        if !hopped.contains(&over) {
            if limit.contains(&to) {
                reached.insert(to);
            }
            hopped.push(over);
            follow(board, to, fish, hopped, limit, reached);
            hopped.pop();
        }
    }
}

/// Returns the cells that chains could reach, the start perhaps among them, if fish could be hopped many
/// times: nothing is beyond them.
fn flood(board: &Board, from: Cell, fish: &str) -> BTreeSet<Cell> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from];
    while let Some(here) = open.pop() {
        for (_, to) in hops(board, here, fish) {
            if reached.insert(to) {
                open.push(to);
            }
        }
    }
    reached
}

/// Returns the groups of cells that are connected in the eight directions.
pub(crate) fn groups(board: &Board, cells: &[Cell]) -> Vec<BTreeSet<Cell>> {
    let mut left: BTreeSet<Cell> = cells.iter().copied().collect();
    let mut groups = Vec::new();
    while let Some(first) = left.pop_first() {
        let mut group = BTreeSet::from([first]);
        let mut open = vec![first];
        while let Some(here) = open.pop() {
            for place in board.neighbours(here) {
                if left.remove(&place) {
                    group.insert(place);
                    open.push(place);
                }
            }
        }
        groups.push(group);
    }
    groups
}

/// Returns the groups than which none is larger.
pub(crate) fn largest(groups: Vec<BTreeSet<Cell>>) -> Vec<BTreeSet<Cell>> {
    let size = groups.iter().map(BTreeSet::len).max().unwrap_or(0);
    groups.into_iter().filter(|group| group.len() == size).collect()
}

/// Names a group by its cell of the lowest file, then lowest rank.
pub(crate) fn group_name(group: &BTreeSet<Cell>) -> String {
    let named = group.iter().min_by_key(|(file, rank)| (*file, *rank));
    name(*named.expect("a group has cells"))
}

/// Puts fish where many hops lead to and fro between the other cells of a part of the board.
pub(crate) fn weave(board: &mut Board, letters: &[char], rng: &mut ChaCha8Rng) {
    let (left, bottom) = (rng.random_range(0..4), rng.random_range(0..4));
    for file in 0..5 {
        for rank in 0..5 {
            let chance = [0.1, 0.35, 0.9][file % 2 + rank % 2];
            let letter = if rng.random_bool(chance) { *pick(rng, letters) } else { '.' };
            board.put((left + file, bottom + rank), letter);
        }
    }
    board.put((left, bottom), letters[0]);
}
