//! Reading a journal line by line: what is checked holds for every reader, whatever the size of the file.

use std::io::BufRead;
use std::path::Path;

use serde::Deserialize;

use crate::journal::lines::Lines;
use crate::journal::numbers::Numbers;
use crate::journal::{FORMAT, JournalError, Line};

/// Reads the lines of a journal with their numbers, in the order of the file; nothing comes after an error.
///
/// A journal is checked as a whole: a game comes after a line of the run, and no number stands there twice; void games
/// may share theirs. An
/// unfinished last line, left by a crash, is left out.
#[derive(Debug)]
pub struct JournalReader<R> {
    lines: Lines<R>,
    order: Order,
    is_done: bool,
}

/// What holds for the lines of a journal together.
#[derive(Debug, Default)]
pub(super) struct Order {
    numbers: Numbers,
    has_run: bool,
}

impl<R: BufRead> JournalReader<R> {
    /// Starts to read. `path` is for messages only.
    pub fn new(source: R, path: &Path) -> Self {
        Self { lines: Lines::new(source, path), order: Order::default(), is_done: false }
    }

    /// Returns how many bytes of an unfinished last line were left out; known at the end.
    #[must_use]
    pub const fn torn(&self) -> u64 {
        self.lines.torn
    }

    /// Returns where the line read last begins, in bytes.
    #[must_use]
    pub const fn place(&self) -> u64 {
        self.lines.place
    }

    fn read(&mut self) -> Result<Option<Line>, JournalError> {
        if !self.lines.advance()? {
            return Ok(None);
        }
        let line = parse(&self.lines.bytes).map_err(|fault| self.lines.fault(fault))?;
        match &line {
            Line::Run(_) => {
                self.order.run();
                Ok(())
            }
            Line::Game(game) => self.order.game(game.number),
            Line::Void(_) => self.order.void(),
        }
        .map_err(|fault| self.lines.fault(fault))?;
        Ok(Some(line))
    }
}

impl Order {
    /// Takes a line of the run.
    pub(super) const fn run(&mut self) {
        self.has_run = true;
    }

    /// Takes a game that counts, and returns what is wrong with its place.
    pub(super) fn game(&mut self, number: u64) -> Result<(), String> {
        self.void()?;
        if self.numbers.insert(number) { Ok(()) } else { Err(format!("game {number} stands there twice")) }
    }

    /// Takes a game that counts nowhere, and returns what is wrong with its place.
    pub(super) fn void(&self) -> Result<(), String> {
        if self.has_run { Ok(()) } else { Err("a game stands before the line of the run".to_owned()) }
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
        line.map(|line| line.map(|line| (self.lines.number, line)))
    }
}

/// Parses a line. One that begins as the arena writes games is read straight into a record; for others all fields are kept
/// until their type is known, which takes about twice as long.
pub(super) fn parse_line(bytes: &[u8]) -> serde_json::Result<Line> {
    if is_game(bytes) {
        return from_line(bytes).map(|game| Line::Game(Box::new(game)));
    }
    serde_json::from_slice(bytes)
}

/// Returns whether a line begins as the arena writes games.
pub(super) fn is_game(bytes: &[u8]) -> bool {
    bytes.starts_with(br#"{"type":"game","#)
}

/// Parses a line as one thing. That it is UTF-8 is seen faster once than of each of its texts.
pub(super) fn from_line<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> serde_json::Result<T> {
    match std::str::from_utf8(bytes) {
        Ok(text) => serde_json::from_str(text),
        Err(_) => serde_json::from_slice(bytes),
    }
}

/// Parses a line and tells a journal of a newer format apart from a broken one.
pub(super) fn parse(bytes: &[u8]) -> Result<Line, String> {
    #[derive(Deserialize)]
    struct Version {
        format: Option<u32>,
    }
    let line = parse_line(bytes);
    let format = match &line {
        Ok(Line::Run(run)) => Some(run.format),
        Ok(Line::Game(_) | Line::Void(_)) => None,
        Err(_) => serde_json::from_slice::<Version>(bytes).ok().and_then(|version| version.format),
    };
    match format {
        Some(format) if format > FORMAT => {
            Err(format!("format {format} is newer than this arena, which reads up to {FORMAT}"))
        }
        _ => line.map_err(|error| error.to_string()),
    }
}
