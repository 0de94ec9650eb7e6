//! The schedule, the bots' processes, the clocks and the match loop: what turns a plan into game records.
//!
//! [`schedule`] numbers the games of a run, and an [`Observer`] is told
//! what happens while they are played. A bot can lose a game here, never stop a run or touch a
//! result; every wait has an absolute deadline and every buffer that a bot fills has a bound.

mod control;
mod observer;
mod plan;
mod schedule;
mod time_control;
mod timeouts;

pub use control::Control;
pub use observer::{BotFailure, Direction, Observer, TraceLine};
pub use plan::{Bot, Contest, Illegal, Launch, Plan, Restart, Settings, Task, WordError};
pub use schedule::{Fixture, pending, schedule};
pub use time_control::{
    DurationError, Period, TimeControl, TimeControlError, format_duration, parse_duration,
};
pub use timeouts::Timeouts;
