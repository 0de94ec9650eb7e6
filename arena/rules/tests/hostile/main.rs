//! Hostile texts: whatever is given for a position, a ply, an option's key or its value, nothing panics, what is taken
//! is taken to the letter, and what is refused is refused with a reason.
//!
//! The texts are `data/hostile.txt`, and as many again that are made from them. `cargo xtask fuzz` looks for more.

mod corpus;
mod readers;
