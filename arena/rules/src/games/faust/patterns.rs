//! Convention B: the pattern and its rotations.
//!
//! ```text
//! . B W .
//! B W B W
//! . B W .
//! ```
//!
//! Half a turn exchanges the colours, so a block of cells can hold one rotation at most: one 4x3 block or one
//! 3x4 block stands for one instance.

use crate::games::faust::grid::{Colour, Grid, files};
use crate::games::faust::ply::Block;

/// The files of the eight discs in each rank of a block four files wide, counted from its left.
const LYING: [u32; 3] = [0b0110, 0b1111, 0b0110];
/// The same in a block three files wide.
const STANDING: [u32; 4] = [0b010, 0b111, 0b111, 0b010];

/// Returns the files of the pattern's discs in each rank of a block, if it has the shape of one.
pub(super) const fn shape(block: Block) -> Option<&'static [u32]> {
    match (block.width(), block.height()) {
        (4, 3) => Some(&LYING),
        (3, 4) => Some(&STANDING),
        _ => None,
    }
}

impl Grid {
    /// Visits the blocks of all instances of the pattern.
    pub(super) fn patterns(&self, visit: &mut impl FnMut(Block)) {
        let size = self.size();
        for one in [Colour::Black, Colour::White] {
            let (a, b) = (self.ranks(one), self.ranks(one.other()));
            // Bit by bit: does the block whose lower left cell has this file hold the pattern?
            for rank in 0..size.saturating_sub(2) {
                let hits = (a[rank] >> 1 & b[rank] >> 2)
                    & (a[rank + 1] & b[rank + 1] >> 1 & a[rank + 1] >> 2 & b[rank + 1] >> 3)
                    & (a[rank + 2] >> 1 & b[rank + 2] >> 2);
                for file in files(hits) {
                    visit(Block::of(file, rank, 4, 3));
                }
            }
            for rank in 0..size.saturating_sub(3) {
                let hits = (a[rank] >> 1)
                    & (a[rank + 1] & b[rank + 1] >> 1 & a[rank + 1] >> 2)
                    & (b[rank + 2] & a[rank + 2] >> 1 & b[rank + 2] >> 2)
                    & (b[rank + 3] >> 1);
                for file in files(hits) {
                    visit(Block::of(file, rank, 3, 4));
                }
            }
        }
    }

    /// Returns whether the block, of the right shape, holds the pattern.
    pub(super) fn holds_pattern(&self, block: Block) -> bool {
        let mut found = false;
        self.patterns(&mut |other| found |= other == block);
        found
    }
}
