//! What was seen, until it may be shown.

use std::collections::VecDeque;
use std::time::Duration;

/// Things by the instant at which they were made, in milliseconds since 1970. Each is shown after the same delay.
#[derive(Debug)]
pub(super) struct Delayed<T> {
    delay: i64,
    waiting: VecDeque<(i64, T)>,
}

impl<T> Delayed<T> {
    /// Returns a queue in which everything waits so long.
    pub(super) fn new(delay: Duration) -> Self {
        Self { delay: i64::try_from(delay.as_millis()).unwrap_or(i64::MAX), waiting: VecDeque::new() }
    }

    /// Takes what came to be at this instant, after everything that is here.
    pub(super) fn push(&mut self, at: i64, thing: T) {
        self.waiting.push_back((at, thing));
    }

    /// Returns the last thing whose time has come, and forgets those before it.
    pub(super) fn pop_due(&mut self, now: i64) -> Option<T> {
        let mut due = None;
        while self.waiting.front().is_some_and(|(at, _)| at.saturating_add(self.delay) <= now) {
            due = self.waiting.pop_front().map(|(_, thing)| thing);
        }
        due
    }

    /// Returns whether nothing waits.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_waits_equally_long_and_the_last_that_is_due_is_shown() {
        let mut queue = Delayed::new(Duration::from_secs(60));
        for (at, thing) in [(1000, 'a'), (2000, 'b'), (9000, 'c')] {
            queue.push(at, thing);
        }
        assert_eq!(queue.pop_due(60_999), None);
        assert_eq!(queue.pop_due(63_000), Some('b'));
        assert_eq!(queue.pop_due(68_999), None);
        assert!(!queue.is_empty());
        assert_eq!(queue.pop_due(69_000), Some('c'));
        assert!(queue.is_empty());
    }

    #[test]
    fn without_delay_a_thing_is_due_at_once() {
        let mut queue = Delayed::new(Duration::ZERO);
        queue.push(5, 'a');
        assert_eq!(queue.pop_due(5), Some('a'));
    }
}
