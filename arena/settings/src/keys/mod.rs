//! The keys of a tournament file and of an entry's file, in the order in which they are explained.

mod adjudicate;
mod bots;
mod confinement;
mod games;
mod openings;
mod pairing;
mod sprt;
mod table;
mod tournament;

pub(crate) use games::TC_SYNONYMS;
pub use table::tables;
pub use tournament::{ENTRY, Form, TOURNAMENT, missing};
