//! Writing bots: kits, checks, and the bots of the arena itself.

pub(crate) mod built_in;
pub(crate) mod check;
pub(crate) mod check_game;
pub(crate) mod new;
pub(crate) mod repro;
pub(crate) mod wrap;
