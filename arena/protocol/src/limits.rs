//! The numbers of the specification: the bounds of every buffer, and how long the arena waits.

use std::time::Duration;

/// The highest version of the protocol that this crate speaks.
pub const PROTOCOL: u32 = 1;

/// The longest line of a bot in bytes, without its line feed.
pub const MAX_BOT_LINE: usize = 65_536;

/// The longest line of the arena in bytes, without its line feed.
pub const MAX_ARENA_LINE: usize = 1024 * 1024;

/// The most bytes that a bot may write during one decision.
pub const MAX_OUTPUT_PER_PLY: u64 = 16 * 1024 * 1024;

/// The most lines that a bot may write during one decision: each costs the arena the same, however short.
pub const MAX_LINES_PER_PLY: u64 = 262_144;

/// The longest `move` token in bytes.
pub const MAX_PLY: usize = 255;

/// The most lines of a handshake that are kept. Later lines are dropped.
pub const MAX_HANDSHAKE_LINES: usize = 1024;

/// The most bytes of a handshake that are kept, over all its lines.
pub const MAX_HANDSHAKE_BYTES: usize = 1024 * 1024;

/// The most characters kept of a bot's name, author, version or language.
pub const MAX_IDENTITY_CHARS: usize = 256;

/// How long the arena waits for a bot, by occasion. `Default` gives the values of the specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// From `ugi` to `ugiok`.
    pub hello: Duration,
    /// From `isready` after `uginewgame` to `readyok`.
    pub set_up: Duration,
    /// From any other `isready` to `readyok`.
    pub ready: Duration,
    /// From `stop` to `bestmove`: the grace.
    pub stop: Duration,
    /// From `quit` to the end of the process. After that the arena asks the process to terminate.
    pub quit: Duration,
    /// From the request to terminate to the kill.
    pub terminate: Duration,
    /// For a write that blocks because the bot does not read.
    pub write: Duration,
    /// For a decision, if neither a clock nor a time per move is configured.
    pub think: Duration,
    /// How long output is drained after the arena closed the input of a silent bot.
    pub flush: Duration,
}

impl Timeouts {
    /// The values of the specification.
    pub const SPEC: Self = Self {
        hello: Duration::from_secs(10),
        set_up: Duration::from_secs(30),
        ready: Duration::from_secs(5),
        stop: Duration::from_millis(500),
        quit: Duration::from_secs(1),
        terminate: Duration::from_secs(1),
        write: Duration::from_secs(5),
        think: Duration::from_secs(60),
        flush: Duration::from_millis(500),
    };
}

impl Default for Timeouts {
    fn default() -> Self {
        Self::SPEC
    }
}
