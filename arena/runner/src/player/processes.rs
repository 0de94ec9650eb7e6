//! The processes of a bot: what they use, where they run, and whether they stand still.

use std::io;
use std::time::Duration;

use record::ProcessTimes;

use super::Player;
use crate::meter::tree_time;
use crate::process::Usage;
use crate::{Place, Process};

impl Player {
    /// Returns what the process used so far.
    pub(crate) fn usage(&mut self) -> Usage {
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
        self.process.as_mut()?.times()
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
            process.begin_game();
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
        Some(self.process.as_ref()?.excess()?.words(&self.quota))
    }
}
