//! What stands before the ratings: the answer of the run, and the table of its format.

pub(crate) mod answer;
mod bracket;
pub(crate) mod format_section;
