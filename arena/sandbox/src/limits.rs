//! What one process may use.

use serde::{Deserialize, Serialize};

use crate::Level;

/// Limits of every process of a bot, by `setrlimit`. Core files are never written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResourceLimits {
    /// The most bytes of a file.
    pub file_size: Option<u64>,
    /// The most open descriptors.
    pub files: Option<u64>,
    /// The most bytes of writable memory of one process: `RLIMIT_DATA`, which leaves the address space alone that Go,
    /// Node and the JVM reserve.
    pub memory: Option<u64>,
    /// The most processes and threads of the bot's user.
    pub processes: Option<u64>,
}

const MIB: u64 = 1 << 20;

impl ResourceLimits {
    /// Returns the limits of a level if nothing else is said: those on files alone, since what a level says of memory and
    /// processes counts for all processes of a bot together.
    #[must_use]
    pub fn of(level: Level) -> Self {
        match level {
            Level::None => Self::default(),
            Level::Basic => Self { file_size: Some(256 * MIB), files: Some(1024), ..Self::default() },
            Level::Contest | Level::Strict => {
                Self { file_size: Some(64 * MIB), files: Some(512), ..Self::default() }
            }
        }
    }
}
