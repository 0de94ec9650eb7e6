//! The ordinary user as whom a tournament is run: limits on processes do not bind root, and root needs no leave to kill.

use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::{fs, io, process};

use rustix::process::getuid;

/// A user of this system: for root, a number of its own for each tournament; otherwise whoever runs the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct User {
    number: u32,
    is_own: bool,
}

impl User {
    /// Returns a user whom nobody else is.
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let own = getuid();
        if !own.is_root() {
            return Self { number: own.as_raw(), is_own: false };
        }
        // Below 65536, which is all that some containers have; apart from those of another run of these tests.
        let block = process::id() % 100;
        let number = 20_000 + block * 400 + COUNT.fetch_add(1, Ordering::Relaxed) % 400;
        Self { number, is_own: true }
    }

    /// Returns whether no other process runs as this user.
    pub(crate) const fn is_own(self) -> bool {
        self.is_own
    }

    pub(crate) const fn number(self) -> u32 {
        self.number
    }

    /// Has a command run as this user.
    pub(crate) fn run(self, command: &mut Command) {
        if self.is_own {
            command.uid(self.number).gid(self.number);
        }
    }

    /// Gives a folder and everything in it to this user.
    pub(crate) fn own(self, path: &Path) -> io::Result<()> {
        if !self.is_own {
            return Ok(());
        }
        chown(path, Some(self.number), Some(self.number))?;
        if path.is_dir() {
            for entry in fs::read_dir(path)? {
                self.own(&entry?.path())?;
            }
        }
        Ok(())
    }
}
