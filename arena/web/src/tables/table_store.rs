//! Where tables are kept: a folder with a file for each, by its name, and the game logs of its games beside that. A file is
//! written under another name and renamed: a reader, and a server that was killed, finds the old one or the new one.

use std::fs::{self, File};
use std::io::{ErrorKind, Write as _};
use std::path::PathBuf;
use std::time::SystemTime;

use super::saved_table::{SavedTable, TableSummary};

/// How many tables are listed, the latest ones.
const MOST_LISTED: usize = 100;

/// How large a file of a table may be, in bytes: thousands of plies.
const MOST_BYTES: u64 = 8 << 20;

/// How many hexadecimal digits the name of a table has: too many to guess.
pub(super) const NAME_DIGITS: usize = 32;

/// The folder.
#[derive(Debug)]
pub(crate) struct TableStore {
    folder: PathBuf,
}

impl TableStore {
    /// Returns the store in a folder, which need not exist before a table is kept there.
    pub(crate) const fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Puts a table and the log of its game down. `number` is that of the game.
    ///
    /// # Errors
    /// Says what cannot be written.
    pub(crate) fn put(&self, name: &str, saved: &SavedTable, number: u64, log: &str) -> Result<(), String> {
        let text = serde_json::to_string(saved).map_err(|error| error.to_string())?;
        fs::create_dir_all(&self.folder)
            .and_then(|()| self.write(&format!("{name}-{number}.pgn"), log))
            .and_then(|()| self.write(&format!("{name}.json"), &text))
            .map_err(|error| format!("the game cannot be kept in `{}`: {error}", self.folder.display()))
    }

    fn write(&self, file: &str, text: &str) -> std::io::Result<()> {
        let draft = self.folder.join(format!("{file}.draft"));
        let mut written = File::create(&draft)?;
        written.write_all(text.as_bytes())?;
        written.sync_data()?;
        fs::rename(&draft, self.folder.join(file))
    }

    /// Returns a table; `None` where there is none with this name.
    ///
    /// # Errors
    /// Says what is wrong with its file.
    pub(crate) fn get(&self, name: &str) -> Result<Option<SavedTable>, String> {
        if !is_name(name) {
            return Ok(None);
        }
        let path = self.folder.join(format!("{name}.json"));
        let fault = |words: String| format!("`{}`: {words}", path.display());
        match record::read_regular(&path, MOST_BYTES) {
            Ok(bytes) => SavedTable::read(&bytes).map(Some).map_err(fault),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(fault(error.to_string())),
        }
    }

    /// Returns the names of the tables with what is to be said of them, the one that was played at last first. What is no
    /// table's file is passed over.
    pub(crate) fn list(&self) -> Vec<(String, SystemTime, TableSummary)> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut names: Vec<_> = entries
            .filter_map(|entry| {
                let file = entry.file_name().into_string().ok()?;
                let name = file.strip_suffix(".json")?.to_owned();
                Some((entry.metadata().ok()?.modified().ok()?, name))
            })
            .collect();
        names.sort_unstable_by(|one, other| other.cmp(one));
        names.truncate(MOST_LISTED);
        let summary = |(when, name): (SystemTime, String)| {
            let saved = self.get(&name).ok()??;
            Some((name, when, saved.summary))
        };
        names.into_iter().filter_map(summary).collect()
    }

    /// Takes a table away, with the logs of its games.
    pub(crate) fn remove(&self, name: &str) {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        for entry in entries.filter(|_| is_name(name)) {
            let file = entry.file_name();
            let is_its = file.to_str().and_then(|file| file.strip_prefix(name));
            if is_its.is_some_and(|rest| rest.starts_with('.') || rest.starts_with('-')) {
                // What cannot be removed is still there to be seen.
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

fn is_name(name: &str) -> bool {
    name.len() == NAME_DIGITS && name.bytes().all(|digit| digit.is_ascii_hexdigit())
}
