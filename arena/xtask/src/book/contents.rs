//! The list of pages in `arena/docs/contents.md`, and the summary that mdBook reads.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::book::commands::Group;
use crate::book::paths::{in_book, joined};
use crate::shell::ChoreError;

/// The page with the list.
pub(super) const PAGE: &str = "arena/docs/contents.md";

/// The pages of the book in their order.
pub(super) struct Contents {
    lines: Vec<Line>,
}

/// A line of the list.
#[derive(Debug, PartialEq, Eq)]
enum Line {
    /// A part of the book.
    Part(String),
    /// The part with the pages that are made of the help of the commands.
    Commands,
    /// A page, relative to the repository, below the pages with a smaller indent.
    Page { indent: usize, title: String, path: PathBuf },
}

impl Contents {
    /// Reads the list of a repository.
    ///
    /// # Errors
    /// When it cannot be read, or a line is neither a heading nor a page.
    pub(super) fn read(root: &Path) -> Result<Self, ChoreError> {
        Self::parse(&fs::read_to_string(root.join(PAGE))?)
    }

    fn parse(text: &str) -> Result<Self, ChoreError> {
        // What stands above the first part introduces the list.
        let lines = text.lines().skip_while(|line| !line.starts_with("## ")).filter(|line| !line.is_empty());
        let mut read = Vec::new();
        for line in lines {
            match (Line::parse(line), read.last()) {
                (Some(line), _) => read.push(line),
                // A sentence says there what stands in its place in the book.
                (None, Some(Line::Commands)) => {}
                (None, _) => {
                    return Err(ChoreError(format!("{PAGE}: `{line}` is neither a part nor a page")));
                }
            }
        }
        Ok(Self { lines: read })
    }

    /// Returns the paths of the pages, relative to the repository, and that of the list itself.
    pub(super) fn pages(&self) -> impl Iterator<Item = &Path> {
        let pages = self.lines.iter().filter_map(|line| match line {
            Line::Page { path, .. } => Some(path.as_path()),
            Line::Part(_) | Line::Commands => None,
        });
        pages.chain([Path::new(PAGE)])
    }

    /// Returns the summary for mdBook: all pages, those of the commands, and at the end the list.
    pub(super) fn summary(&self, commands: &[Group]) -> String {
        let mut text = String::from("# Summary\n");
        for line in &self.lines {
            match line {
                Line::Commands => text.push_str(&summary_of(commands)),
                Line::Part(title) => {
                    let _ = writeln!(text, "\n# {title}\n");
                }
                Line::Page { indent, title, path } => {
                    let _ = writeln!(text, "{:indent$}- [{title}]({})", "", in_book(path).display());
                }
            }
        }
        let _ = writeln!(text, "\n---\n\n[All pages]({PAGE})");
        text
    }
}

fn summary_of(commands: &[Group]) -> String {
    let mut text = String::from("\n# Commands\n\n- [All commands](commands/index.md)\n");
    for group in commands {
        let _ = writeln!(text, "- [{}]({})", group.title, group.path());
        for name in &group.commands {
            let _ = writeln!(text, "  - [`arena {name}`](commands/{name}.md)");
        }
    }
    text
}

impl Line {
    fn parse(line: &str) -> Option<Self> {
        if let Some(title) = line.strip_prefix("## ") {
            return Some(if title == "Commands" { Self::Commands } else { Self::Part(title.to_owned()) });
        }
        let item = line.trim_start();
        let (title, link) = item.strip_prefix("* [")?.strip_suffix(')')?.split_once("](")?;
        let path = joined(Path::new(PAGE).parent()?, link)?;
        Some(Self::Page { indent: line.len() - item.len(), title: title.to_owned(), path })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::root;

    #[test]
    fn a_list_becomes_a_summary() {
        let text = "# All\n\nIntroduction.\n\n## Start\n\n* [One](../../README.md)\n  * [Two](two.md)\n";
        let contents = Contents::parse(text).unwrap();
        let pages: Vec<_> = contents.pages().collect();
        assert_eq!(pages, ["README.md", "arena/docs/two.md", PAGE].map(Path::new));
        let summary = contents.summary(&[]);
        assert!(
            summary.contains("\n# Start\n\n- [One](index.md)\n  - [Two](arena/docs/two.md)\n"),
            "{summary}"
        );
    }

    #[test]
    fn a_line_that_is_no_page_is_named() {
        let error = Contents::parse("## Start\n\nbetween\n").err().unwrap();
        assert!(error.to_string().contains("`between`"), "{error}");
    }

    #[test]
    fn commands_have_a_part_of_their_own() {
        let group = Group { title: "Play".to_owned(), commands: vec!["run".to_owned()] };
        let summary = Contents::read(&root()).unwrap().summary(&[group]);
        assert!(
            summary.contains("- [Play](commands/play-commands.md)\n  - [`arena run`](commands/run.md)\n"),
            "{summary}"
        );
    }
}
