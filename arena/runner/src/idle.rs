//! What bots do with the processor while their opponents think.
//!
//! It reads no clock: it is told what the system gave a bot at the ends of its decisions.

use std::time::Duration;

use record::{ProcessTimes, Warning, WarningKind};
use tokio::time::Instant;

/// The share of its opponent's time for which a bot may use a processor: what a runtime does on its own stays below.
const SHARE: f64 = 0.05;

/// What is too little processor time to be told of.
const LEAST: Duration = Duration::from_millis(200);

/// What one bot did between its decisions.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Idle {
    /// When it decided last, and what it had used by then.
    since: Option<(Instant, ProcessTimes)>,
    /// Processor time used meanwhile, over all its threads.
    cpu: Duration,
    /// How long that was.
    wall: Duration,
}

impl Idle {
    /// Notes the end of a decision.
    pub(crate) const fn begin(&mut self, at: Instant, used: ProcessTimes) {
        self.since = Some((at, used));
    }

    /// Notes the begin of the next decision.
    pub(crate) fn end(&mut self, at: Instant, used: ProcessTimes) {
        if let Some((since, before)) = self.since.take() {
            // A thread that has ended takes its time with it.
            self.cpu += Duration::from_micros(used.cpu_us.saturating_sub(before.cpu_us));
            self.wall += at.saturating_duration_since(since);
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

    fn warning(cpu: Duration, wall: Duration) -> Option<String> {
        let (now, mut idle) = (Instant::now(), Idle::default());
        let used = |cpu: Duration| ProcessTimes { cpu_us: cpu.as_micros() as u64, wait_us: 0 };
        // What comes before the first decision is nobody's time.
        idle.end(now, used(Duration::from_secs(9)));
        idle.begin(now, used(Duration::from_secs(10)));
        idle.end(now + wall, used(Duration::from_secs(10) + cpu));
        idle.warning(7).map(|warning| warning.what)
    }

    #[test]
    fn a_bot_that_is_busy_in_its_opponents_time_is_told_of() {
        let ms = Duration::from_millis;
        assert_eq!(warning(ms(300), ms(10_000)), None);
        assert_eq!(warning(ms(150), ms(200)), None);
        let words = "used 0.6 s of processor time in 10.0 s in which its opponent was to decide";
        assert_eq!(warning(ms(600), ms(10_000)).as_deref(), Some(words));
    }
}
