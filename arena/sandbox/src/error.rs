//! Why a process could not be confined.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Why a process could not be confined, or not become the bot.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SandboxError {
    /// The words after `confine` are no policy and command.
    #[error("`confine` is for the arena's own use: {reason}")]
    Words {
        /// What is wrong with them.
        reason: String,
    },
    /// A step was refused by the system.
    #[error("failed to {step}")]
    Step {
        /// What was to be done.
        step: &'static str,
        /// Why not.
        #[source]
        source: io::Error,
    },
    /// A namespace was refused by the system.
    #[error("failed to {step}: {cause}; what would allow it: {remedy}")]
    Namespace {
        /// What was to be done.
        step: &'static str,
        /// Why not.
        cause: io::Error,
        /// What the administrator can do.
        remedy: String,
    },
    /// A path cannot be opened.
    #[error("failed to open `{}`", path.display())]
    Path {
        /// The path.
        path: PathBuf,
        /// Why not.
        #[source]
        source: io::Error,
    },
    /// The private directory cannot be used.
    #[error("failed to use `{}` as the private directory, which `TMPDIR` names", path.display())]
    Private {
        /// The path.
        path: PathBuf,
        /// Why not.
        #[source]
        source: io::Error,
    },
    /// Landlock does not enforce what was asked of it.
    #[error("failed to restrict the files that can be reached: {reason}")]
    Landlock {
        /// What it says.
        reason: String,
    },
    /// The filter of system calls cannot be installed.
    #[error("failed to install the filter of system calls: {reason}")]
    Filter {
        /// What it says.
        reason: String,
    },
    /// The bot's program cannot be run.
    #[error("failed to run `{}`", program.display())]
    Exec {
        /// The program.
        program: PathBuf,
        /// Why not.
        #[source]
        source: io::Error,
    },
    /// There is nothing here that confines.
    #[error("this system has no sandbox: only Linux has one")]
    System,
}
