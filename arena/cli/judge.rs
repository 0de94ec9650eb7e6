//! Judging: who is stronger, what changed, and whether records hold.

pub(crate) mod compare;
pub(crate) mod hypotheses;
pub(crate) mod rate;
pub(crate) mod replay;
pub(crate) mod simulate;
pub(crate) mod sprt;
pub(crate) mod verify;
