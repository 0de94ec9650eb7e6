//! Boards of every size in masks of 128 bits: a rank takes ten bits, of which at least the last stays empty, so
//! that no shift along an axis runs from one rank into another.

use crate::Board;

/// The bits of a rank.
const STRIDE: u8 = 10;

/// The board of all bits that are used: it names the cells of the boards of every size.
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

/// Returns whether `count` adjacent cells of the mask lie on one line of these directions.
pub(super) fn has_line(cells: u128, count: u8, directions: Directions) -> bool {
    let along = |axis: u8| {
        let mut starts = cells;
        for _ in 1..count {
            starts &= starts >> axis;
        }
        starts != 0
    };
    let [rank, file, rising, falling] = AXES;
    along(rank) || along(file) || directions == Directions::All && (along(rising) || along(falling))
}

/// Visits the lines of `count` adjacent cells of the mask in these directions.
pub(super) fn for_each_line(cells: u128, count: u8, directions: Directions, mut visit: impl FnMut(u128)) {
    let axes = match directions {
        Directions::All => &AXES[..],
        Directions::Orthogonal => &AXES[..2],
    };
    for axis in axes {
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

/// Stones that may all move by the same distance.
#[derive(Clone, Copy)]
pub(super) struct Movers {
    /// The cells of the stones.
    pub(super) stones: u128,
    /// What their moves add to the number of the cell.
    pub(super) distance: i8,
}

/// Returns the steps and jumps of the stones of `own` in these directions, where `taken` are the cells of all
/// stones and `empty` the others.
pub(super) fn moves(
    own: u128,
    taken: u128,
    empty: u128,
    directions: Directions,
) -> impl Iterator<Item = Movers> {
    let along = |axis: u8| {
        let distance = axis as i8;
        [
            Movers { stones: own & empty >> axis, distance },
            Movers { stones: own & empty << axis, distance: -distance },
            Movers { stones: own & (taken & empty >> axis) >> axis, distance: 2 * distance },
            Movers { stones: own & (taken & empty << axis) << axis, distance: -2 * distance },
        ]
    };
    let count = match directions {
        Directions::All => AXES.len(),
        Directions::Orthogonal => 2,
    };
    AXES.map(along).into_iter().take(count).flatten()
}

/// How a stone gets from one cell to another.
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
            // On nine files the way from one rank into another leads over the bit that stays empty.
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

/// Returns the bits of a mask, in order.
pub(super) fn each(mut mask: u128) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let bit = (mask != 0).then(|| mask.trailing_zeros() as u8)?;
        mask &= mask - 1;
        Some(bit)
    })
}
