//! The control group of one process of a bot, and of everything that it starts.
//!
//! What the files mean is said by the kernel's documentation: `admin-guide/cgroup-v2.rst` and `admin-guide/cgroup-v1/`.

use std::collections::BTreeMap;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::event::{Timespec, poll};
use rustix::process::{Pid, Signal, getpid, kill_process};

use super::duty::{CgroupVersion, Duty};
use super::places::ControlGroups;
use crate::{ExceededLimit, ProcessLimits};

/// How long processes that were killed may take to be gone, and those that are stopped to stand still.
const LIMIT: Duration = Duration::from_secs(2);

/// How long is waited between two looks at that.
const PAUSE: Timespec = Timespec { tv_sec: 0, tv_nsec: 1_000_000 };

/// Which part of its limit of memory a group has to be below it to be far from it.
const NEAR: u64 = 16;

/// A group: a directory in each hierarchy that has a duty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cgroup {
    parts: [Option<GroupDirectory>; Duty::ALL.len()],
}

/// The directory that has a duty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GroupDirectory {
    pub(crate) version: CgroupVersion,
    pub(crate) dir: PathBuf,
    /// The group that is left to enter this one, and come back to.
    pub(crate) home: PathBuf,
}

impl Cgroup {
    /// Returns the group of a name; it is not made by this. `None` where none can be.
    pub(super) fn new(groups: &ControlGroups, name: &str) -> Option<Self> {
        let parts = groups.branches.each_ref().map(|branch| {
            let branch = branch.as_ref()?;
            Some(GroupDirectory {
                version: branch.version,
                dir: branch.base.join(name),
                home: branch.home.clone(),
            })
        });
        Self::of(parts)
    }

    /// Returns the group of these directories, one for each duty; `None` where there is none.
    pub(crate) fn of(parts: [Option<GroupDirectory>; Duty::ALL.len()]) -> Option<Self> {
        parts.iter().any(Option::is_some).then_some(Self { parts })
    }

    /// Returns the directory that has each duty.
    pub(crate) fn parts(&self) -> &[Option<GroupDirectory>; Duty::ALL.len()] {
        &self.parts
    }

    /// Returns whether the kernel counts the memory of its members.
    pub(crate) fn counts_memory(&self) -> bool {
        self.part(Duty::Memory).is_some()
    }

    /// Returns one of its directories.
    pub(crate) fn directory(&self) -> Option<&Path> {
        self.parts.iter().flatten().map(|part| part.dir.as_path()).next()
    }

    /// Makes the group and limits it.
    ///
    /// # Errors
    /// When the system refuses any of it; nothing is left behind then.
    pub(crate) fn make(&self, limits: &ProcessLimits) -> io::Result<()> {
        let made = self.make_directories().and_then(|()| self.limit(limits));
        if made.is_err() {
            self.remove();
        }
        made
    }

    fn make_directories(&self) -> io::Result<()> {
        for dir in self.places().into_keys() {
            DirBuilder::new().mode(0o755).create(dir)?;
        }
        Ok(())
    }

    pub(super) fn limit(&self, limits: &ProcessLimits) -> io::Result<()> {
        if let (Some(part), Some(memory)) = (self.part(Duty::Memory), limits.memory_kib) {
            let bytes = memory.saturating_mul(1024).to_string();
            match part.version {
                CgroupVersion::One => {
                    part.put("memory.limit_in_bytes", &bytes)?;
                    part.put_if_there("memory.memsw.limit_in_bytes", &bytes)?;
                }
                CgroupVersion::Two => {
                    part.put("memory.max", &bytes)?;
                    part.put_if_there("memory.swap.max", "0")?;
                    part.put_if_there("memory.oom.group", "1")?;
                }
            }
        }
        if let (Some(part), Some(tasks)) = (self.part(Duty::Processes), limits.tasks) {
            part.put("pids.max", &tasks.to_string())?;
        }
        Ok(())
    }

    /// Moves this process into the group: what it starts from now on is a member.
    ///
    /// # Errors
    /// When the system refuses.
    pub(crate) fn enter(&self) -> io::Result<()> {
        self.places().into_keys().try_for_each(move_to)
    }

    /// Moves this process back. What it has started stays.
    ///
    /// # Errors
    /// When the system refuses.
    pub(crate) fn leave(&self) -> io::Result<()> {
        self.places().into_values().try_for_each(move_to)
    }

    /// Returns the limit that the kernel has held the members to, if any: it has killed one of them for its memory, or not
    /// let one start another.
    pub(crate) fn excess(&self) -> Option<ExceededLimit> {
        let has_hit =
            |duty: Duty, counts: &dyn Fn(&GroupDirectory) -> bool| self.part(duty).is_some_and(counts);
        let memory = |part: &GroupDirectory| match part.version {
            // Killed, and not only because the whole machine or the group above is full.
            CgroupVersion::One => {
                // Not every kernel counts failures here, so it is asked how near to its limit the group has come.
                let [most, limit] =
                    ["memory.max_usage_in_bytes", "memory.limit_in_bytes"].map(|name| part.number(name));
                part.count("memory.oom_control", "oom_kill") > 0 && most >= limit - limit / NEAR
            }
            CgroupVersion::Two => {
                part.count("memory.events", "oom_kill") > 0 && part.count("memory.events", "oom") > 0
            }
        };
        if has_hit(Duty::Memory, &memory) {
            return Some(ExceededLimit::Memory);
        }
        has_hit(Duty::Processes, &|part| part.count("pids.events", "max") > 0).then_some(ExceededLimit::Tasks)
    }

    /// Returns the processor time of all members so far, those that have ended included.
    pub(crate) fn cpu(&self) -> Option<Duration> {
        let part = self.part(Duty::Time)?;
        match part.version {
            CgroupVersion::One => part.text("cpuacct.usage")?.trim().parse().ok().map(Duration::from_nanos),
            CgroupVersion::Two => part.find("cpu.stat", "usage_usec").map(Duration::from_micros),
        }
    }

    /// Returns the most memory that all members together held at a time, in KiB, where the kernel tells.
    pub(crate) fn peak_kib(&self) -> Option<u64> {
        let part = self.part(Duty::Memory)?;
        let name = match part.version {
            CgroupVersion::One => "memory.max_usage_in_bytes",
            CgroupVersion::Two => "memory.peak",
        };
        part.text(name)?.trim().parse::<u64>().ok().map(|bytes| bytes / 1024)
    }

    /// Returns how many members there are: processes, not threads.
    pub(crate) fn processes(&self) -> u64 {
        self.members().len() as u64
    }

    /// Kills all members, so that none can start another meanwhile.
    pub(crate) fn kill(&self) {
        let Some(part) = self.part(Duty::Kill) else { return };
        match part.version {
            CgroupVersion::Two if part.dir.join("cgroup.kill").exists() => {
                // It fails when the group is gone, which is as well.
                let _ = part.put("cgroup.kill", "1");
            }
            CgroupVersion::Two => self.freeze_and_kill(part, "cgroup.freeze", ["1", "0"], |part| {
                part.count("cgroup.events", "frozen") == 1
            }),
            CgroupVersion::One => self.freeze_and_kill(part, "freezer.state", ["FROZEN", "THAWED"], |part| {
                part.text("freezer.state").is_some_and(|state| state.trim() == "FROZEN")
            }),
        }
    }

    /// Kills members that stand still, as kernels without `cgroup.kill` (before 5.14) and version 1 allow.
    fn freeze_and_kill(
        &self,
        part: &GroupDirectory,
        file: &str,
        words: [&str; 2],
        is_frozen: impl Fn(&GroupDirectory) -> bool,
    ) {
        let deadline = Instant::now() + LIMIT;
        let order = |word| if part.dir.join(file).exists() { part.put(file, word).is_ok() } else { false };
        while order(words[0]) && !is_frozen(part) && Instant::now() < deadline {
            rest();
        }
        for member in self.members().into_iter().filter_map(Pid::from_raw) {
            let _ = kill_process(member, Signal::KILL);
        }
        order(words[1]);
    }

    /// Removes the group once its members are gone. Returns whether nothing of it is left.
    pub(crate) fn remove(&self) -> bool {
        let deadline = Instant::now() + LIMIT;
        loop {
            let is_left = |dir: &&PathBuf| match fs::remove_dir(dir) {
                Ok(()) => false,
                Err(error) => error.kind() != io::ErrorKind::NotFound,
            };
            let places = self.places();
            if places.keys().filter(|dir| is_left(dir)).count() == 0 {
                return true;
            }
            if Instant::now() > deadline {
                return false;
            }
            rest();
        }
    }

    fn part(&self, duty: Duty) -> Option<&GroupDirectory> {
        self.parts[duty as usize].as_ref()
    }

    /// Returns every directory once, with the one in which this process is.
    fn places(&self) -> BTreeMap<&PathBuf, &PathBuf> {
        self.parts.iter().flatten().map(|part| (&part.dir, &part.home)).collect()
    }

    fn members(&self) -> Vec<i32> {
        let list = self.parts.iter().flatten().find_map(|part| part.text("cgroup.procs"));
        let numbers = list.iter().flat_map(|list| list.split_whitespace());
        let own = getpid().as_raw_nonzero().get();
        numbers.filter_map(|number| number.parse().ok()).filter(|number| *number != own).collect()
    }
}

impl GroupDirectory {
    fn put(&self, name: &str, text: &str) -> io::Result<()> {
        fs::write(self.dir.join(name), text)
    }

    /// Writes a file that not every kernel has.
    fn put_if_there(&self, name: &str, text: &str) -> io::Result<()> {
        if self.dir.join(name).exists() { self.put(name, text) } else { Ok(()) }
    }

    fn text(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.dir.join(name)).ok()
    }

    fn number(&self, name: &str) -> u64 {
        self.text(name).and_then(|text| text.trim().parse().ok()).unwrap_or(0)
    }

    /// Returns the number after a key; 0 where there is none.
    fn count(&self, name: &str, key: &str) -> u64 {
        self.find(name, key).unwrap_or(0)
    }

    fn find(&self, name: &str, key: &str) -> Option<u64> {
        let text = self.text(name)?;
        let mut pairs = text.lines().filter_map(|line| line.split_once(' '));
        pairs.find(|(word, _)| *word == key)?.1.trim().parse().ok()
    }
}

#[expect(clippy::ptr_arg, reason = "it is what maps of paths hold")]
fn move_to(dir: &PathBuf) -> io::Result<()> {
    // Zero stands for the process that writes it.
    fs::write(dir.join("cgroup.procs"), "0")
}

/// Waits a moment.
pub(super) fn rest() {
    let _ = poll(&mut [], Some(&PAUSE));
}
