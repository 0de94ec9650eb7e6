//! Splits bytes into lines, with a bound and without I/O.
//!
//! A line ends with LF; a CR before it belongs to the line end. The text after the last LF is no message, but it can be read
//! when the stream has ended. Lines are normalised as the grammar's preamble requires, see [`normalise`]. Bytes that are not
//! UTF-8 and control characters make a line faulty but do not stop reading: each becomes U+FFFD. No token admits that
//! character, so a faulty line is never mistaken for a valid answer (`bestmove a1` followed by NUL names no move), and log
//! output remains log output.

use std::borrow::Cow;
use std::collections::VecDeque;

use crate::lexical::words::normalise;
use crate::{MAX_BOT_LINE, printable_capped};

/// One line from a [`LineBuffer`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A valid line, normalised; possibly empty.
    Text(String),
    /// A line with forbidden bytes or characters, each of which is now U+FFFD.
    Faulty {
        /// The line, normalised.
        text: String,
        /// The first fault found.
        fault: LineFault,
    },
    /// A line longer than the limit. None of it is kept, and it is reported once, as soon as it exceeds the limit.
    Overlong,
}

/// What a line must not contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineFault {
    /// Bytes that are not UTF-8.
    Encoding,
    /// NUL or another control character.
    Control,
}

/// Splits a stream of bytes into lines. It never holds more than the limit of an unfinished line.
///
/// Complete lines wait until they are popped: pop all of them before the next push.
///
/// ```
/// use protocol::{Line, LineBuffer};
///
/// let mut buffer = LineBuffer::new();
/// buffer.push(b"ugi");
/// assert_eq!(buffer.pop(), None);
/// buffer.push(b"ok\r\nreadyok\n");
/// assert_eq!(buffer.pop(), Some(Line::Text("ugiok".to_owned())));
/// assert_eq!(buffer.pop(), Some(Line::Text("readyok".to_owned())));
/// ```
#[derive(Clone, Debug)]
pub struct LineBuffer {
    limit: usize,
    unfinished: Vec<u8>,
    /// Whether the unfinished line is over the limit and reported. Its bytes are skipped.
    is_skipping: bool,
    lines: VecDeque<Line>,
}

impl Line {
    /// Returns the text of the line, faulty or not, or `None` if it was overlong.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) | Self::Faulty { text, .. } => Some(text),
            Self::Overlong => None,
        }
    }

    fn from_bytes(bytes: &[u8]) -> Self {
        let Ok(text) = str::from_utf8(bytes) else {
            let text = normalise(&String::from_utf8_lossy(bytes)).into_owned();
            return Self::Faulty { text, fault: LineFault::Encoding };
        };
        let normal = match normalise(text) {
            Cow::Borrowed(normal) => return Self::Text(normal.to_owned()),
            Cow::Owned(normal) => normal,
        };
        // A tab is a blank, and one CR at the end belongs to the line end.
        let body = text.strip_suffix('\r').unwrap_or(text);
        if body.bytes().any(|byte| byte.is_ascii_control() && byte != b'\t') {
            return Self::Faulty { text: normal, fault: LineFault::Control };
        }
        Self::Text(normal)
    }
}

impl LineBuffer {
    /// Returns an empty buffer with the limit of the specification for lines of bots.
    #[must_use]
    pub const fn new() -> Self {
        Self::with_limit(MAX_BOT_LINE)
    }

    /// Returns an empty buffer for lines of at most `limit` bytes, not counting the line feed.
    #[must_use]
    pub const fn with_limit(limit: usize) -> Self {
        Self { limit, unfinished: Vec::new(), is_skipping: false, lines: VecDeque::new() }
    }

    /// Adds the next bytes of the stream.
    pub fn push(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while let Some(end) = rest.iter().position(|&byte| byte == b'\n') {
            let line = &rest[..end];
            if self.unfinished.is_empty() && !self.is_skipping && end <= self.limit {
                self.lines.push_back(Line::from_bytes(line));
            } else {
                self.extend(line);
                self.finish();
            }
            rest = &rest[end + 1..];
        }
        self.extend(rest);
    }

    /// Returns the next complete line.
    pub fn pop(&mut self) -> Option<Line> {
        self.lines.pop_front()
    }

    /// Returns whether a complete line is ready.
    #[must_use]
    pub fn has_line(&self) -> bool {
        !self.lines.is_empty()
    }

    /// Returns the bytes after the last line feed. They are no message, but worth showing when the stream has ended.
    #[must_use]
    pub fn unfinished(&self) -> &[u8] {
        &self.unfinished
    }

    /// Returns the bytes after the last line feed, escaped and cut to `max_chars` characters.
    #[must_use]
    pub fn unfinished_shown(&self, max_chars: usize) -> String {
        printable_capped(&self.unfinished, max_chars)
    }

    /// Drops complete lines and the unfinished one. The rest of an overlong line is still skipped.
    pub fn clear(&mut self) {
        self.lines.clear();
        self.unfinished.clear();
    }

    fn extend(&mut self, bytes: &[u8]) {
        if self.is_skipping {
            return;
        }
        if self.unfinished.len() + bytes.len() > self.limit {
            self.is_skipping = true;
            self.unfinished = Vec::new();
            self.lines.push_back(Line::Overlong);
        } else {
            self.unfinished.extend_from_slice(bytes);
        }
    }

    fn finish(&mut self) {
        if self.is_skipping {
            self.is_skipping = false;
        } else {
            self.lines.push_back(Line::from_bytes(&self.unfinished));
            self.unfinished.clear();
        }
    }
}

impl Default for LineBuffer {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(limit: usize, bytes: &[u8]) -> Vec<Line> {
        let mut buffer = LineBuffer::with_limit(limit);
        buffer.push(bytes);
        std::iter::from_fn(|| buffer.pop()).collect()
    }

    fn text(text: &str) -> Line {
        Line::Text(text.to_owned())
    }

    #[test]
    fn both_line_ends_are_taken() {
        assert_eq!(split(9, b"a\nb\r\n\n  c\td \n"), [text("a"), text("b"), text(""), text("c d")]);
    }

    #[test]
    fn a_last_line_without_line_feed_is_no_line() {
        let mut buffer = LineBuffer::new();
        buffer.push(b"readyok\nbestmove a1");
        assert_eq!(buffer.pop(), Some(text("readyok")));
        assert_eq!(buffer.pop(), None);
        assert_eq!(buffer.unfinished(), b"bestmove a1");
        assert_eq!(buffer.unfinished_shown(5), "best\u{2026}");
    }

    #[test]
    fn the_limit_itself_is_allowed() {
        assert_eq!(split(3, b"abc\nabcd\nab\n"), [text("abc"), Line::Overlong, text("ab")]);
    }

    #[test]
    fn an_overlong_line_is_reported_once_and_before_its_end() {
        let mut buffer = LineBuffer::with_limit(3);
        buffer.push(b"abcd");
        assert_eq!(buffer.pop(), Some(Line::Overlong));
        buffer.push(b"efghijk");
        assert_eq!(buffer.pop(), None);
        assert_eq!(buffer.unfinished(), b"");
        buffer.push(b"\nx\n");
        assert_eq!(buffer.pop(), Some(text("x")));
    }

    #[test]
    fn faults_are_named_and_leave_the_line_readable() {
        let faulty = |text: &str, fault| Line::Faulty { text: text.to_owned(), fault };
        assert_eq!(split(99, b"bestmove a1\0\n"), [faulty("bestmove a1\u{fffd}", LineFault::Control)]);
        assert_eq!(split(99, b"log \xff\x1b\n"), [faulty("log \u{fffd}\u{fffd}", LineFault::Encoding)]);
        assert_eq!(split(99, "log \u{fffd}\n".as_bytes()), [text("log \u{fffd}")]);
    }

    #[test]
    fn clearing_does_not_end_a_line_that_is_skipped() {
        let mut buffer = LineBuffer::with_limit(3);
        buffer.push(b"abcd");
        buffer.clear();
        buffer.push(b"ef\nok\n");
        assert_eq!(buffer.pop(), Some(text("ok")));
    }
}
