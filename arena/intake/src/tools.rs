//! Where the programs lie that entries need, and who may use them.

use std::fs;
use std::path::{Path, PathBuf};

/// How far from the end of its output a build says which program it lacks.
const LAST_LINES: usize = 10;

/// Returns the files of this name in the directories of `PATH`, in their order.
pub(crate) fn in_path(tool: &str) -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).map(|dir| dir.join(tool)).filter(|file| file.is_file()).collect()
}

/// Returns the program that a build asked for and that neither this machine nor the directory of the entry has, as the shell,
/// `make` or `env` say it at the end of the build's output.
pub(crate) fn missing(output: &[u8], dir: &Path) -> Option<String> {
    const ENDS: [&str; 3] = [": not found", ": command not found", ": No such file or directory"];
    let text = String::from_utf8_lossy(output);
    text.lines().rev().take(LAST_LINES).find_map(|line| {
        let line = line.trim_end();
        let (before, is_of_a_caller) = ENDS.iter().find_map(|end| {
            // Compilers say so of files that they cannot read; only those that start programs are believed.
            let before = line.strip_suffix(end)?;
            let caller = before.split([':', '[']).next()?;
            let is_of_a_caller =
                ["sh", "/bin/sh", "bash", "make", "gmake", "env", "/usr/bin/env"].contains(&caller);
            Some((before, is_of_a_caller))
        })?;
        let name = before.rsplit(": ").next()?.trim_matches(['\'', '`', '‘', '’', '"']);
        let is_name = !name.is_empty()
            && name.chars().all(|letter| letter.is_alphanumeric() || "+-_.".contains(letter));
        (is_of_a_caller && is_name && is_absent(name, dir)).then(|| name.to_owned())
    })
}

/// Returns whether a program that is named without a directory is neither in `PATH` nor a file of the entry.
pub(crate) fn is_absent(name: &str, dir: &Path) -> bool {
    !name.contains(['/', ' ']) && in_path(name).is_empty() && !dir.join(name).exists()
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
    fn a_program_that_a_build_lacks_is_told_from_files_that_it_lacks() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("configure"), "").expect("a file");
        let check = |output: &str, expected: Option<&str>| {
            assert_eq!(missing(output.as_bytes(), folder.path()).as_deref(), expected, "{output}");
        };
        check("sh: 2: no-such-cc: not found\n", Some("no-such-cc"));
        check("sh: line 1: no-such-cc: command not found\n", Some("no-such-cc"));
        check(
            "cc -c a.c\nmake: no-such-cc: No such file or directory\nmake: *** [all] Error 127\n",
            Some("no-such-cc"),
        );
        check("/usr/bin/env: ‘no-such-cc’: No such file or directory\n", Some("no-such-cc"));
        // What is in the entry, in `PATH` or named with a directory, and what a compiler cannot read.
        check("sh: 2: configure: not found\n", None);
        check("sh: 2: ./build.sh: not found\n", None);
        check("sh: 2: sh: not found\n", None);
        check("cc1: fatal error: main.c: No such file or directory\n", None);
        check("error: value not found\n", None);
        check("", None);
    }

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
