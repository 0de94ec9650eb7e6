//! When to read the processor and waiting time of a bot around a decision.
//!
//! A reading costs about as much as the decision of a fast bot. If the last decision of a bot took less than half a
//! millisecond, the first reading of the next one is postponed until the wait enters the runtime ([`crate::game::polling`]), so
//! most such decisions need none. The time used before a postponed reading is bounded by the time used since the last reading,
//! and by the elapsed time; we record that bound.

use std::time::Duration;

use processes::processors;
use record::ProcessTimes;
use tokio::time::Instant;

use crate::clock::Clock;
use crate::player::Player;

/// The shortest time to loss, margin included, for which postponed readings are negligible.
const LEAST: Duration = Duration::from_millis(10);

/// The readings around one decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DecisionUsage {
    /// No readings: no time limits the decision, or the system does not report.
    Closed,
    /// The first reading is postponed.
    PutOff,
    /// The first reading was postponed, and made at this instant.
    Late(Instant, ProcessTimes),
    /// The first reading was made at this instant, before the question.
    Open(Instant, ProcessTimes),
}

impl DecisionUsage {
    /// Opens the account of a decision. `was_fast` says that the bot's last decision was immediate.
    pub(crate) fn open(player: &mut Player, clock: &Clock, was_fast: bool) -> Self {
        if clock.allowance().is_none() && clock.turn_time().is_none() {
            return Self::Closed;
        }
        let has_time = clock.patience().is_none_or(|patience| patience >= LEAST);
        if was_fast && has_time && !clock.control().is_cpu() && player.link().has_pipe() {
            return Self::PutOff;
        }
        player.times().map_or(Self::Closed, |times| Self::Open(Instant::now(), times))
    }

    /// Makes the postponed reading.
    pub(crate) fn catch_up(&mut self, player: &mut Player) {
        if *self == Self::PutOff {
            *self = player.times().map_or(Self::Closed, |times| Self::Late(Instant::now(), times));
        }
    }

    /// Returns what was used from the instant of the question until `now`, when the total is `after`. `last` is the total at
    /// the previous reading. `None` if nothing was measured.
    pub(crate) fn used(
        self,
        last: Option<ProcessTimes>,
        after: ProcessTimes,
        asked: Instant,
        now: Instant,
    ) -> Option<ProcessTimes> {
        let unread = |until: Instant, times| {
            last.map(|last| bounded(last, times, until.saturating_duration_since(asked)))
        };
        match self {
            Self::Closed => None,
            Self::PutOff => unread(now, after),
            Self::Open(_, before) => Some(between(before, after)),
            Self::Late(at, times) => {
                let (first, rest) = (unread(at, times).unwrap_or_default(), between(times, after));
                Some(ProcessTimes {
                    cpu_us: first.cpu_us.saturating_add(rest.cpu_us),
                    wait_us: first.wait_us.saturating_add(rest.wait_us),
                })
            }
        }
    }
}

/// Returns the use between two readings. A thread that has ended takes its time with it.
const fn between(before: ProcessTimes, after: ProcessTimes) -> ProcessTimes {
    ProcessTimes {
        cpu_us: after.cpu_us.saturating_sub(before.cpu_us),
        wait_us: after.wait_us.saturating_sub(before.wait_us),
    }
}

/// Returns the most that can have been used in the last `took` of the time between two readings: by all processors, or by one
/// waiting thread.
fn bounded(before: ProcessTimes, after: ProcessTimes, took: Duration) -> ProcessTimes {
    let used = between(before, after);
    let took = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
    ProcessTimes {
        cpu_us: used.cpu_us.min(took.saturating_mul(processors().into())),
        wait_us: used.wait_us.min(took),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn times(cpu_us: u64, wait_us: u64) -> ProcessTimes {
        ProcessTimes { cpu_us, wait_us }
    }

    #[test]
    fn what_was_put_off_is_bounded_by_the_last_reading_and_by_the_time() {
        let (asked, ms) = (Instant::now(), Duration::from_millis);
        let last = Some(times(1000, 5000));
        // 3 ms before the reading, with 200 us used and 9 ms waited since the last one.
        let late = DecisionUsage::Late(asked + ms(3), times(1200, 14_000));
        assert_eq!(late.used(last, times(1700, 14_100), asked, asked + ms(9)), Some(times(700, 3100)));
        assert_eq!(late.used(None, times(1700, 14_100), asked, asked + ms(9)), Some(times(500, 100)));
        let off = DecisionUsage::PutOff;
        assert_eq!(off.used(last, times(1100, 95_000), asked, asked + ms(80)), Some(times(100, 80_000)));
        assert_eq!(off.used(None, times(1100, 95_000), asked, asked + ms(80)), None);
        let open = DecisionUsage::Open(asked, times(1100, 5001));
        assert_eq!(open.used(last, times(1000, 5101), asked, asked), Some(times(0, 100)));
        assert_eq!(DecisionUsage::Closed.used(last, times(1, 1), asked, asked), None);
    }
}
