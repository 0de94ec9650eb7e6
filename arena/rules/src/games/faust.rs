//! Faust: discs are placed and captured in walled rectangles or by a pattern, until one colour is wiped out.
//!
//! The board is two masks of files for each rank (`grid`). Rectangles (`rectangles`) and patterns (`patterns`)
//! are found with operations on whole ranks; the same conditions, told one by one, give the reasons for which a
//! capture is refused (`reading`).

mod grid;
mod options;
mod patterns;
mod ply;
mod position;
mod reading;
mod rectangles;
#[cfg(test)]
mod tests;

pub use grid::Colour;
pub use options::{FaustOptions, Perimeter};
pub use ply::{Block, FaustPly};
pub use position::Faust;
