//! Verdicts on strength besides ratings and the sequential test: over several games, at any time, and from few events.

pub(crate) mod combine;
pub(crate) mod constant;
pub(crate) mod contrast;
pub(crate) mod fisher;
pub(crate) mod monitor;
pub(crate) mod strata;
