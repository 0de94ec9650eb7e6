//! Opening the games that the user has named.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use crate::file::{open_named, open_regular};
use crate::journal::JOURNAL;

/// Opens a journal or game log that the user has named, or the journal in a run's directory. Returns its path too.
///
/// # Errors
/// As `open_named`.
pub fn open_games(path: &Path) -> io::Result<(PathBuf, File)> {
    if path.is_dir() {
        let path = path.join(JOURNAL);
        return open_regular(&path).map(|file| (path, file));
    }
    open_named(path).map(|file| (path.to_owned(), file))
}
