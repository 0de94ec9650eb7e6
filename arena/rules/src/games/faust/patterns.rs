//! Convention B: the pattern and its rotations.
//!
//! ```text
//! . B W .
//! B W B W
//! . B W .
//! ```
//!
//! A rotation by 180° exchanges the colours, so a block of cells holds at most one rotation: one 4x3 block or one 3x4 block is
//! one instance.

use crate::games::faust::cell_set::CellSet;
use crate::games::faust::grid::{Colour, Grid, MAX_WORDS};
use crate::games::faust::ply::Block;

/// The files of the eight discs in each rank of a block four files wide, counted from its left.
const LYING: [u32; 3] = [0b0110, 0b1111, 0b0110];
/// The same in a block three files wide.
const STANDING: [u32; 4] = [0b010, 0b111, 0b111, 0b010];

/// Returns the files of the pattern's discs in each rank of a block, if the block has a suitable shape.
pub(super) const fn shape(block: Block) -> Option<&'static [u32]> {
    match (block.width(), block.height()) {
        (4, 3) => Some(&LYING),
        (3, 4) => Some(&STANDING),
        _ => None,
    }
}

impl Grid {
    /// Visits the blocks of all instances of the pattern.
    pub(super) fn patterns(&self, visit: &mut dyn FnMut(Block)) {
        match self.size() {
            // Shifts lose bits that leave a set, and these boards hold no pattern anyway.
            ..=3 => {}
            4..=8 => self.patterns_in::<1>(visit),
            9..=11 => self.patterns_in::<2>(visit),
            12..=13 => self.patterns_in::<3>(visit),
            14..=16 => self.patterns_in::<4>(visit),
            _ => self.patterns_in::<MAX_WORDS>(visit),
        }
    }

    fn patterns_in<const WORDS: usize>(&self, visit: &mut dyn FnMut(Block)) {
        let size = self.size();
        for one in [Colour::Black, Colour::White] {
            let (a, b) = (self.discs::<WORDS>(one), self.discs::<WORDS>(one.other()));
            let cell = |discs: CellSet<WORDS>, file: usize, rank: usize| discs >> (rank * size + file);
            // For each bit: whether the block with this lower left cell holds the pattern, if it fits on the board.
            let lying = (cell(a, 1, 0) & cell(b, 2, 0))
                & (cell(a, 0, 1) & cell(b, 1, 1) & cell(a, 2, 1) & cell(b, 3, 1))
                & (cell(a, 1, 2) & cell(b, 2, 2));
            let standing = cell(a, 1, 0)
                & (cell(a, 0, 1) & cell(b, 1, 1) & cell(a, 2, 1))
                & (cell(b, 0, 2) & cell(a, 1, 2) & cell(b, 2, 2))
                & cell(b, 1, 3);
            for (hits, width, height) in [(lying, 4, 3), (standing, 3, 4)] {
                for low in hits.cells().map(|number| self.cell(number)) {
                    if usize::from(low.file) + width <= size {
                        visit(Block::of(low, width, height));
                    }
                }
            }
        }
    }

    /// Returns whether the block, which has a suitable shape, holds the pattern.
    pub(super) fn holds_pattern(&self, block: Block) -> bool {
        let mut found = false;
        self.patterns(&mut |other| found |= other == block);
        found
    }
}
