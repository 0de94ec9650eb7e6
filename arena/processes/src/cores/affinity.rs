//! On which processors threads may run: asking the system, and telling it.
//!
//! A process inherits what the thread that started it may use, so a bot is pinned before its first instruction.

use std::io;

#[cfg(target_os = "linux")]
use self::linux::{allowed_cpus, current_cpu, keep_to};
#[cfg(target_os = "linux")]
pub use self::linux::{move_tree, threads_within};
#[cfg(not(target_os = "linux"))]
use self::other::{allowed_cpus, current_cpu, keep_to};
#[cfg(not(target_os = "linux"))]
pub use self::other::{move_tree, threads_within};
use super::Cpus;

impl Cpus {
    /// Returns those that this thread may use; `None` where the system does not tell.
    #[must_use]
    pub fn allowed() -> Option<Self> {
        allowed_cpus()
    }

    /// Returns the number of the one on which this thread runs; `None` where the system does not tell.
    #[must_use]
    pub fn current() -> Option<usize> {
        current_cpu()
    }

    /// Keeps this thread, and every process that it starts from now on, to them.
    ///
    /// # Errors
    /// When none of them may be used.
    pub fn take(&self) -> io::Result<()> {
        keep_to(self)
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::BTreeSet;
    use std::{fs, io};

    use rustix::io::Errno;
    use rustix::thread::{CpuSet, Pid, sched_getaffinity, sched_getcpu, sched_setaffinity};

    use crate::Cpus;

    /// How often a tree of processes is gone through while threads still appear.
    const MOST_PASSES: usize = 10;

    /// Returns the processors that this thread may use; `None` where there are more than can be asked for.
    pub(crate) fn allowed_cpus() -> Option<Cpus> {
        let set = sched_getaffinity(None).ok()?;
        Some((0..CpuSet::MAX_CPU).filter(|cpu| set.is_set(*cpu)).collect())
    }

    /// Returns the number of the processor on which this thread runs.
    #[expect(clippy::unnecessary_wraps, reason = "other systems do not tell")]
    pub(crate) fn current_cpu() -> Option<usize> {
        Some(sched_getcpu())
    }

    /// Keeps this thread, and every process that it starts from now on, to these processors.
    ///
    /// # Errors
    /// When none of them may be used.
    pub(crate) fn keep_to(cpus: &Cpus) -> io::Result<()> {
        Ok(sched_setaffinity(None, &to_set(cpus))?)
    }

    /// Moves a process to these processors, with all its threads and everything that it started.
    ///
    /// # Errors
    /// When the system refuses, or threads appear faster than they can be moved.
    pub fn move_tree(process: i32, cpus: &Cpus) -> io::Result<()> {
        let set = to_set(cpus);
        let mut moved = BTreeSet::new();
        for _ in 0..MOST_PASSES {
            let threads = threads(process);
            let new: Vec<_> = threads.difference(&moved).copied().collect();
            if new.is_empty() {
                return Ok(());
            }
            for thread in new {
                match sched_setaffinity(Pid::from_raw(thread), &set) {
                    // It has ended in the meantime.
                    Ok(()) | Err(Errno::SRCH) => moved.insert(thread),
                    Err(error) => return Err(error.into()),
                };
            }
        }
        Err(io::Error::other("its threads appear faster than they can be moved"))
    }

    /// Returns how many threads a process and its descendants have, if all of them may run on exactly these processors.
    pub fn threads_within(process: i32, cpus: &Cpus) -> Option<usize> {
        let (set, threads) = (to_set(cpus), threads(process));
        let is_within = |thread: &i32| sched_getaffinity(Pid::from_raw(*thread)).ok() == Some(set);
        (!threads.is_empty() && threads.iter().all(is_within)).then_some(threads.len())
    }

    /// Returns the threads of a process and of all its descendants.
    fn threads(process: i32) -> BTreeSet<i32> {
        let mut threads = BTreeSet::new();
        let mut processes = vec![process];
        while let Some(process) = processes.pop() {
            let Ok(entries) = fs::read_dir(format!("/proc/{process}/task")) else { continue };
            for entry in entries.flatten() {
                let thread = entry.file_name().to_str().and_then(|name| name.parse().ok());
                // A number of which the files are gone is not followed, so that this ends.
                if !thread.is_some_and(|thread| threads.insert(thread)) {
                    continue;
                }
                let children = fs::read_to_string(entry.path().join("children")).unwrap_or_default();
                processes.extend(children.split_whitespace().filter_map(|child| child.parse::<i32>().ok()));
            }
        }
        threads
    }

    fn to_set(cpus: &Cpus) -> CpuSet {
        let mut set = CpuSet::new();
        cpus.iter().filter(|cpu| *cpu < CpuSet::MAX_CPU).for_each(|cpu| set.set(cpu));
        set
    }
}

#[cfg(not(target_os = "linux"))]
mod other {
    use std::io;

    use crate::Cpus;

    pub(crate) fn allowed_cpus() -> Option<Cpus> {
        None
    }

    pub(crate) fn keep_to(_cpus: &Cpus) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(crate) fn current_cpu() -> Option<usize> {
        None
    }

    /// Would count the threads of a process that keep to some processors; nothing is known here.
    pub fn threads_within(_process: i32, _cpus: &Cpus) -> Option<usize> {
        None
    }

    /// Would keep a process and its descendants to some processors.
    ///
    /// # Errors
    /// Always: this system does not offer it.
    pub fn move_tree(_process: i32, _cpus: &Cpus) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs;
    use std::process::{Child, Command, Stdio};
    use std::thread;

    use super::*;
    use crate::Cpus;

    /// Returns on which processors a process may run.
    fn of(process: u32) -> String {
        let status = fs::read_to_string(format!("/proc/{process}/status")).expect("the process lives");
        let line = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
        line.expect("Linux tells").trim().to_owned()
    }

    fn sleeper() -> Child {
        // A shell that waits for its child, so that there is a tree; both end with their standard input.
        let mut command = Command::new("sh");
        command
            .args(["-c", "exec 3<&0; cat <&3 & echo $!; wait"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        command.spawn().expect("a shell starts")
    }

    fn last() -> Cpus {
        allowed_cpus().expect("Linux tells").iter().last().into_iter().collect()
    }

    #[test]
    fn a_thread_keeps_to_processors_and_so_does_what_it_starts() {
        let before = allowed_cpus().unwrap();
        let pinned = thread::spawn(|| {
            keep_to(&last()).unwrap();
            let mut child = sleeper();
            let seen = of(child.id());
            drop(child.stdin.take());
            let _ = child.wait();
            (allowed_cpus().unwrap(), seen)
        });
        let (own, child) = pinned.join().unwrap();
        assert_eq!((own, child), (last(), last().to_string()));
        assert_eq!(allowed_cpus().unwrap(), before, "other threads are left alone");
    }

    #[test]
    fn a_process_is_moved_with_its_children() {
        use std::io::{BufRead, BufReader};

        let mut child = sleeper();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let grandchild: u32 = line.trim().parse().unwrap();
        let whole = allowed_cpus().unwrap();
        for cpus in [last(), whole] {
            move_tree(i32::try_from(child.id()).unwrap(), &cpus).unwrap();
            assert_eq!([of(child.id()), of(grandchild)], [cpus.to_string(), cpus.to_string()]);
        }
        drop(child.stdin.take());
        let _ = child.wait();
    }

    #[test]
    fn processors_that_are_not_there_are_refused() {
        thread::spawn(|| assert!(keep_to(&Cpus::default()).is_err())).join().unwrap();
    }
}
