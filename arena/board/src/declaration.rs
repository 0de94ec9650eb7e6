//! Looks as JSON: what a game of one's own declares, and what `arena rules` tells of the built-in ones.

mod fields;
mod reader;
mod writer;

pub use fields::LookError;
pub use reader::read_look;
pub use writer::look_value;

#[cfg(test)]
mod tests;
