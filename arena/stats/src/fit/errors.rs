//! How sure the figures of a fit are.

pub(crate) mod bootstrap;
pub(crate) mod certainty;
pub(crate) mod parameter;
pub(crate) mod sandwich;
pub(crate) mod spread;
