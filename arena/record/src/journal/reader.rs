//! Reading a journal line by line: what is checked holds for every reader, whatever the size of the file.

use std::collections::HashSet;
use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::journal::{FORMAT, JournalError, Line};

/// The longest line that is read. The longest game that caps allow stays below it.
const MOST_BYTES: u64 = 256 << 20;

/// Reads the lines of a journal with their numbers, in the order of the file; nothing comes after an error.
///
/// A journal is checked as a whole: a game comes after a line of the run, and no number stands there twice. An
/// unfinished last line, left by a crash, is left out.
#[derive(Debug)]
pub struct JournalReader<R> {
    source: R,
    path: PathBuf,
    /// The number of the line read last, from 1.
    line: usize,
    numbers: HashSet<u64>,
    has_run: bool,
    torn: u64,
    is_done: bool,
    bytes: Vec<u8>,
}

impl<R: BufRead> JournalReader<R> {
    /// Starts to read. `path` is for messages only.
    pub fn new(source: R, path: &Path) -> Self {
        Self {
            source,
            path: path.to_owned(),
            line: 0,
            numbers: HashSet::new(),
            has_run: false,
            torn: 0,
            is_done: false,
            bytes: Vec::new(),
        }
    }

    /// Returns how many bytes of an unfinished last line were left out; known at the end.
    #[must_use]
    pub const fn torn(&self) -> u64 {
        self.torn
    }

    fn read(&mut self) -> Result<Option<Line>, JournalError> {
        self.bytes.clear();
        let read = self.source.by_ref().take(MOST_BYTES).read_until(b'\n', &mut self.bytes);
        let count = read.map_err(|error: io::Error| JournalError::io("read", &self.path)(error))? as u64;
        if count == 0 {
            return Ok(None);
        }
        self.line += 1;
        if self.bytes.last() != Some(&b'\n') {
            if count == MOST_BYTES {
                return Err(self.fault(format!("longer than {MOST_BYTES} bytes")));
            }
            self.torn = count;
            return Ok(None);
        }
        let line = parse(&self.bytes).map_err(|fault| self.fault(fault))?;
        match &line {
            Line::Run(_) => self.has_run = true,
            Line::Game(_) if !self.has_run => {
                return Err(self.fault("a game stands before the line of the run".to_owned()));
            }
            Line::Game(game) if !self.numbers.insert(game.number) => {
                return Err(self.fault(format!("game {} stands there twice", game.number)));
            }
            Line::Game(_) => {}
        }
        Ok(Some(line))
    }

    fn fault(&self, fault: String) -> JournalError {
        JournalError::Line { path: self.path.clone(), line: self.line, fault }
    }
}

impl<R: BufRead> Iterator for JournalReader<R> {
    type Item = Result<(usize, Line), JournalError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_done {
            return None;
        }
        let line = self.read().transpose();
        self.is_done = !matches!(line, Some(Ok(_)));
        line.map(|line| line.map(|line| (self.line, line)))
    }
}

/// Parses a line and tells a journal of a newer format apart from a broken one.
fn parse(bytes: &[u8]) -> Result<Line, String> {
    #[derive(Deserialize)]
    struct Version {
        format: Option<u32>,
    }
    let line = serde_json::from_slice(bytes);
    let format = match &line {
        Ok(Line::Run(run)) => Some(run.format),
        Ok(Line::Game(_)) => None,
        Err(_) => serde_json::from_slice::<Version>(bytes).ok().and_then(|version| version.format),
    };
    match format {
        Some(format) if format > FORMAT => {
            Err(format!("format {format} is newer than this arena, which reads up to {FORMAT}"))
        }
        _ => line.map_err(|error| error.to_string()),
    }
}
