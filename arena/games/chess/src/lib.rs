//! Chess as a game of one's own: a program that answers the arena's questions about positions, format 2 of the
//! rules server, and what reads positions and moves as other programs write them.
//!
//! `cozy-chess` knows which moves are legal. What is decided here: how positions and plies are written, which results end a game, and
//! the notation of game logs.

mod answer;
mod foreign;
mod game;
mod notation;
mod position;
mod request;
mod serve;

pub use foreign::{plies_from_san, position_from_epd};
pub use serve::serve;
