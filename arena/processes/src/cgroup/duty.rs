//! What control groups do for a bot, and in which version of the kernel's interface.

use std::fmt;

/// What a group does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Duty {
    /// It holds the memory to its limit, and tells the most that was held.
    Memory,
    /// It holds processes and threads to a number.
    Processes,
    /// It counts processor time.
    Time,
    /// It ends all processes at once.
    Kill,
}

impl Duty {
    /// All duties.
    pub(crate) const ALL: [Self; 4] = [Self::Memory, Self::Processes, Self::Time, Self::Kill];

    /// Returns the controller of version 1 that does it.
    pub(super) const fn controller(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Processes => "pids",
            Self::Time => "cpuacct",
            Self::Kill => "freezer",
        }
    }

    /// Returns the controller of version 2 that does it; `None` where every group does it.
    pub(super) const fn controller_of_two(self) -> Option<&'static str> {
        match self {
            Self::Memory | Self::Processes => Some(self.controller()),
            Self::Time | Self::Kill => None,
        }
    }
}

impl fmt::Display for Duty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Memory => "memory",
            Self::Processes => "processes",
            Self::Time => "time",
            Self::Kill => "kill",
        })
    }
}

/// A version of the kernel's interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum CgroupVersion {
    /// One hierarchy of directories for each controller.
    One,
    /// One hierarchy for all.
    Two,
}

impl fmt::Display for CgroupVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::One => "v1",
            Self::Two => "v2",
        })
    }
}
