//! Reading a journal line by line. These checks hold for every reader and any size of file.

use std::io::BufRead;
use std::path::Path;

use protocol::printable_capped;
use serde::Deserialize;
use serde::de::Error as _;
use serde_json::{Error, Value};

use crate::config::TABLES_FORMAT;
use crate::journal::game_line;
use crate::journal::lines::Lines;
use crate::journal::numbers::Numbers;
use crate::journal::seal::{Seal, has_seal, look};
use crate::journal::{JournalError, JournalLine, SEALED};

/// The most characters of a message about a line.
const MOST_CHARACTERS: usize = 500;

/// The message about a line that differs from what was written.
const DAMAGED: &str = "the line is damaged";

/// Reads the lines of a journal with their numbers, in the order of the file. It returns nothing after an error.
///
/// It checks the journal as a whole: a line of the run comes before all games, and no two games have the same number, except
/// that void games may share one. It leaves out an unfinished last line, which a crash leaves.
#[derive(Debug)]
pub struct JournalReader<R> {
    lines: Lines<R>,
    line: Vec<u8>,
    order: Order,
    is_done: bool,
}

/// Checks that concern several lines.
#[derive(Debug, Default)]
pub(super) struct Order {
    numbers: Numbers,
    has_run: bool,
    /// Whether every line has a checksum from here on.
    is_sealed: bool,
}

impl<R: BufRead> JournalReader<R> {
    /// Starts to read. `path` appears only in messages.
    pub fn new(source: R, path: &Path) -> Self {
        Self { lines: Lines::new(source, path), line: Vec::new(), order: Order::default(), is_done: false }
    }

    /// Returns the length of an unfinished last line that was left out, in bytes; known at the end.
    #[must_use]
    pub const fn torn(&self) -> u64 {
        self.lines.torn
    }

    /// Returns the offset of the line read last, in bytes.
    #[must_use]
    pub const fn place(&self) -> u64 {
        self.lines.place
    }

    fn read(&mut self) -> Result<Option<JournalLine>, JournalError> {
        self.line.clear();
        if !self.lines.advance(&mut self.line)? {
            return Ok(None);
        }
        let bytes = &self.line;
        let line = parse(bytes).and_then(|line| self.order.line(&line, bytes).map(|()| line));
        line.map(Some).map_err(|fault| self.lines.fault(fault))
    }
}

impl Order {
    /// Checks a line against the lines before it.
    fn line(&mut self, line: &JournalLine, bytes: &[u8]) -> Result<(), String> {
        match line {
            JournalLine::Run(run) => self.run(run.format),
            JournalLine::Game(game) => self.game(game.number)?,
            JournalLine::Void(_) => self.void()?,
        }
        self.seal(has_seal(bytes))
    }

    /// Notes a line of the run, which sets the version of the format from here on.
    pub(super) const fn run(&mut self, format: u32) {
        self.has_run = true;
        self.is_sealed = format >= SEALED;
    }

    /// Checks that a line that [`parse`] has accepted has a checksum, if it must have one.
    pub(super) fn seal(&self, has_seal: bool) -> Result<(), String> {
        if self.is_sealed && !has_seal {
            return Err(format!("{DAMAGED}: it has no checksum"));
        }
        Ok(())
    }

    /// Checks a game that counts against the lines before it.
    pub(super) fn game(&mut self, number: u64) -> Result<(), String> {
        self.void()?;
        if self.numbers.insert(number) { Ok(()) } else { Err(format!("game {number} appears twice")) }
    }

    /// Checks a void game against the lines before it.
    pub(super) fn void(&self) -> Result<(), String> {
        if self.has_run { Ok(()) } else { Err("a game comes before the first line of type `run`".to_owned()) }
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

/// Parses a line. It reads a line that begins like a game of the arena straight into a record. For others it keeps all fields
/// until it knows the type, which takes about twice as long.
pub(super) fn parse_line(bytes: &[u8]) -> serde_json::Result<JournalLine> {
    if is_game(bytes) {
        let game = game_line::game(bytes).map_or_else(|| from_line(bytes), Ok);
        return game.map(|game| JournalLine::Game(Box::new(game)));
    }
    from_line(bytes)
}

/// Returns whether a line begins like a game of the arena.
pub(super) fn is_game(bytes: &[u8]) -> bool {
    bytes.starts_with(br#"{"type":"game","#)
}

/// Parses a line. Checking UTF-8 once is faster than checking each text.
pub(super) fn from_line<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> serde_json::Result<T> {
    match std::str::from_utf8(bytes) {
        Ok(text) => serde_json::from_str(text),
        // Anything that is read from these bytes says where they are wrong. A `T` would be compiled for bytes as well.
        Err(error) => serde_json::from_slice::<Value>(bytes).and_then(|_| Err(Error::custom(error))),
    }
}

/// Parses a line and distinguishes a newer format from a broken line.
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

/// Returns a parser's message about a line, which may quote any part of it.
pub(super) fn words(error: &serde_json::Error) -> String {
    let text = error.to_string();
    // The parser's line number is dropped, because the message names the line of the journal.
    printable_capped(text.split(" at line ").next().unwrap_or_default(), MOST_CHARACTERS)
}

/// Returns an error if the checksum shows that a line is damaged.
pub(super) fn is_whole(bytes: &[u8]) -> Result<(), String> {
    match look(bytes) {
        Seal::Broken => Err(format!("{DAMAGED}: its checksum does not match")),
        Seal::Whole | Seal::Missing => Ok(()),
    }
}
