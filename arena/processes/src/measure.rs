//! Measurements of this machine: how late it is, and what it costs to start a process.

mod lateness;
mod starts;

pub use self::lateness::{Lateness, Talk, lateness, quantile};
pub use self::starts::{Starts, starts};
