//! Files and builds that a worker keeps for later runs, up to a number of bytes: what was not used for longest goes first.
//!
//! Nothing that is played lies here: a run has copies. So what goes is missed by nobody, and made again where it is needed.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use tournament_file::handover;

use crate::wire::file_digest;

/// How the name of the file ends that says that a build is done, and when it was used.
const DONE: &str = "built";

/// Files by their digests, and directories of builds by their keys.
pub(crate) struct Cache {
    files: PathBuf,
    builds: PathBuf,
    most_bytes: u64,
    /// How many bytes it holds, at most.
    bytes: Mutex<u64>,
}

/// What is kept under one name.
struct CachedItem {
    used: SystemTime,
    bytes: u64,
    /// What is removed, in this order.
    paths: Vec<PathBuf>,
}

impl Cache {
    /// Takes up what lies in a directory.
    pub(super) fn open(directory: &Path, most_bytes: u64) -> Self {
        let (files, builds) = (directory.join("files"), directory.join("builds"));
        let cache = Self { files, builds, most_bytes, bytes: Mutex::new(0) };
        cache.trim();
        cache
    }

    /// Returns the bytes of a file that is here and whole.
    pub(crate) fn file(&self, digest: &str) -> Option<Vec<u8>> {
        let path = self.path_of(digest)?;
        let bytes = fs::read(&path).ok()?;
        let is_whole = file_digest(&bytes) == digest;
        is_whole.then(|| touch(&path))?;
        Some(bytes)
    }

    /// Keeps a file, where there is room on the disk.
    pub(crate) fn keep(&self, digest: &str, bytes: &[u8]) {
        let (Some(path), len) = (self.path_of(digest), bytes.len() as u64) else { return };
        if len > self.most_bytes {
            return;
        }
        let is_too_much = *self.held() + len > self.most_bytes;
        if is_too_much {
            self.trim_to(self.most_bytes - len);
        }
        // Under another name first: half of a file is none.
        let half = self.files.join("half");
        let written = fs::create_dir_all(&self.files)
            .and_then(|()| fs::write(&half, bytes))
            .and_then(|()| fs::rename(&half, path));
        match written {
            Ok(()) => *self.held() += len,
            Err(_) => drop(fs::remove_file(&half)),
        }
    }

    /// Returns the directory of a build, and whether it is done.
    pub(crate) fn build(&self, key: &str) -> (PathBuf, bool) {
        let (tree, done) = (self.builds.join(key), self.done(key));
        let is_done = tree.is_dir() && done.exists();
        if is_done {
            touch(&done);
        }
        (tree, is_done)
    }

    /// Makes an empty directory for a build.
    ///
    /// # Errors
    /// When the system refuses it.
    pub(crate) fn begin_build(&self, key: &str) -> io::Result<PathBuf> {
        let tree = self.builds.join(key);
        fs::create_dir_all(&self.builds)?;
        handover::remove(&self.done(key)).and_then(|()| handover::remove(&tree))?;
        fs::create_dir(&tree)?;
        Ok(tree)
    }

    /// Says that a build is done.
    ///
    /// # Errors
    /// When the system refuses it.
    pub(crate) fn end_build(&self, key: &str) -> io::Result<()> {
        fs::write(self.done(key), "")
    }

    /// Removes what is too much.
    pub(crate) fn trim(&self) {
        self.trim_to(self.most_bytes);
    }

    /// Removes everything, for a disk that is full. Returns whether there was something.
    pub(crate) fn clear(&self) -> bool {
        let had = *self.held() > 0;
        self.trim_to(0);
        had
    }

    fn trim_to(&self, most: u64) {
        let mut items: Vec<_> = self.cached_files().chain(self.cached_builds()).collect();
        items.sort_by(|one, other| (one.used, &one.paths).cmp(&(other.used, &other.paths)));
        let mut bytes: u64 = items.iter().map(|item| item.bytes).sum();
        for item in items {
            // A build that was not finished is of no use.
            if bytes <= most && item.used > SystemTime::UNIX_EPOCH {
                break;
            }
            // What cannot be removed still counts.
            if item.paths.iter().all(|path| handover::remove(path).is_ok()) {
                bytes -= item.bytes;
            }
        }
        *self.held() = bytes;
    }

    fn held(&self) -> std::sync::MutexGuard<'_, u64> {
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn cached_files(&self) -> impl Iterator<Item = CachedItem> {
        entries(&self.files).map(|path| CachedItem {
            used: used(&path),
            bytes: size(&path),
            paths: vec![path],
        })
    }

    fn cached_builds(&self) -> impl Iterator<Item = CachedItem> {
        let trees = entries(&self.builds).filter(|path| path.is_dir());
        trees.map(|tree| {
            let done = tree.with_extension(DONE);
            CachedItem { used: used(&done), bytes: size(&tree), paths: vec![done, tree] }
        })
    }

    fn done(&self, key: &str) -> PathBuf {
        self.builds.join(key).with_extension(DONE)
    }

    /// Returns the place of a file; `None` for what is no digest, and may lead elsewhere.
    fn path_of(&self, digest: &str) -> Option<PathBuf> {
        let is_digest = digest.len() == 64 && digest.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_digest.then(|| self.files.join(digest))
    }
}

fn entries(directory: &Path) -> impl Iterator<Item = PathBuf> {
    fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path())
}

/// Returns when something was used last: long ago where it is not there.
fn used(path: &Path) -> SystemTime {
    path.metadata().and_then(|meta| meta.modified()).unwrap_or(SystemTime::UNIX_EPOCH)
}

/// Notes that something is used.
fn touch(path: &Path) {
    // Where that fails it only goes earlier.
    let _ = OpenOptions::new()
        .append(true)
        .open(path)
        .and_then(|file: File| file.set_modified(SystemTime::now()));
}

/// Returns how many bytes a file has, or all files below a directory. Links are not followed.
fn size(path: &Path) -> u64 {
    match fs::symlink_metadata(path) {
        Ok(meta) if meta.is_dir() => entries(path).map(|path| size(&path)).sum(),
        Ok(meta) => meta.len(),
        Err(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Keeps a file as one that was used so many seconds ago; returns its digest.
    fn keep(cache: &Cache, bytes: &[u8], ago: u64) -> String {
        let digest = file_digest(bytes);
        cache.keep(&digest, bytes);
        age(&cache.files.join(&digest), ago);
        digest
    }

    fn age(path: &Path, ago: u64) {
        let file = OpenOptions::new().append(true).open(path).expect("it is kept");
        file.set_modified(SystemTime::now() - Duration::from_secs(ago)).expect("its time");
    }

    #[test]
    fn what_was_not_used_for_longest_goes_first_and_files_and_builds_share_the_room() {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::open(directory.path(), 1000);
        let oldest = keep(&cache, &[1; 300], 50);
        let middle = keep(&cache, &[2; 300], 40);
        let tree = cache.begin_build("build").unwrap();
        fs::write(tree.join("program"), [0; 300]).unwrap();
        cache.end_build("build").unwrap();
        age(&cache.done("build"), 30);
        cache.trim();
        // The oldest one is used once more.
        assert_eq!(cache.file(&oldest), Some(vec![1; 300]));
        let newest = keep(&cache, &[3; 300], 0);
        assert_eq!(cache.file(&middle), None);
        assert!(cache.file(&oldest).is_some() && cache.file(&newest).is_some() && cache.build("build").1);
        // A later worker finds the same, and has less room.
        let cache = Cache::open(directory.path(), 400);
        let kept = [cache.file(&oldest).is_some(), cache.file(&newest).is_some(), cache.build("build").1];
        assert_eq!(kept.iter().filter(|kept| **kept).count(), 1, "{kept:?}");
        assert!(cache.clear() && !cache.clear());
        assert_eq!(entries(&cache.files).chain(entries(&cache.builds)).count(), 0);
    }

    #[test]
    fn what_is_half_or_no_digest_is_not_there() {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::open(directory.path(), 1000);
        let digest = keep(&cache, &[1; 300], 0);
        fs::write(cache.files.join(&digest), [1; 200]).unwrap();
        assert_eq!(cache.file(&digest), None);
        let outside = directory.path().join("outside");
        fs::write(&outside, "text").unwrap();
        assert_eq!(cache.file("../outside"), None);
        let tree = cache.begin_build("build").unwrap();
        assert!(tree.is_dir() && !cache.build("build").1, "it was not finished");
        cache.trim();
        assert!(!tree.exists());
        // What is larger than all the room there is passes by.
        let large = file_digest(&[0; 2000]);
        cache.keep(&large, &[0; 2000]);
        assert_eq!(cache.file(&large), None);
    }
}
