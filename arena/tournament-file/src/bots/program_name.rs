//! What a bot is called that is known by its command alone.

use std::path::Path;

/// Returns the stem of the last word of a command that looks like a file, or of the first word. A number with a point is
/// no file.
///
/// ```
/// assert_eq!(tournament_file::program_name("node bots/my_bot.js --fast"), "my_bot");
/// assert_eq!(tournament_file::program_name("python3 my_bot.py --rate 0.3"), "my_bot");
/// ```
#[must_use]
pub fn program_name(command: &str) -> String {
    let words: Vec<_> = command.split_whitespace().collect();
    let is_file =
        |word: &str| word.contains(['.', '/']) && !word.starts_with('-') && word.parse::<f64>().is_err();
    let file = words.iter().rev().find(|word| is_file(word));
    let word = file.or(words.first()).copied().unwrap_or("bot");
    Path::new(word).file_stem().map_or_else(|| "bot".to_owned(), |stem| stem.to_string_lossy().into_owned())
}
