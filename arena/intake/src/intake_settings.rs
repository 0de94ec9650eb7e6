//! How the entries of a course are taken in.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use rules::Setup;
use sandbox::Level;

/// How the entries of a course are taken in: the same for all of them.
#[derive(Clone, Debug)]
pub struct IntakeSettings {
    /// The directory of the entries.
    pub directory: PathBuf,
    /// The directory of everything that is written.
    pub out: PathBuf,
    /// The games; empty: those that an entry says it plays.
    pub games: Vec<Setup>,
    /// How long a build may take.
    pub build_limit: Duration,
    /// How far entries are confined, where that is said.
    pub sandbox: Option<Level>,
    /// The time control of the games.
    pub tc: String,
    /// How far a limit of time may be overrun, as it was typed.
    pub margin_text: String,
    /// The same.
    pub margin: Duration,
    /// The seed of positions and games.
    pub seed: u64,
    /// How many entries are worked on at once.
    pub concurrency: NonZeroUsize,
    /// Whether the tests of the protocol are the quick ones.
    pub is_quick: bool,
    /// Whether entries that have not changed are tried again.
    pub is_forced: bool,
}
