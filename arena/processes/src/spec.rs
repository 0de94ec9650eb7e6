//! What a process is started from.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use crate::ProcessLimits;

/// A program with everything that its process needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessSpec {
    /// The program, absolute or to be found in `PATH`.
    pub path: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// The directory that it runs in.
    pub dir: PathBuf,
    /// Variables added to the arena's environment; a later one of a name counts.
    pub env: Vec<(OsString, OsString)>,
    /// Whether its private directory is its home too. A guarded process has such a directory in any case, as `TMPDIR`.
    pub is_private: bool,
    /// What all its processes together may use; only a guard holds them to it.
    pub limits: ProcessLimits,
}

impl ProcessSpec {
    /// Returns a program that runs in `dir` without arguments, additions to its environment or limits.
    pub fn new(path: impl Into<PathBuf>, dir: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            args: Vec::new(),
            dir: dir.into(),
            env: Vec::new(),
            is_private: false,
            limits: ProcessLimits::default(),
        }
    }

    /// Returns the command that starts the process.
    #[must_use]
    pub fn to_command(&self) -> Command {
        let mut command = Command::new(&self.path);
        command
            .args(&self.args)
            .current_dir(&self.dir)
            .envs(self.env.iter().map(|(name, value)| (name, value)));
        command
    }
}
