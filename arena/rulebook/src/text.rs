//! The rules as lines of a terminal.

use diagnostic::output::wrap;
use pulldown_cmark::{Event, HeadingLevel, Tag, TagEnd};

use crate::Rulebook;

impl Rulebook {
    /// Returns the rules as plain text in lines of at most `width` columns, unless a word or a diagram is wider. A row of a
    /// table is an entry: its first cell, and below it the others.
    #[must_use]
    pub fn to_text(&self, width: usize) -> String {
        let mut writer = Writer { width: width.max(20), ..Writer::default() };
        for event in self.events() {
            writer.take(event);
        }
        writer.text.trim_end().to_owned() + "\n"
    }
}

/// What was written, and what is being read.
#[derive(Debug, Default)]
struct Writer {
    width: usize,
    text: String,
    /// The words of the block that is being read.
    block: String,
    /// Lists around it: the number of the next item, where they are numbered.
    lists: Vec<Option<u64>>,
    is_code: bool,
    /// The heads of a table's columns, the cells of a row, and whether the heads are being read.
    heads: Vec<String>,
    cells: Vec<String>,
}

impl Writer {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Text(text) if self.is_code => {
                for line in text.lines() {
                    self.line(&format!("    {line}"));
                }
            }
            Event::Text(text) | Event::Code(text) => self.block.push_str(&text),
            Event::SoftBreak | Event::HardBreak => self.block.push(' '),
            Event::Start(Tag::CodeBlock(_)) => {
                self.flush();
                self.is_code = true;
            }
            Event::End(TagEnd::CodeBlock) => {
                self.is_code = false;
                self.gap();
            }
            Event::Start(Tag::List(first)) => {
                self.flush();
                self.lists.push(first);
            }
            Event::End(TagEnd::List(_)) => {
                self.lists.pop();
                if self.lists.is_empty() {
                    self.gap();
                }
            }
            Event::End(TagEnd::Item) => self.flush(),
            Event::End(TagEnd::Paragraph) => {
                self.flush();
                if self.lists.is_empty() {
                    self.gap();
                }
            }
            Event::End(TagEnd::Heading(HeadingLevel::H1)) => {
                let title = std::mem::take(&mut self.block).to_uppercase();
                self.line(&title);
                self.gap();
            }
            Event::End(TagEnd::Heading(_)) => {
                let title = std::mem::take(&mut self.block);
                self.gap();
                self.line(&title);
                self.line(&"-".repeat(title.chars().count()));
                self.gap();
            }
            Event::End(TagEnd::TableCell) => self.cells.push(std::mem::take(&mut self.block)),
            Event::End(TagEnd::TableHead) => self.heads = std::mem::take(&mut self.cells),
            Event::End(TagEnd::TableRow) => self.row(),
            Event::End(TagEnd::Table) => self.gap(),
            _ => {}
        }
    }

    /// Writes the row of a table: its first cell, then what the others say.
    fn row(&mut self) {
        let cells = std::mem::take(&mut self.cells);
        let Some((first, others)) = cells.split_first() else { return };
        let words = first.split_whitespace();
        let text = wrap(words, 2, self.width);
        self.line(&format!("  {text}"));
        let heads = std::mem::take(&mut self.heads);
        let told = others.iter().zip(heads.iter().skip(1)).filter(|(cell, _)| !cell.is_empty());
        for (cell, head) in told {
            let cell = format!("{}: {cell}", head.to_lowercase());
            let text = wrap(cell.split_whitespace(), 6, self.width);
            self.line(&format!("      {text}"));
        }
        self.heads = heads;
    }

    /// Writes the block that was read.
    fn flush(&mut self) {
        let block = std::mem::take(&mut self.block);
        if block.trim().is_empty() {
            return;
        }
        let depth = self.lists.len();
        let lead = match self.lists.last_mut() {
            None => String::new(),
            Some(None) => format!("{}* ", "  ".repeat(depth)),
            Some(Some(number)) => {
                let lead = format!("{}{number}. ", "  ".repeat(depth));
                *number += 1;
                lead
            }
        };
        let text = wrap(block.split_whitespace(), lead.len(), self.width);
        self.line(&format!("{lead}{text}"));
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    /// Leaves one empty line.
    fn gap(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_fits_its_width() {
        for game in rules::GAMES {
            for width in [40, 80] {
                let text = Rulebook::of(game).expect("a page").to_text(width);
                let longest = text.lines().map(|line| line.chars().count()).max().unwrap_or_default();
                assert!(longest <= width, "{}: {longest} columns\n{text}", game.id);
                assert!(!text.contains("**") && !text.contains('`') && !text.contains("\n\n\n"), "{text}");
            }
        }
    }

    #[test]
    fn blocks_are_told_apart() {
        let text = "# Title (`id`)\n\nOne\nline.\n\n## Part\n\n* a **b**\n  c\n* d\n\n| Case | Result |\n|---|---|\n| x | y |\n\n```text\n  1 .\n```\n\n1. one\n2. two\n";
        let expected = "TITLE\n\nOne line.\n\nPart\n----\n\n  * a b c\n  * d\n\n  x\n      result: y\n\n      1 .\n\n  1. one\n  2. two\n";
        assert_eq!(Rulebook::from_text(text).to_text(40), expected);
    }
}
