//! What is wrong with a bot, and what to do about it.

use std::io;
use std::time::Duration;

use rules::RulesFault;

use crate::ExitReport;
use crate::cause::{Asked, Cause, CauseKind};

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
    /// What is behind it, if the clause is not: the same bot fails other tests for it.
    pub cause: Option<Cause>,
    /// Whether it was found because an answer did not come in time.
    pub(crate) is_silence: bool,
    /// Whether the advice is that of the test: the cause may be what the test does, or lie elsewhere.
    pub(crate) is_advised: bool,
    /// The question that was put last.
    pub(crate) asked: Option<Asked>,
}

impl Fault {
    /// Adds what the process in which it showed wrote to its standard error. How it ended is told only where that
    /// is the fault: others end because their input is closed.
    pub(crate) fn with_remains(mut self, remains: ExitReport) -> Self {
        self.stderr = remains.stderr;
        if self.cause.as_ref().is_some_and(|cause| cause.kind == CauseKind::Crash) {
            let cause = Cause::crash(self.exit.as_deref(), &self.stderr);
            if !self.is_advised {
                self.advice.clone_from(&cause.advice);
            }
            self.cause = Some(cause);
        }
        self
    }

    /// Returns whether it took a wait: others like it would take as long.
    pub(crate) fn is_waited_for(&self) -> bool {
        self.is_silence || self.cause.as_ref().is_some_and(|cause| cause.kind == CauseKind::WrongWord)
    }

    /// Says what is behind it, which is what to do something about.
    pub(crate) fn with_cause(self, cause: Cause) -> Self {
        Self { advice: cause.advice.clone(), cause: Some(cause), ..self }
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
    /// The rules of a game of one's own failed.
    Rules(Box<RulesFault>),
}

impl From<RulesFault> for Stop {
    fn from(fault: RulesFault) -> Self {
        Self::Rules(Box::new(fault))
    }
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Self::Faults(vec![fault])
    }
}

/// What a test, or a step of one, comes to.
pub(crate) type Step<T = ()> = Result<T, Stop>;
