//! Paths, numbers and long texts as messages show them.

use std::borrow::Cow;
use std::path::Path;
use std::{env, iter};

use protocol::printable_capped;

/// How many characters of a message are shown: text of the user stands in it.
const MOST_CHARACTERS: usize = 2000;

/// How many of them are shown from the end, where a longer one is cut.
const LAST_CHARACTERS: usize = 400;

/// Returns a message, without its middle where it is longer than anybody reads.
pub fn shortened(text: &str) -> Cow<'_, str> {
    if text.len() <= MOST_CHARACTERS || text.chars().nth(MOST_CHARACTERS).is_none() {
        return Cow::Borrowed(text);
    }
    let byte = |index| text.char_indices().nth(index).map_or(text.len(), |(byte, _)| byte);
    let first = byte(MOST_CHARACTERS - LAST_CHARACTERS);
    let last = text.char_indices().nth_back(LAST_CHARACTERS - 1).map_or(0, |(byte, _)| byte);
    let left_out = text[first..last].chars().count();
    Cow::Owned(format!("{} [{left_out} characters left out] {}", &text[..first], &text[last..]))
}

/// Returns a path as it is shown.
pub fn path(path: &Path) -> String {
    printable_capped(path.as_os_str().as_encoded_bytes(), MOST_CHARACTERS)
}

/// Returns a number of things: `1 game`, `2 games`, `3 entries`.
///
/// ```
/// use diagnostic::output::count;
///
/// assert_eq!([count(1, "ply"), count(2, "ply"), count(0, "day")], ["1 ply", "2 plies", "0 days"]);
/// ```
pub fn count(number: u64, thing: &str) -> String {
    let is_vowel = |letter: char| "aeiou".contains(letter);
    match thing.strip_suffix('y') {
        _ if number == 1 => format!("{number} {thing}"),
        Some(stem) if !stem.ends_with(is_vowel) => format!("{number} {stem}ies"),
        _ => format!("{number} {thing}s"),
    }
}

/// Returns a time, rounded to what matters: `40 s`, `12 min`, `3.5 h`.
pub fn span(seconds: f64) -> String {
    match seconds.round() as u64 {
        left if left < 100 => format!("{left} s"),
        left if left < 100 * 60 => format!("{} min", (left + 30) / 60),
        left => format!("{:.1} h", left as f64 / 3600.0),
    }
}

/// Returns the command that was typed, fit to be typed again.
pub fn command_line() -> String {
    env::args_os().map(|word| quoted(&word.to_string_lossy())).collect::<Vec<_>>().join(" ")
}

/// Returns a word as it is typed in a shell.
pub fn quoted(word: &str) -> String {
    protocol::shell_word(word).into_owned()
}

/// Returns `words` in lines of at most `width` columns, each line after the first indented by `indent`, the
/// first taken to start there.
pub fn wrap<'a>(words: impl IntoIterator<Item = &'a str>, indent: usize, width: usize) -> String {
    let mut text = String::new();
    let mut column = indent;
    for (index, word) in words.into_iter().enumerate() {
        let length = word.chars().count();
        if index > 0 && column + 1 + length > width {
            text.push('\n');
            text.extend(iter::repeat_n(' ', indent));
            column = indent;
        } else if index > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += length;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_wrapped_under_their_first() {
        assert_eq!(wrap(["aa", "bb", "cc"], 2, 7), "aa bb\n  cc");
        assert_eq!(wrap(["a-long-word", "b"], 2, 5), "a-long-word\n  b");
        assert_eq!(wrap([], 2, 5), "");
    }
}
