//! The processes of a bot: their use of resources, their processors, and whether they are stopped.

use std::io;
use std::time::Duration;

use processes::{ExceededLimit, Process, ProcessUsage, tree_time};
use record::ProcessTimes;
use settings::{Quota, format_duration};

use super::Player;
use crate::GameCores;

/// The process of a bot, as far as its times are concerned. In paused time, tests use bots whose processor time is paused too.
pub(crate) trait BotProcess {
    /// Returns the process of the system, if it is one.
    fn process(&self) -> Option<&Process>;

    /// Returns the process of the system, for measurements.
    fn process_mut(&mut self) -> Option<&mut Process>;

    /// Returns the process of the system, for ending it.
    fn into_process(self: Box<Self>) -> Option<Process>;

    /// Returns its processor and waiting time so far, if known.
    fn times(&mut self) -> Option<ProcessTimes>;

    /// Returns the processor time so far of the process and everything that it started, if known.
    fn processor_time(&self) -> Option<Duration>;
}

impl BotProcess for Process {
    fn process(&self) -> Option<&Process> {
        Some(self)
    }

    fn process_mut(&mut self) -> Option<&mut Process> {
        Some(self)
    }

    fn into_process(self: Box<Self>) -> Option<Process> {
        Some(*self)
    }

    fn times(&mut self) -> Option<ProcessTimes> {
        let times = Process::times(self)?;
        let micros = |time: Duration| time.as_micros().try_into().unwrap_or(u64::MAX);
        Some(ProcessTimes { cpu_us: micros(times.cpu), wait_us: micros(times.wait) })
    }

    fn processor_time(&self) -> Option<Duration> {
        tree_time(self.root()?)
    }
}

impl Player {
    /// Returns its process.
    pub(crate) fn process(&self) -> Option<&Process> {
        self.process.as_ref()?.process()
    }

    /// Takes its process, for ending it.
    pub(super) fn take_process(&mut self) -> Option<Process> {
        self.process.take()?.into_process()
    }

    /// Returns the resources that the process used so far.
    pub(crate) fn usage(&mut self) -> ProcessUsage {
        self.process
            .as_mut()
            .and_then(|process| process.process_mut())
            .map(Process::usage)
            .unwrap_or_default()
    }

    /// Returns the processor time of the process so far, if the system reports it.
    pub(crate) fn cpu(&mut self) -> Option<Duration> {
        self.process.as_mut()?.process_mut()?.cpu()
    }

    /// Returns the processor and waiting time of the process so far, if the system reports it.
    pub(crate) fn times(&mut self) -> Option<ProcessTimes> {
        self.process.as_mut()?.times()
    }

    /// Returns the processor time so far of its process and everything that it started, if the system reports it.
    pub(crate) fn processor_time(&self) -> Option<Duration> {
        self.process.as_ref()?.processor_time()
    }

    /// Moves its process, with everything that it started, to the processors of a seat.
    ///
    /// # Errors
    /// When the system refuses.
    pub(crate) fn move_to(&self, place: &GameCores, seat: rules::Seat) -> io::Result<()> {
        match self.process().and_then(Process::root) {
            Some(process) => place.move_to(seat, process),
            None => Err(io::ErrorKind::Unsupported.into()),
        }
    }

    /// Returns whether its standard error has been silent so far.
    pub(crate) fn is_silent(&self) -> bool {
        self.process().is_none_or(Process::is_silent)
    }

    /// Returns at least how often its process was stopped since its start, not counting stops by the arena.
    pub(crate) fn stops(&self) -> u32 {
        self.process().map_or(0, Process::stops)
    }

    /// Begins to count the processor time of a game, if it is limited. Otherwise its guard may sleep on.
    pub(crate) fn begin_game(&self) {
        if let Some(process) = self.process().filter(|_| self.quota.cpu.is_some()) {
            process.restart_cpu_count();
        }
    }

    /// Stops its processes, or lets them continue. A stopped bot cannot answer.
    pub(crate) fn freeze(&mut self, is_frozen: bool) {
        if let Some(process) = self.process().filter(|_| self.is_frozen != is_frozen) {
            process.freeze(is_frozen);
            self.is_frozen = is_frozen;
        }
    }

    /// Returns which limit its processes exceeded, if any.
    pub(super) fn excess(&self) -> Option<String> {
        Some(excess_words(self.process()?.excess()?, &self.quota))
    }
}

/// Returns the exceeded limit, in words without a subject.
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
