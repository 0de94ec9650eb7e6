//! The grammar of the specification and the parser say the same of every line.

mod abnf;
mod agreement;
mod deviations;
