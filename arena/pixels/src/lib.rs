//! Boards as pixels: one position as PNG, a whole game as an animated GIF.
//!
//! Pictures come in as SVG made of shapes alone (`board::plain_picture`, `board::titled_picture`) and are drawn by [`resvg`]
//! in plain arithmetic, without typefaces, graphics cards or files of the machine: the same picture and size give the same
//! bytes. This crate knows no games and no files.
//!
//! ```
//! let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" fill="red"/></svg>"#;
//! let picture = pixels::png(svg, 64)?;
//! assert_eq!(picture[..8], *b"\x89PNG\r\n\x1a\n");
//! assert!(pixels::png("no picture", 64).is_err());
//! # Ok::<(), pixels::PixelError>(())
//! ```

mod animation;
mod error;
mod png;

pub use animation::{Pace, gif};
pub use error::PixelError;
pub use png::{SIZES, png};
