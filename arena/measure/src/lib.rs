//! Measuring: how fast the rules are, what the arena itself costs, whether it charges all bots alike, and whether this machine
//! can play games on the clock.
//!
//! [`RulesSpeed`] counts nodes and random games on one thread. [`HarnessBench`] and [`FairnessBench`] play tournaments with an
//! executable of the arena as any user would, with a [`LineBot`] at both seats; round trips to [`echo()`] are what pipes cost
//! alone. [`MachineCheck`] tries timers, processes and the levels of the sandbox. Everything here returns figures; how people see them
//! is the command line's business. [`BugReport`] is the exception: a text with nothing private in it. Both measurements that play, and [`MachineCheck`], start the running executable
//! with the words `bench bot`, `bench echo` and `bot`: they work in the arena's own executable only.
//!
//! ```
//! use std::time::Duration;
//!
//! let farook = rules::find("farook")?;
//! let speed = measure::RulesSpeed::measure(&[farook.setup(&[])?], Duration::ZERO)?;
//! assert!(speed.games[0].positions.iter().all(|position| position.is_right == Some(true)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr)]

mod bench_run;
mod bug_report;
mod doctor;
mod echo;
mod fairness;
mod harness;
mod harness_figures;
mod line_bot;
mod machine_speed;
mod round_trips;
mod rules_speed;
mod this_machine;
mod workers_overhead;

pub use bug_report::BugReport;
pub use doctor::{
    ConfinedLevel, CoreFigures, DelaySpread, Machine, MachineAdvice, MachineCheck, PinPlaces, ProcessCosts,
    delays,
};
pub use echo::echo;
pub use fairness::{ChargeDifference, Fairness, FairnessBench};
pub use harness::HarnessBench;
pub use harness_figures::{
    ArenaFigures, CaseCosts, ChargeFigures, GameMemory, GameRate, HarnessFigures, PeakMemory, RoundTrips,
};
pub use line_bot::LineBot;
pub use machine_speed::{MachineSpeed, has_clocks};
pub use rules_speed::{GameSpeed, PositionSpeed, RulesSpeed};
pub use this_machine::describe_machine;
pub use workers_overhead::{WorkersBench, WorkersOverhead};
