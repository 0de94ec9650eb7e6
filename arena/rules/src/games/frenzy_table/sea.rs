//! The boards of 2-Frenzy for more than two seats as sets of cells: neighbours, groups of fish, hops.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXorAssign, Not};

use crate::games::school;
use crate::{Board, Cell};

/// A set of cells: bit `n` is the cell with the number `n` (a1, b1, …).
pub trait CellSet:
    Copy
    + Eq
    + Hash
    + Debug
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
{
    /// The empty set.
    const NONE: Self;

    /// Returns the set of one cell.
    fn only(cell: u8) -> Self;

    /// Returns the cell with the lowest number.
    fn lowest(self) -> Option<u8>;

    /// Returns the number of cells.
    fn size(self) -> u32;

    /// Returns whether the set is not empty.
    fn has_any(self) -> bool {
        self != Self::NONE
    }

    /// Iterates over the cells, a1 first.
    fn cells(mut self) -> impl Iterator<Item = u8> {
        std::iter::from_fn(move || {
            let cell = self.lowest()?;
            self ^= Self::only(cell);
            Some(cell)
        })
    }
}

macro_rules! cell_set {
    ($($bits:ty)*) => {$(
        impl CellSet for $bits {
            const NONE: Self = 0;

            fn only(cell: u8) -> Self {
                1 << cell
            }

            fn lowest(self) -> Option<u8> {
                (self != 0).then(|| self.trailing_zeros() as u8)
            }

            fn size(self) -> u32 {
                self.count_ones()
            }
        }
    )*};
}

cell_set! { u64 u128 }

/// A board of 2-Frenzy for more than two seats.
pub trait Sea: Copy + Debug + Send + Sync + 'static {
    /// Its sets of cells.
    type Cells: CellSet;

    /// Its size.
    const BOARD: Board;
    /// All its cells.
    const ALL: Self::Cells;

    /// Returns the cells on which the seat with this number starts.
    fn home(seat: usize) -> Self::Cells;

    /// Returns the cells that are adjacent to at least one cell of the set.
    fn neighbours(set: Self::Cells) -> Self::Cells;

    /// Visits each of the `movers`, a subset of the `fish` of all seats, with the cells to which it can swim: by a step to an
    /// adjacent empty cell, or by a chain of hops.
    fn swims(movers: Self::Cells, fish: Self::Cells, empty: Self::Cells, visit: impl FnMut(u8, Self::Cells));

    /// Returns the name of a cell.
    #[must_use]
    fn named(cell: u8) -> Cell {
        Self::BOARD.cell(usize::from(cell))
    }

    /// Returns the group of fish that contains `seed`.
    #[must_use]
    fn group(fish: Self::Cells, seed: Self::Cells) -> Self::Cells {
        let mut group = seed;
        loop {
            let grown = (group | Self::neighbours(group)) & fish;
            if grown == group {
                return group;
            }
            group = grown;
        }
    }

    /// Iterates over the groups of fish.
    fn groups(mut fish: Self::Cells) -> impl Iterator<Item = Self::Cells> {
        std::iter::from_fn(move || {
            let group = Self::group(fish, Self::Cells::only(fish.lowest()?));
            fish &= !group;
            Some(group)
        })
    }

    /// Iterates over the largest groups.
    fn largest_groups(fish: Self::Cells) -> impl Iterator<Item = Self::Cells> {
        let size = Self::groups(fish).map(CellSet::size).max();
        Self::groups(fish).filter(move |group| Some(group.size()) == size)
    }

    /// Returns the only largest group; `None` if several are largest. Without fish it is the empty set.
    #[must_use]
    fn largest(fish: Self::Cells) -> Option<Self::Cells> {
        let Some(first) = Self::groups(fish).next() else { return Some(fish) };
        // Usually there is one group, which need not be counted.
        if first == fish {
            return Some(fish);
        }
        let mut largest = Self::largest_groups(fish);
        largest.next().filter(|_| largest.next().is_none())
    }

    /// Returns the cell that names a group: the lowest rank of its lowest file.
    #[must_use]
    fn name(group: Self::Cells) -> u8 {
        let place = |cell: &u8| (cell % Self::BOARD.files, *cell);
        group.cells().min_by_key(place).unwrap_or(0)
    }
}

/// The sea for four seats: 8x8, with a quadrant for each seat, clockwise from a1.
#[derive(Clone, Copy, Debug)]
pub struct Square;

impl Sea for Square {
    type Cells = u64;

    const BOARD: Board = school::BOARD;
    const ALL: u64 = u64::MAX;

    fn home(seat: usize) -> u64 {
        const QUADRANT: u64 = 0x0f0f_0f0f;
        [QUADRANT, QUADRANT << 32, QUADRANT << 36, QUADRANT << 4][seat % 4]
    }

    fn neighbours(set: u64) -> u64 {
        school::neighbours(set)
    }

    fn swims(movers: u64, fish: u64, empty: u64, mut visit: impl FnMut(u8, u64)) {
        let mut areas = school::Areas::new();
        let swims = school::Swims::of(movers, fish, empty, &mut areas);
        movers.cells().for_each(|from| visit(from, swims.targets(from)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::frenzy_table::ring::Ring;

    fn set<S: Sea>(names: &str) -> S::Cells {
        let cell = |name| S::BOARD.read_cell(name).expect("a cell") as u8;
        names.split_whitespace().fold(S::Cells::NONE, |set, name| set | S::Cells::only(cell(name)))
    }

    #[test]
    fn homes_share_out_the_board() {
        fn check<S: Sea>(seats: usize, size: u32) {
            let mut all = S::Cells::NONE;
            for seat in 0..seats {
                assert!(!(all & S::home(seat)).has_any());
                assert_eq!(S::home(seat).size(), size);
                all |= S::home(seat);
            }
            assert_eq!(all, S::ALL);
        }
        check::<Square>(4, 16);
        check::<Ring>(3, 24);
    }

    #[test]
    fn groups_of_the_ring_hang_together_over_the_seam() {
        let fish = set::<Ring>("a1 i2 h3 d8 d1");
        assert_eq!(Ring::largest(fish), Some(set::<Ring>("a1 i2 h3")));
        assert_eq!(Ring::name(set::<Ring>("a1 i2 h3")), 0);
        assert_eq!(Ring::largest(set::<Ring>("a8 i7 d1 d2")), None);
        assert_eq!(Square::largest(set::<Square>("a1 h1 h2")), Some(set::<Square>("h1 h2")));
        assert_eq!((Ring::largest(0), Square::largest(0)), (Some(0), Some(0)));
    }

    #[test]
    fn the_name_of_a_group_has_the_lowest_file_first() {
        assert_eq!(Square::named(Square::name(set::<Square>("b1 a3 a4"))).to_string(), "a3");
        assert_eq!(Ring::named(Ring::name(set::<Ring>("i1 h8"))).to_string(), "h8");
    }
}
