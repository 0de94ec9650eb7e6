//! Game logs that games are written to.

use std::fs::{self, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use diagnostic::Failure;
use record::{GameRecord, PgnForm, PgnGame};
use rules::{Catalogue, Setup};

/// A game log to which games are added. The game that is being played replaces its earlier state every time.
#[derive(Debug)]
pub struct GameLogFile {
    path: PathBuf,
    /// Where the game begins that was written last, and its number.
    last: Option<(u64, u64)>,
}

impl GameLogFile {
    /// Returns the log in this file, which need not exist yet.
    ///
    /// # Errors
    /// When there is something else in it, or no directory for it.
    pub fn new(path: PathBuf) -> Result<Self, Failure> {
        check(&path).map_err(Failure::usage)?;
        Ok(Self { path, last: None })
    }

    /// Returns where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a game that was played with this set-up.
    ///
    /// # Errors
    /// Says what cannot be written, in words without a subject.
    pub fn write(&mut self, game: &GameRecord, setup: &Setup) -> Result<(), String> {
        let text = log_text(game, setup);
        let again = self.last.filter(|(_, number)| *number == game.number).map(|(start, _)| start);
        let written = self.put(again, &text);
        let start = written.map_err(|error| format!("cannot write `{}`: {error}", self.path.display()))?;
        self.last = Some((start, game.number));
        Ok(())
    }

    fn put(&self, again: Option<u64>, text: &str) -> io::Result<u64> {
        let mut file = OpenOptions::new().create(true).truncate(false).write(true).open(&self.path)?;
        let end = file.metadata()?.len();
        // Somebody may have made it shorter since.
        let start = again.filter(|start| *start <= end).unwrap_or(end);
        file.set_len(start)?;
        file.seek(SeekFrom::Start(start))?;
        file.write_all(text.as_bytes())?;
        Ok(start)
    }
}

/// Returns the game, played with this set-up, as it stands in a log.
pub fn log_text(game: &GameRecord, setup: &Setup) -> String {
    let mut log = PgnGame::from_record(game, None, &Catalogue::of([setup]));
    for (name, value) in &mut log.tags {
        match name.as_str() {
            "Event" => *value = "played by hand".to_owned(),
            "Site" => *value = format!("arena {}", env!("CARGO_PKG_VERSION")),
            _ => {}
        }
    }
    log.write(PgnForm::Native)
}

/// Says why games cannot be added to a file.
fn check(path: &Path) -> Result<(), String> {
    let shown = path.display();
    if path.is_dir() {
        return Err(format!("`{shown}` is a directory, not a game log"));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        return Err(format!("there is no directory `{}`", folder.display()));
    }
    if !fs::exists(path).unwrap_or(false) {
        return Ok(());
    }
    let mut start = [0; 1];
    let read = record::open_regular(path).and_then(|mut file| file.read(&mut start));
    match read {
        Ok(0) => Ok(()),
        Ok(_) if start == *b"[" => Ok(()),
        Ok(_) => Err(format!("`{shown}` exists and is not a game log: another name is needed")),
        Err(error) => Err(format!("cannot read `{shown}`: {error}")),
    }
}
