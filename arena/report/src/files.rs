//! The files that are derived from a journal.

use record::{GameRecord, PgnForm, PgnGame, RunRecord, RunSummary};

use crate::{Look, crosstable_csv, report_text, standings_csv};

/// How wide `report.txt` is.
const WIDTH: usize = 100;

/// Returns the name and the bytes of every table that is derived from a journal. Equal journals give equal bytes. The
/// files with a part for every game are made by [`GameLog`] and [`crate::GameList`].
#[must_use]
pub fn tables(contents: &RunSummary) -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("standings.csv", standings_csv(contents)),
        ("crosstable.csv", crosstable_csv(contents)),
        ("report.txt", report_text(contents, &Look::plain(WIDTH)).into_bytes()),
    ]
}

/// The game log `games.pgn`: all games by number.
#[derive(Clone, Copy, Debug)]
pub struct GameLog<'a> {
    run: Option<&'a RunRecord>,
    form: PgnForm,
}

impl<'a> GameLog<'a> {
    /// Begins the log of a run.
    #[must_use]
    pub fn new(contents: &'a RunSummary, form: PgnForm) -> Self {
        Self { run: contents.runs.last(), form }
    }

    /// Returns the text of the next game.
    #[must_use]
    pub fn entry(&self, game: &GameRecord) -> String {
        PgnGame::from_record(game, self.run).write(self.form)
    }
}
