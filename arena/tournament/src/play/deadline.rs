//! When a test has to end, verdict or not.

use std::time::{Duration, Instant};

/// The end of a test, and how long it may play.
#[derive(Debug)]
pub(super) struct Deadline {
    /// How long it may play.
    pub time: Duration,
    end: Instant,
    /// Whether the user was told that the time is over.
    pub is_told: bool,
}

impl Deadline {
    pub(super) fn new(time: Duration) -> Self {
        Self { time, end: Instant::now() + time, is_told: false }
    }

    pub(super) fn is_over(&self) -> bool {
        Instant::now() >= self.end
    }

    /// Returns whether games that were running when the time was over have had their time too: a tenth of it.
    pub(super) fn is_long_over(&self) -> bool {
        Instant::now() >= self.end + self.time / 10
    }
}
