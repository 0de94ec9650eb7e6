//! Looking: the tables and pages of a run.

pub(crate) mod report;
pub(crate) mod serve;
pub(crate) mod summary;
