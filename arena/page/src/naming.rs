//! What bots are called, and their numbers within the page.

use protocol::printable;
use record::{Contents, SeatRecord};
use report::{Row, Standings};

/// The bots in the order of the standings of all games; their numbers are those of the page's script.
pub(crate) struct Naming<'a> {
    rows: &'a [Row],
}

impl<'a> Naming<'a> {
    pub(crate) fn of(standings: &'a Standings) -> Self {
        Self { rows: &standings.rows }
    }

    /// Returns the number of a row's bot.
    pub(crate) fn number(&self, row: &Row) -> usize {
        self.rows.iter().position(|other| other.player == row.player).unwrap_or(usize::MAX)
    }

    /// Returns the number of the bot on a seat.
    pub(crate) fn seated(&self, seat: &SeatRecord) -> Option<usize> {
        self.rows.iter().position(|row| {
            let player = &row.player;
            (&player.name, &player.version, &player.digest) == (&seat.bot, &seat.version, &seat.digest)
        })
    }

    /// Returns the names, by number.
    pub(crate) fn labels(&self) -> Vec<String> {
        self.rows.iter().map(|row| row.label.clone()).collect()
    }
}

/// Returns the labels of the games: those of the last configuration, then all others by name.
pub(crate) fn game_labels(contents: &Contents) -> Vec<String> {
    let mut labels: Vec<String> = contents
        .runs
        .last()
        .map(|run| run.config.games.iter().map(|game| game.label.clone()).collect())
        .unwrap_or_default();
    let mut others: Vec<String> = contents.games.iter().map(|game| game.label.clone()).collect();
    others.sort();
    others.dedup();
    others.retain(|label| !labels.contains(label));
    labels.extend(others);
    labels
}

/// Returns text fit to be shown.
pub(crate) fn shown(text: &str) -> String {
    printable(text).into_owned()
}
