//! Verdicts on strength beside ratings and the sequential test: over several games, at any time, of few events.

pub(crate) mod combine;
pub(crate) mod constant;
pub(crate) mod contrast;
pub(crate) mod fisher;
pub(crate) mod monitor;
pub(crate) mod strata;
