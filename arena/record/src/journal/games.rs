//! Reading single games of a journal whose place is known.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use crate::journal::reader::parse_line;
use crate::journal::{JOURNAL, JournalError, Line};
use crate::{GameRecord, GameSummary};

/// How much is read at a time. Games stand nearly in the order of their numbers: the next one mostly is there already.
const CHUNK: usize = 1 << 18;

/// Reads games with their plies, in any order, from the journal that they were summed up from.
#[derive(Debug)]
pub struct GameReader {
    path: PathBuf,
    file: BufReader<File>,
    /// Where the next byte of `file` stands.
    place: u64,
    line: Vec<u8>,
}

impl GameReader {
    /// Opens the journal of a run's directory.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn open(directory: &Path) -> Result<Self, JournalError> {
        let path = directory.join(JOURNAL);
        let file = File::open(&path).map_err(JournalError::io("read", &path))?;
        Ok(Self { path, file: BufReader::with_capacity(CHUNK, file), place: 0, line: Vec::new() })
    }

    /// Reads a game, which may be one that counts nowhere.
    ///
    /// # Errors
    /// When the file cannot be read, and when the game no longer stands where it did.
    pub fn read(&mut self, game: &GameSummary) -> Result<GameRecord, JournalError> {
        // Modulo 2^64 the difference of two places is the way from one to the other.
        let way = game.place.wrapping_sub(self.place).cast_signed();
        self.file.seek_relative(way).map_err(JournalError::io("read", &self.path))?;
        self.line.clear();
        let read = self.file.read_until(b'\n', &mut self.line);
        self.place = game.place + read.map_err(JournalError::io("read", &self.path))? as u64;
        match parse_line(&self.line) {
            Ok(Line::Game(found) | Line::Void(found)) if found.number == game.number => Ok(*found),
            _ => Err(JournalError::Moved { path: self.path.clone(), game: game.number }),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::tests::{game, run};
    use super::super::{Journal, read, summarize};
    use super::*;
    use crate::RunSummary;

    /// A journal in which later games ended first.
    fn journal() -> (tempfile::TempDir, RunSummary) {
        let directory = tempfile::tempdir().unwrap();
        let (mut journal, _) = Journal::open(directory.path()).unwrap();
        for line in [run(), game(3), game(1), run(), game(10), game(2)] {
            journal.append(&line).unwrap();
        }
        let run = summarize(directory.path()).unwrap();
        (directory, run)
    }

    #[test]
    fn games_are_read_in_any_order() {
        let (directory, run) = journal();
        let whole = read(directory.path()).unwrap().games;
        let mut reader = GameReader::open(directory.path()).unwrap();
        for index in [0, 1, 2, 3, 3, 0, 2, 1] {
            assert_eq!(reader.read(&run.games[index]).unwrap(), whole[index]);
        }
        let numbers: Vec<_> = run.games.iter().map(|game| game.number).collect();
        assert_eq!(numbers, [1, 2, 3, 10]);
    }

    #[test]
    fn a_journal_that_somebody_has_changed_is_noticed() {
        let (directory, run) = journal();
        let path = directory.path().join(JOURNAL);
        let text = fs::read_to_string(&path).unwrap();
        for changed in [text.replace("\"number\":2,", "\"number\":4,"), text[..text.len() / 2].to_owned()] {
            fs::write(&path, changed).unwrap();
            let mut reader = GameReader::open(directory.path()).unwrap();
            let error = reader.read(&run.games[1]).unwrap_err().to_string();
            assert!(error.ends_with("game 2 no longer stands where it stood"), "{error}");
        }
    }
}
