//! A tree of processes, as `/proc` shows it: those below a guard, or below a process that has none.

use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use super::memory::{MemoryCount, MemoryStatus, shared_by};
use super::proc_files::{children_of, duration, processor_ticks, read};

/// How many processes are looked at: a bot that has more is over every limit.
pub(crate) const MOST: usize = 10_000;

/// A tree of processes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProcessTree {
    /// The process that was started, which leads a group.
    pub(crate) leader: i32,
    /// The guard above it.
    pub(crate) guard: Option<i32>,
}

/// What processes hold at an instant, and have used until then.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TreeUsage {
    /// Processor time, those that have been reaped included.
    pub(crate) cpu: Duration,
    /// Memory in KiB: what each holds for itself, what lies in their pipes and sockets where that is counted, shared memory
    /// and files in memory once, and of the files that they map as much as the largest holder does.
    pub(crate) memory_kib: u64,
    /// How many processes there are.
    pub(crate) processes: u64,
}

impl ProcessTree {
    /// Sends a signal to the group of the leader, and to every other of its processes.
    pub(crate) fn signal(self, signal: Signal) {
        if let Some(group) = Pid::from_raw(self.leader) {
            // It fails when nobody is left, which is as well.
            let _ = kill_process_group(group, signal);
        }
        for member in self.members().into_iter().filter_map(Pid::from_raw) {
            let _ = kill_process(member, signal);
        }
    }

    /// Returns what the processes below a guard hold and have used. What is not theirs alone is counted by `shared`, where
    /// nobody else counts it.
    pub(crate) fn usage_below(guard: i32, shared: Option<&MemoryCount>) -> TreeUsage {
        let tree = Self { leader: 0, guard: Some(guard) };
        let members = tree.members();
        let (mut own, mut files, mut most_shared, mut sharing, mut processes) = (0, 0, 0, Vec::new(), 0);
        for number in &members {
            let account = MemoryStatus::of(*number);
            own += account.own;
            files = account.files.max(files);
            most_shared = account.shared.max(most_shared);
            if account.shared > 0 {
                sharing.push(*number);
            }
            // A process that has ended is none.
            processes += u64::from(account.lives);
        }
        let (queues, in_memory) = shared.map_or((0, 0), |shared| shared.count(&members));
        let mapped = if sharing.len() > 1 { shared_by(&sharing) } else { None };
        let shared = mapped.unwrap_or(most_shared).max(in_memory);
        let memory_kib = own + files + shared + queues;
        TreeUsage { cpu: duration(tree.ticks(&members)), memory_kib, processes }
    }

    /// Returns the numbers of the processes.
    fn members(self) -> Vec<i32> {
        let mut members = match self.guard {
            Some(guard) => children_of(guard),
            None => vec![self.leader],
        };
        let mut next = 0;
        while let Some(number) = members.get(next).copied().filter(|_| members.len() < MOST) {
            members.extend(children_of(number));
            next += 1;
        }
        if members.is_empty() {
            // Not every system tells of children.
            members.push(self.leader);
        }
        members
    }

    /// Sums the processor time of processes, and of what they and the guard have reaped.
    fn ticks(self, members: &[i32]) -> u64 {
        let living = members.iter().filter_map(|number| processor_ticks(&read(*number, "stat")));
        let living = living.fold(0_u64, |sum, (own, reaped)| sum.saturating_add(own).saturating_add(reaped));
        let reaped = self.guard.and_then(|guard| processor_ticks(&read(guard, "stat")));
        living.saturating_add(reaped.map_or(0, |(_, reaped)| reaped))
    }
}
