//! The processes of a bot: what they use, where they run, and whether they stand still.

use std::io;
use std::time::Duration;

use processes::{ExceededLimit, Process, ProcessUsage, tree_time};
use record::ProcessTimes;
use settings::{Quota, format_duration};

use super::Player;
use crate::Place;

impl Player {
    /// Returns what the process used so far.
    pub(crate) fn usage(&mut self) -> ProcessUsage {
        self.process.as_mut().map(Process::usage).unwrap_or_default()
    }

    /// Returns the processor time that the process used so far, where the system tells.
    pub(crate) fn cpu(&mut self) -> Option<Duration> {
        self.process.as_mut()?.cpu()
    }

    /// Returns what the system gave the process so far, where it tells.
    pub(crate) fn times(&mut self) -> Option<ProcessTimes> {
        #[cfg(test)]
        if let Some((since, share)) = self.waits {
            let wait_us = since.elapsed().mul_f64(share).as_micros() as u64;
            return Some(ProcessTimes { cpu_us: 0, wait_us });
        }
        let times = self.process.as_mut()?.times()?;
        let micros = |time: Duration| time.as_micros().try_into().unwrap_or(u64::MAX);
        Some(ProcessTimes { cpu_us: micros(times.cpu), wait_us: micros(times.wait) })
    }

    /// Returns the processor time of its process and everything that it started so far, where the system tells.
    pub(crate) fn processor_time(&self) -> Option<Duration> {
        #[cfg(test)]
        if let Some((since, processors)) = self.busy {
            return Some(since.elapsed().mul_f64(processors));
        }
        tree_time(self.process.as_ref()?.root()?)
    }

    /// Moves its process, with everything that it started, to the processors of a seat.
    ///
    /// # Errors
    /// When the system refuses.
    pub(crate) fn move_to(&self, place: &Place, seat: rules::Seat) -> io::Result<()> {
        match self.process.as_ref().and_then(Process::root) {
            Some(process) => place.move_to(seat, process),
            None => Err(io::ErrorKind::Unsupported.into()),
        }
    }

    /// Returns whether nothing has come from its standard error so far.
    pub(crate) fn is_silent(&self) -> bool {
        self.process.as_ref().is_none_or(Process::is_silent)
    }

    /// Returns how often at least its process was stopped since it started, which was not the arena.
    pub(crate) fn stops(&self) -> u32 {
        self.process.as_ref().map_or(0, Process::stops)
    }

    /// Begins to count the processor time of a game, where that is limited: else its guard may sleep on.
    pub(crate) fn begin_game(&self) {
        if let Some(process) = self.process.as_ref().filter(|_| self.quota.cpu.is_some()) {
            process.count_cpu_anew();
        }
    }

    /// Stops its processes, or lets them go on. Nothing but questions may be asked of it in between.
    pub(crate) fn freeze(&mut self, is_frozen: bool) {
        if let Some(process) = self.process.as_ref().filter(|_| self.is_frozen != is_frozen) {
            process.freeze(is_frozen);
            self.is_frozen = is_frozen;
        }
    }

    /// Says which limit its processes exceeded, if they did.
    pub(super) fn excess(&self) -> Option<String> {
        Some(excess_words(self.process.as_ref()?.excess()?, &self.quota))
    }
}

/// Says which limit was exceeded, in words without a subject.
fn excess_words(excess: ExceededLimit, quota: &Quota) -> String {
    let limit = match excess {
        ExceededLimit::Memory => quota.memory.map(|memory| memory.to_string()),
        ExceededLimit::Cpu => {
            quota.cpu.map(|cpu| format!("{} of processor time in a game", format_duration(cpu)))
        }
        ExceededLimit::Processes => quota.processes.map(|count| format!("{count} processes")),
        ExceededLimit::Tasks => quota.tasks().map(|count| format!("{count} processes and threads")),
    };
    let what = if excess == ExceededLimit::Memory { " of memory" } else { "" };
    format!("exceeded its limit of {}{what}", limit.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use settings::Memory;

    use super::*;

    #[test]
    fn an_excess_is_told_with_its_limit() {
        let quota =
            Quota { memory: Some(Memory(1024)), cpu: Some(Duration::from_secs(1)), ..Quota::default() };
        for (excess, words) in [
            (ExceededLimit::Memory, "exceeded its limit of 1MiB of memory"),
            (ExceededLimit::Cpu, "exceeded its limit of 1s of processor time in a game"),
        ] {
            assert_eq!(excess_words(excess, &quota), words);
        }
    }
}
