//! Bots of commits: checked out and built once, then kept.
//!
//! A build is a directory of the cache, named after the commit and how it was built:
//! `ab12cd34ef56-0123456789ab/` is the worktree, and beside it lie `….log` (the output of the build), `….built` (it
//! succeeded) and `….lock` (held while somebody builds). Two arenas that want the same build wait for each other. A
//! build that did not succeed is begun again from clean files.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{self, Path, PathBuf};

use diagnostic::Failure;
use diagnostic::output;
use diagnostic::say;
use sha2::{Digest as _, Sha256};
use tournament_file::{Checkout, CommitSource};

use super::git::{Commit, Repository};
use super::shell;

/// Builds the commits of a repository.
#[derive(Debug)]
pub(super) struct Builder<'a> {
    repository: Repository,
    cache: PathBuf,
    /// The shell's line that builds; none where there is nothing to build.
    command: Option<&'a str>,
}

impl<'a> Builder<'a> {
    /// Makes ready to build commits of the repository of the current directory.
    ///
    /// # Errors
    /// When there is none.
    pub(super) fn new(cache: &Path, command: Option<&'a str>) -> Result<Self, Failure> {
        let cache = path::absolute(cache).map_err(|error| failed("find", cache, &error))?;
        Ok(Self { repository: Repository::find()?, cache, command })
    }

    /// Returns the repository.
    pub(super) const fn repository(&self) -> &Repository {
        &self.repository
    }

    /// Returns a commit's bot, built.
    ///
    /// # Errors
    /// When it cannot be checked out, or the build fails, with the end of its output.
    pub(super) fn build(&self, commit: &Commit) -> Result<Checkout, Failure> {
        let name = self.name(commit);
        let (directory, built) = (self.cache.join(&name), self.cache.join(format!("{name}.built")));
        fs::create_dir_all(&self.cache).map_err(|error| failed("create", &self.cache, &error))?;
        let lock = self.cache.join(format!("{name}.lock"));
        let lock = File::create(&lock).map_err(|error| failed("create", &lock, &error))?;
        hold(&lock, commit).map_err(|error| failed("lock", &self.cache, &error))?;
        if !built.exists() || !directory.is_dir() {
            self.build_again(commit, &name, &directory)?;
            fs::write(&built, "").map_err(|error| failed("write", &built, &error))?;
        }
        let dir = self.within(&directory);
        if !dir.is_dir() {
            return Err(Failure::usage(format!(
                "{} has no directory `{}`",
                commit.short, self.repository.prefix
            ))
            .hint(
                "a bot of a commit runs in the directory in which you are: go to one that both commits have",
            ));
        }
        let by = self.command.map_or_else(String::new, |command| format!(", built by `{command}`"));
        let identity = format!("commit {} in `{}`{by}", commit.hash, self.repository.prefix);
        let source = CommitSource {
            repository: self.repository.directory.clone(),
            hash: commit.hash.clone(),
            directory: self.repository.prefix.clone(),
            build: self.command.map(str::to_owned),
        };
        Ok(Checkout { dir, root: directory, version: commit.short.clone(), identity, source })
    }

    fn build_again(&self, commit: &Commit, name: &str, directory: &Path) -> Result<(), Failure> {
        if directory.exists() {
            fs::remove_dir_all(directory).map_err(|error| failed("remove", directory, &error))?;
        }
        self.repository.add_worktree(directory, commit)?;
        let Some(command) = self.command else { return Ok(()) };
        say(&format!("building {} by `{command}` in {}", commit.short, output::path(directory)));
        let log = self.cache.join(format!("{name}.log"));
        let within = self.within(directory);
        let done = shell::run(command, &within, &log, &[])
            .map_err(|error| Failure::io(format!("failed to build {}", commit.short), &error))?;
        if done.status.success() {
            return Ok(());
        }
        let failure = Failure::usage(format!("{} cannot be built: {}", commit.short, done.status))
            .hint(format!("it was built by `{command}` in `{}`", within.display()));
        Err(match done.last_lines() {
            lines if lines.is_empty() => failure.hint("it wrote nothing"),
            lines => failure.hint(format!("the end of its output (all of it: {}):\n{lines}", log.display())),
        })
    }

    /// Returns the directory of a worktree in which builds and bots run: the one in which the user is.
    fn within(&self, worktree: &Path) -> PathBuf {
        match self.repository.prefix.as_str() {
            "" => worktree.to_owned(),
            prefix => worktree.join(prefix),
        }
    }

    /// Returns the name of a build: another repository, commit or command is another one.
    fn name(&self, commit: &Commit) -> String {
        let mut hash = Sha256::new();
        let command = self.command.unwrap_or_default();
        for part in [&self.repository.directory.to_string_lossy(), commit.hash.as_str(), command] {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part.as_bytes());
        }
        let digits: String = hash.finalize()[..6].iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{}-{digits}", commit.short)
    }
}

/// Waits until nobody else holds the lock of a build.
fn hold(lock: &File, commit: &Commit) -> io::Result<()> {
    match lock.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => {
            say(&format!("waiting for another arena that builds {}", commit.short));
            lock.lock()
        }
        Err(TryLockError::Error(error)) => Err(error),
    }
}

fn failed(what: &str, path: &Path, error: &io::Error) -> Failure {
    Failure::io(format!("failed to {what} `{}`", output::path(path)), error)
}
