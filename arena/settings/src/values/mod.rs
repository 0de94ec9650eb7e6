//! The values of keys, one type a file.

mod adjudication;
mod carrier;
mod duration;
mod format;
mod illegal;
mod on_fail;
mod on_start_failure;
mod opening_scope;
mod pin;
mod ponder;
mod preset;
mod quota;
mod restart;
mod schedule;
mod time_control;
mod word;

pub use adjudication::{Adjudication, DrawRule, ResignRule};
pub use carrier::Carrier;
pub use duration::{DurationError, format_duration, parse_duration};
pub use format::Format;
pub use illegal::Illegal;
pub use on_fail::OnFail;
pub use on_start_failure::OnStartFailure;
pub use opening_scope::OpeningScope;
pub use pin::Pin;
pub use ponder::Ponder;
pub use preset::{ERROR_RATE, Preset};
pub use quota::{Memory, MemoryError, Quota};
pub use restart::Restart;
pub use schedule::{Goal, Schedule};
pub use time_control::{Bank, Byoyomi, Delay, Period, TimeControl, TimeControlError};
pub use word::WordError;
