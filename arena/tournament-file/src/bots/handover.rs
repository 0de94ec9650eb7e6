//! The directory of a build, given to the user as whom it is built, and taken back.

use std::fs;
use std::io;
use std::path::Path;

/// Gives a directory with everything in it to another user, where one is named.
///
/// # Errors
/// When the system refuses.
#[cfg(unix)]
pub fn give(dir: &Path, user: Option<u32>) -> io::Result<()> {
    match user {
        Some(user) => unix::walk(dir, 0, &|path, _| unix::own(path, user, user)),
        None => Ok(()),
    }
}

/// Takes a directory back after a build, readable for everybody, so that the bot can be started by whatever user: what can
/// be run for its owner can be run for all, and so can what looks like a program, since a confined build of an ordinary
/// user cannot say so itself.
///
/// # Errors
/// When the system refuses, or directories lie too deep.
#[cfg(unix)]
pub fn take_back(dir: &Path) -> io::Result<()> {
    let (user, group) = (rustix::process::geteuid(), rustix::process::getegid());
    unix::walk(dir, 0, &|path, meta| {
        if user.is_root() {
            unix::own(path, user.as_raw(), group.as_raw())?;
        }
        unix::open_up(path, meta)
    })
}

/// Removes a file, a link or a directory with everything in it, if it is there, also where an entry has taken the
/// permissions to do so away.
///
/// # Errors
/// When the system refuses.
pub fn remove(path: &Path) -> io::Result<()> {
    match remove_as_it_is(path) {
        #[cfg(unix)]
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            // What cannot be opened up is told by the second attempt.
            let _ = path.parent().map(unix::open_to_owner);
            let _ = unix::walk(path, 0, &|path, meta| match meta.is_dir() {
                true => unix::open_to_owner(path),
                false => Ok(()),
            });
            remove_as_it_is(path)
        }
        removed => removed,
    }
}

fn remove_as_it_is(path: &Path) -> io::Result<()> {
    let removed = match fs::symlink_metadata(path) {
        Ok(meta) if meta.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(unix)]
mod unix {
    use std::fs::{self, File, Metadata, Permissions};
    use std::io::{self, Read as _};
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::Path;

    /// How programs begin that this system runs.
    const PROGRAMS: [&[u8]; 2] = [b"\x7fELF", b"#!"];

    /// How deep directories may lie within an entry.
    const DEEPEST: usize = 100;

    /// Does something to a directory, and then to everything in it; links are not followed.
    pub(crate) fn walk(
        path: &Path,
        depth: usize,
        act: &dyn Fn(&Path, &Metadata) -> io::Result<()>,
    ) -> io::Result<()> {
        if depth > DEEPEST {
            return Err(io::Error::other(format!("directories lie deeper than {DEEPEST}")));
        }
        let meta = fs::symlink_metadata(path)?;
        act(path, &meta)?;
        if meta.is_dir() {
            for entry in fs::read_dir(path)? {
                walk(&entry?.path(), depth + 1, act)?;
            }
        }
        Ok(())
    }

    pub(crate) fn own(path: &Path, user: u32, group: u32) -> io::Result<()> {
        std::os::unix::fs::lchown(path, Some(user), Some(group))
    }

    /// Lets the owner of a directory do everything in it.
    pub(crate) fn open_to_owner(directory: &Path) -> io::Result<()> {
        let mode = fs::metadata(directory)?.permissions().mode() | 0o700;
        fs::set_permissions(directory, Permissions::from_mode(mode))
    }

    pub(crate) fn open_up(path: &Path, meta: &Metadata) -> io::Result<()> {
        let is_program = || {
            let mut start = [0; 4];
            // What cannot be read yet is ours now.
            let count = File::open(path).and_then(|mut file| file.read(&mut start)).unwrap_or(0);
            PROGRAMS.iter().any(|magic| start[..count].starts_with(magic))
        };
        if !meta.is_dir() && !meta.is_file() {
            return Ok(());
        }
        let is_open = meta.is_dir() || meta.permissions().mode() & 0o100 != 0 || is_program();
        fs::set_permissions(path, Permissions::from_mode(if is_open { 0o755 } else { 0o644 }))
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn what_was_built_can_be_read_and_run_by_everybody() {
            let dir = tempfile::tempdir().unwrap();
            let at = |name: &str| dir.path().join(name);
            fs::create_dir(at("bin")).unwrap();
            fs::write(at("bin/elf"), b"\x7fELF and more").unwrap();
            fs::write(at("text"), "text").unwrap();
            fs::write(at("tool"), "text").unwrap();
            std::os::unix::fs::symlink("/etc/passwd", at("link")).unwrap();
            let before = fs::metadata("/etc/passwd").unwrap().permissions();
            for (name, mode) in [("bin/elf", 0o600), ("text", 0o600), ("tool", 0o4700), ("bin", 0o700)] {
                fs::set_permissions(at(name), Permissions::from_mode(mode)).unwrap();
            }
            super::super::take_back(dir.path()).unwrap();
            let mode = |name: &str| fs::metadata(at(name)).unwrap().permissions().mode() & 0o7777;
            assert_eq!(
                [mode("bin"), mode("bin/elf"), mode("text"), mode("tool")],
                [0o755, 0o755, 0o644, 0o755]
            );
            assert_eq!(fs::metadata("/etc/passwd").unwrap().permissions(), before);
        }
    }
}

/// There are no other users here.
#[cfg(not(unix))]
pub fn give(_dir: &Path, _user: Option<u32>) -> io::Result<()> {
    Ok(())
}

/// There are no modes here.
#[cfg(not(unix))]
pub fn take_back(_dir: &Path) -> io::Result<()> {
    Ok(())
}
