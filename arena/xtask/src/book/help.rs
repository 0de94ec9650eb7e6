//! The help of a command as Markdown: arguments and options become lists of definitions, everything else stays as it is.

use std::fmt::Write as _;

/// How the lines begin that say in what order the words come.
const USAGE: &str = "Usage: ";

/// The folders of the pages that a help text may name.
const FOLDERS: [&str; 2] = ["arena/docs/", "protocol-spec/"];

/// What stands in a section of a help text.
#[derive(Debug, PartialEq, Eq)]
enum Block {
    /// Arguments, options or commands, each with what it means.
    Items(Vec<Item>),
    /// Sentences.
    Prose(String),
    /// Lines that keep their places.
    Lines(Vec<String>),
}

/// An argument, an option or a command.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Item {
    pub(super) term: String,
    /// Its paragraphs; an item of a list begins with `- `.
    pub(super) meaning: Vec<String>,
}

/// A help text, cut into its sections.
pub(super) struct Help {
    sections: Vec<(String, Vec<String>)>,
}

impl Help {
    /// Reads what `--help` prints.
    pub(super) fn parse(text: &str) -> Self {
        let mut sections = vec![(String::new(), Vec::new())];
        for line in text.lines() {
            let title = line.strip_suffix(':').filter(|title| !title.starts_with(' ') && !title.is_empty());
            match (title, sections.last_mut()) {
                (Some(title), _) => sections.push((title.to_owned(), Vec::new())),
                (None, Some((_, lines))) => lines.push(line.to_owned()),
                (None, None) => {}
            }
        }
        Self { sections }
    }

    /// Returns the first sentence.
    pub(super) fn about(&self) -> &str {
        self.sections[0].1.first().map_or("", String::as_str)
    }

    /// Returns the sections whose lines are items, by title.
    pub(super) fn items(&self) -> impl Iterator<Item = (&str, Vec<Item>)> {
        self.sections.iter().filter_map(|(title, lines)| Some((title.as_str(), items(lines)?)))
    }

    /// Returns the text as Markdown below headings of this level. `command` leads to the page of a command, if it has one.
    pub(super) fn to_markdown(&self, level: usize, command: &dyn Fn(&str) -> Option<String>) -> String {
        let mut text = String::new();
        let heading = "#".repeat(level);
        for (title, lines) in &self.sections {
            if !title.is_empty() {
                let _ = writeln!(text, "{heading} {title}\n");
            }
            let is_list_of_commands = title == "Commands";
            for block in blocks(lines) {
                match block {
                    Block::Items(items) => {
                        for item in items.iter().filter(|item| !is_list_of_commands || item.term != "help") {
                            text.push_str(&definition(item, is_list_of_commands, command));
                        }
                    }
                    Block::Prose(prose) => {
                        let _ = writeln!(text, "{}\n", escaped(&prose));
                    }
                    Block::Lines(lines) => {
                        let _ = writeln!(text, "```text\n{}\n```\n", lines.join("\n"));
                    }
                }
            }
        }
        text
    }
}

/// Returns a definition of a list of definitions.
fn definition(item: &Item, is_command: bool, command: &dyn Fn(&str) -> Option<String>) -> String {
    let link = if is_command { command(&item.term) } else { None };
    let mut text = match link {
        Some(link) => format!("[`{}`]({link})\n", item.term),
        None => format!("`{}`\n", item.term),
    };
    let meaning = if item.meaning.is_empty() { &[String::new()][..] } else { &item.meaning };
    for (place, paragraph) in meaning.iter().enumerate() {
        let is_next_of_list =
            place > 0 && paragraph.starts_with("- ") && meaning[place - 1].starts_with("- ");
        let begin = match place {
            0 => ": ",
            _ if is_next_of_list => "  ",
            _ => "\n  ",
        };
        let _ = writeln!(text, "{begin}{}", escaped(paragraph));
    }
    text.push('\n');
    text
}

/// Returns the blocks of a section.
fn blocks(lines: &[String]) -> Vec<Block> {
    let paragraphs: Vec<_> =
        lines.split(|line| line.trim().is_empty()).filter(|lines| !lines.is_empty()).collect();
    // Items may have empty lines between and within them.
    let first = paragraphs.iter().position(|lines| lines[0].starts_with(' ')).unwrap_or(paragraphs.len());
    let (before, rest) = paragraphs.split_at(first);
    let last = rest.iter().rposition(|lines| lines[0].starts_with(' ')).map_or(0, |place| place + 1);
    let (within, after) = rest.split_at(last);
    let prose = |lines: &&[String]| {
        if lines[0].starts_with(USAGE) {
            // The lines below are indented like the first one.
            let words = lines.iter().map(|line| line.get(USAGE.len()..).unwrap_or_default().to_owned());
            Block::Lines(words.collect())
        } else if lines.iter().any(|line| line.starts_with(' ')) {
            Block::Lines(lines.to_vec())
        } else {
            Block::Prose(lines.join(" "))
        }
    };
    let within_lines: Vec<_> = within.join(&String::new());
    let middle = match items(&within_lines) {
        _ if within_lines.is_empty() => None,
        Some(items) => Some(Block::Items(items)),
        None => Some(Block::Lines(within_lines)),
    };
    before.iter().map(prose).chain(middle).chain(after.iter().map(prose)).collect()
}

/// Returns the items of a section, or `None` if it has other lines.
fn items(lines: &[String]) -> Option<Vec<Item>> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let is_first_word_of_item = |line: &str| {
        let word = line.trim_start();
        (2..=6).contains(&indent(line)) && !word.starts_with("- ") && !word.is_empty()
    };
    let mut items: Vec<Item> = Vec::new();
    let mut is_new_paragraph = true;
    for line in lines {
        let text = line.trim();
        if text.is_empty() {
            is_new_paragraph = true;
        } else if is_first_word_of_item(line) {
            let (term, meaning) = text.split_once("  ").unwrap_or((text, ""));
            let meaning = meaning.trim();
            let meaning = if meaning.is_empty() { Vec::new() } else { vec![meaning.to_owned()] };
            is_new_paragraph = meaning.is_empty();
            items.push(Item { term: term.to_owned(), meaning });
        } else if indent(line) > 6 {
            let item = items.last_mut()?;
            match item.meaning.last_mut().filter(|_| !is_new_paragraph && !text.starts_with("- ")) {
                Some(paragraph) => {
                    paragraph.push(' ');
                    paragraph.push_str(text);
                }
                None => item.meaning.push(text.to_owned()),
            }
            is_new_paragraph = false;
        } else {
            return None;
        }
    }
    // A table such as that of the exit codes has no terms that a reader types.
    let is_typed = |item: &Item| {
        item.term.starts_with(['-', '[', '<'])
            || item.term.chars().all(|c| c.is_ascii_lowercase() || c == '-')
    };
    (!items.is_empty() && items.iter().all(is_typed)).then_some(items)
}

/// Returns a sentence in which nothing outside of backticks is markup, and pages of the project are links.
fn escaped(sentence: &str) -> String {
    let (mut text, mut rest) =
        sentence.strip_prefix("- ").map_or((String::new(), sentence), |rest| ("- ".to_owned(), rest));
    let mut is_code = false;
    while let Some(c) = rest.chars().next() {
        if let Some(page) = page(rest).filter(|_| !is_code) {
            // The pages of the commands lie one folder deep.
            let _ = write!(text, "[{page}](../{page})");
            rest = &rest[page.len()..];
            continue;
        }
        is_code ^= c == '`';
        if !is_code && matches!(c, '<' | '>' | '*' | '_' | '[' | ']' | '#' | '\\' | '|') {
            text.push('\\');
        }
        text.push(c);
        rest = &rest[c.len_utf8()..];
    }
    text
}

/// Returns the page of the project whose path a text begins with.
fn page(text: &str) -> Option<&str> {
    let word = text.split(|c: char| c.is_whitespace() || "`)],;".contains(c)).next()?;
    let end = word.rfind(".md")? + ".md".len();
    FOLDERS.iter().any(|folder| word.starts_with(folder)).then(|| &word[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn markdown(text: &str) -> String {
        Help::parse(text).to_markdown(2, &|_| None)
    }

    #[test]
    fn options_become_definitions_whose_lines_are_joined() {
        let text = "Play\n\nUsage: arena run [FILE]\n\nOptions:\n      --shard <I/N>  Play a part: the pairs\n                     of *I*, see `a_b`\n  -h, --help         Print help\n";
        let expected = "Play\n\n```text\narena run [FILE]\n```\n\n## Options\n\n`--shard <I/N>`\n: Play a part: the pairs of \\*I\\*, see `a_b`\n\n`-h, --help`\n: Print help\n\n";
        assert_eq!(markdown(text), expected);
    }

    #[test]
    fn the_long_form_keeps_its_paragraphs_and_lists() {
        let text = "Options:\n      --how <HOW>\n          How it is done\n\n          Possible values:\n          - a: one\n          - b: another\n\n  -h, --help\n          Print help\n";
        let expected = "## Options\n\n`--how <HOW>`\n: How it is done\n\n  Possible values:\n\n  - a: one\n  - b: another\n\n`-h, --help`\n: Print help\n\n";
        assert_eq!(markdown(text), expected);
    }

    #[test]
    fn pages_that_a_help_text_names_are_links() {
        assert_eq!(
            escaped("See arena/docs/sharding.md, `protocol-spec/live.md` (protocol-spec/live.md)."),
            "See [arena/docs/sharding.md](../arena/docs/sharding.md), `protocol-spec/live.md` ([protocol-spec/live.md](../protocol-spec/live.md))."
        );
    }

    #[test]
    fn tables_keep_their_places_and_sentences_after_options_stay_sentences() {
        let text = "Options:\n  -h, --help  Print help\n\nWithout it,\nnothing.\n\nExit codes:\n    0  done\n  101  a bug\n";
        let expected = "## Options\n\n`-h, --help`\n: Print help\n\nWithout it, nothing.\n\n## Exit codes\n\n```text\n    0  done\n  101  a bug\n```\n\n";
        assert_eq!(markdown(text), expected);
    }
}
