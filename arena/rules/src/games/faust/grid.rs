//! The discs on the board.

use std::hash::{Hash, Hasher};

use crate::Cell;
use crate::games::faust::cell_set::{BITS, CellSet, toggle, window};
use crate::games::faust::ply::Block;

/// The largest number of files and ranks.
pub(super) const MAX_SIZE: usize = 19;
/// The words of a set for the largest board.
pub(super) const MAX_WORDS: usize = (MAX_SIZE * MAX_SIZE).div_ceil(u64::BITS as usize);

const RECIPROCAL_BITS: usize = 16;
/// Factors that turn the division of a cell's number by the size of its board into a faster multiplication.
const RECIPROCALS: [usize; MAX_SIZE + 1] = {
    let mut table = [0; MAX_SIZE + 1];
    let mut size = 1;
    while size <= MAX_SIZE {
        table[size] = (1 << RECIPROCAL_BITS) / size + 1;
        size += 1;
    }
    table
};

/// A colour of discs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Colour {
    /// Black, who starts.
    Black,
    /// White.
    White,
}

impl Colour {
    /// Returns the colour on the back of a disc.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }

    /// Returns the letter in position strings.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Black => 'b',
            Self::White => 'w',
        }
    }
}

/// The discs of both colours, as sets of cells.
#[derive(Clone)]
pub(super) struct Grid {
    discs: [[u64; MAX_WORDS]; 2],
    counts: [u16; 2],
    size: u8,
}

impl Grid {
    pub(super) const fn empty(size: u8) -> Self {
        Self { discs: [[0; MAX_WORDS]; 2], counts: [0; 2], size }
    }

    /// Returns the number of files and ranks.
    pub(super) const fn size(&self) -> usize {
        self.size as usize
    }

    /// Returns the mask of all files.
    pub(super) const fn all_files(&self) -> u32 {
        (1 << self.size) - 1
    }

    /// Returns the discs of a colour. `WORDS` must be large enough for the board.
    pub(super) fn discs<const WORDS: usize>(&self, colour: Colour) -> CellSet<WORDS> {
        CellSet::of(&self.discs[colour as usize])
    }

    /// Returns the files of the discs of a colour on a rank.
    pub(super) fn rank(&self, colour: Colour, rank: usize) -> u32 {
        window(&self.discs[colour as usize], rank * self.size()) & self.all_files()
    }

    /// Returns the cell with a number.
    pub(super) fn cell(&self, number: usize) -> Cell {
        let rank = (number * RECIPROCALS[self.size()]) >> RECIPROCAL_BITS;
        Cell { file: (number - rank * self.size()) as u8, rank: rank as u8 }
    }

    /// Returns the empty cells, word by word.
    fn empty_words(&self) -> impl Iterator<Item = u64> {
        let board = CellSet::<MAX_WORDS>::below(self.size() * self.size());
        let discs = self.discs[0].iter().zip(&self.discs[1]).map(|(black, white)| black | white);
        board.0.into_iter().zip(discs).map(|(board, discs)| board & !discs)
    }

    /// Visits every empty cell, those of the first rank first.
    pub(super) fn empty_cells(&self, visit: &mut impl FnMut(Cell)) {
        for (start, mut empty) in (0..).step_by(BITS).zip(self.empty_words()) {
            while empty != 0 {
                visit(self.cell(start + empty.trailing_zeros() as usize));
                empty &= empty - 1;
            }
        }
    }

    /// Returns the empty cell with this index among all of them, from 0.
    pub(super) fn nth_empty_cell(&self, mut place: usize) -> Option<Cell> {
        for (start, mut empty) in (0..).step_by(BITS).zip(self.empty_words()) {
            let count = empty.count_ones() as usize;
            if place < count {
                (0..place).for_each(|_| empty &= empty - 1);
                return Some(self.cell(start + empty.trailing_zeros() as usize));
            }
            place -= count;
        }
        None
    }

    /// Returns the number of empty cells.
    pub(super) const fn empty_count(&self) -> usize {
        self.size() * self.size() - (self.counts[0] + self.counts[1]) as usize
    }

    /// Returns the number of discs of a colour.
    pub(super) const fn count(&self, colour: Colour) -> u16 {
        self.counts[colour as usize]
    }

    pub(super) const fn is_full(&self) -> bool {
        self.empty_count() == 0
    }

    /// Returns the colour of the disc on a cell.
    pub(super) fn at(&self, file: usize, rank: usize) -> Option<Colour> {
        [Colour::Black, Colour::White].into_iter().find(|colour| self.rank(*colour, rank) >> file & 1 == 1)
    }

    /// Puts a disc on an empty cell.
    pub(super) fn place(&mut self, colour: Colour, file: usize, rank: usize) {
        let cell = rank * self.size() + file;
        toggle(&mut self.discs[colour as usize], cell, 1);
        self.counts[colour as usize] += 1;
    }

    /// Flips the discs of the other colour to `colour`, where `shape` gives the files for each rank of `block`.
    pub(super) fn flip(&mut self, colour: Colour, block: Block, shape: impl Fn(usize) -> u32) {
        let mut flipped = 0;
        for (row, rank) in (block.bottom()..=block.top()).enumerate() {
            let discs = self.rank(colour.other(), rank) & shape(row);
            let start = rank * self.size();
            self.discs.iter_mut().for_each(|set| toggle(set, start, discs));
            flipped += discs.count_ones() as u16;
        }
        self.counts[colour.other() as usize] -= flipped;
        self.counts[colour as usize] += flipped;
    }
}

impl PartialEq for Grid {
    fn eq(&self, other: &Self) -> bool {
        self.discs == other.discs
    }
}

impl Eq for Grid {}

impl Hash for Grid {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for rank in 0..self.size() {
            let [black, white] = [Colour::Black, Colour::White].map(|colour| self.rank(colour, rank));
            state.write_u64(u64::from(black) << 32 | u64::from(white));
        }
    }
}

/// Returns the files of a mask, from the left.
pub(super) fn files(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = (mask != 0).then(|| mask.trailing_zeros() as usize)?;
        mask &= mask - 1;
        Some(lowest)
    })
}
