//! Arithmetic independent of games: matrices, probability laws, roots.

pub(crate) mod inverse;
pub(crate) mod law;
pub(crate) mod matrix;
pub(crate) mod normal;
pub(crate) mod root;
