//! Reading a game log of any size with one game at a time in memory.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};

use thiserror::Error;

use crate::pgn::{PgnError, PgnGame, PgnReader};

/// The longest text of a game that is read, in bytes.
const MOST_BYTES: usize = 256 << 20;

/// Why a game log cannot be read further.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PgnStreamError {
    /// The source failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The text is not a game log.
    #[error(transparent)]
    Text(#[from] PgnError),
}

/// Reads the games of a log from a source, each with the number of its first line. It returns nothing after an error. It
/// accepts the games that [`PgnReader`] accepts.
///
/// ```
/// let text = "[Variant \"faust\"]\n\n1. a1 *\n\n[Variant \"farook\"]\n\n1. b2 *\n";
/// let games: Vec<_> = record::PgnStream::new(text.as_bytes()).map(Result::unwrap).collect();
/// assert_eq!(games.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [1, 5]);
/// ```
#[derive(Debug)]
pub struct PgnStream<R> {
    source: R,
    /// How many lines have been read.
    lines: usize,
    /// A line that has been read and begins the next game.
    carried: Vec<u8>,
    games: VecDeque<(usize, PgnGame)>,
    is_done: bool,
}

impl<R: BufRead> PgnStream<R> {
    /// Starts to read.
    pub const fn new(source: R) -> Self {
        Self { source, lines: 0, carried: Vec::new(), games: VecDeque::new(), is_done: false }
    }

    fn read(&mut self) -> Result<Option<(usize, PgnGame)>, PgnStreamError> {
        while self.games.is_empty() {
            // The carried line is the first one.
            let first = self.lines + usize::from(self.carried.is_empty());
            let Some(text) = self.text()? else { return Ok(None) };
            let blank = text.lines().take_while(|line| line.trim().is_empty()).count();
            let mut reader = PgnReader::new(&text);
            let mut line = first + blank;
            while let Some(game) = reader.next() {
                let game = game.map_err(|error| PgnError { line: first + error.line - 1, ..error })?;
                self.games.push_back((line, game));
                line = first + reader.line() - 1;
            }
        }
        Ok(self.games.pop_front())
    }

    /// Returns the lines up to the next one that begins a game. They usually hold one game, sometimes none or several.
    fn text(&mut self) -> Result<Option<String>, PgnStreamError> {
        let mut outline = Outline::default();
        let mut text = std::mem::take(&mut self.carried);
        outline.line(&text);
        loop {
            let start = text.len();
            let room = (MOST_BYTES + 1).saturating_sub(start) as u64;
            let count = self.source.by_ref().take(room).read_until(b'\n', &mut text)?;
            if count == 0 && start == 0 {
                return Ok(None);
            }
            if text.len() > MOST_BYTES {
                return Err(self.fault(format!("a game longer than {MOST_BYTES} bytes")).into());
            }
            self.lines += usize::from(count > 0);
            let line = &text[start..];
            if count == 0 || outline.is_game_before(line) {
                self.carried = line.to_owned();
                text.truncate(start);
                let text = String::from_utf8(text);
                return text.map(Some).map_err(|_| self.fault("text that is not UTF-8".to_owned()).into());
            }
            outline.line(line);
        }
    }

    /// Returns an error at the current line.
    fn fault(&self, fault: String) -> PgnError {
        PgnError { line: self.lines.max(1), fault }
    }
}

impl<R: BufRead> Iterator for PgnStream<R> {
    type Item = Result<(usize, PgnGame), PgnStreamError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_done {
            return None;
        }
        let game = self.read().transpose();
        self.is_done = !matches!(game, Some(Ok(_)));
        game
    }
}

/// The part of PGN's grammar that finds the line on which a game begins.
#[derive(Debug, Default)]
struct Outline {
    is_comment: bool,
    is_tag: bool,
    /// Whether anything except tags has come since the last tag.
    has_movetext: bool,
}

impl Outline {
    /// Returns whether `line` begins a game after an earlier game.
    fn is_game_before(&self, line: &[u8]) -> bool {
        let begins_tag = line.trim_ascii_start().first() == Some(&b'[');
        begins_tag && self.has_movetext && !self.is_comment && !self.is_tag
    }

    fn line(&mut self, line: &[u8]) {
        // An escape: the reader ignores the whole line.
        if line.first() == Some(&b'%') && !self.is_comment {
            return;
        }
        let mut bytes = line.iter().copied();
        while let Some(byte) = bytes.next() {
            match byte {
                b'}' if self.is_comment => self.is_comment = false,
                _ if self.is_comment => {}
                b'{' => {
                    self.is_comment = true;
                    self.has_movetext = true;
                }
                b';' => return,
                b'"' => skip_string(&mut bytes),
                b'[' => self.is_tag = true,
                b']' => {
                    self.is_tag = false;
                    self.has_movetext = false;
                }
                byte if !byte.is_ascii_whitespace() && !self.is_tag => self.has_movetext = true,
                _ => {}
            }
        }
    }
}

fn skip_string(bytes: &mut impl Iterator<Item = u8>) {
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => drop(bytes.next()),
            b'"' => return,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that the stream finds the same games as the reader, with their first lines.
    fn check(text: &str, lines: &[usize]) {
        let games: Vec<_> = PgnStream::new(text.as_bytes()).map(|game| game.expect("a good log")).collect();
        assert_eq!(games.iter().map(|(line, _)| *line).collect::<Vec<_>>(), lines, "{text}");
        let all: Vec<_> = PgnReader::new(text).map(|game| game.expect("a good log")).collect();
        assert_eq!(games.into_iter().map(|(_, game)| game).collect::<Vec<_>>(), all, "{text}");
    }

    #[test]
    fn games_are_found_line_by_line() {
        check("", &[]);
        check("\n \n", &[]);
        check("*", &[1]);
        check("[A \"b\"]\n\n1. a1 *\n\n[A \"c\"]\n[B \"d\"]\n\n*\n", &[1, 5]);
        check("\u{feff}\n\n[A \"b\"]\r\n\r\n*\r\n[A \"b\"] *", &[3, 6]);
        check("1. a1 {[%emt 0:00:00.500]\n[%clk 0:01:00]} 1... a2 {\n[\n} *\n[A \"b\"]\n*\n", &[1, 5]);
        check("{of\nthe file}\n[A \"b\"]\n\n*\n", &[3]);
        check("; [\n% [{\n[A \"{\\\"[\"]\n\n* [A \"b\"]\n[B \"c\"] *\n", &[1, 5]);
        check("[\nA\n\"b\"\n]\n* * *", &[1, 5, 5]);
    }

    fn fault_of(text: &[u8]) -> String {
        let found = PgnStream::new(text).find_map(Result::err);
        found.expect("a fault").to_string()
    }

    #[test]
    fn faults_are_told_with_the_line_of_the_file() {
        assert_eq!(
            fault_of(b"[A \"b\"]\n\n*\n\n[A \"b\"]\n\n1. ("),
            "line 7: the game ends without a result"
        );
        assert_eq!(fault_of(b"*\n[A \"b\"]\n\n1. 2-0 *\n"), "line 4: `2-0` is neither a ply nor a result");
        assert_eq!(fault_of(b"*\n\xff\n"), "line 2: text that is not UTF-8");
        assert_eq!(fault_of(b"{\n"), "line 1: a comment that is never closed");
    }
}
