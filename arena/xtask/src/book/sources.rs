//! The sources of the book: copies of the pages and of the files that they lead to, in the folders of the repository.
//!
//! Two things are changed. `README.md` is `index.md` there, also in links, which mdBook would leave as they are. Blocks in languages of
//! ours are plain text, because the site colours what it knows and complains about what it does not.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::book::contents::Contents;
use crate::book::paths::{in_book, joined};
use crate::shell::ChoreError;

/// How blocks begin that the site cannot colour. What follows the language says how a test reads the block.
const PLAIN_BLOCKS: [&str; 5] = ["```abnf", "```abp", "```mermaid", "```pgn", "```vectors"];

/// Copies the pages of the list, and the pictures, examples and data that they lead to.
///
/// # Errors
/// When a page or a file cannot be read, or a page leads out of the repository.
pub(super) fn copy(contents: &Contents, root: &Path, to: &Path) -> Result<(), ChoreError> {
    let mut files = BTreeSet::new();
    for page in contents.pages() {
        let text = fs::read_to_string(root.join(page))
            .map_err(|error| ChoreError(format!("{}: {error}", page.display())))?;
        let folder = page.parent().unwrap_or(Path::new(""));
        for link in links(&text) {
            let path = link.split('#').next().unwrap_or_default();
            let target = joined(folder, path).ok_or_else(|| {
                ChoreError(format!("{}: {link} leads out of the repository", page.display()))
            })?;
            // A page that the list lacks stays away: the check of the links names it.
            if root.join(&target).is_file() && target.extension().is_none_or(|kind| kind != "md") {
                files.insert(target);
            }
        }
        let copy = to.join(in_book(page));
        fs::create_dir_all(copy.parent().unwrap_or(to))?;
        fs::write(copy, with_plain_blocks(&with_links_in_book(&text)))?;
    }
    for file in files {
        let copy = to.join(&file);
        fs::create_dir_all(copy.parent().unwrap_or(to))?;
        fs::copy(root.join(&file), copy)?;
    }
    Ok(())
}

/// Returns the text of a page with its links as they are in the book.
fn with_links_in_book(text: &str) -> String {
    let mut parts = text.split("](");
    let mut changed = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (link, rest) = part.split_at(part.find(')').unwrap_or(0));
        let (path, anchor) = link.split_at(link.find('#').unwrap_or(link.len()));
        let _ = write!(changed, "]({}{anchor}{rest}", in_book(Path::new(path)).display());
    }
    changed
}

/// Returns the text of a page with [`PLAIN_BLOCKS`] as text.
fn with_plain_blocks(text: &str) -> String {
    let is_plain = |line: &str| PLAIN_BLOCKS.iter().any(|begin| line.starts_with(begin));
    text.split_inclusive('\n').map(|line| if is_plain(line) { "```text\n" } else { line }).collect()
}

/// Returns the targets of the links and pictures of a page that are not addresses elsewhere.
fn links(text: &str) -> Vec<&str> {
    let cut = |start: &str, end: char| -> Vec<&str> {
        text.split(start).skip(1).filter_map(|rest| rest.split(end).next()).collect()
    };
    let found = [cut("](", ')'), cut("src=\"", '"'), cut("href=\"", '"')].concat();
    found.into_iter().filter(|link| !link.contains("://") && !link.contains(char::is_whitespace)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_a_readme_lead_to_the_start_of_its_folder() {
        let text = "README.md [a](../README.md#b) [c](README.md) [d](https://a.example/x) [e](#f) `](`";
        let expected = "README.md [a](../index.md#b) [c](index.md) [d](https://a.example/x) [e](#f) `](`";
        assert_eq!(with_links_in_book(text), expected);
    }

    #[test]
    fn blocks_that_the_site_does_not_know_are_text() {
        let text = "```abp greeted want legal\n> go\n```\n```rust\nabp\n```\n";
        assert_eq!(with_plain_blocks(text), "```text\n> go\n```\n```rust\nabp\n```\n");
    }

    #[test]
    fn links_and_pictures_are_found_but_not_addresses() {
        let text = "[a](a.md#b) ![c](c.png) <a href=\"d.svg\"><img src=\"e.png\"></a> [f](https://f.example)";
        assert_eq!(links(text), ["a.md#b", "c.png", "e.png", "d.svg"]);
    }
}
