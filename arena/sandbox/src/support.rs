//! What this system can enforce.

/// What this system can enforce without any set-up. Whether namespaces can be had is only known by trying, since
/// profiles, limits and containers may refuse them: [`crate::confine`] does and says what would allow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Support {
    /// The features of Landlock, by the version of its interface that brought them: 0 without, 1 files, 3 truncation
    /// too, 4 TCP, 6 signals and abstract Unix sockets. Later versions count as 6.
    pub landlock: u8,
    /// Whether system calls can be filtered.
    pub seccomp: bool,
    /// Whether each bot can be given a user of its own: the arena is root.
    pub root: bool,
}

impl Support {
    /// Returns what is lacking for any level above `none`, if anything is.
    #[must_use]
    pub const fn lacking(&self) -> Option<&'static str> {
        if cfg!(not(target_os = "linux")) {
            Some("only Linux has what confines a bot")
        } else if self.landlock == 0 {
            Some(
                "the kernel has no Landlock, which Linux has since 5.13 where `landlock` is among the names in \
                 /sys/kernel/security/lsm (boot parameter `lsm=landlock,...`)",
            )
        } else if !self.seccomp {
            Some("the kernel cannot filter system calls, or the processor is not one that is supported")
        } else {
            None
        }
    }
}
