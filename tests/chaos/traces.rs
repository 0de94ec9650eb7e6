//! What a tournament has left behind in the system: processes, files, segments.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::user::User;

/// How long the system may take to clear away what was killed.
const GRACE: Duration = Duration::from_secs(20);

/// Where a process is found.
#[derive(Clone, Debug)]
pub(crate) struct Traces {
    user: User,
    folder: PathBuf,
}

impl Traces {
    pub(crate) fn of(user: User, folder: &Path) -> Self {
        Self { user, folder: folder.to_owned() }
    }

    /// Kills whatever is left of the tournament, until nothing is.
    pub(crate) fn clear(&self) {
        let deadline = Instant::now() + GRACE;
        while Instant::now() < deadline {
            let left = self.processes();
            if left.is_empty() {
                return;
            }
            for (number, _) in left {
                if let Some(process) = Pid::from_raw(number) {
                    let _ = kill_process(process, Signal::KILL);
                }
            }
            thread::park_timeout(Duration::from_millis(50));
        }
    }

    /// Waits until nothing is left, and tells of what is.
    pub(crate) fn left(&self, known: &Leftovers) -> Vec<String> {
        let deadline = Instant::now() + GRACE;
        loop {
            let mut left: Vec<String> = self
                .processes()
                .into_iter()
                .map(|(number, words)| format!("process {number}: {words}"))
                .collect();
            if left.is_empty() || Instant::now() > deadline {
                let now = self.leftovers();
                left.extend(now.0.into_iter().filter(|one| !known.0.contains(one)));
                return left;
            }
            thread::park_timeout(Duration::from_millis(20));
        }
    }

    /// Returns the segments and files that are this user's; of a user who is not the tournament's own, those that bear
    /// the mark of the attacks.
    pub(crate) fn leftovers(&self) -> Leftovers {
        let mut left = Vec::new();
        for kind in ["shm", "sem", "msg"] {
            let table = fs::read_to_string(format!("/proc/sysvipc/{kind}")).unwrap_or_default();
            let mut lines = table.lines();
            let heading: Vec<&str> = lines.next().unwrap_or_default().split_whitespace().collect();
            let Some(column) = heading.iter().position(|word| *word == "uid") else { continue };
            for line in lines {
                let words: Vec<&str> = line.split_whitespace().collect();
                if words.get(column).and_then(|word| word.parse().ok()) == Some(self.user.number()) {
                    left.push(format!("System V {kind}: {}", words[..2].join(" ")));
                }
            }
        }
        for place in ["/tmp", "/dev/shm", "/var/tmp"] {
            for entry in fs::read_dir(place).into_iter().flatten().flatten() {
                let is_ours = if self.user.is_own() {
                    entry.metadata().is_ok_and(|file| file.uid() == self.user.number())
                        && entry.path() != self.folder
                } else {
                    entry.file_name().to_string_lossy().starts_with("arena-chaos-left-")
                };
                if is_ours {
                    left.push(entry.path().display().to_string());
                }
            }
        }
        Leftovers(left)
    }

    /// Returns the processes of the tournament that live or wait to be reaped.
    fn processes(&self) -> Vec<(i32, String)> {
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
        numbers.filter(|number| self.is_ours(*number)).map(|number| (number, describe(number))).collect()
    }

    fn is_ours(&self, number: i32) -> bool {
        if self.user.is_own() {
            let status = fs::read_to_string(format!("/proc/{number}/status")).unwrap_or_default();
            let uids = status.lines().find_map(|line| line.strip_prefix("Uid:")).unwrap_or_default();
            return uids.split_whitespace().any(|uid| uid.parse() == Ok(self.user.number()));
        }
        let mark = self.folder.display().to_string();
        ["cmdline", "environ"].iter().any(|name| {
            let bytes = fs::read(format!("/proc/{number}/{name}")).unwrap_or_default();
            String::from_utf8_lossy(&bytes).contains(&mark)
        })
    }
}

/// What lay there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Leftovers(Vec<String>);

fn describe(number: i32) -> String {
    let words = fs::read(format!("/proc/{number}/cmdline")).unwrap_or_default();
    let words = String::from_utf8_lossy(&words).replace('\0', " ");
    let status = fs::read_to_string(format!("/proc/{number}/status")).unwrap_or_default();
    let line = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name));
        line.unwrap_or_default().replace('\t', " ")
    };
    format!("{words}({}; {})", line("State:"), line("PPid:"))
}

/// Returns the most memory that a process held so far, in KiB; nothing once it has ended.
pub(crate) fn peak_memory(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}
