//! Free text and lists of plies within a line.

use std::borrow::Cow;
use std::fmt;

use crate::lexical::words::{Words, normalise};

/// Returns `text` as one line: line ends become spaces, and the rest is normalised.
pub(crate) fn one_line(text: &str) -> Cow<'_, str> {
    if text.contains(['\n', '\r']) {
        Cow::Owned(normalise(&text.replace(['\n', '\r'], " ")).into_owned())
    } else {
        normalise(text)
    }
}

/// Splits off the text after a `:` token and leaves the tokens before it in `words`.
pub(super) fn split_text<'a>(words: Words<'a>) -> (Words<'a>, Option<&'a str>) {
    let line = words.text().unwrap_or_default();
    if let Some(text) = line.strip_prefix(": ") {
        return (Words::new(""), Some(text));
    }
    match line.split_once(" : ") {
        Some((before, text)) => (Words::new(before), Some(text)),
        None => (words, None),
    }
}

/// Writes plies, each with a space before it.
pub(super) fn write_plies<M: fmt::Display>(f: &mut fmt::Formatter<'_>, moves: &[M]) -> fmt::Result {
    moves.iter().try_for_each(|ply| write!(f, " {ply}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_cannot_start_a_second_line() {
        assert_eq!(one_line("a\r\n> quit\0 "), "a > quit\u{fffd}");
    }

    #[test]
    fn the_first_colon_of_its_own_starts_the_text() {
        let (words, text) = split_text(Words::new("a=1 b:c : why : not"));
        assert_eq!((words.collect::<Vec<_>>(), text), (vec!["a=1", "b:c"], Some("why : not")));
        assert_eq!(split_text(Words::new(": x")).1, Some("x"));
        assert_eq!(split_text(Words::new("x :")).1, None);
    }
}
