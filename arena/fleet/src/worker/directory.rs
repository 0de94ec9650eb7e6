//! The directory of a worker: results on their way to the broker, a cache of files and builds, and the files of the run that it plays.
//!
//! A run is played from copies that are made afresh, all of them when the worker begins to play for it, so that no bot runs from an
//! older or better placed file than its opponent. They go when the run is over here.

mod cache;

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use diagnostic::Failure;
use tournament_file::handover;

pub(crate) use self::cache::Cache;

/// The directory of one worker, which no other one uses meanwhile.
pub(crate) struct WorkerDirectory {
    path: PathBuf,
    cache: Cache,
    /// Locked until this is dropped, or the worker is killed.
    _lock: File,
}

impl WorkerDirectory {
    /// Takes up a directory, whose cache holds so many bytes at most.
    ///
    /// # Errors
    /// When it cannot be used, or another worker uses it.
    pub(crate) fn open(path: &Path, most_bytes: u64) -> Result<Self, Failure> {
        let failed = |error: io::Error| {
            Failure::io(format!("failed to use the directory `{}`", path.display()), &error)
        };
        fs::create_dir_all(path).map_err(failed)?;
        let lock = File::create(path.join("lock")).map_err(failed)?;
        // A file system without locks keeps nobody out.
        if let Err(TryLockError::WouldBlock) = lock.try_lock() {
            return Err(Failure::usage(format!("another worker uses the directory `{}`", path.display()))
                .hint("each worker needs a directory of its own: name another one with `--directory`"));
        }
        let directory = Self { path: path.to_owned(), cache: Cache::open(path, most_bytes), _lock: lock };
        // What an earlier worker has played from that was killed.
        handover::remove(&directory.runs()).map_err(failed)?;
        Ok(directory)
    }

    /// Returns where it lies.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns where results are kept.
    pub(crate) fn results(&self) -> PathBuf {
        self.path.join("results")
    }

    /// Returns the files and builds that are kept for later runs.
    pub(crate) const fn cache(&self) -> &Cache {
        &self.cache
    }

    /// Makes an empty directory for the files of a run.
    ///
    /// # Errors
    /// When the system refuses it.
    pub(crate) fn begin(&self, manifest: &str) -> io::Result<RunDirectory> {
        let path = self.runs().join(manifest);
        handover::remove(&path)?;
        fs::create_dir_all(&path)?;
        Ok(RunDirectory(path))
    }

    fn runs(&self) -> PathBuf {
        self.path.join("runs")
    }
}

/// The files from which a run is played, removed when this is dropped.
pub(crate) struct RunDirectory(PathBuf);

impl RunDirectory {
    /// Returns its path.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for RunDirectory {
    fn drop(&mut self) {
        // The next worker of the directory tries again.
        let _ = handover::remove(&self.0);
    }
}
