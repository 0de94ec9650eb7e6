//! What the system tells of processes: the processor time and memory of those below one, and what this one has used.

mod counters;
#[cfg(target_os = "linux")]
mod memory;
#[cfg(target_os = "linux")]
mod proc_files;
#[cfg(target_os = "linux")]
mod reading;
#[cfg(target_os = "linux")]
mod tree;
mod tree_time;

use std::sync::LazyLock;
use std::time::Duration;

pub use self::counters::{Counters, count_ending_thread};
#[cfg(target_os = "linux")]
pub(crate) use self::memory::MemoryCount;
#[cfg(target_os = "linux")]
pub(crate) use self::proc_files::{is_ending, read};
#[cfg(target_os = "linux")]
pub(crate) use self::reading::Accounting;
#[cfg(target_os = "linux")]
pub(crate) use self::tree::ProcessTree;
pub use self::tree_time::{measures_processor_time, tree_time};

/// What a process used so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProcessUsage {
    /// Processor time, where the system tells.
    pub cpu: Option<Duration>,
    /// The most memory held, in KiB, where the system tells.
    pub peak_kib: Option<u64>,
}

/// Reads the processor time of a process and those below it, for those who do not own the process. It means nothing once the
/// process has been reaped.
#[derive(Debug)]
pub struct CpuMeter {
    #[cfg(target_os = "linux")]
    pub(crate) accounting: Option<Accounting>,
}

impl CpuMeter {
    /// Returns the processor time that the processes used so far, where the system tells.
    #[cfg(target_os = "linux")]
    pub fn cpu(&mut self) -> Option<Duration> {
        self.accounting.as_mut()?.cpu()
    }

    /// Returns the processor time that the processes used so far, where the system tells.
    #[cfg(not(target_os = "linux"))]
    pub fn cpu(&mut self) -> Option<Duration> {
        None
    }
}

/// Returns the processor time that the calling thread used so far, where the system tells.
#[must_use]
pub fn thread_time() -> Option<Duration> {
    #[cfg(target_os = "linux")]
    return nix::time::clock_gettime(nix::time::ClockId::CLOCK_THREAD_CPUTIME_ID).ok().map(Duration::from);
    #[cfg(not(target_os = "linux"))]
    None
}

/// What the system's scheduler has given the threads of a process that live.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SchedulerTimes {
    /// For how long they ran, added up.
    pub cpu: Duration,
    /// For how long they could have run and waited for a processor, added up.
    pub wait: Duration,
}

/// For how long a list of the processes below one is taken to be complete: two readings within it share one.
pub const FRESH: Duration = Duration::from_micros(500);

/// The files of how many threads of a process stay open, from which the system's account of them is read.
const KEPT_FILES: usize = 8;

/// How many descriptors a running process takes in the arena: three pipes, two handles, the file of its memory, those of
/// some threads, and two for its start and its end.
pub const DESCRIPTORS: usize = 8 + KEPT_FILES;

/// Returns how many processors can be busy at once. The system is asked once: to know it takes its account of control groups.
#[must_use]
pub fn processors() -> u32 {
    static PROCESSORS: LazyLock<u32> = LazyLock::new(|| {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        u32::try_from(processors).unwrap_or(u32::MAX)
    });
    *PROCESSORS
}
