//! What is wrong with a bot, and what to do about it.

use std::io;
use std::time::Duration;

use crate::Remains;

/// One thing that is wrong, fit to be shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fault {
    /// The game in which it showed, with its options, if it belongs to one.
    pub game: Option<String>,
    /// What happened, a fragment.
    pub what: String,
    /// What to do, one sentence without its full stop.
    pub advice: String,
    /// The last lines, `> ` before those to the bot, `< ` before its own; escaped and cut.
    pub lines: Vec<String>,
    /// How long ago the last line was sent when the fault was found.
    pub waited: Duration,
    /// How the process ended, if it did by itself: `exit 1`, `signal 9`.
    pub exit: Option<String>,
    /// The last lines of its standard error.
    pub stderr: Vec<String>,
    /// Whether the bot holds its output back: it came when the input was closed.
    pub is_unflushed: bool,
    /// Whether it was found by waiting in vain.
    pub(crate) is_silence: bool,
}

impl Fault {
    /// Adds what the process in which it showed wrote to its standard error. How it ended is told only where that
    /// is the fault: others end because their input is closed.
    pub(crate) fn with_remains(self, remains: Remains) -> Self {
        Self { stderr: remains.stderr, ..self }
    }
}

/// Why a test ends early.
#[derive(Debug)]
pub(crate) enum Stop {
    /// Something is wrong with the bot.
    Faults(Vec<Fault>),
    /// The bot did not declare what the test is about.
    Skip(String),
    /// The user wants no more of this.
    Interrupted,
    /// The system cannot start the bot.
    Launch(io::Error),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Self::Faults(vec![fault])
    }
}

/// What a test, or a step of one, comes to.
pub(crate) type Step<T = ()> = Result<T, Stop>;
