//! How far bots are confined: what is asked for, and what the system can hold them to.

pub(crate) mod confine;
pub(crate) mod sandbox;
