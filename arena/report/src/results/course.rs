//! The development of the ratings during a run.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;
use stats::{Errors, FitSettings, RatedGame, Sample};

use crate::{ContestantId, Tally};

/// The ratings at several times, in the order of the number of games.
#[derive(Clone, Debug)]
pub struct Course {
    /// The players.
    pub players: Vec<ContestantId>,
    /// The number of games that count, and every player's rating at that time; `None` before the first result.
    pub points: Vec<(u64, Vec<Option<f64>>)>,
}

/// Returns the ratings over time of a run, in the games of a label or in all games, at most `most` times, the last time after all games.
/// Every point is the fit of the standings to the games until then.
#[must_use]
pub fn course(tally: &Tally<'_>, label: Option<&str>, most: usize) -> Course {
    let results = tally.results();
    let label =
        label.map(|label| results.labels.iter().position(|other| other == label).unwrap_or(usize::MAX));
    let players = results.players.len();
    // Ratings alone are shown: these errors cost the least.
    let settings = FitSettings { errors: Errors::Hessian, ..FitSettings::default() };
    let games = results.of(label).filter_map(|entry| entry.rated());
    let count = results.standings(label).games as usize;
    let mut so_far = SoFar::new(results.has_pairs_in_order());
    let steps = most.min(count);
    let mut points: Vec<(u64, Vec<Option<f64>>)> = Vec::with_capacity(steps);
    for (number, game) in (1..).zip(games) {
        so_far.push(game);
        if points.len() < steps && number == count * (points.len() + 1) / steps {
            let table = so_far.sample().fit(players, results.labels.len(), &settings);
            points.push((number as u64, table.ratings.iter().map(|rating| rating.elo).collect()));
        }
    }
    Course { players: results.players.list().to_vec(), points }
}

/// The games up to some number.
struct SoFar {
    /// Games of complete pairs.
    whole: Sample,
    /// Games whose pair may still be incomplete.
    open: HashMap<Option<u64>, Vec<RatedGame>, FxBuildHasher>,
    /// Whether the games of each pair number are consecutive.
    is_in_order: bool,
}

impl SoFar {
    fn new(is_in_order: bool) -> Self {
        Self { whole: Sample::default(), open: HashMap::default(), is_in_order }
    }

    fn push(&mut self, game: RatedGame) {
        if self.is_in_order && !self.open.contains_key(&game.pair) {
            self.open.drain().for_each(|(_, games)| self.whole.add_games(&games));
        }
        self.open.entry(game.pair).or_default().push(game);
    }

    /// Returns the sample of the games so far. It stays in order from one time to the next, so that it is sorted soon, and never
    /// copied by a fit.
    fn sample(&mut self) -> Sample {
        self.whole.sort();
        let mut sample = self.whole.clone();
        self.open.values().for_each(|games| sample.add_games(games));
        sample.sort();
        sample
    }
}
