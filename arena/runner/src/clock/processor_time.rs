//! The processor time of a decision, for a clock that counts it.

use std::time::Duration;

use processes::processors;

/// The processor time of a decision, for a clock that counts it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meter {
    /// The time used before the decision.
    before: Duration,
    /// The most time before the game is lost; `None` if it cannot be lost on time.
    most: Option<Duration>,
    /// When to ask a bot that can be stopped for its answer; `None` after that.
    nudge: Option<Duration>,
    /// How many processors can be busy at once.
    processors: u32,
}

/// The result of reading a meter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// Time is left. The next reading is due after at least this much real time.
    Runs(Duration),
    /// Only the margin is left. This is returned once.
    Nudge,
    /// No time is left.
    Over,
}

impl Meter {
    /// The least time between two readings, each of which takes some tens of microseconds.
    const PAUSE: Duration = Duration::from_millis(10);

    /// Begins a measurement at `before`, the time used so far.
    pub(crate) fn new(before: Duration, limit: Duration, most: Option<Duration>) -> Self {
        Self { before, most, nudge: Some(limit), processors: processors() }
    }

    /// Returns the time used since the beginning, given the total `now`.
    pub(crate) fn spent(&self, now: Duration) -> Duration {
        now.saturating_sub(self.before)
    }

    /// Returns the meaning of the total `now`.
    pub(crate) fn read(&mut self, now: Duration) -> Reading {
        let spent = self.spent(now);
        if self.most.is_some_and(|most| spent > most) {
            return Reading::Over;
        }
        if self.nudge.is_some_and(|limit| spent >= limit) {
            self.nudge = None;
            return Reading::Nudge;
        }
        Reading::Runs(self.pause(spent))
    }

    /// Returns how long nothing can happen: the time that all processors need to use up what is left.
    pub(crate) fn pause(&self, spent: Duration) -> Duration {
        let goal = self.nudge.or(self.most);
        let left = goal.map_or(Duration::from_secs(1), |goal| goal.saturating_sub(spent));
        (left / self.processors.max(1)).max(Self::PAUSE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_meter_looks_again_when_something_can_have_happened() {
        let ms = Duration::from_millis;
        let mut meter = Meter { processors: 4, ..Meter::new(ms(5000), ms(1000), Some(ms(1050))) };
        assert_eq!(meter.read(ms(5000)), Reading::Runs(ms(250)));
        assert_eq!(meter.read(ms(5600)), Reading::Runs(ms(100)));
        assert_eq!(meter.read(ms(6000)), Reading::Nudge);
        assert_eq!(meter.read(ms(6010)), Reading::Runs(ms(10)));
        assert_eq!((meter.read(ms(6050)), meter.read(ms(6051))), (Reading::Runs(ms(10)), Reading::Over));
        let mut lenient = Meter::new(ms(0), ms(10), None);
        assert_eq!(lenient.read(ms(10)), Reading::Nudge);
        assert!(matches!(lenient.read(ms(1_000_000)), Reading::Runs(_)));
    }
}
