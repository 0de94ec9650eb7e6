//! Which limit the processes of a bot exceeded.

use std::fmt;
use std::str::FromStr;

use settings::{Quota, format_duration};

/// Which limit was exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Excess {
    /// That on memory.
    Memory,
    /// That on processor time.
    Cpu,
    /// That on processes.
    Processes,
    /// That on processes and threads together.
    Tasks,
}

impl Excess {
    /// Every kind, with its word.
    const WORDS: [(Self, &'static str); 4] = [
        (Self::Memory, "memory"),
        (Self::Cpu, "cpu"),
        (Self::Processes, "processes"),
        (Self::Tasks, "tasks"),
    ];

    /// Returns what happened, in words without a subject.
    pub(crate) fn words(self, quota: &Quota) -> String {
        let limit = match self {
            Self::Memory => quota.memory.map(|memory| memory.to_string()),
            Self::Cpu => quota.cpu.map(|cpu| format!("{} of processor time in a game", format_duration(cpu))),
            Self::Processes => quota.processes.map(|count| format!("{count} processes")),
            Self::Tasks => quota.tasks().map(|count| format!("{count} processes and threads")),
        };
        let what = if self == Self::Memory { " of memory" } else { "" };
        format!("exceeded its limit of {}{what}", limit.unwrap_or_default())
    }
}

impl fmt::Display for Excess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = Self::WORDS.iter().find(|(excess, _)| excess == self);
        f.write_str(word.map_or("", |(_, word)| word))
    }
}

impl FromStr for Excess {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::WORDS.iter().find(|(_, word)| *word == text).map(|(excess, _)| *excess).ok_or(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use settings::Memory;

    use super::*;

    #[test]
    fn what_was_exceeded_is_said_with_its_limit() {
        let both = Quota { memory: Some(Memory(1024)), cpu: Some(Duration::from_secs(1)), processes: None };
        assert_eq!(Excess::Memory.words(&both), "exceeded its limit of 1MiB of memory");
        assert_eq!(Excess::Cpu.words(&both), "exceeded its limit of 1s of processor time in a game");
    }
}
