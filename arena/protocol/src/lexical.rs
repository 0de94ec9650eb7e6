//! The lexical level of the grammar: how a line splits into words, and what a word may contain.

pub(crate) mod pair;
pub(crate) mod ply_token;
pub(crate) mod token;
pub(crate) mod words;
