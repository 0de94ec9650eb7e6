//! Boards as pixels: one position as PNG, a whole game as an animated GIF.
//!
//! Pictures come in as SVG made of shapes alone (`board::plain_picture`, `board::titled_picture`) and are drawn by [`resvg`]
//! in plain arithmetic, without typefaces, graphics cards or files of the machine: the same picture and size give the same
//! bytes. This crate knows no games and no files.

mod animation;
mod error;
mod png;

pub use animation::{Pace, gif};
pub use error::PixelError;
pub use png::{SIZES, png};
