//! The games that are not rated.

use std::collections::BTreeSet;

use protocol::printable_capped;
use record::Unrated;

/// The most spellings of unknown results that are listed.
const MOST_SPELLINGS: usize = 3;

/// The most characters shown of such a spelling.
const LONGEST_SPELLING: usize = 20;

/// The games that are not rated, by reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Games that are not finished or do not count.
    pub no_result: u64,
    /// Games of logs with an unknown result.
    pub unknown_result: u64,
    /// Some of these results, escaped.
    pub unknown: BTreeSet<String>,
    /// Games that were scored without play.
    pub forfeits: u64,
    /// Games in which a player had no opponent.
    pub byes: u64,
    /// Games of logs that do not name the players.
    pub unnamed: u64,
    /// Games of a player against itself, according to the rule that identifies players.
    pub own: u64,
    /// Games that repeat an earlier game or pair ply for ply, in this file or another one.
    pub copies: u64,
    /// Games that a filter excludes.
    pub filtered: u64,
    /// Those excluded games whose start time is unknown.
    pub undated: u64,
}

impl LeftOut {
    /// Counts a game without a result.
    pub(super) fn count(&mut self, unrated: Option<&Unrated<'_>>) {
        match unrated {
            None => self.no_result += 1,
            Some(Unrated::Bye) => self.byes += 1,
            Some(Unrated::Forfeit) => self.forfeits += 1,
            Some(Unrated::UnknownResult(text)) => {
                self.unknown_result += 1;
                if self.unknown.len() < MOST_SPELLINGS {
                    self.unknown.insert(printable_capped(text.as_ref(), LONGEST_SPELLING));
                }
            }
        }
    }

    /// Returns sentences on how many of these games were left out, and why; empty if none were.
    pub(super) fn notes(&self, read: u64, rated: u64) -> Vec<String> {
        let mut notes = Vec::new();
        let mut say = |count: u64, why: &str| match count {
            0 => {}
            1 => notes.push(format!("1 game {why}.")),
            count => notes.push(format!("{count} games {why}.")),
        };
        say(self.no_result, "without a result left out");
        let spellings: Vec<_> = self.unknown.iter().map(|text| format!("`{text}`")).collect();
        say(
            self.unknown_result,
            &format!("left out because the result is unknown: {}", spellings.join(", ")),
        );
        say(self.forfeits, "left out because of a result without play");
        say(self.byes, "left out because a player had a bye");
        say(self.unnamed, "left out because the log does not say who played");
        say(self.own, "of a player against itself left out");
        say(
            self.copies,
            "left out because of an earlier one, of the same pair or alone, with the same plies",
        );
        say(self.filtered, "left out by filters");
        say(self.undated, "of unknown date among those left out by filters");
        if !notes.is_empty() {
            let games = if read == 1 { "1 game".to_owned() } else { format!("{read} games") };
            notes.insert(0, format!("{games} read, {rated} rated."));
        }
        notes
    }
}
