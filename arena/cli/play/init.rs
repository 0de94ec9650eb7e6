//! `arena init [FILE]`: a tournament file to begin with.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;
use diagnostic::Exit;
use diagnostic::Failure;
use diagnostic::output;
use diagnostic::say;

use crate::machine::schema;

/// What is written.
const TEXT: &str = include_str!("../init.yaml");

/// The file of the schema, beside the tournament file.
const SCHEMA: &str = "arena.schema.json";

/// What `arena init` is told.
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
        let text = format!("# yaml-language-server: $schema={SCHEMA}\n{TEXT}");
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
            "written: {written}\nto try its bots: arena run {name} --dry-run\nto play it: arena run {name}"
        ));
        Ok(Exit::Done)
    }
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
        let written = parse(TEXT).unwrap();
        // The lines that are commented out change nothing when they hold, but for those that say so.
        const EXAMPLES: [&str; 8] =
            ["name:", "out:", "sprt:", "seeds:", "seeds-meet:", "matches:", "adjudicate:", "limits:"];
        let is_example = |line: &str| EXAMPLES.iter().any(|key| line.starts_with(key));
        let said: Vec<_> = TEXT
            .lines()
            .map(|line| match line.strip_prefix("# ") {
                Some(key) if is_key(key) && !is_example(key) => key,
                _ => line,
            })
            .collect();
        assert_eq!(parse(&said.join("\n")).unwrap(), written);
        assert!(said.iter().any(|line| line.starts_with("restart:")));
    }

    #[test]
    fn every_key_is_shown() {
        let schema = tournament_file::json_schema();
        for key in schema["properties"].as_object().unwrap().keys() {
            let shown = |line: &str| line.trim_start_matches("# ").starts_with(&format!("{key}:"));
            assert!(TEXT.lines().any(shown), "init.yaml does not show `{key}`");
        }
    }

    fn is_key(text: &str) -> bool {
        let word = text.split(": ").next().unwrap_or_default();
        word.len() < text.len() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
    }
}
