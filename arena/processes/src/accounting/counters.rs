//! What this process has used and done, as the system counts it: the bots, its children, stand apart.
//!
//! Where the system tells what a whole process has read and written, it adds what its children had that have ended
//! (`wait_task_zombie` in Linux's `kernel/exit.c`). So threads are asked, one by one; those that play are asked when they end.

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
    ///
    /// ```
    /// if let Some(before) = processes::Counters::now() {
    ///     let text = std::fs::read("/proc/self/stat")?;
    ///     let since = processes::Counters::now().map(|now| now.since(&before));
    ///     assert!(since.is_some_and(|since| since.bytes_read >= text.len() as u64));
    /// }
    /// # Ok::<(), std::io::Error>(())
    /// ```
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

/// Takes what the thread that calls this has read and written to the account, since nobody can ask it any more when it has
/// ended.
#[cfg(target_os = "linux")]
pub fn count_ending_thread() {
    if let Some(own) = linux::Traffic::of("/proc/thread-self/io".as_ref()) {
        linux::ended().add(own);
    }
}

/// Not every system tells what a thread has read and written.
#[cfg(not(target_os = "linux"))]
pub const fn count_ending_thread() {}

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
    let traffic = linux::Traffic::now()?;
    let status = fs::read_to_string("/proc/self/status").ok()?;
    Some(Counters {
        cpu: cpu(&usage),
        children: cpu(&getrusage(UsageWho::RUSAGE_CHILDREN).ok()?),
        wake_ups: usage.voluntary_context_switches().try_into().unwrap_or(0),
        reads: traffic.reads,
        writes: traffic.writes,
        bytes_read: traffic.bytes_read,
        bytes_written: traffic.bytes_written,
        peak_kib: super::proc_files::peak_memory(&status)?,
    })
}

#[cfg(not(target_os = "linux"))]
fn now() -> Option<Counters> {
    None
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs;
    use std::path::Path;
    use std::sync::{Mutex, MutexGuard, PoisonError};

    /// What threads that have ended had read and written.
    static ENDED: Mutex<Traffic> =
        Mutex::new(Traffic { reads: 0, writes: 0, bytes_read: 0, bytes_written: 0 });

    pub(super) fn ended() -> MutexGuard<'static, Traffic> {
        ENDED.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was read and written.
    #[derive(Clone, Copy, Debug, Default)]
    pub(super) struct Traffic {
        pub(super) reads: u64,
        pub(super) writes: u64,
        pub(super) bytes_read: u64,
        pub(super) bytes_written: u64,
    }

    impl Traffic {
        /// Reads the account of a thread.
        pub(super) fn of(path: &Path) -> Option<Self> {
            let text = fs::read_to_string(path).ok()?;
            let figure = |name| text.lines().find_map(|line| line.strip_prefix(name))?.trim().parse().ok();
            Some(Self {
                reads: figure("syscr:")?,
                writes: figure("syscw:")?,
                bytes_read: figure("rchar:")?,
                bytes_written: figure("wchar:")?,
            })
        }

        /// Sums the accounts of the threads of this process, and of those that have told theirs at their end.
        pub(super) fn now() -> Option<Self> {
            let mut sum = *ended();
            for task in fs::read_dir("/proc/self/task").ok()?.flatten() {
                // A thread may have ended in the meantime.
                Self::of(&task.path().join("io")).into_iter().for_each(|thread| sum.add(thread));
            }
            (sum.reads > 0).then_some(sum)
        }

        pub(super) const fn add(&mut self, other: Self) {
            self.reads = self.reads.saturating_add(other.reads);
            self.writes = self.writes.saturating_add(other.writes);
            self.bytes_read = self.bytes_read.saturating_add(other.bytes_read);
            self.bytes_written = self.bytes_written.saturating_add(other.bytes_written);
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn what_this_process_does_is_counted() {
        let mut last = None;
        // What another test has read is gone when its thread ends without a word, and may be more than what is read here.
        let is_counted = (0..1000).any(|_| {
            let before = Counters::now().expect("Linux tells");
            let text = std::fs::read("/proc/self/stat").expect("it can be read");
            let after = last.insert(Counters::now().expect("Linux tells").since(&before));
            after.reads >= 2 && after.bytes_read >= text.len() as u64
        });
        assert!(is_counted, "{last:?}");
        assert!(last.is_some_and(|after| after.peak_kib > 100), "{last:?}");
    }

    #[test]
    fn children_that_have_ended_are_not_counted_and_threads_are() {
        // More than all other tests together, some of which may end meanwhile.
        const MANY: u64 = 1 << 30;
        const OTHERS: u64 = 64 << 20;
        let before = Counters::now().expect("Linux tells");
        let child = std::process::Command::new("head")
            .args(["-c", &MANY.to_string(), "/dev/zero"])
            .stdout(std::process::Stdio::null())
            .status();
        assert!(child.expect("it starts").success());
        let after = Counters::now().expect("Linux tells").since(&before);
        assert!(after.bytes_read < MANY, "{after:?}");
        let reader = std::thread::spawn(|| {
            let zeros = std::fs::File::open("/dev/zero").expect("it is there");
            let mut zeros = std::io::Read::take(zeros, MANY);
            std::io::copy(&mut zeros, &mut std::io::sink()).expect("it never ends");
            count_ending_thread();
        });
        reader.join().expect("it ends");
        let after = Counters::now().expect("Linux tells").since(&before);
        assert!(after.bytes_read >= MANY - OTHERS, "{after:?}");
    }
}
