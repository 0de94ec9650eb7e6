//! Recorded games, refereed and timed once more.
//!
//! [`Source`] reads the games of a journal or a game log one at a time, and [`audit()`] plays one of them again: every ply, turn,
//! clock, adjudication and result. It returns the first [`Problem`], with what is recorded and what the rules say. Nothing in a
//! record is believed; a loss by a fault and a resignation cannot be refereed, and [`Audited`] tells so.
//!
//! Clocks and adjudication are arithmetic of this crate and not the runner's: a check that shares the code that it checks
//! would find nothing. No bot is started here, and nothing is printed.

mod adjudication;
mod audit;
mod clock;
mod recorded;
mod source;

pub use audit::{Audited, Problem, What, audit};
pub use recorded::Recorded;
pub use source::Source;
