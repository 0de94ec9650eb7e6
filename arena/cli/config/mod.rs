//! The tournament file: from a YAML text to a [`Plan`], or to everything that is wrong with it.
//!
//! Two stages: [`raw`] is what was written, [`plan`] what it means; only plans leave this module. Reading never
//! stops at the first fault: what is at fault is left out, and the rest is checked as if it had not been written.
//! Paths of programs, scripts and files are taken from the directory of the tournament file; where results go is
//! taken from the current directory.

mod adjudicate;
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
mod games;
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
mod source;
mod sprt;
mod submission;
mod typed;
mod words;

#[cfg(test)]
mod tests;

pub(crate) use adjudicate::Flags as AdjudicationFlags;
pub(crate) use building::{ConfinedBuild, confine_build, confines_builds};
pub(crate) use confine::{private_directory, try_confined};
pub(crate) use cores::spare as spare_cores;
pub(crate) use load::load;
pub(crate) use lone_bot::{Confinement, LoneBot, Program, Recorded};
pub(crate) use openings::describe as describe_openings;
pub(crate) use overrides::Overrides;
pub(crate) use plan::{OnStartFailure, Plan, Source, parse};
pub(crate) use scalars::read_concurrency;
pub(crate) use schema::json_schema;
pub(crate) use sprt::{MAX_PAIRS, read_max_time};
pub(crate) use submission::{Submission, Trial};
pub(crate) use typed::{Checkout, Typed, TypedBot, TypedTest};
pub(crate) use words::split as split_words;
