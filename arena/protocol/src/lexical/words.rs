//! How a line is read: the normalisation of the grammar's preamble, and the iteration over its tokens.

use std::borrow::Cow;

/// Normalises a line as the grammar requires.
///
/// This removes one trailing CR, strips WSP (space and tab) at both ends and replaces inner runs of it by one space. Remaining
/// control characters become U+FFFD, which no token admits. So a line that contains one is never mistaken for a valid answer,
/// while it is harmless in a text.
#[must_use]
pub fn normalise(line: &str) -> Cow<'_, str> {
    let mut line = line.strip_suffix('\r').unwrap_or(line);
    if line.starts_with(is_blank) || line.ends_with(is_blank) {
        line = line.trim_matches(is_blank);
    }
    if is_normal(line) {
        return Cow::Borrowed(line);
    }
    let mut normal = String::with_capacity(line.len());
    for word in line.split(is_blank).filter(|word| !word.is_empty()) {
        if !normal.is_empty() {
            normal.push(' ');
        }
        normal
            .extend(word.chars().map(|c| if c.is_ascii_control() { char::REPLACEMENT_CHARACTER } else { c }));
    }
    Cow::Owned(normal)
}

/// Returns whether a line has neither a control character nor two consecutive spaces.
fn is_normal(line: &str) -> bool {
    let bytes = line.as_bytes();
    // This reads to the end, so the compiler can compare many bytes at once.
    let has_control = bytes.iter().fold(false, |found, byte| found | byte.is_ascii_control());
    let pairs = bytes.iter().zip(bytes.iter().skip(1));
    !has_control && !pairs.fold(false, |found, pair| found | (pair == (&b' ', &b' ')))
}

/// Returns whether `c` is WSP.
pub(crate) fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t')
}

/// The tokens of a normalised line, one after the other, or its rest as a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words<'a> {
    rest: &'a str,
}

impl<'a> Words<'a> {
    /// Returns the tokens of `line`, which must be normalised.
    pub(crate) fn new(line: &'a str) -> Self {
        Self { rest: line }
    }

    /// Returns the next token without consuming it.
    pub(crate) fn peek(&self) -> Option<&'a str> {
        self.clone_next().0
    }

    /// Returns the rest of the line as a text, or `None` if nothing is left.
    pub(crate) fn text(self) -> Option<&'a str> {
        if self.rest.is_empty() { None } else { Some(self.rest) }
    }

    fn clone_next(self) -> (Option<&'a str>, Self) {
        match self.rest.split_once(' ') {
            Some((word, rest)) => (Some(word), Self { rest }),
            None if self.rest.is_empty() => (None, self),
            None => (Some(self.rest), Self { rest: "" }),
        }
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let (word, rest) = self.clone_next();
        *self = rest;
        word
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: &str) {
        assert_eq!(normalise(line), expected, "{line:?}");
        assert_eq!(normalise(expected), expected, "normalising twice changes nothing");
    }

    #[test]
    fn blanks_are_stripped_and_squeezed() {
        check("  go\t \tdepth  3 \r", "go depth 3");
    }

    #[test]
    fn one_carriage_return_goes_and_a_second_one_stays_visible() {
        check("ugi\r", "ugi");
        check("ugi\r\r", "ugi\u{fffd}");
        check("ugi\r ", "ugi\u{fffd}");
    }

    #[test]
    fn control_characters_become_replacement_characters() {
        check("bestmove a1\0", "bestmove a1\u{fffd}");
        check("\u{7f} x", "\u{fffd} x");
    }

    #[test]
    fn a_blank_line_is_empty() {
        check(" \t ", "");
        assert_eq!(Words::new("").next(), None);
    }

    #[test]
    fn other_white_space_separates_nothing() {
        check("a\u{a0}\u{a0}b", "a\u{a0}\u{a0}b");
        assert_eq!(Words::new("a\u{3000}b c").next(), Some("a\u{3000}b"));
    }

    #[test]
    fn the_rest_is_a_text() {
        let mut words = Words::new("id name My Bot");
        assert_eq!((words.next(), words.next(), words.peek()), (Some("id"), Some("name"), Some("My")));
        assert_eq!(words.text(), Some("My Bot"));
    }
}
