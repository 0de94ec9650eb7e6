//! The directory of a run: its journal is read, and the files made from it are written.

use std::error::Error;
use std::fs;
use std::path::Path;

use diagnostic::{Diagnostic, Exit, Failure, say, say_torn};
use outputs::{EarlyFiles, OutputError};
use record::{JournalError, RunSummary};
use report::{EarlierVerdict, RunReport, SequentialTest};
use rules::Catalogue;

/// Reads what a run has left, and says so where the last line of its journal is left out. `known` are games of one's own that
/// the user has named; modules are found in the directory itself.
///
/// # Errors
/// When it cannot be read.
pub fn read(directory: &Path, known: &Catalogue) -> Result<RunSummary, Failure> {
    Ok(with_rules(summarize(directory)?, directory, known))
}

/// Reads what a run has left as [`read`] does, in order to [write its files](write_files): some of them are made on the way.
///
/// # Errors
/// When it cannot be read.
pub fn read_for_files(
    directory: &Path,
    known: &Catalogue,
) -> Result<(RunSummary, Option<EarlyFiles>), Failure> {
    let (run, early) = outputs::read(directory).map_err(|error| unread(&error))?;
    say_torn(&directory.join(record::JOURNAL), run.torn);
    Ok((with_rules(run, directory, known), early))
}

/// Sums up the journal of a run's directory, without the rules of games of one's own.
///
/// # Errors
/// When it cannot be read.
pub(crate) fn summarize(directory: &Path) -> Result<RunSummary, Failure> {
    let run = record::summarize(directory).map_err(|error| unread(&error))?;
    say_torn(&directory.join(record::JOURNAL), run.torn);
    Ok(run)
}

/// Adds the rules of games of one's own, and says so where they are not known.
fn with_rules(run: RunSummary, directory: &Path, known: &Catalogue) -> RunSummary {
    let (run, notes) = own_games::with_rules(run, directory, known);
    notes.iter().for_each(|note| say(note));
    run
}

fn unread(error: &JournalError) -> Failure {
    failure(error).hint("the directory of a run, or of a shard, holds the file `journal.jsonl`")
}

/// Writes every file that is made from the journal into the run's directory, and says where the verdict of a test
/// is no longer that of the report before. A file is replaced whole or not at all. `early` is what [`read_for_files`] has made
/// of them.
///
/// # Errors
/// When the journal cannot be read, or a file cannot be written.
pub fn write_files(
    directory: &Path,
    report: &RunReport<'_>,
    early: Option<EarlyFiles>,
) -> Result<Vec<&'static str>, Failure> {
    if let Some(difference) = changed_verdict(directory, report.contents()) {
        say(&difference);
    }
    outputs::write_all(directory, report, early).map_err(|error| match error {
        OutputError::Journal(error) => failure(&error),
        OutputError::Write { path, source } => {
            Failure::io(format!("failed to write `{}`", path.display()), &source)
                .hint("every game is in the journal: `arena report DIR` writes the tables")
        }
    })
}

/// Says how the verdict of a run's test differs from the one in the report that is about to be replaced.
fn changed_verdict(directory: &Path, contents: &RunSummary) -> Option<String> {
    let trial = SequentialTest::of(contents)?;
    let report = fs::read_to_string(directory.join(report::REPORT)).ok()?;
    EarlierVerdict::read(&report)?.difference(&trial)
}

/// Turns a fault of the journal into one for the user.
pub fn failure(error: &JournalError) -> Failure {
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
