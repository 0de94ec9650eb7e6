//! The failures of a bot outside the rules, and their cost.

use std::io;
use std::time::Duration;

use protocol::{
    MAX_BOT_LINE, MAX_LINES_PER_PLY, MAX_OUTPUT_PER_PLY, Reject, SetOptionError, printable_capped,
};
use record::Termination;
use settings::format_duration;
use tokio::time::Instant;

use crate::player::link::Break;

/// The most characters of a bot's text in a message.
const SHOWN: usize = 200;

/// The failure of a bot.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The process could not be started.
    Spawn(io::Error),
    /// The process was gone before the end of the greeting.
    Stillborn {
        /// How it went.
        gone: Gone,
        /// The word that ends its greeting.
        awaited: String,
    },
    /// The bot did not connect to its port in time.
    Unconnected(Duration),
    /// An option cannot be set.
    Option(SetOptionError),
    /// The process is gone.
    Gone(Gone),
    /// Somebody killed the guard of its process, which says nothing about the bot itself.
    Unguarded,
    /// Its processes exceeded a limit, in words without a subject.
    Resource(String),
    /// The bot wrote more than the protocol allows.
    Flood(Break),
    /// The bot did not read its input in time.
    Unread(Duration),
    /// The bot did not answer in time when no clock was running.
    Silent {
        /// The awaited word.
        awaited: String,
        /// The limit.
        limit: Duration,
        /// Whether it came when the input was closed.
        is_unflushed: bool,
    },
    /// The bot refused the game.
    Rejected(Reject),
}

/// How a process went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Gone {
    /// What was noticed.
    pub(crate) how: Break,
    /// How the process ended, if it has.
    pub(crate) exit: Option<String>,
}

/// A failure and its time.
#[derive(Debug)]
pub(crate) struct TimedTrouble {
    /// The failure.
    pub(crate) trouble: Trouble,
    /// The instant.
    pub(crate) at: Instant,
}

impl Trouble {
    /// Returns how a game ends because of it.
    pub(crate) const fn termination(&self) -> Termination {
        match self {
            Self::Spawn(_) | Self::Stillborn { .. } | Self::Unconnected(_) | Self::Option(_) => {
                Termination::SpawnFailed
            }
            Self::Gone(_) => Termination::Crash,
            Self::Unguarded => Termination::ArenaError,
            Self::Resource(_) => Termination::Resource,
            Self::Flood(_) => Termination::Flood,
            Self::Unread(_) | Self::Silent { .. } => Termination::Stall,
            Self::Rejected(_) => Termination::Rejected,
        }
    }

    /// Returns how the process ended, if it did.
    pub(crate) fn exit(&self) -> Option<&str> {
        match self {
            Self::Gone(gone) | Self::Stillborn { gone, .. } => gone.exit.as_deref(),
            Self::Spawn(_)
            | Self::Unconnected(_)
            | Self::Option(_)
            | Self::Unguarded
            | Self::Resource(_)
            | Self::Flood(_)
            | Self::Unread(_)
            | Self::Silent { .. }
            | Self::Rejected(_) => None,
        }
    }

    /// Returns what happened, in words without a subject.
    pub(crate) fn words(&self) -> String {
        match self {
            Self::Spawn(error) => format!("could not be started: {error}"),
            Self::Stillborn { gone, awaited } => format!("{} before `{awaited}`", gone.words()),
            Self::Unconnected(limit) => format!(
                "did not connect to the port of this machine that `ABP_PORT` names within {}",
                format_duration(*limit)
            ),
            Self::Option(fault) => fault.to_string(),
            Self::Gone(gone) => gone.words(),
            Self::Resource(words) => words.clone(),
            Self::Unguarded => "lost the guard of its process: somebody has killed it".to_owned(),
            Self::Flood(Break::Overlong) => format!("wrote a line of more than {MAX_BOT_LINE} bytes"),
            Self::Flood(Break::Lines) => format!("wrote more than {MAX_LINES_PER_PLY} lines for one ply"),
            Self::Flood(_) => {
                format!("wrote more than {} MiB for one ply", MAX_OUTPUT_PER_PLY / 1024 / 1024)
            }
            Self::Unread(limit) => {
                format!("did not read its input for {}", format_duration(*limit))
            }
            Self::Silent { awaited, limit, is_unflushed } => {
                let words = format!("did not send `{awaited}` within {}", format_duration(*limit));
                if *is_unflushed { format!("{words}, {}", unflushed(awaited)) } else { words }
            }
            Self::Rejected(reject) => {
                let text = reject.text.as_deref().unwrap_or_default();
                let code = printable_capped(&reject.code, SHOWN);
                match printable_capped(text, SHOWN) {
                    text if text.is_empty() => format!("refused the game: {code}"),
                    text => format!("refused the game: {code}: {text}"),
                }
            }
        }
    }
}

/// Returns that a bot holds its output back, to be appended to the consequence.
pub(crate) fn unflushed(awaited: &str) -> String {
    format!("`{awaited}` came only when its input closed: flush stdout after every line")
}

impl Gone {
    fn words(&self) -> String {
        match (&self.exit, self.how) {
            (Some(exit), _) => format!("process ended ({exit})"),
            (None, Break::Input) => "closed its standard input".to_owned(),
            (None, Break::Process) => "process ended".to_owned(),
            (None, _) => "closed its standard output".to_owned(),
        }
    }
}
