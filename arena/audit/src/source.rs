//! Where recorded games come from: journals and game logs, one game at a time.

use std::error::Error;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use record::{JournalReader, Line, PgnStream, RunConfig};

use crate::recorded::Recorded;

/// A file of recorded games.
pub enum Source {
    /// A journal, with the last configuration read.
    Journal(Box<JournalReader<BufReader<File>>>, Option<Box<RunConfig>>),
    /// A game log and its name.
    Log(PgnStream<BufReader<File>>, PathBuf),
}

impl Source {
    /// Opens a journal, the journal of a directory, or a game log: what it is shows its first character.
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
        if is_object {
            return Ok(Self::Journal(Box::new(JournalReader::new(file, &path)), None));
        }
        Ok(Self::Log(PgnStream::new(file), path))
    }

    /// Reads the next game.
    ///
    /// # Errors
    /// Says where and why the file cannot be read on.
    pub fn next(&mut self) -> Result<Option<Recorded>, String> {
        match self {
            Self::Journal(reader, config) => {
                for line in reader {
                    let (number, line) = line.map_err(|error| with_causes(&error))?;
                    match (line, &config) {
                        (Line::Run(run), _) => *config = Some(Box::new(run.config)),
                        (Line::Game(game), Some(config)) => {
                            return Ok(Some(Recorded::from_journal(number, *game, config)));
                        }
                        // What is void counts nowhere.
                        (Line::Game(_), None) | (Line::Void(_), _) => {}
                    }
                }
                Ok(None)
            }
            Self::Log(games, path) => {
                let game = games.next().transpose();
                let game = game.map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
                Ok(game.map(|(line, game)| Recorded::from_log(line, game)))
            }
        }
    }

    /// Returns how many bytes of an unfinished last line were left out.
    pub fn torn(&self) -> u64 {
        match self {
            Self::Journal(reader, _) => reader.torn(),
            Self::Log(..) => 0,
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
