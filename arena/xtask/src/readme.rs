//! Runs what the README and the pages that continue it tell their readers to run.

use std::fs;
use std::path::Path;

use crate::shell::{ChoreError, root, run};

/// The pages whose console blocks are run, in this order: the later ones use the runs of the README.
const PAGES: [&str; 8] = [
    "README.md",
    "arena/docs/positions.md",
    "arena/docs/after-a-run.md",
    "arena/docs/performance.md",
    "arena/docs/sprt-in-ci.md",
    "arena/docs/tutorial-tournament.md",
    "arena/docs/tutorial-bot.md",
    "arena/docs/tutorial-strength.md",
];

/// Clones what is committed into a temporary folder and runs every command of the console blocks of [`PAGES`]
/// there, in order. Each line of output that a page shows for a command must appear, in the same order. Figures
/// are not compared: they differ from machine to machine.
///
/// Builds go to a target folder of their own: Cargo takes the packages of a clone for those of the original, and
/// would use the outputs of the one for the other.
pub(crate) fn check() -> Result<(), ChoreError> {
    let target = root().join("target").join("readme");
    check_pages(&PAGES, &root().join("target").join("readme-clone"), &target, "release")
}

/// Does the same with these pages, in this folder, with this target folder and the executable of a profile there. Each page begins
/// in this folder, and a `cd` holds for the commands after it.
pub(crate) fn check_pages(
    pages: &[&str],
    clone: &Path,
    target: &Path,
    profile: &str,
) -> Result<(), ChoreError> {
    let root = root();
    if clone.exists() {
        fs::remove_dir_all(clone)?;
    }
    run(&format!("git clone --quiet --no-hardlinks '{}' '{}'", root.display(), clone.display()), &root)?;
    for page in pages {
        let commands = commands(&fs::read_to_string(clone.join(page))?);
        if commands.is_empty() {
            return Err(ChoreError(format!("{page} has no console block with a command")));
        }
        let mut folder = clone.to_owned();
        for command in &commands {
            let (output, place) = (clone.join("output.txt"), clone.join("place.txt"));
            let line = format!(
                "export CARGO_TARGET_DIR='{target}' PATH='{target}/{profile}':\"$PATH\" XDG_CACHE_HOME='{clone}/cache'; set -o pipefail; \
                 {{ {{ {text}\n}} && pwd > '{place}'; }} 2>&1 | tee '{output}'",
                target = target.display(),
                clone = clone.display(),
                text = command.text,
                place = place.display(),
                output = output.display()
            );
            println!("{page}: {}", command.text);
            run(&line, &folder)?;
            folder = fs::read_to_string(&place)?.trim_end().into();
            compare(page, command, &output)?;
        }
        println!("{page}: {} commands hold", commands.len());
    }
    Ok(())
}

/// A command of a console block and the output that its page shows for it.
#[derive(Debug, PartialEq, Eq)]
struct Command {
    text: String,
    shown: Vec<String>,
}

fn commands(page: &str) -> Vec<Command> {
    let mut commands: Vec<Command> = Vec::new();
    let mut is_inside = false;
    // The word that ends the text of a here-document.
    let mut end: Option<&str> = None;
    for line in page.lines() {
        match (commands.last_mut(), end) {
            (Some(command), Some(word)) if is_inside => {
                command.text.push('\n');
                command.text.push_str(line);
                end = end.filter(|_| line != word);
            }
            _ if line.trim_start().starts_with("```") => is_inside = line.trim_start() == "```console",
            // A block may stand in an item of a list.
            (last, _) if is_inside => match (line.trim_start().strip_prefix("$ "), last) {
                (Some(text), _) => {
                    commands.push(Command { text: text.to_owned(), shown: Vec::new() });
                    end = text
                        .split_once("<<'")
                        .and_then(|(_, rest)| rest.split_once('\''))
                        .map(|(word, _)| word);
                }
                (None, Some(command)) if !line.trim().is_empty() && line.trim() != "…" => {
                    command.shown.push(line.to_owned());
                }
                (None, _) => {}
            },
            _ => {}
        }
    }
    commands
}

fn compare(page: &str, command: &Command, output: &Path) -> Result<(), ChoreError> {
    let output = String::from_utf8_lossy(&fs::read(output)?).into_owned();
    let mut lines = output.lines().map(without_figures);
    for shown in &command.shown {
        let wanted = without_figures(shown);
        if !lines.any(|line| line == wanted) {
            return Err(ChoreError(format!("{page}: `{}` does not print `{shown}`", command.text)));
        }
    }
    Ok(())
}

/// Returns the words of a line; figures in a row, whatever they say and however many they are, become one.
fn without_figures(line: &str) -> String {
    let is_figure = |word: &str| word.chars().all(|c| c.is_ascii_digit() || "+-±.:,%/~<>()".contains(c));
    let mut words: Vec<_> =
        line.split_whitespace().map(|word| if is_figure(word) { "0" } else { word }).collect();
    words.dedup_by(|next, last| *next == "0" && *last == "0");
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_taken_from_console_blocks_only() {
        let text = "$ not this\n```sh\n$ nor this\n```\n```console\n$ one\nout 1\n\n…\n```\n* a\n  ```console\n  $ two\n  ```\n";
        let one = Command { text: "one".to_owned(), shown: vec!["out 1".to_owned()] };
        let two = Command { text: "two".to_owned(), shown: Vec::new() };
        assert_eq!(commands(text), [one, two]);
    }

    #[test]
    fn a_here_document_belongs_to_its_command() {
        let text = "```console\n$ cat > f <<'END'\n$ text\n\nEND\n$ next\n```\n";
        let texts: Vec<_> = commands(text).into_iter().map(|command| command.text).collect();
        assert_eq!(texts, ["cat > f <<'END'\n$ text\n\nEND", "next"]);
    }

    #[test]
    fn figures_do_not_count() {
        assert_eq!(without_figures("a  12.5%  372/8/ 40 + ± 3 end"), without_figures("a 9% 1/1/1 ± 40 end"));
        assert_ne!(without_figures("a x1 end"), without_figures("a x2 end"));
    }
}
