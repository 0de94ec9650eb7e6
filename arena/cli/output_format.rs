//! The forms in which a command writes its figures, under the same words everywhere.

use clap::{Args, ValueEnum};

/// A set of forms, one of which is for programs.
pub(crate) trait Forms: ValueEnum + Send + Sync + 'static {
    /// The form for programs.
    const JSON: Self;
}

/// How the figures of a command are written.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Output<F: Forms> {
    /// How the figures are written
    // `--format` was the name of this flag.
    #[arg(long, alias = "format", value_enum, value_name = "FORMAT", default_value = "text")]
    output_format: F,
    /// The same as `--output-format json`
    #[arg(long, conflicts_with = "output_format")]
    json: bool,
}

impl<F: Forms> Output<F> {
    /// Returns the form that was asked for.
    pub(crate) fn format(&self) -> F {
        if self.json { F::JSON } else { self.output_format.clone() }
    }
}

/// The forms of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormat {
    /// For people
    Text,
    /// For programs: arena/docs/json.md says what the words mean
    Json,
    /// For spreadsheets
    Csv,
    /// For pull requests
    Markdown,
}

/// The forms of a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum VerdictFormat {
    /// For people
    Text,
    /// For programs: arena/docs/json.md says what the words mean
    Json,
    /// For pull requests
    Markdown,
    /// For build servers: passed, failed, or skipped while there is no verdict
    Junit,
}

impl Forms for TableFormat {
    const JSON: Self = Self::Json;
}

impl Forms for VerdictFormat {
    const JSON: Self = Self::Json;
}
