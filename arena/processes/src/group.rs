//! The group of a process, and what differs from system to system in it.

#[cfg(not(unix))]
pub(crate) use self::other::ProcessGroup;
#[cfg(not(unix))]
pub use self::other::{is_shortage, reserve_descriptors};
#[cfg(unix)]
pub(crate) use self::unix::ProcessGroup;
#[cfg(unix)]
pub use self::unix::{is_shortage, reserve_descriptors};

/// How a group is asked to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GroupSignal {
    /// Politely.
    Terminate,
    /// At once.
    #[cfg(unix)]
    Kill,
}

#[cfg(unix)]
mod unix {
    use std::future::Future;
    use std::io;
    use std::os::unix::process::CommandExt;
    use std::pin::Pin;
    use std::process::Command;
    use std::time::Duration;

    use rustix::io::Errno;
    use rustix::process::{Pid, Resource, WaitId, WaitIdOptions, getrlimit, setrlimit};

    use super::GroupSignal;
    #[cfg(target_os = "linux")]
    use crate::accounting::{Accounting, ProcessTree};
    #[cfg(target_os = "linux")]
    use crate::cgroup::Cgroup;
    use crate::{CpuMeter, ProcessUsage, SchedulerTimes};

    /// Asks the system for room for this many open descriptors, as far as it allows.
    pub fn reserve_descriptors(count: u64) {
        let mut limit = getrlimit(Resource::Nofile);
        if let Some(current) = limit.current
            && current < count
        {
            limit.current = Some(limit.maximum.map_or(count, |most| most.min(count)));
            // Where it is refused, the games that find no room tell.
            let _ = setrlimit(Resource::Nofile, limit);
        }
    }

    /// Returns whether the arena or its system lacks what starting a process needs: descriptors, processes, memory, room on a disk.
    pub fn is_shortage(error: &io::Error) -> bool {
        let lacks = [Errno::MFILE, Errno::NFILE, Errno::AGAIN, Errno::NOMEM];
        matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
            || Errno::from_io_error(error).is_some_and(|error| lacks.contains(&error))
    }

    /// A process group, until its leader has been reaped.
    #[derive(Debug)]
    pub(crate) struct ProcessGroup {
        leader: Option<Pid>,
        /// The guard of the leader, if there is one.
        #[cfg(target_os = "linux")]
        guard: Option<Pid>,
        /// What the system has given them.
        #[cfg(target_os = "linux")]
        accounting: Option<Accounting>,
        /// The control group of everything that the leader starts, if there is one.
        #[cfg(target_os = "linux")]
        cgroup: Option<Cgroup>,
    }

    impl ProcessGroup {
        /// Has a command start in a group of its own.
        pub(crate) fn prepare(command: &mut Command) {
            command.process_group(0);
        }

        /// Returns the group that the process of this number leads.
        pub(crate) fn of(number: Option<u32>) -> Self {
            Self {
                leader: process(number),
                #[cfg(target_os = "linux")]
                guard: None,
                #[cfg(target_os = "linux")]
                accounting: None,
                #[cfg(target_os = "linux")]
                cgroup: None,
            }
        }

        /// Returns the group that the process of this number leads, below its guard.
        #[cfg(target_os = "linux")]
        pub(crate) fn guarded(number: i32, guard: Option<u32>, cgroup: Option<Cgroup>) -> Self {
            Self { leader: Pid::from_raw(number), guard: process(guard), accounting: None, cgroup }
        }

        /// Lets a process continue that somebody may have stopped.
        pub(crate) fn wake(number: Option<u32>) {
            if let Some(process) = process(number) {
                // It fails when the process is gone, which is as well.
                let _ = rustix::process::kill_process(process, rustix::process::Signal::CONT);
            }
        }

        /// Returns the number of the leader.
        pub(crate) fn leader(&self) -> Option<i32> {
            self.leader.map(|leader| leader.as_raw_nonzero().get())
        }

        /// Sends a signal to everybody in the group.
        pub(crate) fn signal(&mut self, signal: GroupSignal) {
            let signal = match signal {
                GroupSignal::Terminate => rustix::process::Signal::TERM,
                GroupSignal::Kill => rustix::process::Signal::KILL,
            };
            if let Some(leader) = self.leader {
                // It fails when nobody is left, which is as well.
                let _ = rustix::process::kill_process_group(leader, signal);
            }
        }

        /// Kills everybody in the group.
        pub(crate) fn kill(&mut self) {
            self.signal(GroupSignal::Kill);
        }

        /// The leader has been reaped: from now on its number may belong to somebody else.
        pub(crate) fn forget(&mut self) {
            self.leader = None;
            #[cfg(target_os = "linux")]
            {
                self.accounting = None;
            }
        }

        /// Returns how the leader ended, if it has. It is not reaped by this.
        pub(crate) fn leader_status(&self) -> Option<String> {
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
            let status = rustix::process::waitid(WaitId::Pid(self.leader?), options).ok().flatten()?;
            match (status.exit_status(), status.terminating_signal()) {
                (Some(code), _) => Some(format!("exit {code}")),
                (None, Some(signal)) => Some(format!("signal {signal}")),
                (None, None) => None,
            }
        }

        /// Returns what completes when the leader has ended. It is not reaped by this.
        #[cfg(target_os = "linux")]
        pub(crate) fn leader_ended(&self) -> Pin<Box<dyn Future<Output = ()>>> {
            use std::future::pending;

            use rustix::process::{PidfdFlags, pidfd_open};
            use tokio::io::Interest;
            use tokio::io::unix::AsyncFd;

            let descriptor = self.leader.and_then(|leader| pidfd_open(leader, PidfdFlags::empty()).ok());
            #[expect(deprecated, reason = "sound for a descriptor that is owned; the other way is unsafe")]
            let watched = descriptor.and_then(|fd| AsyncFd::try_with_interest(fd, Interest::READABLE).ok());
            match watched {
                Some(watched) => Box::pin(async move {
                    // Readable means ended; a failure to watch is left to the end of the standard output.
                    if watched.readable().await.is_err() {
                        pending::<()>().await;
                    }
                }),
                None => Box::pin(pending()),
            }
        }

        /// Returns what completes when the leader has ended.
        #[cfg(not(target_os = "linux"))]
        pub(crate) fn leader_ended(&self) -> Pin<Box<dyn Future<Output = ()>>> {
            let leader = self.leader;
            Box::pin(async move {
                let group = Self { leader };
                let mut pause = tokio::time::interval(Duration::from_millis(20));
                while leader.is_some() && group.leader_status().is_none() {
                    pause.tick().await;
                }
            })
        }

        /// Returns what the group's processes used so far.
        #[cfg(target_os = "linux")]
        pub(crate) fn usage(&mut self) -> ProcessUsage {
            let told = self.cgroup.as_ref().map_or((None, None), |cgroup| (cgroup.cpu(), cgroup.peak_kib()));
            if let (cpu @ Some(_), peak_kib @ Some(_)) = told {
                return ProcessUsage { cpu, peak_kib };
            }
            let usage = self.accounting().map(Accounting::usage).unwrap_or_default();
            ProcessUsage { cpu: told.0.or(usage.cpu), peak_kib: told.1.or(usage.peak_kib) }
        }

        /// Returns the processor time that the group's processes used so far.
        #[cfg(target_os = "linux")]
        pub(crate) fn cpu(&mut self) -> Option<Duration> {
            let told = self.cgroup.as_ref().and_then(Cgroup::cpu);
            if told.is_some() { told } else { self.accounting()?.cpu() }
        }

        /// Returns what the system gave the threads that live, so far.
        #[cfg(target_os = "linux")]
        pub(crate) fn times(&mut self) -> Option<SchedulerTimes> {
            self.accounting()?.times()
        }

        /// Returns what reads the processor time of the group's processes by itself.
        pub(crate) fn meter(&self) -> CpuMeter {
            CpuMeter {
                #[cfg(target_os = "linux")]
                accounting: self.tree().map(Accounting::new),
            }
        }

        #[cfg(target_os = "linux")]
        fn accounting(&mut self) -> Option<&mut Accounting> {
            let tree = self.tree()?;
            Some(self.accounting.get_or_insert_with(|| Accounting::new(tree)))
        }

        /// Stops everybody, or lets everybody continue.
        #[cfg(target_os = "linux")]
        pub(crate) fn freeze(&self, is_frozen: bool) {
            use rustix::process::Signal;

            if let Some(tree) = self.tree() {
                tree.signal(if is_frozen { Signal::STOP } else { Signal::CONT });
            }
        }

        #[cfg(target_os = "linux")]
        fn tree(&self) -> Option<ProcessTree> {
            let leader = self.leader?.as_raw_nonzero().get();
            Some(ProcessTree { leader, guard: self.guard.map(|guard| guard.as_raw_nonzero().get()) })
        }

        /// Returns what the system gave the threads that live, so far.
        #[cfg(not(target_os = "linux"))]
        pub(crate) fn times(&mut self) -> Option<SchedulerTimes> {
            None
        }

        /// Returns the processor time that the group's processes used so far.
        #[cfg(not(target_os = "linux"))]
        pub(crate) fn cpu(&mut self) -> Option<Duration> {
            None
        }

        /// Returns what the group's processes used so far.
        #[cfg(not(target_os = "linux"))]
        pub(crate) fn usage(&mut self) -> ProcessUsage {
            ProcessUsage::default()
        }

        /// Stops everybody, or lets everybody continue.
        #[cfg(not(target_os = "linux"))]
        pub(crate) fn freeze(&self, is_frozen: bool) {
            use rustix::process::Signal;

            if let Some(leader) = self.leader {
                let signal = if is_frozen { Signal::STOP } else { Signal::CONT };
                let _ = rustix::process::kill_process_group(leader, signal);
            }
        }
    }

    fn process(number: Option<u32>) -> Option<Pid> {
        number.and_then(|number| i32::try_from(number).ok()).and_then(Pid::from_raw)
    }
}

#[cfg(not(unix))]
mod other {
    use std::future::{Future, pending};
    use std::io;
    use std::pin::Pin;
    use std::process::Command;
    use std::time::Duration;

    use super::GroupSignal;
    use crate::{CpuMeter, ProcessUsage, SchedulerTimes};

    /// Nothing has to be reserved here.
    pub fn reserve_descriptors(_count: u64) {}

    /// Returns whether an error means that the system has run out of something: never, since it is not known here.
    pub fn is_shortage(_error: &io::Error) -> bool {
        false
    }

    /// A process without a group: only the process itself can be killed here, which dropping it does.
    #[derive(Debug)]
    pub(crate) struct ProcessGroup;

    impl ProcessGroup {
        pub(crate) fn prepare(_command: &mut Command) {}

        pub(crate) fn of(_number: Option<u32>) -> Self {
            Self
        }

        pub(crate) fn wake(_number: Option<u32>) {}

        pub(crate) fn signal(&mut self, _signal: GroupSignal) {}

        pub(crate) fn kill(&mut self) {}

        pub(crate) fn leader(&self) -> Option<i32> {
            None
        }

        pub(crate) fn forget(&mut self) {}

        pub(crate) fn leader_status(&self) -> Option<String> {
            None
        }

        pub(crate) fn leader_ended(&self) -> Pin<Box<dyn Future<Output = ()>>> {
            Box::pin(pending())
        }

        pub(crate) fn usage(&mut self) -> ProcessUsage {
            ProcessUsage::default()
        }

        pub(crate) fn meter(&self) -> CpuMeter {
            CpuMeter {}
        }

        pub(crate) fn cpu(&mut self) -> Option<Duration> {
            None
        }

        pub(crate) fn times(&mut self) -> Option<SchedulerTimes> {
            None
        }

        pub(crate) fn freeze(&self, _is_frozen: bool) {}
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::io;

    use rustix::io::Errno;

    use super::is_shortage;

    #[test]
    fn a_full_disk_is_a_shortage_and_a_program_that_is_not_there_is_none() {
        let full = io::Error::from(Errno::NOSPC);
        assert!(is_shortage(&full));
        // As it is told of a private directory.
        assert!(is_shortage(&io::Error::new(full.kind(), format!("no private directory: {full}"))));
        assert!(!is_shortage(&io::Error::from(Errno::NOENT)));
    }
}
