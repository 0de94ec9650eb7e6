//! Where the programs lie that entries need, and who may use them.

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the files of this name in the directories of `PATH`, in their order.
pub(crate) fn in_path(tool: &str) -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).map(|dir| dir.join(tool)).filter(|file| file.is_file()).collect()
}

/// Returns the outermost directory, or the file itself, whose permissions keep users who are neither its owner nor of its
/// group from running a program; `None` where nothing does.
pub(crate) fn closed_to_others(program: &Path) -> Option<PathBuf> {
    // A link lies in directories of its own, and so does what it leads to.
    let real = fs::canonicalize(program).ok();
    let on_the_way = |path: &Path| path.ancestors().map(Path::to_owned).collect::<Vec<_>>();
    let mut places = [Some(program.to_owned()), real]
        .into_iter()
        .flatten()
        .flat_map(|path| on_the_way(&path).into_iter().rev());
    places.find(|place| !is_open_to_others(place))
}

#[cfg(unix)]
fn is_open_to_others(place: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;

    fs::metadata(place).is_ok_and(|meta| meta.permissions().mode() & 0o001 != 0)
}

/// Nowhere else are builds run by other users.
#[cfg(not(unix))]
fn is_open_to_others(_place: &Path) -> bool {
    true
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    #[test]
    fn what_lies_in_a_closed_directory_is_closed_and_so_is_a_link_to_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let dir = |name: &str, mode| {
            let path = folder.path().join(name);
            fs::create_dir(&path).expect("a directory");
            fs::set_permissions(&path, Permissions::from_mode(mode)).expect("its own");
            path
        };
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).expect("its own");
        let (open, closed) = (dir("open", 0o755), dir("closed", 0o700));
        for (path, mode) in
            [(open.join("tool"), 0o755), (open.join("own"), 0o744), (closed.join("tool"), 0o755)]
        {
            fs::write(&path, "").expect("a file");
            fs::set_permissions(&path, Permissions::from_mode(mode)).expect("its own");
        }
        symlink(closed.join("tool"), open.join("link")).expect("a link");
        let real = fs::canonicalize(&closed).expect("it is there");
        // Where temporary files lie may be closed itself.
        let outside = closed_to_others(folder.path());
        let expected = |inside: Option<PathBuf>| outside.clone().or(inside);
        assert_eq!(closed_to_others(&open.join("tool")), expected(None));
        assert_eq!(closed_to_others(&open.join("own")), expected(Some(open.join("own"))));
        assert_eq!(closed_to_others(&closed.join("tool")), expected(Some(closed.clone())));
        assert_eq!(closed_to_others(&open.join("link")), expected(Some(real)));
        assert_eq!(closed_to_others(&open.join("nothing")), expected(Some(open.join("nothing"))));
    }
}
