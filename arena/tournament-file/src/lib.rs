//! The tournament file: from a YAML text to a [`Plan`], or to everything that is wrong with it.
//!
//! Two stages: `written` is what was written, `plan` what it means; only plans leave this crate. Reading never
//! stops at the first error: what is wrong is left out, and the rest is checked as if it had not been written.
//! Paths of programs, scripts and files are taken from the directory of the tournament file; where results go is
//! taken from the current directory.
//!
//! ```
//! use std::path::Path;
//!
//! use tournament_file::{Overrides, parse};
//!
//! let read = |text: &str| parse(text, "cup.yaml", Path::new("."), &Overrides::default());
//!
//! let plan = read("games: [farook]\nbots: [{builtin: random}, {builtin: greedy}]\nrounds: 3\n")?;
//! assert_eq!((plan.config.name.as_str(), plan.games()), ("cup", 6));
//!
//! let failure = read("tc: 10+0,1\nbots: [{builtin: random}, {builtin: greedi}]\n").expect_err("two errors");
//! let told = failure.to_string();
//! assert!(told.contains("cup.yaml:1:5") && told.contains("hint: did you mean `10+0.1`?"));
//! assert!(told.contains("cup.yaml:2:37") && told.contains("hint: did you mean `greedy`?"));
//! # Ok::<(), diagnostic::Failure>(())
//! ```

mod bots;
mod confinement;
pub mod file_name;
mod flags;
mod game_words;
mod games;
mod plan;
mod scalars;
mod written;

#[cfg(test)]
mod tests;

pub use bots::building::{ConfinedBuild, confine_build, confines_builds};
pub use bots::handover;
pub use bots::launcher::launcher;
pub use bots::program::lacks_rules;
pub use bots::program_name::program_name;
pub use bots::submission::{EntryTrial, Submission};
pub use confinement::confine::try_confined;
pub use flags::game_options;
pub use flags::lone_bot::{Confinement, LoneBot, Program, RecordedStart};
pub use flags::names::MAX_PAIRS;
pub use flags::overrides::{Overrides, flag_help};
pub use flags::shard::Shard;
pub use flags::typed::{Typed, TypedBot, TypedFlags, TypedTest};
pub use flags::words::split as split_words;
pub use games::adjudicate::Flags as AdjudicationFlags;
pub use games::book;
pub use games::openings::describe as describe_openings;
pub use games::own_rules::open_rules;
pub use games::sprt::read_max_time;
pub use plan::load::load;
pub use plan::{Plan, Source, parse};
pub use scalars::read_concurrency;
pub use written::raw::{Checkout, CommitSource};
pub use written::schema::json_schema;
