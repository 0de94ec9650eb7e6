//! Who starts processes: the one place where a guard or a sandbox can stand.

use std::io;

#[cfg(target_os = "linux")]
use std::path::PathBuf;

#[cfg(target_os = "linux")]
use rustix::process::{DumpableBehavior, getpid, set_child_subreaper, set_dumpable_behavior};

#[cfg(target_os = "linux")]
use crate::guard::{Started, start_guarded};
use crate::{Process, ProcessSpec};

/// The file by which a process runs its own program again, even where that was replaced meanwhile.
#[cfg(target_os = "linux")]
const OWN_EXECUTABLE: &str = "/proc/self/exe";

/// Who starts processes.
pub trait Launcher: Send + Sync {
    /// Starts a process; called within a tokio runtime that stays on its thread.
    ///
    /// # Errors
    /// When the system cannot start it.
    fn launch(&self, spec: &ProcessSpec) -> io::Result<Process>;
}

/// Starts processes as they are, each in a process group of its own. What leaves that group outlives it, and everything
/// outlives a killed arena: where there are guards, they are better.
#[derive(Clone, Copy, Debug, Default)]
pub struct Direct;

impl Launcher for Direct {
    fn launch(&self, spec: &ProcessSpec) -> io::Result<Process> {
        Process::spawn(spec.to_command())
    }
}

/// Starts processes under guards: with everything that they started they end when they are dropped, and when the arena is
/// killed.
#[cfg(target_os = "linux")]
#[derive(Clone, Debug)]
pub struct Guarded {
    program: PathBuf,
}

#[cfg(target_os = "linux")]
impl Guarded {
    /// Prepares this process, whose program begins `main` with [`guard()`](crate::guard()), to start guards: nobody of its user
    /// may look into it from now on, and orphans of guards that were killed fall to it.
    ///
    /// # Errors
    /// When the system refuses that.
    pub fn prepare() -> io::Result<Self> {
        set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
        Self::with_program(OWN_EXECUTABLE)
    }

    /// Prepares this process to start guards that are another program: one whose `main` begins with [`guard()`](crate::guard()).
    ///
    /// # Errors
    /// When the system refuses that.
    pub fn with_program(program: impl Into<PathBuf>) -> io::Result<Self> {
        set_child_subreaper(Some(getpid()))?;
        Ok(Self { program: program.into() })
    }
}

#[cfg(target_os = "linux")]
impl Launcher for Guarded {
    fn launch(&self, spec: &ProcessSpec) -> io::Result<Process> {
        let Started { process, given_up } = start_guarded(&self.program, spec);
        given_up.into_iter().for_each(Process::leave_to_reap);
        Ok(Process::guarded(process?))
    }
}
