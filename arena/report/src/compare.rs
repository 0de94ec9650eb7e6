//! Did anything change between two runs with the same bots?
//!
//! A [`Comparer`] reads the lines of two journals, one at a time. [`Comparer::comparison`] returns the differences as text,
//! CSV, JSON or Markdown. Bots are matched by name, games by label.

mod comparer;
mod comparison;
mod csv;
mod json;
mod nodes;
mod setup;
mod side;
mod strength;
mod tables;

pub use comparer::Comparer;
pub use comparison::{BotChange, Comparison, SIGNIFICANT};
pub use nodes::{Deviation, NodeCounts};
pub use setup::SetupChange;
pub use side::{FaultCount, TimeUse, Which};
pub use strength::{GameChange, OverallChange};
