//! Boards of every size in masks of 128 bits. A rank has ten bits, of which at least the last stays empty, so that no shift
//! along an axis moves a cell into another rank.

use std::ops::{BitAnd, BitOr, Shl, Shr};

use crate::Board;

/// The bits of a rank.
const STRIDE: u8 = 10;

/// The board of all used bits, which names the cells of boards of every size.
pub(super) const GRID: Board = Board::new(STRIDE, 9);

/// The distances between neighbours along a rank, a file and the two diagonals.
const AXES: [u8; 4] = [1, STRIDE, STRIDE + 1, STRIDE - 1];

/// The directions of moves or of lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Directions {
    /// Ranks, files and diagonals.
    #[default]
    All,
    /// Ranks and files.
    Orthogonal,
}

impl Directions {
    /// Returns the value of an option that means these directions.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Orthogonal => "orthogonal",
        }
    }

    /// Returns the distances between neighbours in these directions.
    const fn axes(self) -> &'static [u8] {
        match self {
            Self::All => &AXES,
            Self::Orthogonal => &[1, STRIDE],
        }
    }
}

/// The cells of the boards of every size.
const BOARDS: [u128; 10] = boards();

const fn boards() -> [u128; 10] {
    let mut boards = [0; 10];
    let mut size = 0;
    while size < boards.len() {
        let mut rank = 0;
        while rank < size {
            boards[size] |= ((1 << size) - 1) << (rank * STRIDE as usize);
            rank += 1;
        }
        size += 1;
    }
    boards
}

/// Returns the cells of the board of this size.
pub(super) const fn board(size: u8) -> u128 {
    BOARDS[size as usize]
}

/// Returns the bit of a cell that has this number on the board of this size.
pub(super) const fn bit(number: usize, size: u8) -> u8 {
    let cell = Board::new(size, size).cell(number);
    cell.rank * STRIDE + cell.file
}

/// A mask of cells: 128 bits hold every board, 64 bits those of up to [`MOST_SMALL`] files and are faster.
pub(super) trait Cells:
    Copy
    + PartialEq
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Shl<u8, Output = Self>
    + Shr<u8, Output = Self>
    + Into<u128>
{
    /// No cell.
    const NONE: Self;

    /// Returns the mask of these cells, which must fit.
    fn of(cells: u128) -> Self;

    /// Returns the mask of one cell, `count` times: 1, or 0 for no cell.
    fn repeat(count: u8, cell: u8) -> Self;

    /// Returns whether the cell is in the mask, as 1 or 0.
    fn has(self, cell: u8) -> u8;

    /// Returns the number of the first cell and the cells after it, unless there is none.
    fn split_first(self) -> Option<(u8, Self)>;
}

/// The largest size of boards whose masks fit into 64 bits.
pub(super) const MOST_SMALL: u8 = 6;

macro_rules! cells {
    ($($mask:ty)*) => {$(
        impl Cells for $mask {
            const NONE: Self = 0;

            fn of(cells: u128) -> Self {
                cells as $mask
            }

            fn repeat(count: u8, cell: u8) -> Self {
                <$mask>::from(count) << cell
            }

            fn has(self, cell: u8) -> u8 {
                (self >> cell) as u8 & 1
            }

            fn split_first(self) -> Option<(u8, Self)> {
                (self != 0).then(|| (self.trailing_zeros() as u8, self & (self - 1)))
            }
        }
    )*};
}

cells! { u64 u128 }

/// Returns whether `count` adjacent cells of the mask form a line in one of these directions.
pub(super) fn has_line<C: Cells>(cells: C, count: u8, directions: Directions) -> bool {
    let along = |axis: u8| match count {
        // The default length, without a loop.
        4 => {
            let pairs = cells & cells >> axis;
            pairs & pairs >> (2 * axis)
        }
        _ => (1..count).fold(cells, |starts, _| starts & starts >> axis),
    };
    let [rank, file, rising, falling] = AXES;
    let straight = along(rank) | along(file);
    let found = match directions {
        Directions::All => straight | along(rising) | along(falling),
        Directions::Orthogonal => straight,
    };
    found != C::NONE
}

/// Visits the lines of `count` adjacent cells of the mask in these directions.
pub(super) fn for_each_line(cells: u128, count: u8, directions: Directions, mut visit: impl FnMut(u128)) {
    for axis in directions.axes() {
        let mut starts = cells;
        let mut line = 1;
        for _ in 1..count {
            starts &= starts >> axis;
            line = line << axis | 1;
        }
        while starts != 0 {
            visit(line << starts.trailing_zeros());
            starts &= starts - 1;
        }
    }
}

/// Visits the lines of at least `count` adjacent cells of the mask that cannot be extended within it, each from one end to the
/// other.
pub(super) fn for_each_whole_line(
    cells: u128,
    count: u8,
    directions: Directions,
    mut visit: impl FnMut(&[u8]),
) {
    for axis in directions.axes() {
        let starts = (1..count).fold(cells, |starts, _| starts & starts >> axis);
        for_each(starts & !(cells << axis), |start| {
            let along = (start..).step_by(usize::from(*axis));
            let line: Vec<_> = along.take_while(|cell| cells >> cell & 1 != 0).collect();
            visit(&line);
        });
    }
}

/// The change of a cell's number by a move: a step and a jump in both directions of each axis.
const DISTANCES: [i8; 4 * AXES.len()] = {
    let mut all = [0; 4 * AXES.len()];
    let mut index = 0;
    while index < all.len() {
        let axis = AXES[index / 4] as i8;
        all[index] = [axis, -axis, 2 * axis, -2 * axis][index % 4];
        index += 1;
    }
    all
};

/// Visits the steps and jumps of the stones of `own` in these directions: the cell of the stone and the change of its number.
/// `taken` are the cells of all stones, `empty` the others.
pub(super) fn for_each_move<C: Cells>(
    own: C,
    taken: C,
    empty: C,
    directions: Directions,
    visit: &mut impl FnMut(u8, i8),
) {
    let mut movers = [C::NONE; DISTANCES.len()];
    for (of_axis, axis) in movers.chunks_exact_mut(4).zip(AXES) {
        let (up, down) = (empty >> axis, empty << axis);
        of_axis[0] = own & up;
        of_axis[1] = own & down;
        of_axis[2] = own & (taken & up) >> axis;
        of_axis[3] = own & (taken & down) << axis;
    }
    let count = match directions {
        Directions::All => movers.len(),
        Directions::Orthogonal => movers.len() / 2,
    };
    // Most directions have no movers. Collecting the others first saves unpredictable branches.
    let found = movers.iter().enumerate().map(|(index, stones)| u32::from(*stones != C::NONE) << index);
    let mut found = found.fold(0, BitOr::bitor) & ((1 << count) - 1);
    while found != 0 {
        let index = found.trailing_zeros() as usize;
        let (mut stones, distance) = (movers[index], DISTANCES[index]);
        found &= found - 1;
        while let Some((from, rest)) = stones.split_first() {
            visit(from, distance);
            stones = rest;
        }
    }
}

/// How a stone moves from one cell to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// To an adjacent cell.
    Step,
    /// Over the cell in the middle.
    Jump {
        /// The bit of the cell in the middle.
        over: u8,
    },
}

impl Way {
    /// Returns the way between two cells of a board, if there is one.
    pub(super) const fn between(from: u8, to: u8) -> Option<Self> {
        const RISING: u8 = STRIDE + 1;
        const FALLING: u8 = STRIDE - 1;
        const TWO_FILES: u8 = 2 * STRIDE;
        const TWO_RISING: u8 = 2 * RISING;
        const TWO_FALLING: u8 = 2 * FALLING;
        let over = from.midpoint(to);
        match from.abs_diff(to) {
            1 | STRIDE | RISING | FALLING => Some(Self::Step),
            // On nine files a move from one rank into another passes the bit that stays empty.
            2 | TWO_FILES | TWO_RISING | TWO_FALLING if over % STRIDE < STRIDE - 1 => {
                Some(Self::Jump { over })
            }
            _ => None,
        }
    }
}

/// Returns whether two cells differ in file and rank.
pub(super) fn is_diagonal(from: u8, to: u8) -> bool {
    let (from, to) = (GRID.cell(from.into()), GRID.cell(to.into()));
    from.file != to.file && from.rank != to.rank
}

/// Returns whether a legal ply is a jump and not a step, as 0 or 1.
pub(super) const fn jumps(from: u8, to: u8) -> u8 {
    const DISTANCES: u64 = 1 << 2 | 1 << (2 * STRIDE) | 1 << (2 * STRIDE + 2) | 1 << (2 * STRIDE - 2);
    (DISTANCES >> (from.abs_diff(to) % 64)) as u8 & 1
}

/// Visits the numbers of the cells of a mask, in order.
pub(super) fn for_each<C: Cells>(mut cells: C, mut visit: impl FnMut(u8)) {
    while let Some((cell, rest)) = cells.split_first() {
        visit(cell);
        cells = rest;
    }
}
