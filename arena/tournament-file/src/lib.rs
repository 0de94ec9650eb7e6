//! The tournament file: from a YAML text to a [`Plan`], or to everything that is wrong with it.
//!
//! Two stages: `written` is what was written, `plan` what it means; only plans leave this crate. Reading never
//! stops at the first fault: what is at fault is left out, and the rest is checked as if it had not been written.
//! Paths of programs, scripts and files are taken from the directory of the tournament file; where results go is
//! taken from the current directory.

mod bots;
mod confinement;
mod cores;
pub mod file_name;
mod flags;
mod games;
mod load;
mod plan;
mod scalars;
mod written;

#[cfg(test)]
mod tests;

pub use bots::building::{ConfinedBuild, confine_build, confines_builds};
pub use bots::launcher::launcher;
pub use bots::program_name::program_name;
pub use bots::submission::{Submission, Trial};
pub use confinement::confine::{private_directory, try_confined};
pub use cores::spare as spare_cores;
pub use flags::lone_bot::{Confinement, LoneBot, Program, Recorded};
pub use flags::overrides::Overrides;
pub use flags::typed::{Checkout, Typed, TypedBot, TypedTest};
pub use flags::words::split as split_words;
pub use flags::{game_options, shard};
pub use games::adjudicate::Flags as AdjudicationFlags;
pub use games::book;
pub use games::openings::describe as describe_openings;
pub use games::sprt::{MAX_PAIRS, read_max_time};
pub use load::load;
pub use plan::{Plan, Source, parse};
pub use scalars::read_concurrency;
pub use written::schema::json_schema;
