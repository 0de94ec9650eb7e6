//! What a tournament file may say: the values of its keys, each a type that is read from and written as one text.
//!
//! No files, clocks or output: a text becomes a value here or an error that says what is wrong with it.

mod recorded;
mod values;

pub use recorded::Recorded;
pub use values::{
    Adjudication, Bank, Byoyomi, Carrier, Delay, DrawRule, DurationError, ERROR_RATE, Format, Illegal,
    Memory, MemoryError, OnFail, OnStartFailure, OpeningScope, Period, Pin, Preset, Quota, ResignRule,
    Restart, TimeControl, TimeControlError, WordError, format_duration, parse_duration,
};
