//! A ply of Fanorona: a plain step or a whole chain of captures.

use std::fmt::{self, Write as _};

use crate::Board;
use crate::games::fanorona::lines::DIRECTIONS;

/// Which stones a leg of a chain removes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Capture {
    /// The stones beyond the target point.
    Approach,
    /// The stones behind the starting point.
    Withdrawal,
}

impl Capture {
    pub(super) const fn sign(self) -> char {
        match self {
            Self::Approach => '+',
            Self::Withdrawal => '-',
        }
    }
}

/// One leg of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Leg {
    pub(super) direction: usize,
    pub(super) capture: Capture,
}

/// The legs of a chain, four bits each. A chain visits a point at most once, so there are fewer than 64.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
struct Legs {
    /// The first 16 legs, stored separately because few chains have more.
    head: u64,
    tail: [u64; 3],
    count: u8,
}

impl Legs {
    const PER_WORD: u8 = 16;

    fn push(&mut self, leg: Leg) {
        let code = leg.direction as u64 | (leg.capture as u64) << 3;
        let code = code << (self.count % Self::PER_WORD * 4);
        if self.count < Self::PER_WORD {
            self.head |= code;
        } else {
            self.tail[usize::from(self.count / Self::PER_WORD) - 1] |= code;
        }
        self.count += 1;
    }

    fn get(&self, index: u8) -> Leg {
        let word = match index / Self::PER_WORD {
            0 => self.head,
            word => self.tail[usize::from(word) - 1],
        };
        let code = word >> (index % Self::PER_WORD * 4);
        let capture = if code & 8 == 0 { Capture::Approach } else { Capture::Withdrawal };
        Leg { direction: (code & 7) as usize, capture }
    }
}

/// A plain step or a whole chain of captures. It holds the stones that it removes, so playing it is cheap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FanoronaPly {
    captured: u64,
    legs: Legs,
    from: u8,
    to: u8,
    files: u8,
}

impl FanoronaPly {
    /// Returns the ply that leaves a stone in place, from which all others are built.
    pub(super) fn stay(board: Board, from: usize) -> Self {
        Self { captured: 0, legs: Legs::default(), from: from as u8, to: from as u8, files: board.files }
    }

    /// Returns the plain step between two neighbours.
    pub(super) fn plain(board: Board, from: usize, to: usize) -> Self {
        Self { to: to as u8, ..Self::stay(board, from) }
    }

    /// Returns this ply with one more leg, which ends at `to` and removes `captured`.
    pub(super) fn then(mut self, leg: Leg, to: usize, captured: u64) -> Self {
        self.legs.push(leg);
        self.captured |= captured;
        self.to = to as u8;
        self
    }

    /// Returns the starting and the final point of the stone.
    pub(super) const fn moved(&self) -> u64 {
        1 << self.from ^ 1 << self.to
    }

    /// Returns the removed stones, as a mask of cell numbers.
    #[must_use]
    pub const fn captured(&self) -> u64 {
        self.captured
    }

    /// Returns the number of the cell from which the stone starts.
    #[must_use]
    pub const fn from(&self) -> usize {
        self.from as usize
    }

    /// Returns the number of the cell on which the stone ends.
    #[must_use]
    pub const fn to(&self) -> usize {
        self.to as usize
    }

    /// Returns whether the ply removes stones.
    #[must_use]
    pub const fn is_capture(&self) -> bool {
        self.captured != 0
    }

    pub(super) fn legs(&self) -> impl Iterator<Item = Leg> {
        (0..self.legs.count).map(|index| self.legs.get(index))
    }
}

impl fmt::Display for FanoronaPly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Names do not depend on the number of ranks.
        let board = Board::new(self.files, 1);
        let mut cell = board.cell(self.from());
        cell.fmt(f)?;
        if !self.is_capture() {
            return board.cell(self.to()).fmt(f);
        }
        for leg in self.legs() {
            let (right, up) = DIRECTIONS[leg.direction];
            cell.file = cell.file.wrapping_add_signed(right);
            cell.rank = cell.rank.wrapping_add_signed(up);
            cell.fmt(f)?;
            f.write_char(leg.capture.sign())?;
        }
        Ok(())
    }
}
