//! What bots do with the processor while their opponents think.
//!
//! It reads no clock: it is told what the system gave a bot at the ends of its decisions.

use std::time::Duration;

use record::{ProcessTimes, Warning, WarningKind};
use tokio::time::Instant;

/// The share of its opponent's time for which a bot may use a processor: what a runtime does on its own stays below.
const SHARE: f64 = 0.05;

/// Processor time below which nothing is reported.
const LEAST: Duration = Duration::from_millis(200);

/// What one bot did between its decisions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BackgroundUse {
    /// How many processors it can keep busy at once.
    processors: u32,
    /// When it decided last, and what it had used by then.
    since: Option<(Instant, ProcessTimes)>,
    /// Processor time used meanwhile, over all its threads.
    cpu: Duration,
    /// How long that was.
    wall: Duration,
    /// What its decisions took since then whose begin and end were not read.
    unread: Duration,
}

impl BackgroundUse {
    /// Begins with a bot that has decided nothing, on this many processors.
    pub(crate) const fn new(processors: u32) -> Self {
        let (cpu, wall, unread) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
        Self { processors, since: None, cpu, wall, unread }
    }

    /// Notes the end of a decision.
    pub(crate) const fn begin(&mut self, at: Instant, used: ProcessTimes) {
        self.since = Some((at, used));
    }

    /// Notes a decision, or a part of one, at whose begin and end nothing was read.
    pub(crate) fn skip(&mut self, took: Duration) {
        if self.since.is_some() {
            self.unread += took;
        }
    }

    /// Returns what was used by the last reading, if there is one since the first decision.
    pub(crate) fn last(&self) -> Option<ProcessTimes> {
        self.since.map(|(_, times)| times)
    }

    /// Returns whether decisions were skipped since the last reading.
    pub(crate) const fn has_unread(&self) -> bool {
        !self.unread.is_zero()
    }

    /// Notes the begin of the next decision.
    pub(crate) fn end(&mut self, at: Instant, used: ProcessTimes) {
        let unread = std::mem::take(&mut self.unread);
        if let Some((since, before)) = self.since.take() {
            // A thread that has ended takes its time with it. Of what was not read the bot may have used all, in its own time.
            let cpu = Duration::from_micros(used.cpu_us.saturating_sub(before.cpu_us));
            self.cpu += cpu.saturating_sub(unread.saturating_mul(self.processors));
            self.wall += at.saturating_duration_since(since).saturating_sub(unread);
        }
    }

    /// Returns the warning about a bot that was busy; `ply` is the number of the last ply.
    pub(crate) fn warning(&self, ply: usize) -> Option<Warning> {
        let is_busy = self.cpu >= LEAST && self.cpu.as_secs_f64() > SHARE * self.wall.as_secs_f64();
        let seconds = |time: Duration| format!("{:.1} s", time.as_secs_f64());
        is_busy.then(|| Warning {
            kind: WarningKind::Background,
            count: 1,
            ply: ply.try_into().unwrap_or(u32::MAX),
            what: format!(
                "used {} of processor time in {} in which its opponent was to decide",
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
        // What comes before the first decision is nobody's time.
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
        let words = "used 0.6 s of processor time in 10.0 s in which its opponent was to decide";
        assert_eq!(warning(ms(600), ms(10_000), ms(0)).as_deref(), Some(words));
    }

    #[test]
    fn what_was_not_read_of_its_own_decisions_is_not_held_against_it() {
        assert_eq!(warning(ms(600), ms(2000), ms(300)), None);
        assert_eq!(warning(ms(600), ms(2000), ms(250)), None);
        let words = "used 0.4 s of processor time in 1.9 s in which its opponent was to decide";
        assert_eq!(warning(ms(600), ms(2000), ms(100)).as_deref(), Some(words));
    }
}
