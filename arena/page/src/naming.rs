//! What bots are called, and their numbers within the page.

use protocol::printable;
use std::collections::{BTreeSet, HashMap};

use record::{GameSummary, RunSummary, SeatRecord, Sitter};
use report::{Row, Standings};

/// The bots in the order of the standings of all games; their numbers are those of the page's script.
pub(crate) struct Naming {
    rows: Vec<Row>,
    /// The places of the bots of one name.
    by_name: HashMap<String, Vec<usize>>,
}

impl Naming {
    pub(crate) fn of(standings: &Standings) -> Self {
        let rows = standings.rows.clone();
        let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
        for (place, row) in rows.iter().enumerate() {
            by_name.entry(row.player.name.clone()).or_default().push(place);
        }
        Self { rows, by_name }
    }

    /// Returns the number of a row's bot.
    pub(crate) fn number(&self, row: &Row) -> usize {
        self.rows.iter().position(|other| other.player == row.player).unwrap_or(usize::MAX)
    }

    /// Returns the number of the bot on a seat.
    pub(crate) fn seated(&self, seat: &Sitter) -> Option<usize> {
        self.find(&seat.bot, &seat.version, &seat.digest)
    }

    /// Returns the number of the bot on a seat of a whole record.
    pub(crate) fn recorded(&self, seat: &SeatRecord) -> Option<usize> {
        self.find(&seat.bot, &seat.version, &seat.digest)
    }

    fn find(&self, name: &str, version: &str, digest: &str) -> Option<usize> {
        let is_it = |place: &usize| {
            let player = &self.rows[*place].player;
            player.version == version && player.digest == digest
        };
        self.by_name.get(name)?.iter().copied().find(is_it)
    }

    /// Returns the names, by number.
    pub(crate) fn labels(&self) -> Vec<String> {
        self.rows.iter().map(|row| row.label.clone()).collect()
    }
}

/// Returns the labels of the games: those of the last configuration, then all others by name.
pub(crate) fn game_labels(contents: &RunSummary) -> Vec<String> {
    let mut labels: Vec<String> = contents
        .runs
        .last()
        .map(|run| run.config.games.iter().map(|game| game.label.clone()).collect())
        .unwrap_or_default();
    let others: BTreeSet<&str> = contents.games.iter().map(GameSummary::label).collect();
    for label in others {
        if !labels.iter().any(|known| known == label) {
            labels.push(label.to_owned());
        }
    }
    labels
}

/// Returns text fit to be shown.
pub(crate) fn shown(text: &str) -> String {
    printable(text).into_owned()
}
