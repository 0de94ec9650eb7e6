//! Why pixels cannot be made.

use thiserror::Error;

/// Why pixels cannot be made of a picture. The pictures are our own, so this is an error of the arena.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PixelError {
    /// The picture is not the SVG that it should be.
    #[error("failed to read the picture: {0}")]
    Picture(String),
    /// No picture has a side of this many pixels.
    #[error("no picture has a side of {0} pixels")]
    Size(u32),
    /// Pixels cannot be written in the format of the file.
    #[error("failed to write pixels: {0}")]
    Encode(String),
    /// An animated picture has no frame.
    #[error("there is nothing to show")]
    Nothing,
}
