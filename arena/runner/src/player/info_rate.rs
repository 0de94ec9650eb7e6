//! How many `info` lines of a bot are read.

use std::time::Duration;

use protocol::MAX_INFO_LINES_PER_SECOND;
use tokio::time::Instant;

/// How many `info` lines came in this second.
#[derive(Debug, Default)]
pub(super) struct InfoRate {
    since: Option<Instant>,
    count: u32,
}

impl InfoRate {
    /// Counts a line and returns whether it is one of those that are read.
    pub(super) fn admit(&mut self, at: Instant) -> bool {
        if self.since.is_none_or(|since| at.duration_since(since) >= Duration::from_secs(1)) {
            (self.since, self.count) = (Some(at), 0);
        }
        self.count += 1;
        self.count <= MAX_INFO_LINES_PER_SECOND
    }
}
