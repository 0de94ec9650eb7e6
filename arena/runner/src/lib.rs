//! The schedule, the bots' processes, the clocks and the match loop: what turns a plan into game records.
//!
//! [`schedule`] numbers the games of a run, and an [`Observer`] is told
//! what happens while they are played. A bot can lose a game here, never stop a run or touch a
//! result; every wait has an absolute deadline and every buffer that a bot fills has a bound.

mod clock;
mod control;
mod group;
mod launch;
mod observer;
mod opening;
mod plan;
mod process;
mod schedule;
mod seed;
mod time_control;

pub use control::Control;
pub use launch::{Direct, Launcher};
pub use observer::{BotFailure, Direction, Observer, TraceLine};
pub use opening::{NoOpening, Openings, opening};
pub use plan::{Bot, Contest, Illegal, Launch, Plan, Restart, Settings, Task, WordError};
pub use process::Process;
pub use schedule::{Fixture, pending, schedule};
pub use time_control::{
    DurationError, Period, TimeControl, TimeControlError, format_duration, parse_duration,
};
