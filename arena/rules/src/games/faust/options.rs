//! The options of Faust.

use crate::games::faust::grid::MAX_SIZE;
use crate::options::CAP;
use crate::{Board, Given, OptionError, OptionSpec, Options, Values};

/// How the walls of a rectangle are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Perimeter {
    /// By their cells.
    Cells,
    /// By their number.
    Walls,
}

/// The size of the board, the swap, the measure of walls and the cap on plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaustOptions {
    size: u8,
    has_swap: bool,
    perimeter: Perimeter,
    max_moves: u32,
}

impl FaustOptions {
    fn of_size(size: u8) -> Self {
        let max_moves = 6 * u32::from(size) * u32::from(size);
        Self { size, has_swap: true, perimeter: Perimeter::Cells, max_moves }
    }

    /// Returns the board.
    #[must_use]
    pub const fn board(&self) -> Board {
        Board::new(self.size, self.size)
    }

    /// Returns whether `p2` may swap the colours instead of its first disc.
    #[must_use]
    pub const fn has_swap(&self) -> bool {
        self.has_swap
    }

    /// Returns how walls are compared.
    #[must_use]
    pub const fn perimeter(&self) -> Perimeter {
        self.perimeter
    }

    /// Returns the number of plies that draws the game.
    #[must_use]
    pub const fn max_moves(&self) -> u32 {
        self.max_moves
    }
}

impl Default for FaustOptions {
    fn default() -> Self {
        Self::of_size(8)
    }
}

impl Options for FaustOptions {
    const SPECS: &'static [OptionSpec] = &[
        OptionSpec {
            name: "size",
            default: "8",
            values: Values::Range(2, MAX_SIZE as u32),
            about: "files and ranks of the board",
        },
        OptionSpec {
            name: "swap",
            default: "on",
            values: Values::Words(&["on", "off"]),
            about: "whether p2 may swap the colours as its first ply",
        },
        OptionSpec {
            name: "perimeter",
            default: "cells",
            values: Values::Words(&["cells", "walls"]),
            about: "whether the cells or the number of walls decide whose rectangle it is",
        },
        OptionSpec {
            name: "max-moves",
            default: "6 for each cell of the board",
            values: CAP,
            about: "plies that make a draw",
        },
    ];

    fn take(given: &Given<'_>) -> Result<Self, OptionError> {
        let plain = given.number("size").map_or_else(Self::default, |size| Self::of_size(size as u8));
        Ok(Self {
            size: plain.size,
            has_swap: given.text("swap") != Some("off"),
            perimeter: match given.text("perimeter") {
                Some("walls") => Perimeter::Walls,
                _ => Perimeter::Cells,
            },
            max_moves: given.number("max-moves").unwrap_or(plain.max_moves),
        })
    }

    fn value(&self, index: usize) -> String {
        match index {
            0 => self.size.to_string(),
            1 => if self.has_swap { "on" } else { "off" }.to_owned(),
            2 => match self.perimeter {
                Perimeter::Cells => "cells",
                Perimeter::Walls => "walls",
            }
            .to_owned(),
            _ => self.max_moves.to_string(),
        }
    }
}
