//! False claims of bots about their search. They cost no points, but they help the authors.

use std::collections::BTreeMap;

use record::{Warning, WarningKind};

use crate::tables::notes;
use crate::writing::sheet::{Kind, Sheet};
use crate::{ContestantId, Look, RunReport};

/// All warnings of one kind about one bot.
struct Entry {
    count: u64,
    games: u64,
    /// The number of the game with the first warning, and that warning.
    first: (u64, Warning),
}

/// Returns the table of warnings, a row per bot and kind; `None` if there are none.
#[must_use]
pub(crate) fn warnings_text(run: &RunReport<'_>, look: &Look) -> Option<String> {
    let mut entries: BTreeMap<(String, WarningKind), Entry> = BTreeMap::new();
    let players = &run.results().players;
    for game in run.incidents() {
        for (seat, bot) in game.seats().by_seat() {
            for warning in game.warnings(seat) {
                let player = players.find(&ContestantId::seated(bot));
                let label = player.map_or_else(|| bot.bot.clone(), |player| players.label(player).to_owned());
                let entry = entries.entry((label, warning.kind)).or_insert_with(|| Entry {
                    count: 0,
                    games: 0,
                    first: (game.number, warning.clone()),
                });
                entry.count += u64::from(warning.count);
                entry.games += 1;
            }
        }
    }
    if entries.is_empty() {
        return None;
    }
    let mut sheet = Sheet::default();
    sheet.column("bot", Kind::Name, 0);
    sheet.column("warning", Kind::Word, 0);
    sheet.column("times", Kind::Figure, 0);
    sheet.column("games", Kind::Figure, 2);
    sheet.column("first", Kind::Figure, 0);
    sheet.column("at ply", Kind::Figure, 0);
    sheet.column("claim", Kind::Rest, 1);
    for ((label, kind), Entry { count, games, first: (game, warning) }) in entries {
        sheet.row(vec![
            label.into(),
            kind.to_string().into(),
            count.to_string().into(),
            games.to_string().into(),
            game.to_string().into(),
            warning.ply.to_string().into(),
            warning.what.into(),
        ]);
    }
    let note = "`first` is the game of the first example. Such claims cost no points: they are warnings for the authors.";
    Some(format!("{}{}", sheet.text(look), notes::wrapped(&[note.to_owned()], look)))
}
