//! What a run leaves: the files made from its journal, and the page that is shown at its end.

use std::error::Error;
use std::fs;
use std::path::Path;

use diagnostic::Exit;
use diagnostic::output;
use diagnostic::say;
use diagnostic::{Diagnostic, Failure};
use record::{JournalError, RunSummary};
use report::{EarlierVerdict, Trial};

use crate::derived::{self, DerivedError};
use crate::look;

/// Says in words what the columns of a run's tables mean and which model made them.
///
/// # Errors
/// When standard output fails.
pub(crate) fn explain(contents: &RunSummary) -> Result<(), Failure> {
    let look = look::look_at_output();
    output::print_if_read(&look::paragraphs(&report::explanation(contents), &look))
}

/// Returns the page that is shown when a run ends, laid out for standard output.
pub(crate) fn summary(contents: &RunSummary) -> String {
    report::summary_text(contents, &look::look_at_output())
}

/// Writes every file that is made from the journal into the run's directory, and says where the verdict of a test
/// is no longer that of the report before. A file is replaced whole or not at all.
///
/// # Errors
/// When the journal cannot be read, or a file cannot be written.
pub(crate) fn write_files(directory: &Path, contents: &RunSummary) -> Result<Vec<&'static str>, Failure> {
    if let Some(difference) = changed_verdict(directory, contents) {
        say(&difference);
    }
    derived::write_all(directory, contents).map_err(|error| match error {
        DerivedError::Journal(error) => failure(&error),
        DerivedError::Write { path, source } => {
            Failure::io(format!("failed to write `{}`", path.display()), &source)
                .hint("every game is in the journal: `arena report DIR` writes the tables")
        }
    })
}

/// Says how the verdict of a run's test differs from the one in the report that is about to be replaced.
fn changed_verdict(directory: &Path, contents: &RunSummary) -> Option<String> {
    let trial = Trial::of(contents)?;
    let report = fs::read_to_string(directory.join(report::REPORT)).ok()?;
    EarlierVerdict::read(&report)?.difference(&trial)
}

/// Turns a fault of the journal into one for the user.
pub(crate) fn failure(error: &JournalError) -> Failure {
    let text = match error.source() {
        Some(cause) => format!("{error}: {cause}"),
        None => error.to_string(),
    };
    let failure = Failure::new(Exit::Io, vec![Diagnostic::new(text)]);
    match error {
        JournalError::InUse { .. } => {
            failure.hint("wait until it has ended, or play elsewhere with `--out DIR`")
        }
        JournalError::Line { .. } => failure
            .hint("nothing was changed; restore the file from a copy, or play elsewhere with `--out DIR`"),
        _ => failure,
    }
}
