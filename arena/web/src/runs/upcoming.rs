//! What a run has yet to play, worked out from its journal as the run itself does.

use std::collections::{BTreeMap, BTreeSet};

use diagnostic::output::count;
use protocol::printable;
use record::{GameRecord, RunSummary};
use runner::{Fixture, pending};
use serde_json::{Value, json};
use tournament::FeedbackSchedule;

/// How many games are remembered, from the next one on: a picture of a run in progress may be a little behind.
const REMEMBERED: usize = 400;

/// How many of them a page lists.
const LISTED: usize = 8;

/// How many games are counted; of longer schedules only that there are more.
const COUNTED: usize = 200_000;

/// The games that a run has yet to play.
#[derive(Debug, Default)]
pub(crate) struct UpcomingGames {
    next: Vec<Fixture>,
    /// How many there are of each game, in the order of the schedule.
    left: Vec<(String, u64)>,
    /// Whether further games depend on results.
    follows_results: bool,
}

impl UpcomingGames {
    /// Returns what is asked for and not recorded. A schedule that does not follow from the journal has none.
    pub(crate) fn of(contents: &RunSummary) -> Self {
        let fixtures: Vec<_> = match FeedbackSchedule::new(contents) {
            Ok(Some(mut schedule)) => {
                let next = schedule.more().unwrap_or_default();
                return Self { follows_results: schedule.games_left() > 0, ..Self::counted(next) };
            }
            Ok(None) => {
                let history: Vec<_> = contents.runs.iter().map(|run| &run.config).collect();
                if history.is_empty() {
                    return Self::default();
                }
                pending(&history, contents.games.iter().map(|game| game.number)).take(COUNTED).collect()
            }
            Err(_) => Vec::new(),
        };
        Self::counted(fixtures)
    }

    fn counted(mut next: Vec<Fixture>) -> Self {
        let (mut left, mut places): (Vec<(String, u64)>, _) = (Vec::new(), BTreeMap::new());
        for fixture in &next {
            let place = *places.entry(fixture.label.to_string()).or_insert_with(|| {
                left.push((fixture.label.to_string(), 0));
                left.len() - 1
            });
            left[place].1 += 1;
        }
        next.truncate(REMEMBERED);
        Self { next, left, follows_results: false }
    }

    /// Returns what a page lists: the next games besides those in progress and those recorded since, how many there are of
    /// each game, and what is said of the rest.
    pub(crate) fn value(&self, in_progress: &[u64], latest: &[GameRecord]) -> Value {
        let begun: BTreeSet<u64> =
            in_progress.iter().copied().chain(latest.iter().map(|game| game.number)).collect();
        let waits = |fixture: &&Fixture| !begun.contains(&fixture.number);
        let next = self.next.iter().filter(waits).take(LISTED).map(|fixture| {
            let (one, others) =
                (printable(&fixture.seats[0].name), others(fixture.seats.iter().map(|bot| &*bot.name)));
            json!([fixture.number, one, others, printable(&*fixture.label), fixture.round])
        });
        let begun = self.next.iter().filter(|fixture| begun.contains(&fixture.number)).count() as u64;
        let total: u64 = self.left.iter().map(|(_, games)| games).sum();
        let mut words = match total.saturating_sub(begun) {
            0 => String::new(),
            left if total >= COUNTED as u64 => format!("more than {} to play", count(left, "game")),
            left => format!("{} to play", count(left, "game")),
        };
        if self.left.len() > 1 && !words.is_empty() {
            let by_game: Vec<_> =
                self.left.iter().map(|(label, games)| format!("{} {games}", printable(label))).collect();
            words += &format!(": {}", by_game.join(", "));
        }
        if self.follows_results {
            words += if words.is_empty() {
                "later games depend on results"
            } else {
                "; later games depend on results"
            };
        }
        json!({ "next": next.collect::<Vec<_>>(), "words": words })
    }
}

/// Returns the names of all seats but the first: a page has room for two, so at a larger table the others stand with the second.
pub(super) fn others<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.skip(1).map(printable).collect::<Vec<_>>().join(", ")
}
