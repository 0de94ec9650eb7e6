//! Playing: runs, matches and games by hand, from the tournament file to the shards put together.

pub(crate) mod by_hand;
pub(crate) mod ctl;
pub(crate) mod init;
pub(crate) mod intake;
mod main_job;
pub(crate) mod merge;
pub(crate) mod one_match;
pub(crate) mod plan;
pub(crate) mod progress;
pub(crate) mod run;
