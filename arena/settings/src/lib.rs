//! The keys of a tournament file, each declared once, and their values, each a type with one text.
//!
//! A [`Key`] says everything that is said of a key: to readers of `--help`, of the documentation and of a schema, to
//! the reader of a file, and to a run that is continued. A key with a single value is a field of [`Arrangement`] or
//! [`Conditions`] and has a [`Setting`]: how its text is read, written and recorded. How a key is added:
//! `arena/docs/contributing.md`.
//!
//! ```
//! use settings::{Conditions, Settings as _, TOURNAMENT};
//!
//! let margin = Conditions::find("margin").expect("it is declared");
//! assert_eq!(margin.key.line(), "margin: 50ms");
//! assert_eq!(margin.key.flag.map(|flag| flag.name), Some("--margin"));
//!
//! let mut conditions = Conditions::default();
//! (margin.read)(&mut conditions, "80ms").expect("it is a duration");
//! assert_eq!((margin.write)(&conditions), "80ms");
//! let complaint = (margin.read)(&mut conditions, "80").expect_err("it has no unit");
//! assert_eq!(complaint.predicate, "cannot be `80`: it must be a duration with a unit");
//!
//! // What newcomers may call it.
//! let tc = TOURNAMENT.keys().iter().find(|key| key.name == "tc").expect("it is declared");
//! assert_eq!(tc.instead_of("TimeControl"), Some("tc: 10+0.1"));
//! ```
//!
//! No files, clocks or output: a text becomes a value here, or a [`Complaint`] that says what is wrong with it.
//!
//! ```
//! use settings::{Conditions, OnFail, Settings};
//!
//! let on_fail = Conditions::find("on-fail").expect("a key of the tournament file");
//! let mut conditions = Conditions::default();
//! (on_fail.read)(&mut conditions, "random").expect("one of its values");
//! assert_eq!(conditions.on_fail, OnFail::Random);
//! assert_eq!((on_fail.write)(&conditions), "random");
//! let complaint = (on_fail.read)(&mut conditions, "wait").expect_err("no value of it");
//! assert_eq!(complaint.predicate, "cannot be `wait`");
//! ```

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
pub use key::{Change, Flag, Key, KeyValues, Shape, Synonyms};
pub use keys::{ENTRY, Form, TOURNAMENT, missing, tables};
pub use reading::{Complaint, Reading, duration, label, number, truth};
pub use recorded::Recorded;
pub use setting::{Record, Setting, Settings, Unread};
pub use values::{
    Adjudication, ArenaBook, Bank, BookOrder, Byoyomi, Carrier, Delay, DrawRule, DurationError, ERROR_RATE,
    Format, Goal, Illegal, Memory, MemoryError, OnFail, OnStartFailure, OpeningScope, Period, Pin, Ponder,
    Preset, Quota, RecordedQuota, ResignRule, Restart, Schedule, TimeControl, TimeControlError, TimeFactor,
    WordError, format_duration, parse_duration,
};
