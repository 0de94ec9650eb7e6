//! The plies of Sophia and their spelling.

use std::fmt::{self, Write as _};

use super::SophiaOptions;
use super::geometry::{GRID, bit};

/// The side of a stone that is up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// White or yellow.
    Light,
    /// Black or blue.
    Dark,
}

/// One ply of Sophia. Cells are numbered as on a board of ten files, for every size: 0 is a1, 10 is a2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SophiaPly {
    /// Drops a stone from the hand.
    Drop {
        /// The side that is up.
        side: Side,
        /// The empty cell where it is dropped.
        cell: u8,
    },
    /// Steps or jumps, depending on the distance.
    Move {
        /// The cell of an own stone.
        from: u8,
        /// The empty cell to which it goes.
        to: u8,
    },
    /// Exchanges the sets and goals of the seats.
    Swap,
    /// Does nothing, because no other ply is legal.
    Pass,
}

impl SophiaPly {
    /// Reads a token that is spelled like a ply: `Lb2`, `Db2`, two cells such as `a1b1`, `swap` or `pass`. Two
    /// cells may be too far apart for any ply.
    pub(super) fn parse(token: &str, options: &SophiaOptions) -> Option<Self> {
        let board = options.board();
        let bit = |number| bit(number, options.size());
        let drop = |side, text| Some(Self::Drop { side, cell: bit(board.read_cell(text)?) });
        match token.as_bytes().first()? {
            b'L' => drop(Side::Light, &token[1..]),
            b'D' => drop(Side::Dark, &token[1..]),
            _ if token == "swap" => Some(Self::Swap),
            _ if token == "pass" => Some(Self::Pass),
            _ => {
                let (from, rest) = board.split_cell(token)?;
                Some(Self::Move { from: bit(from), to: bit(board.read_cell(rest)?) })
            }
        }
    }
}

impl fmt::Display for SophiaPly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cell = |bit: u8| GRID.cell(bit.into());
        match *self {
            Self::Drop { side, cell: to } => {
                f.write_char(if side == Side::Light { 'L' } else { 'D' })?;
                cell(to).fmt(f)
            }
            Self::Move { from, to } => {
                cell(from).fmt(f)?;
                cell(to).fmt(f)
            }
            Self::Swap => f.write_str("swap"),
            Self::Pass => f.write_str("pass"),
        }
    }
}
