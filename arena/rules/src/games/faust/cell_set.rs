//! Sets of cells of a whole board: one operation works on all ranks at once.

use std::array::from_fn;
use std::ops::{BitAnd, BitOr, Not, Shl, Shr};

/// The bits of a word.
pub(super) const BITS: usize = u64::BITS as usize;

/// A set of cells: bit `rank * size + file` stands for a cell of a board with `size` files.
///
/// `WORDS` is the number of words that the size of the board needs: one for most boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CellSet<const WORDS: usize>(pub(super) [u64; WORDS]);

impl<const WORDS: usize> CellSet<WORDS> {
    pub(super) const ALL: Self = Self([u64::MAX; WORDS]);
    pub(super) const NONE: Self = Self([0; WORDS]);

    /// Returns the set whose bits are the first of `words`.
    pub(super) fn of(words: &[u64]) -> Self {
        Self(from_fn(|index| words[index]))
    }

    /// Returns the cells with numbers below `end`.
    pub(super) fn below(end: usize) -> Self {
        Self(from_fn(|index| match end.saturating_sub(index * BITS) {
            0 => 0,
            bits => u64::MAX >> (BITS - bits.min(BITS)),
        }))
    }

    pub(super) fn is_empty(self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    pub(super) fn has(self, cell: usize) -> bool {
        self.0[cell / BITS] >> (cell % BITS) & 1 != 0
    }

    /// Iterates over the numbers of the cells, the lowest first.
    pub(super) fn cells(self) -> impl Iterator<Item = usize> {
        let (mut index, mut word) = (0, self.0[0]);
        std::iter::from_fn(move || {
            while word == 0 {
                index += 1;
                word = *self.0.get(index)?;
            }
            let lowest = word.trailing_zeros() as usize;
            word &= word - 1;
            Some(index * BITS + lowest)
        })
    }
}

/// Returns the bits from `start` on.
pub(super) fn window(words: &[u64], start: usize) -> u32 {
    let (index, shift) = (start / BITS, start % BITS);
    let mut bits = words[index] >> shift;
    if let Some(next) = words.get(index + 1) {
        bits |= next << 1 << (BITS - 1 - shift);
    }
    bits as u32
}

/// Inverts the bits of `mask`, which begins at `start`.
pub(super) fn toggle(words: &mut [u64], start: usize, mask: u32) {
    let (index, shift) = (start / BITS, start % BITS);
    words[index] ^= u64::from(mask) << shift;
    if let Some(next) = words.get_mut(index + 1) {
        *next ^= u64::from(mask) >> 1 >> (BITS - 1 - shift);
    }
}

impl<const WORDS: usize> BitAnd for CellSet<WORDS> {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(from_fn(|index| self.0[index] & other.0[index]))
    }
}

impl<const WORDS: usize> BitOr for CellSet<WORDS> {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(from_fn(|index| self.0[index] | other.0[index]))
    }
}

impl<const WORDS: usize> Not for CellSet<WORDS> {
    type Output = Self;

    fn not(self) -> Self {
        Self(self.0.map(|word| !word))
    }
}

impl<const WORDS: usize> Shl<usize> for CellSet<WORDS> {
    type Output = Self;

    /// Moves each cell to a higher number. The distance is less than the bits of a word.
    fn shl(self, distance: usize) -> Self {
        Self(from_fn(|index| {
            let lower = index.checked_sub(1).map_or(0, |lower| self.0[lower]);
            self.0[index] << distance | lower >> 1 >> (BITS - 1 - distance)
        }))
    }
}

impl<const WORDS: usize> Shr<usize> for CellSet<WORDS> {
    type Output = Self;

    /// Moves each cell to a lower number. The distance is less than the bits of a word.
    fn shr(self, distance: usize) -> Self {
        Self(from_fn(|index| {
            let higher = self.0.get(index + 1).copied().unwrap_or(0);
            self.0[index] >> distance | higher << 1 << (BITS - 1 - distance)
        }))
    }
}
