//! The numbers of the specification: sizes that bound every buffer, and how long the arena waits.

use std::time::Duration;

/// The highest version of the protocol that is spoken here.
pub const PROTOCOL: u32 = 1;

/// The longest line of a bot in bytes, without its line feed.
pub const MAX_BOT_LINE: usize = 65_536;

/// The longest line of the arena in bytes, without its line feed.
pub const MAX_ARENA_LINE: usize = 1024 * 1024;

/// How many bytes a bot may write while one ply is decided.
pub const MAX_OUTPUT_PER_PLY: u64 = 16 * 1024 * 1024;

/// How many lines a bot may write while one ply is decided: each costs the arena the same, however short.
pub const MAX_LINES_PER_PLY: u64 = 262_144;

/// The longest `move` token in bytes.
pub const MAX_PLY: usize = 255;

/// How many lines of a handshake are kept; later ones are dropped.
pub const MAX_HANDSHAKE_LINES: usize = 1024;

/// How many bytes of a handshake are kept, over all its lines.
pub const MAX_HANDSHAKE_BYTES: usize = 1024 * 1024;

/// How many characters of a bot's name, author, version or language are kept.
pub const MAX_IDENTITY_CHARS: usize = 256;

/// How long the arena waits for a bot, by occasion. `Default` is what the specification gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// From `ugi` to `ugiok`.
    pub hello: Duration,
    /// From `isready` to `readyok` after `uginewgame`.
    pub set_up: Duration,
    /// From `isready` to `readyok` elsewhere.
    pub ready: Duration,
    /// From `stop` to `bestmove`: the grace.
    pub stop: Duration,
    /// From `quit` to the end of the process; then it is asked to terminate.
    pub quit: Duration,
    /// From the request to terminate to the kill.
    pub terminate: Duration,
    /// For a write that blocks because the bot does not read.
    pub write: Duration,
    /// For a decision when no clock and no time a move is configured.
    pub think: Duration,
    /// How long output is drained after the input was closed, when a bot was silent.
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
