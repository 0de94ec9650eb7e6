//! How a bot's process comes to life: the one place where a guard or a sandbox can stand.

use std::ffi::OsString;
use std::io;
use std::process::Command;

use crate::{Launch, Process};

/// What every bot finds in its environment, besides the arena's own and what its entry says: output that is
/// not held back where the language allows to ask for that, and UTF-8.
const ENVIRONMENT: [(&str, &str); 4] =
    [("PYTHONUNBUFFERED", "1"), ("PYTHONIOENCODING", "utf-8"), ("LC_ALL", "C.UTF-8"), ("ABP", "1")];

/// Who starts the processes of bots.
pub trait Launcher: Send + Sync {
    /// Starts a process; called within a tokio runtime that stays on its thread.
    ///
    /// # Errors
    /// When the system cannot start it.
    fn launch(&self, launch: &Launch) -> io::Result<Process>;
}

/// Starts processes as they are, each in a process group of its own.
#[derive(Clone, Copy, Debug, Default)]
pub struct Direct;

impl Launcher for Direct {
    fn launch(&self, launch: &Launch) -> io::Result<Process> {
        Process::spawn(launch.to_process())
    }
}

impl Launch {
    /// Returns the command that starts the process, with the environment that every bot finds.
    #[must_use]
    pub fn to_process(&self) -> Command {
        let own = std::iter::once(self.program.as_os_str()).chain(self.args.iter().map(OsString::as_os_str));
        let mut words = self.prefix.iter().map(OsString::as_os_str).chain(own);
        // Its own program is always among them.
        let mut command = Command::new(words.next().unwrap_or(self.program.as_os_str()));
        command.args(words).current_dir(&self.dir);
        command.envs(ENVIRONMENT).envs(self.env.iter().map(|(name, value)| (name, value)));
        command
    }
}
