//! What is printed of a run: the page that is shown at its end, and what its columns mean.

use diagnostic::{Failure, output};
use report::RunReport;

use crate::play::progress::Watching;
use crate::terminal;

/// Says in words what the columns of a run's tables mean and which model made them.
///
/// # Errors
/// When standard output fails.
pub(crate) fn explain(report: &RunReport<'_>) -> Result<(), Failure> {
    let look = terminal::look_at_output();
    output::print_if_read(&terminal::paragraphs(&report::explanation(report), &look))
}

/// Prints what a run that has ended shows: its page and, if asked for, what the columns mean; or its standings as JSON.
///
/// # Errors
/// When standard output fails.
pub(crate) fn print_end(report: &RunReport<'_>, watching: &Watching) -> Result<(), Failure> {
    if watching.json {
        return output::print(&report::standings_json(report));
    }
    output::print_if_read(&summary(report))?;
    if watching.explain { explain(report) } else { Ok(()) }
}

/// Returns the page that is shown when a run ends, laid out for standard output.
pub(crate) fn summary(report: &RunReport<'_>) -> String {
    report::summary_text(report, &terminal::look_at_output())
}
