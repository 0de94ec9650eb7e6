//! The keys of a tournament file, each declared once, and their values, each a type with one text.
//!
//! A [`Key`] says everything that is said of a key: to readers of `--help`, of the documentation and of a schema, to
//! whoever reads a file, and to a run that goes on. A key with a single value is a field of [`Arrangement`] or
//! [`Conditions`] and has a [`Setting`]: how its text is read, written and recorded. How a key is added:
//! `arena/docs/contributing.md`.
//!
//! No files, clocks or output: a text becomes a value here, or a [`Complaint`] that says what is wrong with it.

mod arrangement;
mod conditions;
mod key;
mod keys;
mod reading;
mod recorded;
mod setting;
mod values;

pub use arrangement::{Arrangement, MOST_GAMES_AT_ONCE, MOST_ROUNDS, concurrency, time_control};
pub use conditions::Conditions;
pub use key::{Change, Flag, Key, Shape};
pub use keys::{ENTRY, Form, TOURNAMENT, missing, tables};
pub use reading::{Complaint, Reading, duration, label, number, truth};
pub use recorded::Recorded;
pub use setting::{Record, Setting, Settings, Unread};
pub use values::{
    Adjudication, Bank, Byoyomi, Carrier, Delay, DrawRule, DurationError, ERROR_RATE, Format, Goal, Illegal,
    Memory, MemoryError, OnFail, OnStartFailure, OpeningScope, Period, Pin, Ponder, Preset, Quota,
    ResignRule, Restart, Schedule, TimeControl, TimeControlError, WordError, format_duration, parse_duration,
};
