//! The directories of entries, and what lies in them.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};

use protocol::printable_capped;
use sha2::{Digest as _, Sha256};

/// The file that makes a directory an entry.
pub(crate) const MANIFEST: &str = "bot.yaml";

/// Directories that are no part of an entry: what version control keeps.
const LEFT_OUT: [&str; 3] = [".git", ".hg", ".svn"];

/// The most files of an entry.
const MOST_FILES: usize = 20_000;

/// The most bytes of an entry.
const MOST_BYTES: u64 = 512 * 1024 * 1024;

/// The longest path of a file within an entry, in bytes: where it is built there has to be room for it too.
const LONGEST_PATH: usize = 1000;

/// How many directories of an entry may lie within each other.
const DEEPEST: usize = 60;

/// The longest name of a file that is made of a folder's.
const LONGEST: usize = 100;

/// How many characters of a name are shown.
const SHOWN: usize = 100;

/// The directory of an entry.
#[derive(Clone, Debug)]
pub(crate) struct Folder {
    /// Where it lies.
    pub(crate) path: PathBuf,
    /// Its name, fit to be shown.
    pub(crate) shown: String,
    /// Its name as that of a file, which no other entry has.
    pub(crate) key: String,
}

/// Finds the entries in a directory, by name: every directory in it that is not hidden.
pub(crate) fn find(directory: &Path) -> io::Result<Vec<Folder>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let name = entry.file_name();
        if entry.path().is_dir() && !name.to_string_lossy().starts_with('.') {
            names.push(name);
        }
    }
    names.sort();
    let folder = |name: OsString| Folder {
        path: directory.join(&name),
        shown: printable_capped(name.as_encoded_bytes(), SHOWN),
        key: key(&name),
    };
    Ok(names.into_iter().map(folder).collect())
}

/// Returns a name of a file: letters, digits, `-` and `_` of ASCII as they are, the bytes of anything else as `%` and
/// two digits; a long one ends in digits of its hash.
fn key(name: &OsStr) -> String {
    let mut key = String::new();
    for byte in name.as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' => key.push(char::from(*byte)),
            _ => key.push_str(&format!("%{byte:02x}")),
        }
    }
    if key.len() > LONGEST {
        let digest = hexadecimal(&Sha256::digest(name.as_encoded_bytes()), 12);
        key.truncate(LONGEST - digest.len() - 1);
        key = format!("{key}~{digest}");
    }
    key
}

/// What lies in an entry's directory.
#[derive(Debug, Default)]
pub(crate) struct Files {
    /// The directories, then the files and links, by path.
    items: Vec<(PathBuf, Kind)>,
    bytes: u64,
    /// What tells one state of the entry from another.
    pub(crate) digest: String,
}

#[derive(Debug, PartialEq, Eq)]
enum Kind {
    Directory,
    File,
    Link(PathBuf),
}

/// Why the files of an entry cannot be taken.
#[derive(Debug)]
pub(crate) enum FilesError {
    /// Its author can fix it.
    Fault(String),
    /// Reading failed.
    Io(PathBuf, io::Error),
}

impl Files {
    /// Looks through an entry's directory.
    ///
    /// # Errors
    /// When it holds what no entry may hold, or cannot be read.
    pub(crate) fn of(root: &Path) -> Result<Self, FilesError> {
        let mut files = Self::default();
        files.add(root, Path::new(""))?;
        let mut digest = Sha256::new();
        for (path, kind) in &files.items {
            feed(&mut digest, path.as_os_str().as_encoded_bytes());
            match kind {
                Kind::Directory => feed(&mut digest, b"directory"),
                Kind::Link(target) => feed(&mut digest, target.as_os_str().as_encoded_bytes()),
                Kind::File => {
                    let path = root.join(path);
                    let failed = |error| FilesError::Io(path.clone(), error);
                    feed(&mut digest, if is_executable(&path) { b"program" } else { b"file" });
                    feed(&mut digest, &hash(&path).map_err(failed)?);
                }
            }
        }
        files.digest = hexadecimal(&digest.finalize(), 16);
        Ok(files)
    }

    /// Copies everything but the entry's own file into a directory, which is made.
    ///
    /// # Errors
    /// Names what could not be written.
    pub(crate) fn copy(&self, from: &Path, to: &Path) -> Result<(), (PathBuf, io::Error)> {
        let failed = |path: &Path| {
            let path = path.to_path_buf();
            move |error| (path, error)
        };
        fs::create_dir_all(to).map_err(failed(to))?;
        for (path, kind) in self.items.iter().filter(|(path, _)| path != Path::new(MANIFEST)) {
            let (source, target) = (from.join(path), to.join(path));
            match kind {
                Kind::Directory => fs::create_dir(&target),
                Kind::File => fs::copy(&source, &target).map(|_| ()),
                Kind::Link(link) => make_link(link, &target),
            }
            .map_err(failed(&target))?;
        }
        Ok(())
    }

    fn add(&mut self, root: &Path, within: &Path) -> Result<(), FilesError> {
        let folder = root.join(within);
        let failed = |error| FilesError::Io(folder.clone(), error);
        let mut names = Vec::new();
        for entry in fs::read_dir(&folder).map_err(failed)? {
            names.push(entry.map_err(failed)?.file_name());
        }
        names.sort();
        for name in names.iter().filter(|name| LEFT_OUT.iter().all(|other| *name != *other)) {
            let path = within.join(name);
            let full = root.join(&path);
            let meta = fs::symlink_metadata(&full).map_err(|error| FilesError::Io(full.clone(), error))?;
            let shown = printable_capped(path.as_os_str().as_encoded_bytes(), SHOWN);
            if path.as_os_str().len() > LONGEST_PATH || path.components().count() > DEEPEST {
                return Err(FilesError::Fault(format!(
                    "`{shown}` lies too deep: at most {DEEPEST} directories within each other, and {LONGEST_PATH} bytes of a path"
                )));
            }
            if self.items.len() >= MOST_FILES {
                return Err(FilesError::Fault(format!("the entry has more than {MOST_FILES} files")));
            }
            if meta.is_dir() {
                self.items.push((path.clone(), Kind::Directory));
                self.add(root, &path)?;
            } else if meta.is_file() {
                self.bytes = self.bytes.saturating_add(meta.len());
                if self.bytes > MOST_BYTES {
                    let most = MOST_BYTES / (1024 * 1024);
                    return Err(FilesError::Fault(format!("the entry has more than {most} MiB")));
                }
                self.items.push((path, Kind::File));
            } else if meta.is_symlink() {
                let target = fs::read_link(&full).map_err(|error| FilesError::Io(full.clone(), error))?;
                if !stays_within(within, &target) {
                    return Err(FilesError::Fault(format!(
                        "the link `{shown}` leads out of the entry's directory"
                    )));
                }
                self.items.push((path, Kind::Link(target)));
            } else {
                return Err(FilesError::Fault(format!("`{shown}` is neither a file nor a directory")));
            }
        }
        Ok(())
    }
}

/// Returns whether a link in the folder `within` of an entry leads to a place in the entry, by its words alone: links on
/// its way are themselves looked at.
fn stays_within(within: &Path, target: &Path) -> bool {
    let mut depth = within.components().count();
    for part in target.components() {
        match part {
            Component::Normal(_) => depth += 1,
            Component::CurDir => {}
            Component::ParentDir if depth > 0 => depth -= 1,
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return false,
        }
    }
    true
}

/// Returns the first digits of a hash.
pub(crate) fn hexadecimal(hash: &[u8], digits: usize) -> String {
    hash.iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .take(digits)
        .map(|digit| format!("{digit:x}"))
        .collect()
}

fn feed(digest: &mut Sha256, bytes: &[u8]) {
    digest.update((bytes.len() as u64).to_le_bytes());
    digest.update(bytes);
}

fn hash(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = record::open_regular(path)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hash.finalize().to_vec()),
            count => hash.update(&buffer[..count]),
        }
    }
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    path.metadata().is_ok_and(|file| file.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(_path: &Path) -> bool {
    false
}

#[cfg(unix)]
fn make_link(target: &Path, at: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, at)
}

#[cfg(not(unix))]
fn make_link(_target: &Path, _at: &Path) -> io::Result<()> {
    Err(io::Error::other("links are not copied on this system"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_harmless_and_unique() {
        let key = |name: &str| key(OsStr::new(name));
        assert_eq!(key("my-bot_2"), "my-bot_2");
        assert_eq!(key("../a b%"), "%2e%2e%2fa%20b%25");
        assert_eq!(key("=1\n"), "%3d1%0a");
        let [one, other] = ["a", "b"].map(|end| key(&format!("{}{end}", "é".repeat(120))));
        assert!(one.len() <= LONGEST && one != other, "{one} {other}");
    }

    #[test]
    fn links_stay_within() {
        let within = |folder: &str, target: &str| stays_within(Path::new(folder), Path::new(target));
        assert!(within("", "a") && within("src", "../a") && within("a/b", "../../c/./d"));
        assert!(!within("", "../a") && !within("src", "../../a") && !within("src", "/etc/passwd"));
        assert!(!within("", "a/../../b"));
    }

    #[test]
    fn the_digest_follows_the_files() {
        let folder = tempfile::tempdir().unwrap();
        let digest = || Files::of(folder.path()).unwrap().digest;
        fs::write(folder.path().join("a"), "1").unwrap();
        let first = digest();
        assert_eq!(first, digest());
        fs::write(folder.path().join("a"), "2").unwrap();
        let second = digest();
        fs::rename(folder.path().join("a"), folder.path().join("b")).unwrap();
        let third = digest();
        assert!(first != second && second != third);
        fs::create_dir(folder.path().join(".git")).unwrap();
        fs::write(folder.path().join(".git/HEAD"), "2").unwrap();
        assert_eq!(third, digest());
    }
}
