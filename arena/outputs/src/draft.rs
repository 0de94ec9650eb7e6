//! Files that are replaced whole or not at all.

use std::fmt::Display;
use std::fs::{self, DirEntry, File};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::TempPath;

use crate::OutputError;

/// A file that is written under another name until it is whole, and goes away if it never is. The name is its own: a run that
/// ends and an `arena report` of the same directory may write at the same time, and each file is then whole and by one of them.
#[derive(Debug)]
pub(crate) struct Draft {
    path: PathBuf,
    draft: TempPath,
    file: BufWriter<File>,
}

impl Draft {
    pub(crate) fn new(directory: &Path, name: &str) -> Result<Self, OutputError> {
        let path = directory.join(name);
        let prefix = format!("{name}.");
        sweep(directory, &prefix);
        let mut draft = tempfile::Builder::new();
        // Made like any other file: those who may read the directory may read it.
        let file = draft.prefix(&prefix).suffix(DRAFT).make_in(directory, |path| File::create_new(path));
        // Its own words name the draft, which says nothing to anybody.
        let (file, draft) = file.map_err(|error| fault(&path)(error.kind().into()))?.into_parts();
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
        draft.persist(&path).map_err(|error| fault(&path)(error.error))
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
        drop(draft);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
