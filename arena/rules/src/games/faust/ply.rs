//! A ply of Faust.

use std::fmt::{self, Write as _};

use crate::Cell;

/// A block of cells, named by its lower left and its upper right one: `c3xe5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Block {
    /// The lower left cell.
    pub low: Cell,
    /// The upper right cell.
    pub high: Cell,
}

impl Block {
    /// Returns the block that begins at a cell, with this width in files and height in ranks.
    pub(super) const fn of(low: Cell, width: usize, height: usize) -> Self {
        Self { low, high: Cell { file: low.file + width as u8 - 1, rank: low.rank + height as u8 - 1 } }
    }

    pub(super) const fn left(self) -> usize {
        self.low.file as usize
    }

    pub(super) const fn right(self) -> usize {
        self.high.file as usize
    }

    pub(super) const fn bottom(self) -> usize {
        self.low.rank as usize
    }

    pub(super) const fn top(self) -> usize {
        self.high.rank as usize
    }

    /// Returns the number of files.
    pub(super) const fn width(self) -> usize {
        self.right() + 1 - self.left()
    }

    /// Returns the number of ranks.
    pub(super) const fn height(self) -> usize {
        self.top() + 1 - self.bottom()
    }

    /// Returns the mask of its files.
    pub(super) const fn files(self) -> u32 {
        ((1 << self.width()) - 1) << self.left()
    }
}

impl fmt::Display for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.low.fmt(f)?;
        f.write_char('x')?;
        self.high.fmt(f)
    }
}

/// A disc placed, a capture, the swap of colours or a forced pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaustPly {
    /// An own disc is placed on an empty cell.
    Place(Cell),
    /// A rectangle of enemy discs is flipped (convention A).
    Rectangle(Block),
    /// The enemy discs of a pattern in this block are flipped (convention B). The shape and the discs of the block determine
    /// which rotation of the pattern it is.
    Pattern(Block),
    /// The seats exchange colours.
    Swap,
    /// The seat has no other ply.
    Pass,
}

impl fmt::Display for FaustPly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Place(cell) => cell.fmt(f),
            Self::Rectangle(block) => block.fmt(f),
            Self::Pattern(block) => write!(f, "B{block}"),
            Self::Swap => f.write_str("swap"),
            Self::Pass => f.write_str("pass"),
        }
    }
}
