//! This machine and this executable: speed, fitness, completions, pages.

pub(crate) mod bench;
pub(crate) mod completions;
pub(crate) mod confine;
pub(crate) mod doctor;
pub(crate) mod man;
pub(crate) mod schema;
