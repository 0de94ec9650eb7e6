//! Events as they are told.

use std::path::PathBuf;

use serde::Serialize;

/// The number of the form of events: a change that readers could stumble over gets another one.
const FORMAT: u32 = 1;

/// Something that happened in a run. Names are as in the tournament file, with control characters escaped.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case", rename_all_fields = "snake_case")]
#[non_exhaustive]
pub enum Notice {
    /// The first game of a start begins.
    RunStarted {
        /// Games that the journal held before.
        games_recorded: u64,
        /// Games to be played; at most, where results decide.
        games_left: u64,
        /// How many bots take part.
        bots: u64,
    },
    /// The run came to its end.
    RunEnded {
        /// Games that the journal holds now.
        games_recorded: u64,
        /// Games that are left since bots could not start.
        games_left: u64,
        /// Bots that could not start and were left out.
        left_out: Vec<String>,
    },
    /// The run stopped before its end.
    RunStopped {
        /// Why.
        reason: StopReason,
        /// The same for people.
        detail: String,
        /// Games that the journal holds now; nothing where that is not known.
        games_recorded: Option<u64>,
        /// Games that are left; nothing where that is not known.
        games_left: Option<u64>,
    },
    /// A sequential test came to its end.
    TestVerdict {
        /// The verdict.
        verdict: ToldVerdict,
        /// The new version.
        new: String,
        /// What it was tested against.
        base: String,
        /// Pairs of games that count.
        pairs: u64,
        /// The logarithm of the likelihood ratio; nothing before the first pair.
        llr: Option<f64>,
        /// The logistic Elo of the new version above the base, allowing for the stop; nothing where the results imply none.
        elo: Option<f64>,
    },
    /// A bot had too many faults: its games from here on do not count.
    BotWithdrawn {
        /// The bot.
        bot: String,
        /// The number of the first game that does not count.
        game: u64,
        /// How many faults it took.
        faults: u64,
    },
}

impl Notice {
    /// Returns the word for what happened.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::RunStarted { .. } => "run-started",
            Self::RunEnded { .. } => "run-ended",
            Self::RunStopped { .. } => "run-stopped",
            Self::TestVerdict { .. } => "test-verdict",
            Self::BotWithdrawn { .. } => "bot-withdrawn",
        }
    }

    /// Returns the event as a line of JSON.
    pub(crate) fn to_line(&self, run: &RunName) -> String {
        #[derive(Serialize)]
        struct Line<'a> {
            format: u32,
            time: String,
            arena: &'static str,
            run: &'a RunName,
            #[serde(flatten)]
            notice: &'a Notice,
        }
        let time = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
        let line = Line { format: FORMAT, time, arena: env!("CARGO_PKG_VERSION"), run, notice: self };
        serde_json::to_string(&line).expect("it has no maps with keys that are no texts") + "\n"
    }
}

/// Why a run stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum StopReason {
    /// Somebody interrupted it: a signal, or an order.
    Interrupted,
    /// The time of a test was over.
    TimeOver,
    /// A bot could not start.
    StartFailure,
    /// Something failed: a full disk, say.
    Error,
}

/// How a sequential test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ToldVerdict {
    /// H1 is accepted.
    Passed,
    /// H0 is accepted.
    Failed,
    /// The greatest number of pairs was played without a verdict, or the versions play alike.
    None,
}

/// Which run it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RunName {
    /// The name of the tournament.
    pub name: String,
    /// Its format.
    pub format: String,
    /// The directory of the results.
    pub directory: PathBuf,
}
