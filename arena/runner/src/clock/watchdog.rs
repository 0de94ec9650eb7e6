//! A watchdog on the arena itself: did its thread run while it waited for a bot?
//!
//! Ctrl-Z, `SIGSTOP`, a sleeping laptop, a frozen virtual machine, a stalled machine: the bot's clock keeps running, and nobody
//! reads its answer. No bot is to blame for that. A wait in the runtime checks the clock every [`BEAT`]. A check that comes
//! much later than due is a pause, and so is time in which the whole system slept, which the usual clock does not count. An
//! answer before the first check costs two comparisons and no reading of a clock.

use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::Instant;

use crate::clock::timer::DeadlineTimer;

/// How often a wait checks the clock.
const BEAT: Duration = Duration::from_millis(100);

/// The shortest delay that counts as a pause. A busy machine wakes a sleeping thread sooner, and a control group that has used
/// up its share of the processors stops for less than 100 ms at a time.
const LEAST: Duration = Duration::from_millis(250);

/// Notices the pauses of one wait.
#[derive(Debug, Default)]
pub(crate) struct Watchdog {
    timer: DeadlineTimer,
    /// When the next check is due; `None` before the wait begins.
    due: Option<Instant>,
    /// How long the system had slept since its start, at the last check in the runtime.
    slept: Option<Duration>,
    paused: Duration,
}

impl Watchdog {
    /// Forgets the last wait, because another one is about to begin.
    pub(crate) const fn reset(&mut self) {
        (self.due, self.slept, self.paused) = (None, None, Duration::ZERO);
    }

    /// Records that the wait began at this instant, unless it has already begun.
    pub(crate) fn begin(&mut self, at: Instant) {
        self.due.get_or_insert(at + BEAT);
    }

    /// Checks the clock if that is due, and arranges for the task to be woken for the next check.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) {
        if self.due.is_none() {
            self.begin(Instant::now());
        }
        if self.slept.is_none() {
            self.slept = Some(time_asleep());
        }
        while let Some(due) = self.due
            && self.timer.poll(due, cx) == Poll::Ready(())
        {
            self.look(Instant::now());
        }
    }

    /// Records that the thread runs at this instant, and returns for how long it has not run since the wait began.
    pub(crate) fn look(&mut self, at: Instant) -> Duration {
        if let Some(due) = self.due {
            self.add(at.saturating_duration_since(due));
            self.due = Some(due.max(at + BEAT));
        }
        if let Some(before) = self.slept {
            let now = time_asleep();
            self.add(now.saturating_sub(before));
            self.slept = Some(now);
        }
        self.paused
    }

    /// Returns for how long the thread did not run in this wait, as of the last check.
    pub(crate) const fn paused(&self) -> Duration {
        self.paused
    }

    fn add(&mut self, delay: Duration) {
        if delay >= LEAST {
            self.paused += delay;
        }
    }
}

/// Returns how long this machine has slept since its start: one of its clocks counts that, the other does not.
#[cfg(target_os = "linux")]
fn time_asleep() -> Duration {
    use nix::time::{ClockId, clock_gettime};

    let read = |clock| clock_gettime(clock).map(Duration::from).unwrap_or_default();
    // The thread may lose its processor between two readings. The pair read fastest is closest to the truth.
    let pair = || {
        let before = read(ClockId::CLOCK_MONOTONIC);
        let whole = read(ClockId::CLOCK_BOOTTIME);
        let took = read(ClockId::CLOCK_MONOTONIC).saturating_sub(before);
        (took, whole.saturating_sub(before))
    };
    let mut best = pair();
    for _ in 0..2 {
        if best.0 < LEAST / 10 {
            break;
        }
        best = best.min(pair());
    }
    best.1
}

/// On other systems only delays are noticed.
#[cfg(not(target_os = "linux"))]
fn time_asleep() -> Duration {
    Duration::ZERO
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use tokio::time::{advance, sleep};

    use super::*;

    /// Waits for this many milliseconds, with checks in the runtime.
    async fn wait(watchdog: &mut Watchdog, millis: u64) {
        let mut end = Box::pin(sleep(Duration::from_millis(millis)));
        poll_fn(|cx| {
            watchdog.poll(cx);
            end.as_mut().poll(cx)
        })
        .await;
    }

    #[tokio::test(start_paused = true)]
    async fn a_wait_without_a_pause_has_none_however_long_it_is() {
        let mut watchdog = Watchdog::default();
        watchdog.begin(Instant::now());
        wait(&mut watchdog, 3_600_000).await;
        assert_eq!(watchdog.look(Instant::now()), Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_missing_between_two_looks_is_a_pause() {
        let mut watchdog = Watchdog::default();
        for is_in_runtime in [false, true] {
            watchdog.reset();
            watchdog.begin(Instant::now());
            if is_in_runtime {
                wait(&mut watchdog, 1000).await;
            }
            advance(Duration::from_millis(200)).await;
            assert_eq!(watchdog.look(Instant::now()), Duration::ZERO);
            advance(Duration::from_secs(7)).await;
            let paused = watchdog.look(Instant::now());
            assert!(paused > Duration::from_millis(6800) && paused <= Duration::from_secs(7), "{paused:?}");
            if is_in_runtime {
                wait(&mut watchdog, 1000).await;
            }
            assert_eq!(watchdog.paused(), paused);
        }
    }

    #[test]
    fn a_machine_does_not_sleep_while_its_clocks_are_read() {
        let before = time_asleep();
        assert!((0..1000).all(|_| time_asleep().abs_diff(before) < LEAST));
    }
}
