//! Reading a journal line by line: what is checked holds for every reader, whatever the size of the file.

use std::io::BufRead;
use std::path::Path;

use protocol::printable_capped;
use serde::Deserialize;

use crate::config::TABLES_FORMAT;
use crate::journal::lines::Lines;
use crate::journal::numbers::Numbers;
use crate::journal::plies;
use crate::journal::seal::{Seal, has_seal, look};
use crate::journal::{JournalError, JournalLine, SEALED};

/// The most characters of what is said of a line.
const MOST_CHARACTERS: usize = 500;

/// What is said of a line that is not as it was written.
const DAMAGED: &str = "the line is damaged";

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
    /// Whether every line has a checksum from here on.
    is_sealed: bool,
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

    fn read(&mut self) -> Result<Option<JournalLine>, JournalError> {
        if !self.lines.advance()? {
            return Ok(None);
        }
        let bytes = &self.lines.bytes;
        let line = parse(bytes).and_then(|line| self.order.line(&line, bytes).map(|()| line));
        line.map(Some).map_err(|fault| self.lines.fault(fault))
    }
}

impl Order {
    /// Takes a line, and returns what is wrong with its place.
    fn line(&mut self, line: &JournalLine, bytes: &[u8]) -> Result<(), String> {
        match line {
            JournalLine::Run(run) => self.run(run.format),
            JournalLine::Game(game) => self.game(game.number)?,
            JournalLine::Void(_) => self.void()?,
        }
        self.seal(bytes)
    }

    /// Takes a line of the run with the version of the format that holds from here on.
    pub(super) const fn run(&mut self, format: u32) {
        self.has_run = true;
        self.is_sealed = format >= SEALED;
    }

    /// Takes the bytes of a line, which [`parse`] has taken, and returns what is wrong with them in this place.
    pub(super) fn seal(&self, bytes: &[u8]) -> Result<(), String> {
        if self.is_sealed && !has_seal(bytes) {
            return Err(format!("{DAMAGED}: it has no checksum"));
        }
        Ok(())
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
    type Item = Result<(usize, JournalLine), JournalError>;

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
pub(super) fn parse_line(bytes: &[u8]) -> serde_json::Result<JournalLine> {
    if is_game(bytes) {
        let game = plies::game(bytes, &mut String::new()).map_or_else(|| from_line(bytes), Ok);
        return game.map(|game| JournalLine::Game(Box::new(game)));
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
pub(super) fn parse(bytes: &[u8]) -> Result<JournalLine, String> {
    #[derive(Deserialize)]
    struct Version {
        format: Option<u32>,
    }
    let is_whole = is_whole(bytes);
    let line = is_whole.and_then(|()| parse_line(bytes).map_err(|error| words(&error)));
    let format = match &line {
        Ok(JournalLine::Run(run)) => Some(run.format),
        Ok(JournalLine::Game(_) | JournalLine::Void(_)) => None,
        Err(_) => serde_json::from_slice::<Version>(bytes).ok().and_then(|version| version.format),
    };
    match (format, line) {
        (Some(format), _) if format > TABLES_FORMAT => {
            Err(format!("format {format} is newer than this arena, which reads up to {TABLES_FORMAT}"))
        }
        (_, Ok(JournalLine::Run(run))) => run.config.check().map(|()| JournalLine::Run(run)),
        (_, line) => line,
    }
}

/// Returns what a parser says of a line, which may quote any part of it.
pub(super) fn words(error: &serde_json::Error) -> String {
    let text = error.to_string();
    // Its line is that of the journal, which the message names.
    printable_capped(text.split(" at line ").next().unwrap_or_default(), MOST_CHARACTERS)
}

/// Says that a line is damaged, where its checksum tells.
pub(super) fn is_whole(bytes: &[u8]) -> Result<(), String> {
    match look(bytes) {
        Seal::Broken => Err(format!("{DAMAGED}: its checksum does not fit")),
        Seal::Whole | Seal::Missing => Ok(()),
    }
}
