//! The lexical level of the grammar: how a line is read as words, and what stands in one.

pub(crate) mod pair;
pub(crate) mod ply_token;
pub(crate) mod token;
pub(crate) mod words;
