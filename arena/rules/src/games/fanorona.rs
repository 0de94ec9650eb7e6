//! Fanorona: stones move along lines and capture whole rows by approach or withdrawal, in chains.
//!
//! Points are bits of a `u64`, numbered as on every [`crate::Board`]. A chain is built and checked leg by leg
//! (`chain`), so that reading a ply costs what the ply costs, however many chains a position has. Repetition
//! is not judged here but by [`crate::RefereedPosition`].

mod chain;
mod lines;
mod options;
mod ply;
mod position;
mod reading;
#[cfg(test)]
mod tests;

pub use options::FanoronaOptions;
pub use ply::FanoronaPly;
pub use position::Fanorona;
