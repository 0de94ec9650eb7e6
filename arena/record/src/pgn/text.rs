//! How text of any origin becomes text that PGN can hold.

use std::borrow::Cow;

use protocol::printable;

/// The longest word of a comment, in characters. Longer words are split, because no line may be longer than 79 characters. The
/// result is stable: making a comment from it changes nothing.
const WORD: usize = 60;

/// Returns a tag's value without characters that could control a terminal.
pub(super) fn value(text: &str) -> Cow<'_, str> {
    printable(text)
}

/// Returns words that a comment can hold: single spaces, no brace, nothing that looks like a command or, at the beginning of a
/// line, like an escape.
pub(super) fn comment(text: &str) -> Cow<'_, str> {
    if is_comment(text) { Cow::Borrowed(text) } else { Cow::Owned(escaped(text)) }
}

/// Makes a comment of any text, character by character.
fn escaped(text: &str) -> String {
    let mut words = String::new();
    for word in text.split_whitespace() {
        let mut length = WORD;
        let mut before = ' ';
        for c in printable(word).chars() {
            let escape = match c {
                '{' => Some("\\x7b"),
                '}' => Some("\\x7d"),
                '%' if matches!(before, ' ' | '[') || length == WORD => Some("\\x25"),
                _ => None,
            };
            length += escape.map_or(1, str::len);
            if length > WORD {
                length = escape.map_or(1, str::len);
                if !words.is_empty() {
                    words.push(' ');
                }
            }
            match escape {
                Some(escape) => words.push_str(escape),
                None => words.push(c),
            }
            before = c;
        }
    }
    words
}

/// Returns whether a text is surely what [`comment`] makes of it, as nearly every text is: told sooner than character by
/// character.
fn is_comment(text: &str) -> bool {
    let mut length = 0;
    // As if a space came before.
    let mut before = b' ';
    for byte in text.bytes() {
        length = if byte == b' ' { 0 } else { length + 1 };
        let is_plain = match byte {
            b' ' => before != b' ',
            b'{' | b'}' | b'%' => false,
            _ => byte.is_ascii_graphic() && length <= WORD,
        };
        if !is_plain {
            return false;
        }
        before = byte;
    }
    before != b' ' || text.is_empty()
}

/// Returns a token of PGN's symbol characters that begins with a letter, as every ply does.
pub(super) fn token(ply: &str) -> Cow<'_, str> {
    let is_named = ply.starts_with(|c: char| c.is_ascii_alphabetic());
    // Nearly every ply is one already.
    if is_named && ply.bytes().all(|byte| is_symbol(byte.into())) {
        return Cow::Borrowed(ply);
    }
    let named = if is_named { "" } else { "x" };
    Cow::Owned(named.chars().chain(ply.chars().map(|c| if is_symbol(c) { c } else { '_' })).collect())
}

/// Returns whether PGN's tokens hold this character.
pub(super) const fn is_symbol(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '+' | '#' | '=' | ':' | '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_are_comments_stay_as_they_are() {
        let parts =
            ["", " ", "a", "{", "%", "[", "\u{e9}", "\t", "\x7f", &"b".repeat(WORD), &"c".repeat(WORD + 1)];
        let mut kept = 0;
        for first in parts {
            for second in parts {
                for third in parts {
                    let text = [first, second, third].concat();
                    assert_eq!(comment(&text), escaped(&text), "{text:?}");
                    kept += u32::from(matches!(comment(&text), Cow::Borrowed(_)));
                }
            }
        }
        assert!(kept > 30, "{kept}");
    }
}
