//! Walking the tree of a game: perft, random games, long lines, and what benchmarks count in it.

pub(crate) mod benchmark;
mod digest;
pub(crate) mod line;
pub(crate) mod perft;
pub(crate) mod playout;
pub(crate) mod signature;
