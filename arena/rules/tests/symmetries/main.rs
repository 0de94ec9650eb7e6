//! The symmetries that `protocol-spec/games/GAME.md` states, held against the rules.
//!
//! A symmetry changes position strings, and nothing here knows how the rules work: cells are mapped and letters
//! exchanged in the text alone. It is one if results, the positions after every ply, and the numbers of lines
//! go along with it.

mod law;
mod negatives;
mod positions;
mod symmetry;
