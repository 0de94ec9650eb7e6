//! The values of keys, one type a file.

mod adjudication;
mod duration;
mod illegal;
mod opening_scope;
mod quota;
mod schedule;
mod time_control;
mod words;

pub use adjudication::{Adjudication, DrawRule, ResignRule};
pub use duration::{DurationError, format_duration, parse_duration};
pub use illegal::Illegal;
pub use opening_scope::OpeningScope;
pub use quota::{Memory, MemoryError, Quota, RecordedQuota};
pub use schedule::{Goal, Schedule};
pub use time_control::{Bank, Byoyomi, Delay, Period, TimeControl, TimeControlError, TimeFactor};
pub use words::{
    ArenaBook, BookOrder, Carrier, ERROR_RATE, Format, OnFail, OnStartFailure, Pin, Ponder, Preset, Restart,
    WordError,
};
