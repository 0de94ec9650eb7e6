//! The processor time of a tree of processes: of one process, the threads that have ended included, and of everything that it started.
//!
//! A process that lives is read from its clock (`clock_getcpuclockid`), in nanoseconds. One that has ended counts by what
//! `/proc/PID/stat` of its parent adds up, in ticks (10 ms on most machines), once the parent has waited for it. What is left
//! behind by a process that ends counts where a guard adopts it; what another process started (a service) is not found.

use std::time::Duration;

/// Returns the processor time of a process and of everything that it started; `None` when the process is gone, or where the
/// system does not tell.
#[must_use]
pub fn tree_time(process: i32) -> Option<Duration> {
    system::tree_time(process)
}

/// Returns whether this system tells the processor time of processes: only then can a clock count it.
#[must_use]
pub fn measures_processor_time() -> bool {
    i32::try_from(std::process::id()).ok().and_then(tree_time).is_some()
}

#[cfg(target_os = "linux")]
mod system {
    use std::collections::BTreeSet;
    use std::fs;
    use std::time::Duration;

    use nix::time::{clock_getcpuclockid, clock_gettime};
    use nix::unistd::Pid;

    use crate::accounting::proc_files::{duration, processor_ticks};

    /// Returns the processor time of a process and of everything that it started; `None` when the process is gone.
    pub(super) fn tree_time(process: i32) -> Option<Duration> {
        let mut sum = own_time(process)?;
        let mut seen = BTreeSet::from([process]);
        let mut processes = vec![process];
        while let Some(process) = processes.pop() {
            let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
            sum += processor_ticks(&stat).map_or(Duration::ZERO, |(_, ended)| duration(ended));
            let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
            for thread in threads {
                let children = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
                for child in children.split_whitespace().filter_map(|child| child.parse().ok()) {
                    if seen.insert(child) {
                        sum += own_time(child).unwrap_or_default();
                        processes.push(child);
                    }
                }
            }
        }
        Some(sum)
    }

    /// Returns the processor time of all threads of a process, those that have ended included.
    fn own_time(process: i32) -> Option<Duration> {
        let clock = clock_getcpuclockid(Pid::from_raw(process)).ok()?;
        clock_gettime(clock).ok().map(Duration::from)
    }

    #[cfg(test)]
    mod tests {
        use std::process::{Command, Stdio};

        use super::*;

        /// Has a shell run a script, and returns the time of its tree once it has written a line.
        fn time_of(script: &str) -> Duration {
            let mut command = Command::new("sh");
            command.args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped());
            let mut child = command.spawn().expect("a shell starts");
            let mut line = String::new();
            let stdout = child.stdout.take().expect("it is piped");
            std::io::BufRead::read_line(&mut std::io::BufReader::new(stdout), &mut line).expect("a line");
            let time = tree_time(i32::try_from(child.id()).expect("a number")).expect("it lives");
            drop(child.stdin.take());
            child.wait().expect("it ends");
            time
        }

        /// Counts to a number, which takes a second or so in all.
        const COUNT: &str = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done";

        #[test]
        fn children_count_while_they_live_and_after() {
            let own = time_of(&format!("{COUNT}; echo; read line"));
            let living = time_of(&format!("exec 3<&0; ({COUNT}; echo; read line <&3) & wait"));
            let ended = time_of(&format!("({COUNT}); echo; read line"));
            let idle = time_of("echo; read line");
            for time in [living, ended] {
                assert!(time * 4 > own && own * 4 > time, "{own:?} {living:?} {ended:?}");
            }
            assert!(own > idle * 4, "{own:?} {idle:?}");
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::time::Duration;

    pub(super) fn tree_time(_process: i32) -> Option<Duration> {
        None
    }
}
