//! The rules of each game as people read them, for browsers and for the terminal.
//!
//! The texts are the normative pages in `protocol-spec/games`, embedded. [`Rulebook`] keeps of a page what a player needs: the
//! introduction, how the game is played, its options, and how open points of the published rules are settled. What only the
//! author of a bot needs (position strings, test vectors, symmetries) stays on the page.
//!
//! This crate is pure, and knows no rules itself.

mod html;
mod pages;
mod text;

pub use html::DrawDiagram;
pub use pages::Rulebook;
