//! Traversals of a game's tree: perft, random games, long lines, and the counts of the benchmark.

pub(crate) mod benchmark;
mod digest;
pub(crate) mod line;
pub(crate) mod perft;
pub(crate) mod playout;
pub(crate) mod signature;
