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

/// Starts processes as they are, each in a process group of its own. What leaves that group outlives its game, and
/// everything outlives a killed arena: where there are guards, they are better.
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
        let (program, args) = self.words();
        let mut command = Command::new(program);
        command.args(args).current_dir(&self.dir).envs(self.variables());
        command
    }

    /// Returns the program that is started and its arguments: the prefix first, if there is one.
    pub(crate) fn words(&self) -> (OsString, Vec<OsString>) {
        let own = std::iter::once(self.program.clone().into_os_string()).chain(self.args.iter().cloned());
        let mut words = self.prefix.iter().cloned().chain(own);
        (words.next().unwrap_or_default(), words.collect())
    }

    /// Returns the variables that are added to the arena's environment; a later one of a name counts.
    pub(crate) fn variables(&self) -> Vec<(&str, &str)> {
        let own = self.env.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        ENVIRONMENT.into_iter().chain(own).collect()
    }
}
