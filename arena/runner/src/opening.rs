//! The beginnings of games: the same for all bots in a round, and each opening once.

mod all;
mod book;
mod length;
mod line;
mod random;
mod source;

pub use book::{Book, BookError, BookErrorKind, Doubled};
pub use length::OpeningLength;
pub use line::Opening;
pub use source::{NoOpening, OpeningSource, Openings};
