//! What arenas of the same user have left behind that were killed together with their guards, or whose guards somebody has
//! stopped: processes of bots, and private directories.
//!
//! Nothing is touched whose arena runs, that a living guard holds, or that belongs to somebody else.

use std::fs::{self, File};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{FlockOperation, Mode, OFlags, flock, open};
use rustix::process::{Pid, PidfdFlags, Signal, geteuid, getpid, pidfd_open, pidfd_send_signal};

use super::serve::WORD;
use super::{private_dir, tree};
use crate::owner::{BOT_USERS, is_left};

/// How long a guard that was woken may take to do its work, and processes that were killed to be gone.
const LIMIT: Duration = Duration::from_secs(5);

/// How long is waited between two looks at that.
const PAUSE: Timespec = Timespec { tv_sec: 0, tv_nsec: 2_000_000 };

/// Clears up, the first time that this process asks for it.
pub(super) fn once() {
    static SWEPT: Once = Once::new();
    SWEPT.call_once(|| {
        wake_guards();
        for dir in left_private_dirs(&std::env::temp_dir()) {
            clear(&dir);
        }
    });
}

/// Clears up, and makes a private directory of this process: the name says whose it is.
///
/// # Errors
/// When the system refuses.
pub(crate) fn make_own_dir() -> io::Result<PathBuf> {
    once();
    let directory = private_dir::choose();
    private_dir::make(&directory)?;
    Ok(directory)
}

/// Wakes every guard of this user whose arena is gone: one that runs has noticed that by itself. Where one does not go even
/// then, somebody goes on stopping it: all that it guards is killed, and it is woken once more to clear up after itself.
/// Only who does not go then is killed.
fn wake_guards() {
    for number in numbers().filter(|number| is_forsaken_guard(*number)) {
        let Some(pid) = Pid::from_raw(number) else { continue };
        // A descriptor names a process for good, its number does not.
        let Ok(descriptor) = pidfd_open(pid, PidfdFlags::empty()) else { continue };
        if !is_forsaken_guard(number) || goes_when_woken(&descriptor) {
            continue;
        }
        kill_until_gone(|everybody| tree::below(everybody, &[number]));
        if !goes_when_woken(&descriptor) {
            let _ = pidfd_send_signal(&descriptor, Signal::KILL);
        }
    }
}

/// Wakes a process; returns whether it is gone after that, or belongs to somebody else.
fn goes_when_woken(process: &OwnedFd) -> bool {
    let limit = Timespec { tv_sec: LIMIT.as_secs().cast_signed(), tv_nsec: 0 };
    pidfd_send_signal(process, Signal::CONT).is_err()
        || poll(&mut [PollFd::new(process, PollFlags::IN)], Some(&limit)) != Ok(0)
}

/// Returns whether a process is a guard of this user whose arena is gone.
fn is_forsaken_guard(number: i32) -> bool {
    let words = fs::read(format!("/proc/{number}/cmdline")).unwrap_or_default();
    let mut words = words.split(|byte| *byte == 0).skip(1);
    let is_guard = words.next() == Some(WORD.as_bytes());
    let owner = words.next().and_then(|word| str::from_utf8(word).ok());
    is_guard && owner.is_some_and(is_left) && user_of(number) == Some(geteuid().as_raw())
}

/// Returns the user of a process. The owner of its files in `/proc` is another one where it cannot be looked into.
fn user_of(number: i32) -> Option<u32> {
    let status = fs::read_to_string(format!("/proc/{number}/status")).ok()?;
    let (_, rest) = status.split_once("\nUid:")?;
    rest.split_ascii_whitespace().next()?.parse().ok()
}

/// Returns the private directories of arenas that are gone, by name.
fn left_private_dirs(temporary: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(temporary).into_iter().flatten().flatten();
    let is_ours = |entry: &fs::DirEntry| {
        let own = geteuid();
        let is_bots = |user: u32| own.is_root() && (BOT_USERS.0..BOT_USERS.0 + BOT_USERS.1).contains(&user);
        entry.file_name().to_str().is_some_and(is_left)
            && entry.metadata().is_ok_and(|it| it.is_dir() && (it.uid() == own.as_raw() || is_bots(it.uid())))
    };
    entries.filter(is_ours).map(|entry| entry.path()).collect()
}

/// Removes a private directory, and kills who still has it as its own, unless somebody holds it.
fn clear(private_dir: &Path) {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let Ok(directory) = open(private_dir, flags, Mode::empty()).map(File::from) else { return };
    if flock(&directory, FlockOperation::NonBlockingLockExclusive).is_err() {
        return;
    }
    let mark = [b"TMPDIR=", private_dir.as_os_str().as_bytes()].concat();
    kill_until_gone(|everybody| {
        let has_mark = |number: i32| {
            let variables = fs::read(format!("/proc/{number}/environ")).unwrap_or_default();
            variables.split(|byte| *byte == 0).any(|pair| pair == mark)
        };
        let mut found: Vec<_> = everybody.iter().filter(|it| has_mark(it.number)).copied().collect();
        let roots: Vec<i32> = found.iter().map(|member| member.number).collect();
        found.extend(tree::below(everybody, &roots));
        found
    });
    // What cannot be removed stays, and does no harm.
    let _ = private_dir::remove(private_dir);
}

/// Kills every process that is found, until none is.
fn kill_until_gone(find: impl Fn(&[tree::ProcessEntry]) -> Vec<tree::ProcessEntry>) {
    let own = getpid().as_raw_nonzero().get();
    let group = tree::ProcessEntry::read(own).map_or(own, |this| this.group);
    let deadline = Instant::now() + LIMIT;
    loop {
        let mut found = find(&tree::everybody());
        found.retain(|member| !member.is_zombie && member.number != own);
        if found.is_empty() || Instant::now() > deadline {
            return;
        }
        tree::kill(&found, group);
        let _ = poll(&mut [], Some(&PAUSE));
    }
}

/// Returns the numbers of all processes.
fn numbers() -> impl Iterator<Item = i32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;
    use crate::owner::prefix;

    #[test]
    fn only_what_belongs_to_nobody_any_more_is_swept() {
        let place = tempfile::tempdir().expect("a directory");
        let mut ended = Command::new("true").spawn().expect("it starts");
        let gone = prefix(ended.id());
        ended.wait().expect("it ends");
        let make = |name: String| {
            let path = place.path().join(name);
            fs::create_dir(&path).expect("a directory");
            fs::write(path.join("file"), "text").expect("a file");
            path
        };
        let left = make(format!("{gone}-0"));
        let held = make(format!("{gone}-1"));
        let living = make(format!("{}-0", prefix(std::process::id())));
        let other = make("arena-of-somebody".to_owned());
        let file = place.path().join(format!("{gone}-2"));
        fs::write(&file, "text").expect("a file");
        let link = place.path().join(format!("{gone}-3"));
        std::os::unix::fs::symlink(&other, &link).expect("a link");
        let holder = File::open(&held).expect("it opens");
        flock(&holder, FlockOperation::LockExclusive).expect("it is free");
        for dir in left_private_dirs(place.path()) {
            clear(&dir);
        }
        assert!(!left.exists());
        assert!([&held, &living, &other].iter().all(|path| path.join("file").exists()));
        assert!(file.exists() && link.exists());
        drop(holder);
        clear(&held);
        assert!(!held.exists());
    }
}
