//! Fanorona: stones move along lines and capture whole rows by approach or withdrawal, in chains.
//!
//! Points are bits of a `u64`, numbered as on every [`crate::Board`]. `chain` builds and checks a chain leg by leg, so the time
//! to read a ply depends on the ply alone, not on the number of chains in the position. [`crate::RefereedPosition`] handles
//! repetition.

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
