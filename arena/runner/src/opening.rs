//! How games begin: the same for everybody in a round, each opening once.

mod all;
mod book;
mod judge;
mod line;
mod random;
mod source;

pub use book::{Book, BookError, BookFault, Doubled};
pub use judge::{Judge, JudgeError};
pub use line::Opening;
pub use source::{Length, NoOpening, OpeningSource, Openings};
