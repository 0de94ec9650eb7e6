//! A page for each command, made of what `--help` prints, in the groups of `arena --help`.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::book::help::Help;
use crate::shell::ChoreError;

/// A group of commands.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) title: String,
    pub(super) commands: Vec<String>,
}

impl Group {
    /// Returns the path of its page in the book.
    pub(super) fn path(&self) -> String {
        format!("commands/{}-commands.md", self.title.to_lowercase().replace(' ', "-"))
    }
}

/// Writes the pages of all commands and groups into `commands`, and returns the groups.
///
/// # Errors
/// When a command does not print its help, or a page cannot be written.
pub(super) fn write(arena: &Path, source: &Path) -> Result<Vec<Group>, ChoreError> {
    fs::create_dir_all(source.join("commands"))?;
    let (text, help) = help(arena, &[])?;
    let mut all = format!(
        "# All commands\n\n{}. Each command has a page, made of what it prints for `--help`.\n\n",
        help.about()
    );
    let mut groups = Vec::new();
    for (title, items) in help.items().filter(|(title, _)| *title != "Options") {
        let group =
            Group { title: title.to_owned(), commands: items.iter().map(|item| item.term.clone()).collect() };
        let mut table = String::from("| Command | |\n|---|---|\n");
        for item in &items {
            let _ = writeln!(table, "| [`arena {0}`]({0}.md) | {1} |", item.term, item.meaning.join(" "));
            fs::write(source.join(format!("commands/{}.md", item.term)), page(arena, &[&item.term])?)?;
        }
        let _ = writeln!(all, "## {title}\n\n{table}");
        fs::write(source.join(group.path()), format!("# {title}\n\n{table}"))?;
        groups.push(group);
    }
    if groups.is_empty() {
        return Err(ChoreError(format!("`arena --help` shows no groups:\n{text}")));
    }
    let codes = text.split_once("Exit codes:\n").map(|(_, codes)| codes.trim_end());
    let codes = codes.ok_or_else(|| ChoreError(format!("`arena --help` shows no exit codes:\n{text}")))?;
    let _ = writeln!(all, "## Exit codes\n\n```text\n{codes}\n```");
    fs::write(source.join("commands/index.md"), all)?;
    Ok(groups)
}

/// Returns the page of a command, with the commands below it.
fn page(arena: &Path, words: &[&str]) -> Result<String, ChoreError> {
    let (_, help) = help(arena, words)?;
    let name = format!("arena {}", words.join(" "));
    // One that is below this command is further down on its page.
    let anchor = |command: &str| Some(format!("#{name} {command}").replace(' ', "-"));
    let level = words.len();
    let mut text = format!("{} `{name}`\n\n{}", "#".repeat(level), help.to_markdown(level + 1, &anchor));
    for (_, items) in help.items().filter(|(title, _)| *title == "Commands") {
        for item in items.iter().filter(|item| item.term != "help") {
            text.push_str(&page(arena, &[words, &[&item.term]].concat())?);
        }
    }
    Ok(text)
}

/// Returns the help of a command, as it stands in a terminal without colours and read.
fn help(arena: &Path, words: &[&str]) -> Result<(String, Help), ChoreError> {
    let mut command = Command::new(arena);
    let output = command
        .args(words)
        .arg("--help")
        .env_remove("COLUMNS")
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()?;
    if !output.status.success() {
        return Err(ChoreError(format!("`arena {} --help`: {}", words.join(" "), output.status)));
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let help = Help::parse(&text);
    Ok((text, help))
}
