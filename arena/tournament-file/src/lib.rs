//! The tournament file: from a YAML text to a [`Plan`], or to everything that is wrong with it.
//!
//! Two stages: [`raw`] is what was written, [`plan`] what it means; only plans leave this module. Reading never
//! stops at the first fault: what is at fault is left out, and the rest is checked as if it had not been written.
//! Paths of programs, scripts and files are taken from the directory of the tournament file; where results go is
//! taken from the current directory.

mod adjudicate;
pub mod book;
mod bots;
mod building;
mod compact;
mod confine;
mod cores;
mod dialect;
mod digest;
mod entries;
mod executable;
mod faults;
pub mod file_name;
pub mod game_options;
mod games;
mod launcher;
mod load;
mod lone_bot;
mod openings;
mod overrides;
mod pairing;
mod plan;
mod program;
mod raw;
mod read;
mod sandbox;
mod scalars;
mod schema;
pub mod shard;
mod source;
mod sprt;
mod submission;
mod typed;
mod words;

#[cfg(test)]
mod tests;

pub use adjudicate::Flags as AdjudicationFlags;
pub use building::{ConfinedBuild, confine_build, confines_builds};
pub use confine::{private_directory, try_confined};
pub use cores::spare as spare_cores;
pub use launcher::launcher;
pub use load::load;
pub use lone_bot::{Confinement, LoneBot, Program, Recorded};
pub use openings::describe as describe_openings;
pub use overrides::Overrides;
pub use plan::{Plan, Source, parse};
pub use scalars::read_concurrency;
pub use schema::json_schema;
pub use sprt::{MAX_PAIRS, read_max_time};
pub use submission::{Submission, Trial};
pub use typed::{Checkout, Typed, TypedBot, TypedTest};
pub use words::split as split_words;
