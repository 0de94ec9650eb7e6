//! `arena init [FILE]`: a tournament file to begin with.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;
use diagnostic::Exit;
use diagnostic::Failure;
use diagnostic::output;
use diagnostic::say;
use settings::TOURNAMENT;

use crate::machine::schema;

/// How the file begins: with what most tournaments say.
const BEGINNING: &str = include_str!("../init.yaml");

/// The longest line of a comment, in characters.
const WIDTH: usize = 118;

/// The file of the schema, beside the tournament file.
const SCHEMA: &str = "arena.schema.json";

/// The arguments of `arena init`.
#[derive(Debug, Args)]
#[command(
    after_help = "Beside FILE it writes `arena.schema.json`, unless there is one: editors that know it complete \
                        the keys and mark what is misspelt. No file is ever overwritten."
)]
pub(crate) struct Arguments {
    /// The tournament file
    #[arg(value_name = "FILE", default_value = "tournament.yaml")]
    file: PathBuf,
}

impl Arguments {
    /// Writes the file.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let file = &self.file;
        let text = format!("# yaml-language-server: $schema={SCHEMA}\n{}", text());
        write_new(file, &text).map_err(|error| {
            let failure = Failure::io(format!("failed to write `{}`", output::path(file)), &error);
            match error.kind() {
                io::ErrorKind::AlreadyExists => failure.hint("name another file: this one stays as it is"),
                _ => failure,
            }
        })?;
        let beside = file.with_file_name(SCHEMA);
        let mut written = output::path(file);
        match write_new(&beside, &schema::text()) {
            Ok(()) => written = format!("{written}, {}", output::path(&beside)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => {
                return Err(Failure::io(format!("failed to write `{}`", output::path(&beside)), &error));
            }
        }
        let name = output::quoted(&file.to_string_lossy());
        say(&format!(
            "written: {written}\nto try its bots: arena plan {name} --try\nto play it: arena run {name}"
        ));
        Ok(Exit::Done)
    }
}

/// Returns a tournament with all keys: after its beginning those that it does not show, as they are declared.
fn text() -> String {
    let mut text = BEGINNING.to_owned();
    for key in TOURNAMENT.keys().iter().filter(|key| !shows(BEGINNING, key.name)) {
        let about = key.about().trim_end_matches('.');
        // Where the usual value depends on something else, an example stands in its place.
        let (about, value) = match key.missing {
            "" => (format!("{about}."), settings::missing(key).trim_matches('`').to_owned()),
            _ => (format!("{about} (for example)."), key.example.to_owned()),
        };
        text.push_str(&format!("\n{}# {}: {value}\n", comment(&about), key.name));
    }
    text
}

/// Returns whether a text has a line with this key, be it commented out.
fn shows(text: &str, key: &str) -> bool {
    let is_key = |line: &str| line.trim_start_matches("# ").split(':').next() == Some(key);
    text.lines().any(is_key)
}

/// Returns sentences as lines of a comment.
fn comment(text: &str) -> String {
    let mut lines = vec!["#".to_owned()];
    for word in text.split_whitespace() {
        let last = lines.len() - 1;
        if lines[last].chars().count() + 1 + word.chars().count() > WIDTH {
            lines.push(format!("# {word}"));
        } else {
            lines[last] = format!("{} {word}", lines[last]);
        }
    }
    lines.join("\n") + "\n"
}

/// Writes a file that is not there yet.
fn write_new(path: &Path, text: &str) -> io::Result<()> {
    OpenOptions::new().write(true).create_new(true).open(path)?.write_all(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tournament_file::Overrides;

    #[test]
    fn the_file_is_accepted_and_says_what_holds_anyhow() {
        let parse = |text: &str| {
            tournament_file::parse(text, "tournament.yaml", Path::new("."), &Overrides::default())
                .map(|plan| plan.config)
        };
        let text = text();
        let written = parse(&text).unwrap();
        // The lines that are commented out change nothing when they hold, but for those that say so.
        let mut is_example = false;
        let mut said = Vec::new();
        for line in text.lines() {
            is_example = if line.starts_with('#') { is_example } else { false };
            match line.strip_prefix("# ") {
                Some(key) if is_key(key) && !is_example => said.push(key),
                _ => said.push(line),
            }
            is_example |= line.contains("example)");
        }
        assert_eq!(parse(&said.join("\n")).unwrap(), written);
        assert!(said.iter().any(|line| line.starts_with("restart:")));
        assert!(!said.iter().any(|line| line.starts_with("seeds:")));
    }

    #[test]
    fn every_key_is_shown_once() {
        let text = text();
        for key in TOURNAMENT.keys() {
            let count = text.lines().filter(|line| shows(line, key.name)).count();
            assert_eq!(count, 1, "`{}` in:\n{text}", key.name);
        }
    }

    fn is_key(text: &str) -> bool {
        let word = text.split(": ").next().unwrap_or_default();
        word.len() < text.len() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
    }
}
