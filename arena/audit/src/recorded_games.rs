//! Where recorded games come from: journals and game logs, one game at a time.

use std::error::Error;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use record::{JournalLine, JournalReader, PgnStream, RunConfig};

use crate::recorded_game::RecordedGame;

/// The games of a file, one at a time, each with the line it stands on.
///
/// The first one that cannot be read, or the end of the file, ends them: nothing after it is told.
pub struct RecordedGames {
    file: GameFile,
}

/// A file that games are read from.
enum GameFile {
    /// A journal, with the last configuration read.
    Journal(Box<JournalReader<BufReader<File>>>, Option<Box<RunConfig>>),
    /// A game log and its name.
    Log(PgnStream<BufReader<File>>, PathBuf),
}

impl RecordedGames {
    /// Opens a journal, the journal of a directory, or a game log. Its first character shows which it is.
    ///
    /// # Errors
    /// Says why it cannot be read.
    pub fn open(path: &Path) -> Result<Self, String> {
        let fault = |error: io::Error| format!("cannot read `{}`: {error}", path.display());
        let (path, file) = record::open_games(path).map_err(fault)?;
        let fault = |error: io::Error| format!("cannot read `{}`: {error}", path.display());
        let mut file = BufReader::new(file);
        // A game log may begin with a brace too, of a comment.
        let start = file.fill_buf().map_err(fault)?.trim_ascii_start();
        let is_object =
            start.strip_prefix(b"{").is_some_and(|rest| rest.trim_ascii_start().starts_with(b"\""));
        let file = match is_object {
            true => GameFile::Journal(Box::new(JournalReader::new(file, &path)), None),
            false => GameFile::Log(PgnStream::new(file), path),
        };
        Ok(Self { file })
    }

    /// Returns how many bytes of an unfinished last line were left out.
    #[must_use]
    pub fn torn(&self) -> u64 {
        match &self.file {
            GameFile::Journal(reader, _) => reader.torn(),
            GameFile::Log(..) => 0,
        }
    }
}

impl Iterator for RecordedGames {
    type Item = Result<RecordedGame, String>;

    /// Reads the next game, or says where and why the file cannot be read on.
    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.file {
            GameFile::Journal(reader, config) => {
                for line in reader {
                    let (number, line) = match line {
                        Ok(line) => line,
                        Err(error) => return Some(Err(with_causes(&error))),
                    };
                    match (line, &config) {
                        (JournalLine::Run(run), _) => *config = Some(Box::new(run.config)),
                        (JournalLine::Game(game), Some(config)) => {
                            return Some(Ok(RecordedGame::from_journal(number, *game, config)));
                        }
                        // What is void counts nowhere.
                        (JournalLine::Game(_), None) | (JournalLine::Void(_), _) => {}
                    }
                }
                None
            }
            GameFile::Log(games, path) => {
                let game = games.next()?;
                let fault = |error| format!("cannot read `{}`: {error}", path.display());
                Some(game.map(|(line, game)| RecordedGame::from_log(line, game)).map_err(fault))
            }
        }
    }
}

fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(&format!(": {error}"));
        cause = error.source();
    }
    text
}
