//! The files made from a journal.

use record::{LineGame, PgnForm, PgnWriter, RunSummary};

use crate::tables::{crosstable, standings_table};
use crate::{Look, RunReport, summary};

/// The file name of the report as text.
pub const REPORT: &str = "report.txt";

/// The width of [`REPORT`], in characters.
const WIDTH: usize = 100;

/// Returns the name and the bytes of every table made from a journal. Equal journals give equal bytes. [`GameLog`] and
/// [`crate::GameList`] make the files that have a part for every game.
#[must_use]
pub fn tables(run: &RunReport<'_>) -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("standings.csv", standings_table::standings_csv(run)),
        ("crosstable.csv", crosstable::csv_of(run.results())),
        (REPORT, summary::report_text(run, &Look::plain(WIDTH)).into_bytes()),
    ]
}

/// The game log `games.pgn`: all games by number.
#[derive(Clone, Debug)]
pub struct GameLog<'a> {
    writer: PgnWriter<'a>,
}

impl<'a> GameLog<'a> {
    /// Creates the log of a run.
    #[must_use]
    pub fn new(contents: &'a RunSummary, form: PgnForm) -> Self {
        Self { writer: PgnWriter::new(contents.runs.last(), &contents.catalogue, form) }
    }

    /// Appends the text of the next game, in UTF-8. Returns whether it did: a game of more than two seats has no safe form.
    pub fn push(&mut self, game: &LineGame<'_>, out: &mut Vec<u8>) -> bool {
        self.writer.write(game, out)
    }
}
