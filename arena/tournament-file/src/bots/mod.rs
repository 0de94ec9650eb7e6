//! The bots of a tournament: what is started, by which words it is addressed, what tells its versions apart.

pub(crate) mod building;
mod check;
pub(crate) mod dialect;
pub(crate) mod digest;
pub(crate) mod entries;
pub(crate) mod executable;
pub mod handover;
pub(crate) mod launcher;
pub(crate) mod program;
pub(crate) mod program_name;
pub(crate) mod submission;

pub(crate) use check::{Usual, check, check_one};
