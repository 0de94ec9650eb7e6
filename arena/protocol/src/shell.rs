//! Words as a user types them in a shell, for messages that show a command.

use std::borrow::Cow;

/// Returns a word as a user types it in a shell: quoted if the shell would otherwise interpret it.
///
/// ```
/// let words = ["./bot", "--tc=10+0.1", "two words", "it's", ""].map(protocol::shell_word);
/// assert_eq!(words, ["./bot", "--tc=10+0.1", "'two words'", r"'it'\''s'", "''"]);
/// ```
#[must_use]
pub fn shell_word(word: &str) -> Cow<'_, str> {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_./=:,+@%".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        Cow::Borrowed(word)
    } else {
        Cow::Owned(format!("'{}'", word.replace('\'', r"'\''")))
    }
}
