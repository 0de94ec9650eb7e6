//! What this kernel and this user can do for a confinement.

use crate::Support;
use crate::linux::{files, filter, identity};

impl Support {
    /// Asks the system.
    #[must_use]
    pub fn of_system() -> Self {
        Self {
            landlock: files::landlock_version(),
            seccomp: filter::has_filters(),
            root: identity::is_root(),
        }
    }
}
