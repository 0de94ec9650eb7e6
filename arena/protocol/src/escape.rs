//! Escaping: text from a bot reaches a terminal, a log or a page only through this module.
//!
//! It replaces every character that could move the cursor, reorder or hide text by a visible escape: `\x1b` for ASCII control
//! characters and bytes that are not UTF-8, `\u{202e}` for other control and format characters. It does not escape backslashes,
//! so the escapes cannot be undone.

use std::borrow::Cow;
use std::fmt::Write as _;

/// The mark at the end of a text that was cut.
const CUT: char = '\u{2026}';

/// The most lines of standard error that are shown.
const LAST_LINES: usize = 100;

/// The most characters shown of such a line.
const LAST_LINE_CHARS: usize = 500;

/// Code points that are invisible or change how their neighbours look: format characters (Cf), line and paragraph separators,
/// and the default-ignorable ranges of Unicode 16.
const INVISIBLE: [(u32, u32); 29] = [
    (0x80, 0x9f),
    (0xad, 0xad),
    (0x34f, 0x34f),
    (0x600, 0x605),
    (0x61c, 0x61c),
    (0x6dd, 0x6dd),
    (0x70f, 0x70f),
    (0x890, 0x891),
    (0x8e2, 0x8e2),
    (0x115f, 0x1160),
    (0x17b4, 0x17b5),
    (0x180b, 0x180f),
    (0x200b, 0x200f),
    (0x2028, 0x202e),
    (0x2060, 0x206f),
    (0x2800, 0x2800),
    (0x3164, 0x3164),
    (0xfe00, 0xfe0f),
    (0xfeff, 0xfeff),
    (0xffa0, 0xffa0),
    (0xfff0, 0xfffb),
    (0x110bd, 0x110bd),
    (0x110cd, 0x110cd),
    (0x13430, 0x1343f),
    (0x16fe4, 0x16fe4),
    (0x1bca0, 0x1bca3),
    (0x1d159, 0x1d159),
    (0x1d173, 0x1d17a),
    (0xe0000, 0xe0fff),
];

/// Returns `text` with every unsafe character replaced by a visible escape.
///
/// The result is one line of valid UTF-8 without control, bidirectional or invisible characters.
///
/// ```
/// assert_eq!(protocol::printable("a\u{1b}[2Jb"), r"a\x1b[2Jb");
/// assert_eq!(protocol::printable(b"\xff".as_slice()), r"\xff");
/// assert_eq!(protocol::printable("\u{202e}abc"), r"\u{202e}abc");
/// ```
#[must_use]
pub fn printable<T: AsRef<[u8]> + ?Sized>(text: &T) -> Cow<'_, str> {
    let bytes = text.as_ref();
    // Nearly every text, and told sooner than character by character.
    let is_plain = bytes.iter().all(|byte| matches!(byte, b' '..=b'~'));
    if let Ok(text) = str::from_utf8(bytes)
        && (is_plain || text.chars().all(is_printable))
    {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(bytes.len() + 16);
    visit(bytes, |piece| {
        shown.push_str(piece);
        true
    });
    Cow::Owned(shown)
}

/// Returns what [`printable`] returns, cut to at most `max_chars` characters.
///
/// A text that is cut ends in an ellipsis. The cut never splits an escape.
#[must_use]
pub fn printable_capped<T: AsRef<[u8]> + ?Sized>(text: &T, max_chars: usize) -> String {
    let mut shown = String::new();
    let mut length = 0;
    // The place to cut so that the ellipsis still fits.
    let mut cut = 0;
    let mut is_cut = false;
    visit(text.as_ref(), |piece| {
        length += piece.chars().count();
        if length > max_chars {
            is_cut = true;
            return false;
        }
        shown.push_str(piece);
        if length < max_chars {
            cut = shown.len();
        }
        true
    });
    if is_cut {
        shown.truncate(cut);
        if max_chars > 0 {
            shown.push(CUT);
        }
    }
    shown
}

/// Returns the last non-empty lines of standard error, escaped.
#[must_use]
pub fn last_lines(bytes: &[u8]) -> Vec<String> {
    let lines =
        bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end).filter(|line| !line.is_empty());
    let mut lines: Vec<_> =
        lines.rev().take(LAST_LINES).map(|line| printable_capped(line, LAST_LINE_CHARS)).collect();
    lines.reverse();
    lines
}

/// Calls `take` with each character or its escape until it returns `false`.
fn visit(bytes: &[u8], mut take: impl FnMut(&str) -> bool) {
    let mut piece = String::with_capacity(12);
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            piece.clear();
            if is_printable(c) {
                piece.push(c);
            } else {
                escape(c, &mut piece);
            }
            if !take(&piece) {
                return;
            }
        }
        for byte in chunk.invalid() {
            piece.clear();
            write_byte(*byte, &mut piece);
            if !take(&piece) {
                return;
            }
        }
    }
}

fn escape(c: char, to: &mut String) {
    if c.is_ascii() {
        write_byte(c as u8, to);
    } else {
        write!(to, "\\u{{{:x}}}", c as u32).expect("writing to a string cannot fail");
    }
}

fn write_byte(byte: u8, to: &mut String) {
    write!(to, "\\x{byte:02x}").expect("writing to a string cannot fail");
}

fn is_printable(c: char) -> bool {
    let code = c as u32;
    if code < 0x80 {
        return !c.is_ascii_control();
    }
    let next = INVISIBLE.partition_point(|&(first, _)| first <= code);
    next == 0 || INVISIBLE[next - 1].1 < code
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(printable(text), expected);
    }

    #[test]
    fn the_last_lines_are_shown_without_their_tricks() {
        assert_eq!(last_lines(b"one\r\n\n\x1b[2Jtwo"), ["one", r"\x1b[2Jtwo"]);
        let many: String = (0..300).map(|n| format!("{n}\n")).collect();
        let lines = last_lines(many.as_bytes());
        assert_eq!((lines.len(), lines[0].as_str()), (LAST_LINES, "200"));
    }

    #[test]
    fn ordinary_text_of_any_script_stays_as_it_is() {
        for text in ["", "hello world", "C:\\bots\\x", "Gr\u{fc}\u{df}e", "\u{65e5}\u{672c}", "\u{1f41f}"] {
            assert!(matches!(printable(text), Cow::Borrowed(shown) if shown == text), "{text}");
        }
    }

    #[test]
    fn control_characters_are_shown() {
        check("\0\t\n\r\u{1b}\u{7f}", r"\x00\x09\x0a\x0d\x1b\x7f");
        check("\u{85}\u{9b}31m", r"\u{85}\u{9b}31m");
    }

    #[test]
    fn characters_that_hide_or_reorder_are_shown() {
        check("\u{202e}\u{2066}\u{2028}\u{200b}\u{feff}", r"\u{202e}\u{2066}\u{2028}\u{200b}\u{feff}");
        check("\u{ad}\u{e0041}\u{3164}", r"\u{ad}\u{e0041}\u{3164}");
    }

    #[test]
    fn bytes_that_are_not_utf8_are_shown() {
        assert_eq!(printable(b"a\xff\xc3(".as_slice()), r"a\xff\xc3(");
    }

    #[test]
    fn the_table_is_sorted() {
        assert!(INVISIBLE.iter().all(|(first, last)| first <= last));
        assert!(INVISIBLE.windows(2).all(|two| two[0].1 < two[1].0));
    }

    #[test]
    fn a_capped_text_is_never_longer_and_never_splits_an_escape() {
        assert_eq!(printable_capped("abc", 3), "abc");
        assert_eq!(printable_capped("abcd", 3), "ab\u{2026}");
        assert_eq!(printable_capped("a\u{1b}b", 4), "a\u{2026}");
        assert_eq!(printable_capped("a\u{1b}", 5), r"a\x1b");
        assert_eq!(printable_capped("\u{1b}", 3), "\u{2026}");
        assert_eq!(printable_capped("abc", 0), "");
    }
}
