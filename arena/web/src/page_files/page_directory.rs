//! The directory that a web server shows: each file in it is replaced as a whole, and nothing but pages and their parts is
//! written there.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use diagnostic::Failure;
use page::PICTURE;

/// The first page.
pub(super) const INDEX: &str = "index.html";

/// The report with the replays.
pub(super) const REPORT: &str = "report.html";

/// Where the pages of several runs lie.
const RUNS: &str = "runs";

/// By these words a first page of ours is known, and how many bytes of it are looked at.
const MARK: (&str, u64) = ("<html data-feed=\"file\"", 256);

/// How the name of a file ends that is being written.
const DRAFT: &str = ".arena-new";

/// A directory of pages. It is locked while this lives.
#[derive(Debug)]
pub(super) struct PageDirectory {
    root: PathBuf,
    /// Some file systems have no locks of directories.
    _lock: Option<File>,
}

impl PageDirectory {
    /// Opens a directory, which is made if need be.
    ///
    /// # Errors
    /// When it holds something else than pages of ours, when somebody else writes pages there, and when it cannot be
    /// used.
    pub(super) fn open(root: &Path) -> Result<Self, Failure> {
        let shown = root.display();
        let failed = |error: io::Error| Failure::io(format!("failed to use `{shown}`"), &error);
        if root.exists() && !root.is_dir() {
            return Err(Failure::usage(format!("`{shown}` is no directory")).hint("`--to` takes a directory"));
        }
        fs::create_dir_all(root).map_err(failed)?;
        let mut is_empty = true;
        for entry in fs::read_dir(root).map_err(failed)? {
            is_empty &= entry.map_err(failed)?.file_name().to_string_lossy().ends_with(DRAFT);
        }
        if !is_empty && !is_ours(root).map_err(failed)? {
            return Err(Failure::usage(format!("`{shown}` holds something else than pages of a run")).hint(
                "`--to` takes a directory that is new or empty, or one to which `arena report --watch` has written",
            ));
        }
        let directory = File::open(root).map_err(failed)?;
        let lock = match directory.try_lock() {
            Ok(()) => Some(directory),
            Err(TryLockError::WouldBlock) => {
                return Err(Failure::usage(format!("another arena writes its pages to `{shown}`"))
                    .hint("`--to` takes another directory"));
            }
            Err(TryLockError::Error(_)) => None,
        };
        Ok(Self { root: root.to_owned(), _lock: lock })
    }

    /// Returns where the pages of one of several runs lie.
    pub(super) fn folder(name: &str) -> PathBuf {
        Path::new(RUNS).join(name)
    }

    /// Puts a file in its place, whole.
    ///
    /// # Errors
    /// When it cannot be written; what stood there stays then.
    pub(super) fn write(&self, folder: &Path, name: &str, text: &str) -> Result<(), Failure> {
        let folder = self.root.join(folder);
        let (path, draft) = (folder.join(name), folder.join(format!(".{name}{DRAFT}")));
        let written = fs::create_dir_all(&folder)
            .and_then(|()| fs::write(&draft, text))
            .and_then(|()| fs::rename(&draft, &path));
        written.map_err(|error| {
            let _ = fs::remove_file(&draft);
            Failure::io(format!("failed to write `{}`", path.display()), &error)
        })
    }

    /// Removes the pages of all runs but these, and what a list of runs does not have beside it.
    ///
    /// # Errors
    /// When something cannot be removed.
    pub(super) fn keep_only(&self, runs: &[String]) -> Result<(), Failure> {
        let failed =
            |error: io::Error| Failure::io(format!("failed to tidy `{}`", self.root.display()), &error);
        if !runs.is_empty() {
            remove(&self.root.join(REPORT)).map_err(failed)?;
        }
        let folder = self.root.join(RUNS);
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(failed(error)),
        };
        for entry in entries {
            let name = entry.map_err(failed)?.file_name();
            if !runs.iter().any(|run| name == **run) {
                remove_pages(&folder.join(name)).map_err(failed)?;
            }
        }
        remove_empty(&folder).map_err(failed)
    }
}

fn remove_pages(folder: &Path) -> io::Result<()> {
    for name in [INDEX, PICTURE, REPORT] {
        remove(&folder.join(name))?;
        remove(&folder.join(format!(".{name}{DRAFT}")))?;
    }
    remove_empty(folder)
}

/// Removes a folder unless it holds files that are not ours.
fn remove_empty(folder: &Path) -> io::Result<()> {
    match fs::remove_dir(folder) {
        Err(error) if error.kind() != ErrorKind::DirectoryNotEmpty => Err(error),
        _ => Ok(()),
    }
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Returns whether the first page of a directory is one of ours.
fn is_ours(root: &Path) -> io::Result<bool> {
    let (words, length) = MARK;
    let file = match record::open_regular(&root.join(INDEX)) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
    };
    let mut start = Vec::new();
    file.take(length).read_to_end(&mut start)?;
    Ok(String::from_utf8_lossy(&start).contains(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_empty_directory_and_our_own_are_taken() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join("public");
        let target = PageDirectory::open(&root).expect("it is new");
        assert!(PageDirectory::open(&root).is_err(), "somebody writes there");
        drop(target);
        fs::write(root.join("index.html"), "<html><p>somebody else's").expect("it can be written");
        assert!(PageDirectory::open(&root).is_err());
        let page = page::as_file(&page::list_page("runs", &[], false), "");
        fs::write(root.join("index.html"), page).expect("it can be written");
        fs::write(root.join("robots.txt"), "").expect("it can be written");
        assert!(PageDirectory::open(&root).is_ok(), "a page of ours is there");
        assert!(PageDirectory::open(&root.join("robots.txt")).is_err(), "no directory");
    }

    #[test]
    fn pages_of_runs_that_are_gone_go_and_foreign_files_stay() {
        let folder = tempfile::tempdir().expect("a folder");
        let target = PageDirectory::open(folder.path()).expect("it is empty");
        for run in ["a", "b", "c"] {
            for name in [INDEX, PICTURE, REPORT] {
                target.write(&PageDirectory::folder(run), name, run).expect("it can be written");
            }
        }
        let foreign = folder.path().join("runs/c/notes.txt");
        fs::write(&foreign, "mine").expect("it can be written");
        target.keep_only(&["a".to_owned()]).expect("it can be tidied");
        assert!(folder.path().join("runs/a/report.html").is_file() && !folder.path().join("runs/b").exists());
        assert!(foreign.is_file() && !folder.path().join("runs/c/index.html").exists());
    }
}
