//! Faust: discs are placed and captured in walled rectangles or by a pattern, until one colour is wiped out.
//!
//! The board is a set of cells for each colour (`grid`, `cell_set`). Operations on the whole board find rectangles
//! (`qualifying`) and patterns (`patterns`). Separate checks of the same conditions, one by one, give the reasons for refusing
//! a capture (`rectangles`, `reading`).

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
