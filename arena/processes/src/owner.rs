//! Names that say which arena has made something, so that another one knows whether that arena still runs.

#[cfg(target_os = "linux")]
pub(crate) use self::linux::{is_left, prefix};

/// The users that bots run as where the arena is root: the first number, and how many there are.
pub const BOT_USERS: (u32, u32) = (58_000, 1_900);

/// How every name begins.
const MARK: &str = "arena";

/// Returns how the names of what this process makes begin, among temporary files too: where the system tells who runs, the
/// next arena of this user removes directories of such names once this process is gone.
#[must_use]
pub(crate) fn own_prefix() -> String {
    #[cfg(target_os = "linux")]
    return prefix(std::process::id());
    #[cfg(not(target_os = "linux"))]
    format!("{MARK}-{}", std::process::id())
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs;
    use std::os::unix::fs::MetadataExt;

    use super::MARK;

    /// Returns how the names of what a process makes begin: no other process has had the same number and beginning in the
    /// same namespace.
    pub(crate) fn prefix(process: u32) -> String {
        format!("{MARK}-{}-{process}-{}", namespace(), beginning(process).unwrap_or_default())
    }

    /// Returns whether a name is that of something whose arena is not there any more.
    pub(crate) fn is_left(name: &str) -> bool {
        let mut words = name.split('-');
        let number = |word: Option<&str>| word?.parse::<u64>().ok();
        // What is of another namespace cannot be judged from here.
        if words.next() != Some(MARK) || number(words.next()) != Some(namespace()) {
            return false;
        }
        let (Some(process), Some(began)) = (number(words.next()), number(words.next())) else { return false };
        u32::try_from(process).is_ok_and(|process| beginning(process) != Some(began))
    }

    /// Returns the number of the namespace of processes.
    fn namespace() -> u64 {
        fs::metadata("/proc/self/ns/pid").map_or(0, |namespace| namespace.ino())
    }

    /// Returns when a process began, in ticks since the system did; `None` where it has ended.
    fn beginning(process: u32) -> Option<u64> {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        // The name in parentheses may hold anything, so the fields are counted from its end.
        let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
        let is_zombie = fields.next() == Some("Z");
        fields.nth(18)?.parse().ok().filter(|_| !is_zombie)
    }
}
