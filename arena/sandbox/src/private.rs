//! The private directories of the bots of one arena: where they are, and that they do not stay behind.
//!
//! They lie in `arena-sandbox-UID/PID/` of the directory for temporary files, and are made by the processes that
//! confine themselves. An arena removes its own when it ends, and those of arenas that were killed.

use std::path::{Path, PathBuf};
use std::{env, fs, io, process};

/// The private directories of the bots of this process.
#[derive(Clone, Debug)]
pub struct Privates {
    root: PathBuf,
}

impl Privates {
    /// Returns those of this process. Nothing is made yet.
    #[must_use]
    pub fn of_process() -> Self {
        Self { root: Self::parent().join(process::id().to_string()) }
    }

    /// Returns where the directory of a bot is. Names that differ only in letters that file names may not have share
    /// it; `number` tells them apart.
    #[must_use]
    pub fn of_bot(&self, name: &str, number: usize) -> PathBuf {
        let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '-' };
        let name: String = name.chars().map(plain).take(40).collect();
        self.root.join(format!("{number}-{name}"))
    }

    /// Removes them with everything in them, and those of arenas that are gone. What cannot be removed stays.
    pub fn remove(&self) {
        let _ = remove_all(&self.root);
        for entry in fs::read_dir(Self::parent()).into_iter().flatten().flatten() {
            let is_number = entry.file_name().to_str().is_some_and(|name| name.parse::<u32>().is_ok());
            let is_gone = !Path::new("/proc").join(entry.file_name()).exists();
            if is_number && is_gone && Path::new("/proc/self").exists() {
                let _ = remove_all(&entry.path());
            }
        }
        // It goes with the last one.
        let _ = fs::remove_dir(Self::parent());
    }

    fn parent() -> PathBuf {
        let user = user().map_or_else(String::new, |user| format!("-{user}"));
        env::temp_dir().join(format!("arena-sandbox{user}"))
    }
}

#[cfg(unix)]
fn user() -> Option<u32> {
    use std::os::unix::fs::MetadataExt as _;
    Some(fs::metadata("/proc/self").ok()?.uid())
}

#[cfg(not(unix))]
fn user() -> Option<u32> {
    None
}

/// Removes a directory in which somebody may have closed others.
fn remove_all(path: &Path) -> io::Result<()> {
    if fs::remove_dir_all(path).is_err() && path.is_dir() {
        open_all(path)?;
        fs::remove_dir_all(path)?;
    }
    Ok(())
}

/// Opens a directory and all below it for their owner. Links are not followed.
#[cfg(unix)]
fn open_all(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;

    if fs::symlink_metadata(path)?.is_dir() {
        fs::set_permissions(path, fs::Permissions::from_mode(0o700))?;
        for entry in fs::read_dir(path)? {
            open_all(&entry?.path())?;
        }
    }
    Ok(())
}

#[cfg(not(unix))]
fn open_all(_path: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_make_plain_paths() {
        let privates = Privates { root: "/tmp/x".into() };
        assert_eq!(privates.of_bot("../etc/ö", 3), Path::new("/tmp/x/3----etc--"));
    }

    #[test]
    #[cfg(unix)]
    fn directories_that_were_closed_are_removed_too() {
        use std::os::unix::fs::PermissionsExt as _;

        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("1");
        fs::create_dir_all(root.join("bot/closed")).unwrap();
        fs::write(root.join("bot/closed/file"), "").unwrap();
        fs::set_permissions(root.join("bot/closed"), fs::Permissions::from_mode(0o000)).unwrap();
        Privates { root: root.clone() }.remove();
        assert!(!root.exists());
    }
}
