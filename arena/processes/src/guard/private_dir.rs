//! Private directories: of a bot's process, made before it starts and removed with everything in it once nothing of it runs; and of
//! this process.

use std::fs::{self, DirBuilder, File, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{FlockOperation, flock};

use crate::owner::own_prefix;

/// How deep directories are looked into; deeper ones are moved up first, so that no path gets longer than the system takes.
const DEEP: usize = 10;

/// Returns a path among the temporary files of this machine that no other private directory has.
pub(super) fn choose() -> PathBuf {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    std::env::temp_dir().join(format!("{}-{count}", own_prefix()))
}

/// Makes a private directory that nobody else may enter. While what is returned lives, the directory belongs to somebody who
/// is there, and no other arena sweeps it.
///
/// # Errors
/// When the system refuses; [`io::ErrorKind::AlreadyExists`] where something else is there already.
pub(super) fn make(private_dir: &Path) -> io::Result<File> {
    DirBuilder::new().mode(0o700).create(private_dir)?;
    let directory = File::open(private_dir)?;
    // Where the file system has no locks, nobody else gets one either.
    let _ = flock(&directory, FlockOperation::NonBlockingLockExclusive);
    Ok(directory)
}

/// Removes a private directory, whatever was done to it: no permissions, any depth. Links are removed, never followed.
///
/// # Errors
/// When something cannot be removed: it belongs to somebody else, or is somewhere else by now.
pub(crate) fn remove(private_dir: &Path) -> io::Result<()> {
    match fs::remove_dir_all(private_dir) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {}
        _ => return Ok(()),
    }
    let mut flattening = Flattening { private_dir, found: vec![private_dir.to_owned()], count: 0 };
    while let Some(directory) = flattening.found.pop() {
        flattening.open_up(&directory, 0)?;
    }
    fs::remove_dir_all(private_dir)
}

/// Lets this process enter and change every directory, and brings up what lies too deep for one path.
struct Flattening<'a> {
    private_dir: &'a Path,
    /// Directories that have yet to be looked into.
    found: Vec<PathBuf>,
    /// How many directories were moved.
    count: u64,
}

impl Flattening<'_> {
    fn open_up(&mut self, directory: &Path, depth: usize) -> io::Result<()> {
        fs::set_permissions(directory, Permissions::from_mode(0o700))?;
        let mut below = Vec::new();
        for entry in fs::read_dir(directory)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                below.push(entry.path());
            }
        }
        for path in below {
            if depth < DEEP {
                self.open_up(&path, depth + 1)?;
            } else {
                fs::set_permissions(&path, Permissions::from_mode(0o700))?;
                let above = self.free_name();
                fs::rename(&path, &above)?;
                self.found.push(above);
            }
        }
        Ok(())
    }

    fn free_name(&mut self) -> PathBuf {
        loop {
            self.count += 1;
            let above = self.private_dir.join(format!("moved-{}", self.count));
            if fs::symlink_metadata(&above).is_err() {
                return above;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_private_directory_is_for_its_owner_alone_and_goes_with_everything_in_it() {
        let private_dir = choose();
        let _held = make(&private_dir).expect("a directory");
        assert_eq!(fs::metadata(&private_dir).expect("it is there").permissions().mode() & 0o777, 0o700);
        fs::create_dir_all(private_dir.join("a/b")).expect("directories");
        fs::write(private_dir.join("a/b/file"), "text").expect("a file");
        fs::set_permissions(private_dir.join("a/b"), Permissions::from_mode(0o000))
            .expect("they are taken away");
        fs::set_permissions(private_dir.join("a"), Permissions::from_mode(0o500))
            .expect("they are taken away");
        remove(&private_dir).expect("it is removed");
        assert!(!private_dir.exists());
        remove(&private_dir).expect("nothing is as good");
    }

    #[test]
    fn links_are_not_followed() {
        let kept = tempfile::tempdir().expect("a directory");
        fs::write(kept.path().join("file"), "text").expect("a file");
        let private_dir = choose();
        let _held = make(&private_dir).expect("a directory");
        std::os::unix::fs::symlink(kept.path(), private_dir.join("link")).expect("a link");
        fs::create_dir(private_dir.join("closed")).expect("a directory");
        fs::set_permissions(private_dir.join("closed"), Permissions::from_mode(0o000))
            .expect("they are taken away");
        remove(&private_dir).expect("it is removed");
        assert!(kept.path().join("file").exists());
    }

    #[test]
    fn no_directory_lies_too_deep() {
        // Deeper than a process may have descriptors open, and longer than any path that the system takes.
        let private_dir = choose();
        let _held = make(&private_dir).expect("a directory");
        let mut held = fs::File::open(&private_dir).expect("it opens");
        for _ in 0..3000 {
            rustix::fs::mkdirat(&held, "deep", rustix::fs::Mode::RWXU).expect("a directory");
            let flags = rustix::fs::OFlags::RDONLY | rustix::fs::OFlags::DIRECTORY;
            let next = rustix::fs::openat(&held, "deep", flags, rustix::fs::Mode::empty()).expect("it opens");
            held = next.into();
        }
        drop(held);
        remove(&private_dir).expect("it is removed");
        assert!(!private_dir.exists());
    }
}
