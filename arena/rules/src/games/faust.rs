//! Faust: discs are placed and captured in walled rectangles or by a pattern, until one colour is wiped out.
//!
//! The board is a set of cells for each colour (`grid`, `cell_set`). Rectangles (`qualifying`) and patterns (`patterns`)
//! are found with operations on the whole board; the same conditions, told one by one, give the reasons for which a
//! capture is refused (`rectangles`, `reading`).

mod cell_set;
mod grid;
mod options;
mod patterns;
mod ply;
mod position;
mod qualifying;
mod reading;
mod rectangles;
#[cfg(test)]
mod tests;

pub use grid::Colour;
pub use options::{FaustOptions, Perimeter};
pub use ply::{Block, FaustPly};
pub use position::Faust;
