//! The 8x8 board of Frenzy and 2-Frenzy as sets of cells: neighbours, groups of fish, hops.
//!
//! A set of cells is a `u64` whose bit `n` is the cell with the number `n` (a1, b1, … h8). This module does not know who owns
//! the animals or whose turn it is.

mod moves;
pub(crate) mod ply;
mod swims;

pub(crate) use moves::Moves;
pub(crate) use swims::{Areas, Swims};

use crate::{Board, Cell};

/// The board of both games.
pub(crate) const BOARD: Board = Board::new(8, 8);

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;
const FILES_AB: u64 = FILE_A | FILE_A << 1;
const FILES_GH: u64 = FILE_H | FILE_H >> 1;

/// Returns the set of one cell.
pub(crate) const fn only(cell: u8) -> u64 {
    1 << cell
}

/// Returns the name of a cell.
pub(crate) const fn named(cell: u8) -> Cell {
    BOARD.cell(cell as usize)
}

/// Iterates over the cells of a set, a1 first.
pub(crate) fn cells(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let cell = (set != 0).then(|| set.trailing_zeros() as u8)?;
        set &= set - 1;
        Some(cell)
    })
}

/// The cells adjacent to each cell.
const NEIGHBOURS: [u64; BOARD.cells()] = {
    let mut table = [0; BOARD.cells()];
    let mut cell = 0;
    while cell < table.len() {
        table[cell] = neighbours(only(cell as u8));
        cell += 1;
    }
    table
};

/// Returns the cells that are adjacent to a cell.
pub(crate) const fn neighbours_of(cell: u8) -> u64 {
    NEIGHBOURS[cell as usize % NEIGHBOURS.len()]
}

/// Returns the cells that are adjacent to at least one cell of the set, in any of 8 directions.
pub(crate) const fn neighbours(set: u64) -> u64 {
    let sides = (set & !FILE_H) << 1 | (set & !FILE_A) >> 1;
    let row = set | sides;
    sides | row << 8 | row >> 8
}

/// Returns the empty cells whose 8 neighbours are all occupied. Cells on the edge do not have 8.
pub(crate) const fn enclosed(empty: u64) -> u64 {
    const INNER: u64 = 0x007e_7e7e_7e7e_7e00;
    empty & INNER & !neighbours(empty)
}

/// Returns the group of fish that contains `seed`.
pub(crate) const fn group(fish: u64, seed: u64) -> u64 {
    let mut group = seed;
    loop {
        let grown = (group | neighbours(group)) & fish;
        if grown == group {
            return group;
        }
        group = grown;
    }
}

/// Returns whether `fish` certainly form one group, given that they formed one with another fish on `left`. It only examines
/// the neighbours of that cell: `false` means that the caller must examine the whole board.
pub(crate) const fn stay_whole(fish: u64, left: u8) -> bool {
    // Moving the cell to b2 puts its neighbours into the lower left corner, which needs nine bits.
    const CENTRE: u8 = 9;
    let ring = (fish & neighbours_of(left)).rotate_right(left as u32 + 64 - CENTRE as u32);
    let index = ring & 0x7 | ring >> 5 & 0x38 | ring >> 10 & 0x1c0;
    WHOLE_RINGS[index as usize / 64] >> (index % 64) & 1 != 0
}

/// Which sets of neighbours of a cell form one group or are empty: a bit for each set of cells of a 3x3 block.
const WHOLE_RINGS: [u64; 8] = {
    let mut table = [0; 8];
    let mut index = 0;
    while index < 512 {
        let ring = index & 0x7 | (index & 0x38) << 5 | (index & 0x1c0) << 10;
        if group(ring, ring & ring.wrapping_neg()) == ring {
            table[index as usize / 64] |= 1 << (index % 64);
        }
        index += 1;
    }
    table
};

/// Returns whether `fish` certainly form one group, given that they formed one before a fish swam from `from` to `to`.
pub(crate) const fn stay_whole_by_swim(fish: u64, from: u8, to: u8) -> bool {
    let others = fish & !only(to);
    stay_whole(others, from) && (neighbours_of(to) & others != 0 || others == 0)
}

fn groups(mut fish: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let next = (fish != 0).then(|| group(fish, fish & fish.wrapping_neg()))?;
        fish &= !next;
        Some(next)
    })
}

/// Returns the only largest group; `None` if several are largest. Without fish it is the empty set.
pub(crate) fn largest(fish: u64) -> Option<u64> {
    let mut best = 0;
    let mut size = 0;
    let mut is_tied = false;
    let mut rest = fish;
    while rest != 0 {
        let next = group(fish, rest & rest.wrapping_neg());
        rest &= !next;
        // Usually there is one group, which need not be counted.
        if next == fish {
            return Some(fish);
        }
        let count = next.count_ones();
        is_tied = count == size || (is_tied && count < size);
        if count > size {
            (best, size) = (next, count);
        }
    }
    if is_tied { None } else { Some(best) }
}

/// Iterates over the largest groups.
pub(crate) fn largest_groups(fish: u64) -> impl Iterator<Item = u64> {
    let size = groups(fish).map(u64::count_ones).max();
    groups(fish).filter(move |group| Some(group.count_ones()) == size)
}

/// Returns the cell that names a group: the lowest rank of its lowest file.
pub(crate) fn name(group: u64) -> u8 {
    (0..8).map(|file| group & FILE_A << file).find(|column| *column != 0).map_or(0, u64::trailing_zeros) as u8
}

#[cfg(test)]
mod tests {
    use rand::rngs::ChaCha8Rng;
    use rand::{Rng, SeedableRng};

    use super::*;

    fn set(names: &str) -> u64 {
        let cell = |name| BOARD.read_cell(name).expect("a cell");
        names.split_whitespace().map(|name| 1_u64 << cell(name)).sum()
    }

    #[test]
    fn the_name_of_a_group_has_the_lowest_file_first() {
        assert_eq!(name(set("b1 a3 a4")), 16);
        assert_eq!(name(set("h8")), 63);
    }

    #[test]
    fn the_largest_group_is_alone_or_tied() {
        assert_eq!(largest(0), Some(0));
        assert_eq!(largest(set("a1 b2 d1")), Some(set("a1 b2")));
        assert_eq!(largest(set("a1 c1 e1 e2")), Some(set("e1 e2")));
        assert_eq!(largest(set("a1 a2 c1 e1 e2")), None);
        assert_eq!(largest(set("h1 a2")), None);
        let tied: Vec<_> = largest_groups(set("a1 a2 c1 e1 e2")).collect();
        assert_eq!(tied, [set("a1 a2"), set("e1 e2")]);
    }

    #[test]
    fn what_stays_whole_is_whole() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let (mut whole, mut unknown) = (0, 0);
        for _ in 0..3000 {
            let fish = rng.next_u64() & rng.next_u64();
            let Some(school) = largest(fish) else { continue };
            for from in cells(school) {
                let rest = school & !only(from);
                let is_whole = largest(rest) == Some(rest);
                assert!(is_whole || !stay_whole(rest, from), "{school:#x} {from}");
                whole += u32::from(stay_whole(rest, from));
                unknown += u32::from(!stay_whole(rest, from) && is_whole);
                for to in cells(!school) {
                    let next = rest | only(to);
                    assert!(!stay_whole_by_swim(next, from, to) || largest(next) == Some(next));
                }
            }
        }
        assert!(whole > unknown, "{whole} {unknown}");
    }

    #[test]
    fn only_inner_cells_are_enclosed() {
        assert_eq!(enclosed(set("a1 c3 e5 f6 h8")), set("c3"));
        assert_eq!(enclosed(set("b2 g7 d1")), set("b2 g7"));
    }
}
