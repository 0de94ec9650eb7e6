//! The process group of a bot: the only code that knows the operating system.

#[cfg(not(unix))]
pub(crate) use self::other::{Group, is_out_of_descriptors, reserve_descriptors};
#[cfg(unix)]
pub(crate) use self::unix::{Group, is_out_of_descriptors, reserve_descriptors};

/// How a group is asked to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signal {
    /// Politely.
    Terminate,
    /// At once.
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

    use record::ProcessTimes;
    use rustix::io::Errno;
    use rustix::process::{Pid, Resource, WaitId, WaitIdOptions, getrlimit, setrlimit};

    use super::Signal;
    use crate::process::Usage;

    /// Asks the system for room for so many open descriptors, as far as it allows.
    pub(crate) fn reserve_descriptors(count: u64) {
        let mut limit = getrlimit(Resource::Nofile);
        if let Some(current) = limit.current
            && current < count
        {
            limit.current = Some(limit.maximum.map_or(count, |most| most.min(count)));
            // Where it is refused, the games that find no room tell.
            let _ = setrlimit(Resource::Nofile, limit);
        }
    }

    /// Returns whether the arena, not the system, has no room for another descriptor.
    pub(crate) fn is_out_of_descriptors(error: &io::Error) -> bool {
        Errno::from_io_error(error) == Some(Errno::MFILE)
    }

    /// A process group, until its leader has been reaped.
    #[derive(Debug)]
    pub(crate) struct Group {
        leader: Option<Pid>,
    }

    impl Group {
        /// Has a command start in a group of its own.
        pub(crate) fn prepare(command: &mut Command) {
            command.process_group(0);
        }

        /// Returns the group that the process of this number leads.
        pub(crate) fn of(number: Option<u32>) -> Self {
            Self { leader: process(number) }
        }

        /// Lets a process go on that somebody may have stopped.
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
        pub(crate) fn signal(&mut self, signal: Signal) {
            let signal = match signal {
                Signal::Terminate => rustix::process::Signal::TERM,
                Signal::Kill => rustix::process::Signal::KILL,
            };
            if let Some(leader) = self.leader {
                // It fails when nobody is left, which is as well.
                let _ = rustix::process::kill_process_group(leader, signal);
            }
        }

        /// Kills everybody in the group.
        pub(crate) fn kill(&mut self) {
            self.signal(Signal::Kill);
        }

        /// The leader has been reaped: from now on its number may belong to somebody else.
        pub(crate) fn forget(&mut self) {
            self.leader = None;
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

        /// Returns what the leader used so far.
        #[cfg(target_os = "linux")]
        pub(crate) fn leader_usage(&self) -> Usage {
            let Some(leader) = self.leader else { return Usage::default() };
            let read = |name: &str| {
                let path = format!("/proc/{}/{name}", leader.as_raw_nonzero());
                std::fs::read_to_string(path).unwrap_or_default()
            };
            Usage { cpu: processor_time(&read("stat")), peak_kib: peak_memory(&read("status")) }
        }

        /// Returns what the system gave the threads of the leader that live, so far. It costs a directory and a small file
        /// for each thread.
        #[cfg(target_os = "linux")]
        pub(crate) fn leader_times(&self) -> Option<ProcessTimes> {
            let threads = std::fs::read_dir(format!("/proc/{}/task", self.leader?.as_raw_nonzero())).ok()?;
            schedule_times(threads.flatten().filter_map(|thread| {
                // A thread may have ended in the meantime.
                std::fs::read_to_string(thread.path().join("schedstat")).ok()
            }))
        }

        /// Returns what the system gave the threads of the leader.
        #[cfg(not(target_os = "linux"))]
        pub(crate) fn leader_times(&self) -> Option<ProcessTimes> {
            None
        }

        /// Returns what the leader used so far.
        #[cfg(not(target_os = "linux"))]
        pub(crate) fn leader_usage(&self) -> Usage {
            Usage::default()
        }
    }

    fn process(number: Option<u32>) -> Option<Pid> {
        number.and_then(|number| i32::try_from(number).ok()).and_then(Pid::from_raw)
    }

    /// Sums what `/proc/PID/task/*/schedstat` tells: nanoseconds on a processor, nanoseconds of waiting for one.
    #[cfg(target_os = "linux")]
    fn schedule_times(threads: impl Iterator<Item = String>) -> Option<ProcessTimes> {
        let (mut cpu, mut wait) = (0_u64, 0_u64);
        let mut is_told = false;
        for thread in threads {
            let mut figures = thread.split_whitespace().map_while(|figure| figure.parse::<u64>().ok());
            if let (Some(ran), Some(waited)) = (figures.next(), figures.next()) {
                (cpu, wait, is_told) = (cpu.saturating_add(ran), wait.saturating_add(waited), true);
            }
        }
        is_told.then_some(ProcessTimes { cpu_us: cpu / 1000, wait_us: wait / 1000 })
    }

    /// Reads user and system time from `/proc/PID/stat`.
    #[cfg(target_os = "linux")]
    fn processor_time(stat: &str) -> Option<Duration> {
        // The name in parentheses may hold anything, so the fields are counted from its end.
        let (_, fields) = stat.rsplit_once(')')?;
        let mut fields = fields.split_whitespace().skip(11);
        let ticks = fields.next()?.parse::<u64>().ok()? + fields.next()?.parse::<u64>().ok()?;
        let millis = ticks.checked_mul(1000)? / rustix::param::clock_ticks_per_second().max(1);
        Some(Duration::from_millis(millis))
    }

    /// Reads the peak of the resident memory, in KiB, from `/proc/PID/status`.
    #[cfg(target_os = "linux")]
    fn peak_memory(status: &str) -> Option<u64> {
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        line.split_whitespace().next()?.parse().ok()
    }

    #[cfg(all(test, target_os = "linux"))]
    mod tests {
        use super::*;

        #[test]
        fn what_the_system_tells_is_read() {
            let stat = "42 (a (strange) name) S 1 42 42 0 -1 4194304 5 0 0 0 150 50 0 0 20 0 1 0 9 1 1";
            let ticks = rustix::param::clock_ticks_per_second();
            assert_eq!(processor_time(stat), Some(Duration::from_millis(200 * 1000 / ticks)));
            assert_eq!(peak_memory("Name:\tx\nVmHWM:\t    1234 kB\nVmRSS:\t 1 kB\n"), Some(1234));
            assert_eq!((processor_time(""), peak_memory("")), (None, None));
            let threads = |texts: &[&str]| schedule_times(texts.iter().map(|text| (*text).to_owned()));
            let sum = ProcessTimes { cpu_us: 3, wait_us: 70 };
            assert_eq!(threads(&["1500 20000 3\n", "2000 50999 1\n", ""]), Some(sum));
            assert_eq!((threads(&[]), threads(&["", "x"])), (None, None));
        }
    }
}

#[cfg(not(unix))]
mod other {
    use std::future::{Future, pending};
    use std::io;
    use std::pin::Pin;
    use std::process::Command;

    use record::ProcessTimes;

    use super::Signal;
    use crate::process::Usage;

    pub(crate) fn reserve_descriptors(_count: u64) {}

    pub(crate) fn is_out_of_descriptors(_error: &io::Error) -> bool {
        false
    }

    /// A process without a group: only the process itself can be killed here, which dropping it does.
    #[derive(Debug)]
    pub(crate) struct Group;

    impl Group {
        pub(crate) fn prepare(_command: &mut Command) {}

        pub(crate) fn of(_number: Option<u32>) -> Self {
            Self
        }

        pub(crate) fn wake(_number: Option<u32>) {}

        pub(crate) fn signal(&mut self, _signal: Signal) {}

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

        pub(crate) fn leader_usage(&self) -> Usage {
            Usage::default()
        }

        pub(crate) fn leader_times(&self) -> Option<ProcessTimes> {
            None
        }
    }
}
