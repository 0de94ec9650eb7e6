//! Boards as SVG: what a position of every game looks like, and what a ply did to it.
//!
//! A [`Drawing`] is what all positions of a game with its options have in common: the board, the places where a piece
//! can be shown, and the pieces. A [`Scene`] says which piece stands on which place of it, and [`Marks`] what a ply did;
//! what shows the end of a game comes from the rules ([`rules::End`]). So a page needs each board once and then only letters by place. [`picture()`] puts everything together into one
//! file that stands alone.
//!
//! Nothing here is read from a bot: pieces, names and colours are the crate's own, and a position string that does
//! not fit the game is refused. This crate is pure.
//!
//! ```
//! use board::{Drawing, Scene};
//!
//! let setup = rules::find("fanorona")?.setup(&[("size", "3x3")])?;
//! let drawing = Drawing::of(&setup).expect("every game of the arena can be drawn");
//! assert_eq!(drawing.cells(), 9);
//! let start = setup.referee(None)?.position();
//! let scene = Scene::of(&drawing, &start).expect("the position is one of the game");
//! assert!(!scene.letters().is_empty());
//! assert!(Scene::of(&drawing, "no position").is_none());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod background;
mod colours;
mod declaration;
mod drawing;
mod layout;
mod lettering;
mod marks;
mod picture;
mod pieces;
mod proofs;
mod scene;
mod titled;

pub use colours::stylesheet;
pub use declaration::{LookError, look_value, read_look};
pub use drawing::{Drawing, Piece};
pub use layout::PieceLocation;
pub use marks::Marks;
pub use picture::{Caption, Story, mark_symbols, picture, plain_picture};
pub use scene::Scene;
pub use titled::{Titles, titled_picture};

#[cfg(test)]
mod tests;
