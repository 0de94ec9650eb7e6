//! `arena schema`: the JSON Schema of tournament files.

use clap::Args;
use diagnostic::Exit;
use diagnostic::Failure;
use diagnostic::output;

/// The arguments of `arena schema`.
#[derive(Debug, Args)]
#[command(
    after_help = "Editors with a language server for YAML read it where the first line of a tournament file is \
                        `# yaml-language-server: $schema=arena.schema.json`, as `arena init` writes it."
)]
pub(crate) struct Arguments {}

impl Arguments {
    /// Prints the schema.
    #[expect(clippy::unused_self, reason = "every subcommand is run alike")]
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        output::print(&text())?;
        Ok(Exit::Done)
    }
}

/// Returns the schema as a text.
pub(crate) fn text() -> String {
    format!("{:#}\n", tournament_file::json_schema())
}
