//! A directory of this process among the temporary files of the machine.

use std::io;
use std::path::{Path, PathBuf};

use crate::guard::{make_own_dir, remove_dir};

/// A directory that its owner alone may enter: removed, with everything in it, when it is dropped.
///
/// Where this process is killed before, the next arena of this user removes it that makes such a directory or starts a bot (on
/// Linux).
#[derive(Debug)]
pub struct PrivateDirectory(PathBuf);

impl PrivateDirectory {
    /// Makes one, and removes those of arenas that are gone.
    ///
    /// # Errors
    /// When the system refuses it.
    pub fn make() -> io::Result<Self> {
        make_own_dir().map(Self)
    }

    /// Returns its path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for PrivateDirectory {
    fn drop(&mut self) {
        // What cannot be removed stays, and does no harm.
        let _ = remove_dir(&self.0);
    }
}
