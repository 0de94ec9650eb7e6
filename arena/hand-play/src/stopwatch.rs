//! The time of a game, which may stand still.

use std::time::{Duration, Instant};

/// A watch that runs, or stands still until it is set going.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch {
    /// What it showed when it was set going last, or shows while it stands still.
    before: Duration,
    /// Since when it has been running.
    since: Option<Instant>,
}

impl Stopwatch {
    /// Returns a watch that runs and shows this.
    pub(crate) fn running(shown: Duration) -> Self {
        Self { before: shown, since: Some(Instant::now()) }
    }

    /// Returns a watch that stands still and shows this.
    pub(crate) const fn halted(shown: Duration) -> Self {
        Self { before: shown, since: None }
    }

    /// Returns what it shows.
    pub(crate) fn now(&self) -> Duration {
        self.before + self.since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    /// Returns whether it stands still.
    pub(crate) const fn is_halted(&self) -> bool {
        self.since.is_none()
    }

    /// Sets it going, unless it runs.
    pub(crate) fn go(&mut self) {
        self.since.get_or_insert_with(Instant::now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_halted_shows_the_same_until_it_is_set_going() {
        let shown = Duration::from_secs(7);
        let mut watch = Stopwatch::halted(shown);
        assert!(watch.is_halted() && watch.now() == shown);
        watch.go();
        assert!(!watch.is_halted() && watch.now() >= shown);
        assert!(Stopwatch::running(shown).now() >= shown);
    }
}
