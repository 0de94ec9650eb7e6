//! The discs on the board.

use std::hash::{Hash, Hasher};

use crate::games::faust::ply::Block;

/// The largest number of files and ranks.
pub(super) const MAX_SIZE: usize = 19;

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

/// The discs of both colours: a mask of files for each rank.
#[derive(Clone)]
pub(super) struct Grid {
    ranks: [[u32; MAX_SIZE]; 2],
    counts: [u16; 2],
    size: u8,
}

impl Grid {
    pub(super) const fn empty(size: u8) -> Self {
        Self { ranks: [[0; MAX_SIZE]; 2], counts: [0; 2], size }
    }

    /// Returns the number of files and ranks.
    pub(super) const fn size(&self) -> usize {
        self.size as usize
    }

    /// Returns the mask of all files.
    pub(super) const fn all_files(&self) -> u32 {
        (1 << self.size) - 1
    }

    /// Returns the discs of a colour, for each rank.
    pub(super) fn ranks(&self, colour: Colour) -> &[u32] {
        &self.ranks[colour as usize][..self.size()]
    }

    /// Returns the number of discs of a colour.
    pub(super) const fn count(&self, colour: Colour) -> u16 {
        self.counts[colour as usize]
    }

    pub(super) const fn is_full(&self) -> bool {
        self.counts[0] + self.counts[1] == self.size as u16 * self.size as u16
    }

    /// Returns the colour of the disc on a cell.
    pub(super) fn at(&self, file: usize, rank: usize) -> Option<Colour> {
        [Colour::Black, Colour::White].into_iter().find(|colour| self.ranks(*colour)[rank] >> file & 1 == 1)
    }

    /// Puts a disc on an empty cell.
    pub(super) const fn place(&mut self, colour: Colour, file: usize, rank: usize) {
        self.ranks[colour as usize][rank] |= 1 << file;
        self.counts[colour as usize] += 1;
    }

    /// Turns the discs of the other colour to `colour`, where `shape` gives the files for each rank of `block`.
    pub(super) fn flip(&mut self, colour: Colour, block: Block, shape: impl Fn(usize) -> u32) {
        let (own, enemy) = (colour as usize, colour.other() as usize);
        let mut flipped = 0;
        for (row, rank) in (block.bottom()..=block.top()).enumerate() {
            let discs = self.ranks[enemy][rank] & shape(row);
            self.ranks[enemy][rank] ^= discs;
            self.ranks[own][rank] |= discs;
            flipped += discs.count_ones() as u16;
        }
        self.counts[enemy] -= flipped;
        self.counts[own] += flipped;
    }
}

impl PartialEq for Grid {
    fn eq(&self, other: &Self) -> bool {
        self.ranks == other.ranks
    }
}

impl Eq for Grid {}

impl Hash for Grid {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for (black, white) in self.ranks(Colour::Black).iter().zip(self.ranks(Colour::White)) {
            state.write_u64(u64::from(*black) << 32 | u64::from(*white));
        }
    }
}

/// Returns the files of a mask, from the left.
pub(super) fn files(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = mask.trailing_zeros() as usize;
        (mask != 0).then(|| {
            mask &= mask - 1;
            lowest
        })
    })
}
