//! Paths of a bot, seen from outside: what belongs to its program, and what another user could not open.

use std::path::{Path, PathBuf};

/// Directories below which many programs' secrets lie beside an installation: never opened as one.
const SHARED: [&str; 4] = [".local", ".cargo", ".config", ".cache"];

/// Returns whether a directory is the user's home or holds it: to open it would open everything that the user has.
#[must_use]
pub fn is_home_or_above(dir: &Path, home: Option<&Path>) -> bool {
    // What cannot be looked up is only what its name says.
    let same = |one: &Path, other: &Path| {
        one == other
            || one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
    };
    dir.parent().is_none() || home.is_some_and(|home| home.ancestors().any(|above| same(dir, above)))
}

/// Returns the directory that a program was installed into, where it can be told: that above its `bin` or `shims`
/// (version managers, virtual environments), unless that is the user's home or a directory of many programs there.
#[must_use]
pub fn installation(program: &Path, home: Option<&Path>) -> Option<PathBuf> {
    let folder = program.parent()?;
    let name = folder.file_name()?;
    if name != "bin" && name != "shims" {
        return None;
    }
    let above = folder.parent()?;
    let is_shared = home.is_some_and(|home| SHARED.iter().any(|name| home.join(name) == above));
    (!is_shared && !is_home_or_above(above, home)).then(|| above.to_path_buf())
}

/// Returns the first part of a path that a user of this number, with the group of the same number and no privilege, cannot
/// open: a directory that may not be entered, or what it leads to where that may not be read.
#[must_use]
#[cfg(unix)]
pub fn closed_to(path: &Path, user: u32) -> Option<PathBuf> {
    use std::os::unix::fs::MetadataExt as _;

    let path = path.canonicalize().ok()?;
    let mut parts: Vec<_> = path.ancestors().collect();
    parts.reverse();
    let is_closed = |part: &&&Path| {
        part.metadata().is_ok_and(|part| {
            let shift = match (part.uid() == user, part.gid() == user) {
                (true, _) => 6,
                (false, true) => 3,
                (false, false) => 0,
            };
            let needed = if part.is_dir() { 0o1 } else { 0o4 };
            part.mode() >> shift & needed != needed
        })
    };
    parts.iter().find(is_closed).map(|part| part.to_path_buf())
}

/// Returns the first part of a path that another user cannot open: unknown here.
#[must_use]
#[cfg(not(unix))]
pub fn closed_to(_path: &Path, _user: u32) -> Option<PathBuf> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_home_is_never_an_installation() {
        let home = Some(Path::new("/people/ada"));
        let of = |program: &str| installation(Path::new(program), home);
        assert_eq!(of("/people/ada/.pyenv/shims/python3"), Some("/people/ada/.pyenv".into()));
        assert_eq!(of("/people/ada/.nvm/v20/bin/node"), Some("/people/ada/.nvm/v20".into()));
        assert_eq!(of("/people/ada/bin/engine"), None);
        assert_eq!(of("/people/ada/.local/bin/engine"), None);
        assert_eq!(of("/people/ada/.cargo/bin/engine"), None);
        assert_eq!(of("/bin/sh"), None);
        assert_eq!(of("/people/ada/engine/engine"), None);
        assert!(is_home_or_above(Path::new("/"), None));
        assert!(is_home_or_above(Path::new("/people"), home));
        assert!(!is_home_or_above(Path::new("/people/ada/bots"), home));
        assert!(!is_home_or_above(Path::new("/people/eve"), home));
    }

    #[test]
    #[cfg(unix)]
    fn what_is_closed_to_others_is_named() {
        use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

        let folder = tempfile::tempdir().unwrap();
        let open = |mode: u32, path: &Path| {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
        };
        let file = folder.path().join("bot");
        std::fs::write(&file, "").unwrap();
        open(0o755, folder.path());
        open(0o644, &file);
        let own = folder.path().metadata().unwrap().uid();
        let other = own + 1;
        assert_eq!((closed_to(&file, other), closed_to(&file, own)), (None, None));
        open(0o600, &file);
        assert_eq!(closed_to(&file, own), None);
        assert_eq!(closed_to(&file, other), Some(file.canonicalize().unwrap()));
        open(0o700, folder.path());
        assert_eq!(closed_to(&file, own), None);
        assert_eq!(closed_to(&file, other), Some(folder.path().canonicalize().unwrap()));
    }
}
