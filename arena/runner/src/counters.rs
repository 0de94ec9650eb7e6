//! What this process has used and done, as the system counts it: the bots, its children, stand apart.

use std::time::Duration;

/// What this process has used and done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Processor time of all its threads.
    pub cpu: Duration,
    /// Processor time of the processes that it has waited for, and of those that they have: bots that have ended, and their
    /// guards.
    pub children: Duration,
    /// How often one of its threads went to sleep, and was woken again.
    pub wake_ups: u64,
    /// System calls that read.
    pub reads: u64,
    /// System calls that write.
    pub writes: u64,
    /// Bytes that were read, from whatever it was.
    pub bytes_read: u64,
    /// Bytes that were written, to whatever it was.
    pub bytes_written: u64,
    /// The most memory that it held so far, in KiB.
    pub peak_kib: u64,
}

impl Counters {
    /// Asks the system; `None` where it does not tell.
    #[must_use]
    pub fn now() -> Option<Self> {
        now()
    }

    /// Returns what has come since an earlier reading; the memory is the most of the whole life.
    #[must_use]
    pub const fn since(&self, before: &Self) -> Self {
        Self {
            cpu: self.cpu.saturating_sub(before.cpu),
            children: self.children.saturating_sub(before.children),
            wake_ups: self.wake_ups.saturating_sub(before.wake_ups),
            reads: self.reads.saturating_sub(before.reads),
            writes: self.writes.saturating_sub(before.writes),
            bytes_read: self.bytes_read.saturating_sub(before.bytes_read),
            bytes_written: self.bytes_written.saturating_sub(before.bytes_written),
            peak_kib: self.peak_kib,
        }
    }
}

#[cfg(target_os = "linux")]
fn now() -> Option<Counters> {
    use std::fs;

    use nix::sys::resource::{Usage, UsageWho, getrusage};
    use nix::sys::time::TimeValLike;

    let usage = getrusage(UsageWho::RUSAGE_SELF).ok()?;
    let cpu = |usage: &Usage| {
        let micros = (usage.user_time() + usage.system_time()).num_microseconds();
        Duration::from_micros(micros.try_into().unwrap_or(0))
    };
    let io = fs::read_to_string("/proc/self/io").ok()?;
    let status = fs::read_to_string("/proc/self/status").ok()?;
    Some(Counters {
        cpu: cpu(&usage),
        children: cpu(&getrusage(UsageWho::RUSAGE_CHILDREN).ok()?),
        wake_ups: usage.voluntary_context_switches().try_into().unwrap_or(0),
        reads: figure(&io, "syscr:")?,
        writes: figure(&io, "syscw:")?,
        bytes_read: figure(&io, "rchar:")?,
        bytes_written: figure(&io, "wchar:")?,
        peak_kib: crate::kin::peak_memory(&status)?,
    })
}

#[cfg(not(target_os = "linux"))]
fn now() -> Option<Counters> {
    None
}

/// Returns the figure of the line of `/proc/PID/io` that begins so.
#[cfg(target_os = "linux")]
fn figure(io: &str, name: &str) -> Option<u64> {
    io.lines().find_map(|line| line.strip_prefix(name))?.trim().parse().ok()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn what_this_process_does_is_counted() {
        let before = Counters::now().expect("Linux tells");
        let text = std::fs::read("/proc/self/stat").expect("it can be read");
        let after = Counters::now().expect("Linux tells").since(&before);
        assert!(after.reads >= 2 && after.bytes_read >= text.len() as u64, "{after:?}");
        assert!(after.peak_kib > 100, "{after:?}");
    }
}
