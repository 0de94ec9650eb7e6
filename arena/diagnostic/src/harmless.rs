//! The border to the terminal: the one way to standard output and standard error, which nothing passes that a terminal obeys.
//!
//! A [`Harmless`] text is made of any other, and only such a text can be written. So it does not matter which of the
//! commands forgets that a name, a path or a value came from elsewhere. Messages escape such texts earlier all the same,
//! line ends included, which are let through here. The lint `disallowed_methods` of this package keeps other ways closed:
//! see `.clippy.toml`.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Write as _};

use protocol::printable;

/// The longest sequence that sets a colour.
const LONGEST_STYLE: usize = 12;

/// Where a text goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}

/// Whether a text may set colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Styles {
    /// It may: the arena has put them there, for a terminal.
    Kept,
    /// It may not.
    Escaped,
}

/// A text that a terminal shows and does not obey: besides line ends and tabs it has no control character, and none that
/// is not seen or turns the direction of others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Harmless<'a>(Cow<'a, str>);

impl<'a> Harmless<'a> {
    /// Makes a text harmless. What must not reach a terminal is written as JSON escapes it, so that a document of JSON
    /// stays one.
    pub fn of(text: &'a str, styles: Styles) -> Self {
        let is_plain = |byte: u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t');
        if text.bytes().all(is_plain) {
            return Self(Cow::Borrowed(text));
        }
        let mut shown = String::with_capacity(text.len() + 16);
        let mut rest = text;
        while let Some(letter) = rest.chars().next() {
            let length = match style(rest).filter(|_| styles == Styles::Kept) {
                Some(length) => {
                    shown.push_str(&rest[..length]);
                    length
                }
                None => {
                    push(letter, rest, &mut shown);
                    letter.len_utf8()
                }
            };
            rest = &rest[length..];
        }
        Self(Cow::Owned(shown))
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Writes it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, stream: Stream) -> io::Result<()> {
        write_bytes(stream, self.0.as_bytes())
    }
}

/// Adds a character, which begins `rest`, or its escape.
fn push(letter: char, rest: &str, shown: &mut String) {
    let is_line_end = letter == '\n' || rest.starts_with("\r\n");
    let is_shown = || matches!(printable(letter.encode_utf8(&mut [0; 4])), Cow::Borrowed(_));
    if is_line_end || letter == '\t' || is_shown() {
        shown.push(letter);
        return;
    }
    for unit in letter.encode_utf16(&mut [0; 2]) {
        write!(shown, "\\u{unit:04x}").expect("a string can always be written to");
    }
}

/// Returns the length of the sequence at the start of a text that sets a colour, if one stands there.
fn style(text: &str) -> Option<usize> {
    let rest = text.strip_prefix("\u{1b}[")?;
    let end = rest.bytes().take(LONGEST_STYLE).position(|byte| !byte.is_ascii_digit() && byte != b';')?;
    (rest.as_bytes()[end] == b'm').then_some(end + 3)
}

/// Writes what is no text: a picture that goes to a file or to another program.
///
/// # Errors
/// When it cannot be written, and when a terminal would get it.
pub fn write_picture(bytes: &[u8]) -> io::Result<()> {
    if is_terminal(Stream::Out) {
        return Err(io::Error::other("a terminal cannot show the bytes of a picture: name a file"));
    }
    write_bytes(Stream::Out, bytes)
}

#[expect(clippy::disallowed_methods, reason = "this is the border")]
fn write_bytes(stream: Stream, bytes: &[u8]) -> io::Result<()> {
    match stream {
        Stream::Out => {
            let mut stdout = io::stdout().lock();
            stdout.write_all(bytes).and_then(|()| stdout.flush())
        }
        Stream::Err => io::stderr().lock().write_all(bytes),
    }
}

/// Returns whether a stream goes to a terminal.
#[expect(clippy::disallowed_methods, reason = "nothing is written")]
pub fn is_terminal(stream: Stream) -> bool {
    match stream {
        Stream::Out => io::stdout().is_terminal(),
        Stream::Err => io::stderr().is_terminal(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, styles: Styles) -> String {
        Harmless::of(text, styles).as_str().to_owned()
    }

    #[test]
    fn what_a_terminal_obeys_is_escaped() {
        for (text, expected) in [
            ("plain é 日\n\ttext\r\n", "plain é 日\n\ttext\r\n"),
            ("\u{1b}]0;pwned\u{7}", "\\u001b]0;pwned\\u0007"),
            ("a\rb\u{8}\0\u{7f}", "a\\u000db\\u0008\\u0000\\u007f"),
            ("\u{9b}31m\u{202e}\u{feff}", "\\u009b31m\\u202e\\ufeff"),
            ("\u{e0001}", "\\udb40\\udc01"),
            ("\u{1b}[1;31mred", "\\u001b[1;31mred"),
        ] {
            assert_eq!(shown(text, Styles::Escaped), expected);
        }
    }

    #[test]
    fn colours_alone_are_kept_where_they_may_stand() {
        for (text, expected) in [
            ("\u{1b}[1;31mred\u{1b}[0m\u{1b}[m", "\u{1b}[1;31mred\u{1b}[0m\u{1b}[m"),
            ("\u{1b}[2J\u{1b}[?25l\u{1b}", "\\u001b[2J\\u001b[?25l\\u001b"),
            ("\u{1b}[1\u{1b}[0m", "\\u001b[1\u{1b}[0m"),
            ("\u{1b}[11111111111111m", "\\u001b[11111111111111m"),
        ] {
            assert_eq!(shown(text, Styles::Kept), expected);
        }
    }

    #[test]
    fn a_document_of_json_stays_the_same_document() {
        let document = serde_json::json!({"a\u{202e}": "\u{1b}\u{9b}\u{e0001}\u{200b}"});
        let text = shown(&document.to_string(), Styles::Escaped);
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), document);
        assert!(text.is_ascii(), "{text}");
    }
}
