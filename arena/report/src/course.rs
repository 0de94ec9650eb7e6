//! How the ratings went as games were played.

use record::RunSummary;
use stats::{Game, Settings};

use crate::{Player, Tally};

/// The ratings after each of some numbers of games, in the order of their numbers.
#[derive(Clone, Debug)]
pub struct Course {
    /// The players.
    pub players: Vec<Player>,
    /// Numbers of games that count, and what every player was rated then; `None` before the first result.
    pub points: Vec<(u64, Vec<Option<f64>>)>,
}

/// Returns how the ratings went: in the games of a label, or in all, at most `most` times, the last time after all of
/// them. Every point is the fit of the standings to the games until then.
#[must_use]
pub fn course(contents: &RunSummary, label: Option<&str>, most: usize) -> Course {
    let results = Tally::of(contents).results();
    let label =
        label.map(|label| results.labels.iter().position(|other| other == label).unwrap_or(usize::MAX));
    let games: Vec<Game> = results.of(label).filter_map(crate::tally::Entry::counted).collect();
    let players = results.players.len();
    let steps = most.min(games.len());
    let rate = |step: usize| {
        let count = games.len() * step / steps;
        let table = stats::fit(players, results.labels.len(), &games[..count], &Settings::default());
        (count as u64, table.ratings.iter().map(|rating| rating.elo).collect())
    };
    Course { players: results.players.list().to_vec(), points: (1..=steps).map(rate).collect() }
}
