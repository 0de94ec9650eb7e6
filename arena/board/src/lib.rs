//! Boards as SVG: what a position of every game looks like, and what a ply did to it.
//!
//! A [`Drawing`] is what all positions of a game with its options have in common: the board, the places where a piece
//! can be shown, and the pieces. A [`Scene`] says which piece stands on which place of it, and [`Marks`] what a ply did;
//! what shows the end of a game comes from the rules ([`rules::End`]). So a page needs each board once and then only letters by place. [`picture()`] puts everything together into one
//! file that stands alone.
//!
//! Nothing here is read from a bot: pieces, names and colours are the crate's own, and a position string that does
//! not fit the game is refused. This crate is pure.

mod background;
mod colours;
mod drawing;
mod layout;
mod lettering;
mod looks;
mod marks;
mod picture;
mod pieces;
mod proofs;
mod scene;

pub use colours::stylesheet;
pub use drawing::Drawing;
pub use layout::Place;
pub use looks::Piece;
pub use marks::Marks;
pub use picture::{Caption, Story, mark_symbols, picture, plain_picture};
pub use scene::Scene;

#[cfg(test)]
mod tests;
