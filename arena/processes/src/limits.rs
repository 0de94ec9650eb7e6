//! What the processes of a program may use together, in plain numbers.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;
use std::time::Duration;

/// What all processes of a program together may use; what is `None` is not limited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProcessLimits {
    /// Memory at any time, in KiB.
    pub memory_kib: Option<u64>,
    /// Processor time, since the start or the last [`Process::restart_cpu_count`](crate::Process::restart_cpu_count).
    pub cpu: Option<Duration>,
    /// Processes, at any time: threads do not count.
    pub processes: Option<NonZeroU32>,
    /// Processes and threads together, at any time. Only a control group holds them to it.
    pub tasks: Option<u64>,
}

impl ProcessLimits {
    /// Returns whether nothing is limited.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Which limit was exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExceededLimit {
    /// That on memory.
    Memory,
    /// That on processor time.
    Cpu,
    /// That on processes.
    Processes,
    /// That on processes and threads together.
    Tasks,
}

impl ExceededLimit {
    /// Every kind, with its word.
    const WORDS: [(Self, &'static str); 4] = [
        (Self::Memory, "memory"),
        (Self::Cpu, "cpu"),
        (Self::Processes, "processes"),
        (Self::Tasks, "tasks"),
    ];
}

impl fmt::Display for ExceededLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = Self::WORDS.iter().find(|(excess, _)| excess == self);
        f.write_str(word.map_or("", |(_, word)| word))
    }
}

/// Reads the word that [`ExceededLimit`] is written as.
impl FromStr for ExceededLimit {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::WORDS.iter().find(|(_, word)| *word == text).map(|(excess, _)| *excess).ok_or(())
    }
}
