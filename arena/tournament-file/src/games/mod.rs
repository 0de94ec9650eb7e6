//! The games of a tournament: their rules and openings, who meets whom, and when they end.

pub(crate) mod adjudicate;
pub mod book;
mod check;
pub(crate) mod openings;
pub(crate) mod own_rules;
pub(crate) mod pairing;
pub(crate) mod sprt;
pub(crate) mod tables;

pub(crate) use check::{Usual, check, text_pairs};
