//! Reading single games of a journal by their offsets.

use std::borrow::Cow;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::journal::game_line;
use crate::journal::lines::read_line;
use crate::journal::reader::{from_line, is_whole, parse_line};
use crate::journal::{JOURNAL, JournalError, JournalLine};
use crate::{GameRecord, GameSummary, PlyRecord, open_regular};

/// The size of one read, in bytes. Games are nearly in the order of their numbers, so the next one is usually in the buffer.
const CHUNK: usize = 1 << 18;

/// A game whose texts borrow from its line.
pub type LineGame<'a> = GameRecord<Cow<'a, str>, Vec<PlyRecord<Cow<'a, str>>>, Cow<'a, str>>;

/// Reads games with their plies, in any order, from the journal that was summarized.
#[derive(Debug)]
pub struct GameReader {
    path: PathBuf,
    file: BufReader<File>,
    /// The offset of the next byte of `file`.
    place: u64,
    line: Vec<u8>,
    /// Room for a little more than the last lines. The next ones are hardly longer, and bytes that grow are moved several times.
    room: usize,
}

/// The lines of some games, as bytes.
#[derive(Debug)]
pub struct GameLines<'a> {
    path: PathBuf,
    games: Vec<GameSummary<'a>>,
    bytes: Vec<u8>,
    /// The end of each line in `bytes`.
    ends: Vec<usize>,
}

impl GameReader {
    /// Opens the journal of a run's directory.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn open(directory: &Path) -> Result<Self, JournalError> {
        let path = directory.join(JOURNAL);
        let file = open_regular(&path).map_err(JournalError::io("read", &path))?;
        Ok(Self { path, file: BufReader::with_capacity(CHUNK, file), place: 0, line: Vec::new(), room: 0 })
    }

    /// Reads a game, which may be void.
    ///
    /// # Errors
    /// If the file cannot be read, or the game is no longer where it was.
    pub fn read(&mut self, game: &GameSummary<'_>) -> Result<GameRecord, JournalError> {
        self.line.clear();
        let (path, mut line) = (self.path.clone(), std::mem::take(&mut self.line));
        let read = self.fetch(game, &mut line).and_then(|()| parse(&line, game, &path));
        self.line = line;
        read
    }

    /// Reads the lines of games without parsing them: [`GameLines::parse`] may do so on another thread.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn lines<'a>(&mut self, games: Vec<GameSummary<'a>>) -> Result<GameLines<'a>, JournalError> {
        let (mut bytes, mut ends) = (Vec::with_capacity(self.room), Vec::with_capacity(games.len()));
        for game in &games {
            self.fetch(game, &mut bytes)?;
            ends.push(bytes.len());
        }
        self.room = bytes.len() + bytes.len() / 8;
        Ok(GameLines { path: self.path.clone(), games, bytes, ends })
    }

    /// Appends the line of a game to `line`.
    fn fetch(&mut self, game: &GameSummary<'_>, line: &mut Vec<u8>) -> Result<(), JournalError> {
        // Modulo 2^64 the difference of two offsets is the distance between them.
        let way = game.place.wrapping_sub(self.place).cast_signed();
        self.file.seek_relative(way).map_err(JournalError::io("read", &self.path))?;
        let read = read_line(&mut self.file, usize::MAX, line);
        self.place = game.place + read.map_err(JournalError::io("read", &self.path))? as u64;
        Ok(())
    }
}

impl GameLines<'_> {
    /// Parses the games, in the order of the request. Their texts borrow from their lines.
    ///
    /// # Errors
    /// If a game is no longer where it was.
    pub fn parse(&self) -> Result<Vec<LineGame<'_>>, JournalError> {
        let mut start = 0;
        let game = |(game, end): (&GameSummary<'_>, &usize)| {
            let line = &self.bytes[std::mem::replace(&mut start, *end)..*end];
            let found = is_whole(line).ok().and_then(|()| line_game(line));
            found.filter(|found| found.number == game.number).ok_or_else(|| moved(game, &self.path))
        };
        self.games.iter().zip(&self.ends).map(game).collect()
    }
}

/// Parses the line at the offset of a game.
fn parse(line: &[u8], game: &GameSummary<'_>, path: &Path) -> Result<GameRecord, JournalError> {
    match is_whole(line).ok().and_then(|()| parse_line(line).ok()) {
        Some(JournalLine::Game(found) | JournalLine::Void(found)) if found.number == game.number => {
            Ok(*found)
        }
        _ => Err(moved(game, path)),
    }
}

/// Reads a game, void or not, whose texts borrow from the line; `None` if it is not a valid line of one.
pub(super) fn line_game(line: &[u8]) -> Option<LineGame<'_>> {
    #[derive(Deserialize)]
    struct Typed {
        r#type: Type,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Type {
        Game,
        Void,
    }
    game_line::game(line).or_else(|| {
        let Typed { r#type: Type::Game | Type::Void } = from_line(line).ok()?;
        from_line(line).ok()
    })
}

fn moved(game: &GameSummary<'_>, path: &Path) -> JournalError {
    JournalError::Moved { path: path.to_owned(), game: game.number }
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
        let games: Vec<_> = run.games.iter().collect();
        for index in [0, 1, 2, 3, 3, 0, 2, 1] {
            assert_eq!(reader.read(&games[index]).unwrap(), whole[index]);
            let two = vec![games[3 - index].clone(), games[index].clone()];
            let lines = reader.lines(two).unwrap();
            let found = lines.parse().unwrap();
            let found = found.iter().map(|game| serde_json::to_value(game).unwrap()).collect::<Vec<_>>();
            let expected = [&whole[3 - index], &whole[index]];
            assert_eq!(found, expected.map(|game| serde_json::to_value(game).unwrap()));
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
            let games: Vec<_> = run.games.iter().take(2).collect();
            let second = games[1].clone();
            let lines = reader.lines(games).unwrap();
            for error in [lines.parse().unwrap_err(), reader.read(&second).unwrap_err()] {
                assert!(
                    error.to_string().ends_with("game 2 is no longer where it was; the file has changed"),
                    "{error}"
                );
            }
        }
    }
}
