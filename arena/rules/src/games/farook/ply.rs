//! The plies of Farook and their spelling.

use std::fmt::{self, Write as _};

use super::geometry::{BOARD, JUMPS, Jump, NEIGHBOURS};

/// One ply of Farook. Cells are numbered from 0 (a1), along each rank, upwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FarookPly {
    /// Drops an own stone.
    Drop {
        /// The empty cell where it is dropped.
        cell: u8,
    },
    /// Drops a wild stone.
    DropWild {
        /// The empty cell where it is dropped.
        cell: u8,
    },
    /// Steps or jumps, depending on the distance.
    Move {
        /// The cell of an own or wild stone.
        from: u8,
        /// The empty cell to which it goes.
        to: u8,
    },
    /// Does nothing, because no other ply is legal.
    Pass,
}

impl FarookPly {
    /// Reads a token that is spelled like a ply: `c4`, `Wc4`, two cells such as `a2a1`, or `pass`. Two cells may
    /// be too far apart for any ply.
    pub(super) fn parse(token: &str) -> Option<Self> {
        if token == "pass" {
            return Some(Self::Pass);
        }
        if let Some(cell) = token.strip_prefix('W') {
            return Some(Self::DropWild { cell: BOARD.read_cell(cell)? as u8 });
        }
        let (first, rest) = BOARD.split_cell(token)?;
        if rest.is_empty() {
            return Some(Self::Drop { cell: first as u8 });
        }
        Some(Self::Move { from: first as u8, to: BOARD.read_cell(rest)? as u8 })
    }
}

impl fmt::Display for FarookPly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cell = |number: u8| BOARD.cell(number.into());
        match *self {
            Self::Drop { cell: to } => cell(to).fmt(f),
            Self::DropWild { cell: to } => {
                f.write_char('W')?;
                cell(to).fmt(f)
            }
            Self::Move { from, to } => {
                cell(from).fmt(f)?;
                cell(to).fmt(f)
            }
            Self::Pass => f.write_str("pass"),
        }
    }
}

/// How a stone moves from one cell to another.
#[derive(Clone, Copy)]
pub(super) enum Way {
    /// To an adjacent cell.
    Step,
    /// Over an adjacent cell to the one behind it.
    Jump(Jump),
}

impl Way {
    /// Returns the way from one cell to another, if there is one.
    pub(super) fn between(from: u8, to: u8) -> Option<Self> {
        if NEIGHBOURS[usize::from(from)] & 1 << to != 0 {
            return Some(Self::Step);
        }
        JUMPS[usize::from(from)].into_iter().find(|jump| jump.to == to).map(Self::Jump)
    }
}
