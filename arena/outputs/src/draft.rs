//! Files that are replaced whole or not at all.

use std::fmt::Display;
use std::fs::{self, DirEntry, File};
use std::io::{self, BufWriter, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::{NamedTempFile, TempPath};

use crate::OutputError;

/// A file that has no name until it is whole, so that no half of it is left if the arena is killed. Where the system has no such
/// files, it is written under another name, and goes away if it is never whole. The name is its own: a run that ends and an
/// `arena report` of the same directory may write at the same time, and each file is then whole and by one of them.
#[derive(Debug)]
pub(crate) struct Draft {
    path: PathBuf,
    /// The name until it is whole; `None` for a file without one.
    draft: Option<TempPath>,
    file: BufWriter<File>,
}

impl Draft {
    pub(crate) fn new(directory: &Path, name: &str) -> Result<Self, OutputError> {
        let path = directory.join(name);
        sweep(directory, &prefix(name));
        // Made like any other file: those who may read the directory may read it.
        let (file, draft) = match unnamed::create(directory) {
            Some(file) => (file, None),
            None => {
                let (file, draft) = named(&path, |path| File::create_new(path))?.into_parts();
                (file, Some(draft))
            }
        };
        Ok(Self { path, draft, file: BufWriter::with_capacity(BUFFER, file) })
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), OutputError> {
        self.file.write_all(bytes).map_err(fault(&self.path))
    }

    /// Writes what shows itself piece by piece.
    pub(crate) fn write_display(&mut self, text: &impl Display) -> Result<(), OutputError> {
        write!(self.file, "{text}").map_err(fault(&self.path))
    }

    pub(crate) fn finish(self) -> Result<(), OutputError> {
        let Self { path, draft, mut file } = self;
        file.flush().map_err(fault(&path))?;
        // A name cannot be given in the place of another file's: there is one between for a moment.
        let draft = match draft {
            Some(draft) => draft,
            None => match named(&path, |path| unnamed::name(file.get_ref(), path)) {
                Ok(draft) => draft.into_temp_path(),
                // Where links are forbidden, no file gets a name later.
                Err(_) => copied(&path, file.get_mut())?,
            },
        };
        draft.persist(&path).map_err(|error| fault(&path)(error.error))
    }
}

/// Makes a file under a name of its own beside another.
fn named<F>(path: &Path, make: impl FnMut(&Path) -> io::Result<F>) -> Result<NamedTempFile<F>, OutputError> {
    let (directory, name) = (path.parent().unwrap_or(path), path.file_name().unwrap_or_default());
    let draft = tempfile::Builder::new()
        .prefix(&prefix(&name.to_string_lossy()))
        .suffix(DRAFT)
        .make_in(directory, make);
    // Its own words name the draft, which says nothing to anybody.
    draft.map_err(|error| fault(path)(error.kind().into()))
}

/// Copies a file without a name into one that has a name of its own.
fn copied(path: &Path, file: &mut File) -> Result<TempPath, OutputError> {
    let (mut copy, draft) = named(path, |path| File::create_new(path))?.into_parts();
    file.rewind().and_then(|()| io::copy(file, &mut copy)).map_err(fault(path))?;
    Ok(draft)
}

/// What the names of drafts of a file begin with.
fn prefix(name: &str) -> String {
    format!("{name}.")
}

/// Files without a name, which go away with the process.
#[cfg(target_os = "linux")]
mod unnamed {
    use std::fs::File;
    use std::io;
    use std::os::fd::AsRawFd as _;
    use std::path::Path;

    use rustix::fs::{AtFlags, CWD, Mode, OFlags, linkat, openat};

    /// Where a process finds its open files: a file is named by a link from there.
    const OPEN_FILES: &str = "/proc/self/fd";

    /// Makes a file in a directory; `None` if this system or file system has no such files.
    pub(super) fn create(directory: &Path) -> Option<File> {
        let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
        let file = openat(CWD, directory, flags, Mode::from_raw_mode(0o666)).ok()?;
        Path::new(OPEN_FILES).exists().then(|| file.into())
    }

    /// Gives a file its name, which no other file may have.
    pub(super) fn name(file: &File, path: &Path) -> io::Result<()> {
        let open = Path::new(OPEN_FILES).join(file.as_raw_fd().to_string());
        Ok(linkat(CWD, open, CWD, path, AtFlags::SYMLINK_FOLLOW)?)
    }
}

#[cfg(not(target_os = "linux"))]
mod unnamed {
    use std::fs::File;
    use std::io;
    use std::path::Path;

    pub(super) fn create(_directory: &Path) -> Option<File> {
        None
    }

    pub(super) fn name(_file: &File, _path: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// The size of a write, in bytes.
const BUFFER: usize = 1 << 16;

/// After how long a draft that nobody has written to is that of an arena that was killed.
const FORSAKEN: Duration = Duration::from_secs(3600);

/// The end of a draft's name.
const DRAFT: &str = ".new";

/// Removes drafts that will never be whole. What cannot be removed stays, and does no harm.
fn sweep(directory: &Path, prefix: &str) {
    let is_forsaken = |entry: &DirEntry| {
        let name = entry.file_name();
        let is_draft = name.to_str().is_some_and(|name| name.starts_with(prefix) && name.ends_with(DRAFT));
        let modified = || entry.metadata().ok()?.modified().ok()?.elapsed().ok();
        is_draft && modified().is_some_and(|age| age > FORSAKEN)
    };
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    for entry in entries.filter(is_forsaken) {
        let _ = fs::remove_file(entry.path());
    }
}

fn fault(path: &Path) -> impl FnOnce(io::Error) -> OutputError {
    move |source| OutputError::Write { path: path.to_owned(), source }
}

/// Writes a file.
pub(crate) fn write(directory: &Path, name: &str, bytes: &[u8]) -> Result<(), OutputError> {
    let mut file = Draft::new(directory, name)?;
    file.write(bytes)?;
    file.finish()
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;
    use crate::game_files::{LIST, LOG};

    #[test]
    fn two_that_write_the_same_file_at_once_leave_it_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        let mut drafts = ["one", "two"].map(|_| Draft::new(path, LOG).unwrap());
        // More than a buffer holds, so that both are written to while both are there.
        let texts = [vec![b'1'; 3 * BUFFER], vec![b'2'; 2 * BUFFER]];
        for (draft, text) in drafts.iter_mut().zip(&texts) {
            draft.write(text).unwrap();
        }
        for (draft, text) in drafts.into_iter().zip(&texts) {
            draft.finish().unwrap();
            assert!(fs::read(path.join(LOG)).unwrap() == *text);
        }
        assert_eq!(fs::read_dir(path).unwrap().count(), 1);
    }

    #[test]
    fn drafts_of_a_killed_arena_go_away_in_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        for (name, age) in [("games.csv.a1.new", 7200), ("games.csv.b2.new", 60), ("games.csv.mine", 7200)] {
            let file = File::create(path.join(name)).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
        }
        write(path, LIST, b"whole").unwrap();
        let mut names: Vec<_> = fs::read_dir(path)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort_unstable();
        assert_eq!(names, ["games.csv", "games.csv.b2.new", "games.csv.mine"]);
    }

    #[test]
    fn a_draft_that_is_never_whole_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let mut draft = Draft::new(folder.path(), LIST).unwrap();
        draft.write(b"1").unwrap();
        let count = || fs::read_dir(folder.path()).unwrap().count();
        // Where it has no name, nothing is left if nobody can remove it any more.
        assert_eq!(count(), usize::from(draft.draft.is_some()));
        assert_eq!(draft.draft.is_none(), unnamed::create(folder.path()).is_some());
        drop(draft);
        assert_eq!(count(), 0);
    }

    #[test]
    fn a_draft_that_can_get_no_name_is_copied() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(LOG);
        // The system gives no name to a file that has had one and lost it.
        let lost = folder.path().join("lost");
        let file = File::options().read(true).write(true).create_new(true).open(&lost).unwrap();
        fs::remove_file(&lost).unwrap();
        let mut draft = Draft { path: path.clone(), draft: None, file: BufWriter::new(file) };
        assert!(unnamed::name(draft.file.get_ref(), &lost).is_err());
        draft.write(b"all of it").unwrap();
        draft.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"all of it");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_draft_under_a_name_is_a_file_like_one_without() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(LOG);
        for is_named in [true, false, true] {
            let mut draft = Draft::new(folder.path(), LOG).unwrap();
            if is_named {
                let (file, name) = named(&path, |path| File::create_new(path)).unwrap().into_parts();
                draft = Draft { path: path.clone(), draft: Some(name), file: BufWriter::new(file) };
            }
            let text = if is_named { "named" } else { "unnamed" };
            draft.write(text.as_bytes()).unwrap();
            draft.finish().unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
            let other = folder.path().join("other");
            File::create(&other).unwrap();
            let [own, other] = [path.as_path(), &other].map(|path| fs::metadata(path).unwrap().permissions());
            assert_eq!(own, other, "{text}");
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
        }
    }
}
