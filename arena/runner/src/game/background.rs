//! The processor time that bots use while their opponents think.
//!
//! It reads no clock: the caller supplies the times of the process at the ends of its decisions.

use std::time::Duration;

use record::{ProcessTimes, Warning, WarningKind};
use tokio::time::Instant;

/// The share of the opponent's time for which a bot may use a processor. The background work of a language's runtime stays
/// below.
const SHARE: f64 = 0.05;

/// The least processor time that is reported.
const LEAST: Duration = Duration::from_millis(200);

/// The work of one bot between its decisions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BackgroundUse {
    /// The number of processors that it can keep busy at once.
    processors: u32,
    /// When its last decision ended, and what it had used by then.
    since: Option<(Instant, ProcessTimes)>,
    /// Processor time used in between, over all its threads.
    cpu: Duration,
    /// The duration of that time.
    wall: Duration,
    /// The time since then of decisions whose ends were not read.
    unread: Duration,
}

impl BackgroundUse {
    /// Returns the account of a bot without decisions, on this many processors.
    pub(crate) const fn new(processors: u32) -> Self {
        let (cpu, wall, unread) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
        Self { processors, since: None, cpu, wall, unread }
    }

    /// Records the end of a decision.
    pub(crate) const fn begin(&mut self, at: Instant, used: ProcessTimes) {
        self.since = Some((at, used));
    }

    /// Records a decision, or a part of one, without readings at its ends.
    pub(crate) fn skip(&mut self, took: Duration) {
        if self.since.is_some() {
            self.unread += took;
        }
    }

    /// Returns the total at the last reading, if there is one since the first decision.
    pub(crate) fn last(&self) -> Option<ProcessTimes> {
        self.since.map(|(_, times)| times)
    }

    /// Returns whether decisions were skipped since the last reading.
    pub(crate) const fn has_unread(&self) -> bool {
        !self.unread.is_zero()
    }

    /// Records the beginning of the next decision.
    pub(crate) fn end(&mut self, at: Instant, used: ProcessTimes) {
        let unread = std::mem::take(&mut self.unread);
        if let Some((since, before)) = self.since.take() {
            // A thread that has ended takes its time with it. During decisions without readings, the bot may have used all of
            // the time itself.
            let cpu = Duration::from_micros(used.cpu_us.saturating_sub(before.cpu_us));
            self.cpu += cpu.saturating_sub(unread.saturating_mul(self.processors));
            self.wall += at.saturating_duration_since(since).saturating_sub(unread);
        }
    }

    /// Returns the warning about a busy bot. `ply` is the number of the last ply.
    pub(crate) fn warning(&self, ply: usize) -> Option<Warning> {
        let is_busy = self.cpu >= LEAST && self.cpu.as_secs_f64() > SHARE * self.wall.as_secs_f64();
        let seconds = |time: Duration| format!("{:.1} s", time.as_secs_f64());
        is_busy.then(|| Warning {
            kind: WarningKind::Background,
            count: 1,
            ply: ply.try_into().unwrap_or(u32::MAX),
            what: format!(
                "used {} of processor time during {} of its opponent's decisions",
                seconds(self.cpu),
                seconds(self.wall)
            ),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn warning(cpu: Duration, wall: Duration, skipped: Duration) -> Option<String> {
        let (now, mut idle) = (Instant::now(), BackgroundUse::new(2));
        let used = |cpu: Duration| ProcessTimes { cpu_us: cpu.as_micros() as u64, wait_us: 0 };
        // Time before the first decision belongs to nobody.
        idle.end(now, used(Duration::from_secs(9)));
        idle.begin(now, used(Duration::from_secs(10)));
        idle.skip(skipped);
        idle.end(now + wall, used(Duration::from_secs(10) + cpu));
        assert!(!idle.has_unread());
        idle.warning(7).map(|warning| warning.what)
    }

    #[test]
    fn a_bot_that_is_busy_in_its_opponents_time_is_told_of() {
        assert_eq!(warning(ms(300), ms(10_000), ms(0)), None);
        assert_eq!(warning(ms(150), ms(200), ms(0)), None);
        let words = "used 0.6 s of processor time during 10.0 s of its opponent's decisions";
        assert_eq!(warning(ms(600), ms(10_000), ms(0)).as_deref(), Some(words));
    }

    #[test]
    fn what_was_not_read_of_its_own_decisions_is_not_held_against_it() {
        assert_eq!(warning(ms(600), ms(2000), ms(300)), None);
        assert_eq!(warning(ms(600), ms(2000), ms(250)), None);
        let words = "used 0.4 s of processor time during 1.9 s of its opponent's decisions";
        assert_eq!(warning(ms(600), ms(2000), ms(100)).as_deref(), Some(words));
    }
}
