//! The tables of all keys, for the documentation.

use std::fmt::Write as _;

use super::{ENTRY, TOURNAMENT, missing};
use crate::{Key, Shape};

/// Returns the tables of all keys in Markdown: those at the top of a tournament file, then those of each map below.
#[must_use]
pub fn tables() -> String {
    let mut text = table(TOURNAMENT.keys(), missing);
    for key in TOURNAMENT.keys() {
        below(&mut text, key);
    }
    text.push_str("\n### Keys of an entry's file\n\n");
    text + &table(ENTRY.keys(), said)
}

/// Adds the tables of the maps below a key.
fn below(text: &mut String, key: &Key) {
    let of = match key.shape {
        Shape::Free | Shape::Words => return,
        Shape::Maps(_) | Shape::MapOrMaps(_) => format!("an item of `{}`", key.name),
        Shape::Map(_) | Shape::WordOrMap(_) => format!("`{}`", key.name),
    };
    let _ = write!(text, "\n### Keys of {of}\n\n{}", table(key.below(), said));
    // What also stands at the top has its table there.
    let is_at_top = |key: &Key| TOURNAMENT.keys().iter().any(|top| top.name == key.name);
    key.below().iter().filter(|key| !is_at_top(key)).for_each(|key| below(text, key));
}

fn said(key: &Key) -> String {
    key.missing.to_owned()
}

fn table(keys: &[Key], missing: fn(&Key) -> String) -> String {
    let mut text = "| key | meaning | for example | default |\n|---|---|---|---|\n".to_owned();
    for key in keys {
        let meaning = format!("{} {}", key.about(), key.details);
        let _ = writeln!(
            text,
            "| `{}` | {} | `{}` | {} |",
            key.name,
            meaning.trim_end(),
            key.example,
            missing(key)
        );
    }
    text
}
