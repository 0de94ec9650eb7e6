//! The uncertainty of the figures of a fit.

pub(crate) mod bootstrap;
pub(crate) mod certainty;
pub(crate) mod parameter;
pub(crate) mod sandwich;
pub(crate) mod spread;
