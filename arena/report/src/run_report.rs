//! A run with the data that its tables share.

use std::sync::OnceLock;

use record::{GameSummary, RunSummary};

use crate::results::Results;
use crate::{FormatTable, Tally};

/// A run and the data that its tables share: the order of its games, the names of its players, its standings. Each is made only
/// once.
///
/// ```
/// use record::RunSummary;
/// use report::{Look, RunReport, summary_text};
///
/// let contents = RunSummary::default();
/// let run = RunReport::of(&contents);
/// assert_eq!(summary_text(&run, &Look::plain(80)), "The journal is empty.\n");
/// ```
#[derive(Clone, Debug)]
pub struct RunReport<'a> {
    contents: &'a RunSummary,
    tally: Tally<'a>,
    format_table: OnceLock<Option<FormatTable>>,
}

impl<'a> RunReport<'a> {
    /// Returns the report of a journal.
    #[must_use]
    pub fn of(contents: &'a RunSummary) -> Self {
        Self { contents, tally: Tally::of(contents), format_table: OnceLock::new() }
    }

    /// Returns the content of the journal.
    #[must_use]
    pub const fn contents(&self) -> &'a RunSummary {
        self.contents
    }

    /// Returns the games.
    #[must_use]
    pub const fn tally(&self) -> &Tally<'a> {
        &self.tally
    }

    /// Returns the games in which a bot failed or made a false claim, by number. They are found once.
    pub fn incidents(&self) -> impl Iterator<Item = GameSummary<'a>> {
        self.results().incidents()
    }

    /// Returns the table of the run's format; `None` if there are only ratings. It is made once.
    #[must_use]
    pub fn format_table(&self) -> Option<&FormatTable> {
        self.format_table.get_or_init(|| FormatTable::of(self.contents, self.results())).as_ref()
    }

    pub(crate) fn results(&self) -> &Results<'a> {
        self.tally.results()
    }
}
