//! How long the arena waits outside the clocks.

use std::time::Duration;

/// How long the arena waits for a bot, by occasion. `Default` is what the specification gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// From `ugi` to `ugiok`.
    pub hello: Duration,
    /// From `isready` to `readyok` after `uginewgame`.
    pub set_up: Duration,
    /// From `isready` to `readyok` elsewhere.
    pub ready: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            hello: Duration::from_secs(10),
            set_up: Duration::from_secs(30),
            ready: Duration::from_secs(5),
        }
    }
}
