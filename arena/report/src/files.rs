//! The files that are derived from a journal.

use record::{Contents, PgnForm, PgnGame};

use crate::game_list::by_number;
use crate::{Look, crosstable_csv, games_csv, report_text, standings_csv};

/// How wide `report.txt` is.
const WIDTH: usize = 100;

/// Returns the name and the bytes of every file that is derived from a journal. Equal journals give equal bytes.
#[must_use]
pub fn files(contents: &Contents) -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("games.pgn", games_pgn(contents, PgnForm::Native).into_bytes()),
        ("games.csv", games_csv(contents)),
        ("standings.csv", standings_csv(contents)),
        ("crosstable.csv", crosstable_csv(contents)),
        ("report.txt", report_text(contents, &Look::plain(WIDTH)).into_bytes()),
    ]
}

/// Returns the game log: all games by number.
#[must_use]
pub fn games_pgn(contents: &Contents, form: PgnForm) -> String {
    let run = contents.runs.last();
    by_number(contents).iter().map(|game| PgnGame::from_record(game, run).write(form)).collect()
}
