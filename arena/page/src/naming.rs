//! What bots are called, and their numbers within the page.

use protocol::printable;
use std::collections::{BTreeSet, HashMap};

use record::{BotConfig, RunSummary, SeatedBot};
use report::{Row, Standings};
use rustc_hash::FxBuildHasher;

use crate::figures::escape;

/// The bots in the order of the standings of all games; their numbers are those of the page's script.
pub(crate) struct Naming {
    rows: Vec<Row>,
    /// The places of the bots of one name.
    by_name: HashMap<String, Vec<usize>, FxBuildHasher>,
}

impl Naming {
    pub(crate) fn of(standings: &Standings) -> Self {
        let rows = standings.rows.clone();
        let mut by_name: HashMap<String, Vec<usize>, FxBuildHasher> = HashMap::default();
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
    pub(crate) fn seated(&self, seat: &SeatedBot) -> Option<usize> {
        let is_it = |place: &usize| {
            let player = &self.rows[*place].player;
            player.version == seat.version && player.digest == seat.digest
        };
        self.by_name.get(&seat.bot)?.iter().copied().find(is_it)
    }

    /// Returns the number of a bot of a configuration, under the first version that it played as.
    pub(crate) fn configured(&self, bot: &BotConfig) -> Option<usize> {
        let is_it = |place: &usize| self.rows[*place].player.digest == bot.digest;
        self.by_name.get(&bot.name)?.iter().copied().find(is_it)
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
    let others: BTreeSet<&str> =
        contents.games.lineups().map(|lineup| lineup.ruleset.label.as_str()).collect();
    for label in others {
        if !labels.iter().any(|known| known == label) {
            labels.push(label.to_owned());
        }
    }
    labels
}

/// The length from which a name may be shortened, and how much of its end is always shown: versions stand there.
const ENDING: (usize, usize) = (18, 8);

/// Returns a name as markup: where it is too long for its place, the style sheet leaves out its middle, and what points at it
/// is told all of it.
pub(crate) fn name_markup(name: &str) -> String {
    let (least, ending) = ENDING;
    let count = name.chars().count();
    if count <= least {
        return escape(name);
    }
    let start: String = name.chars().take(count - ending).collect();
    let end: String = name.chars().skip(count - ending).collect();
    format!(
        "<span class=\"name\" title=\"{}\"><span>{}</span><span>{}</span></span>",
        escape(name),
        escape(&start),
        escape(&end)
    )
}

/// Shortens a name to a number of letters: longer names lose their middle, since their ends tell versions apart.
pub(crate) fn middle_cut(text: &str, most: usize) -> String {
    let count = text.chars().count();
    if count <= most {
        return text.to_owned();
    }
    let end = most / 2;
    let start = most - 1 - end;
    text.chars().take(start).chain(['\u{2026}']).chain(text.chars().skip(count - end)).collect()
}

/// Returns text fit to be shown.
pub(crate) fn shown(text: &str) -> String {
    printable(text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_their_middle() {
        assert_eq!(middle_cut("short", 5), "short");
        assert_eq!(middle_cut("students-bot-v17", 9), "stud\u{2026}-v17");
        assert_ne!(middle_cut("students-bot-v17", 9), middle_cut("students-bot-v18", 9));
    }
}
