//! How long a sequential test will take, in pairs and in time.

use std::num::NonZeroUsize;
use std::time::Duration;

use diagnostic::output::{self, count};
use record::{GameSummary, PackedGames};
use report::SequentialTest;
use stats::sprt::Length;

/// The deviation of a pair's score in games with few draws, until pairs show it. Normalized bounds do not depend on it.
const DEVIATION: f64 = 0.3;

/// This many pairs must have shown the deviation before it is believed.
const ENOUGH_PAIRS: u64 = 20;

/// This many games must have been played before their length is believed.
const ENOUGH_GAMES: u64 = 4;

/// What is expected of a test, from the length of the games that were played.
#[derive(Debug)]
pub(crate) struct Forecast {
    /// How many games are played at once.
    slots: NonZeroUsize,
    games: u64,
    /// What the games took together.
    spent: Duration,
}

impl Forecast {
    /// Starts with the games that are recorded.
    pub(crate) fn new(slots: NonZeroUsize, games: &PackedGames) -> Self {
        let mut forecast = Self { slots, games: 0, spent: Duration::ZERO };
        games.iter().for_each(|game| forecast.push(&game));
        forecast
    }

    /// Takes a finished game.
    pub(crate) fn push(&mut self, game: &GameSummary<'_>) {
        self.games += 1;
        self.spent += Duration::try_from_secs_f32(game.seconds).unwrap_or_default();
    }

    /// Says before the start how many pairs a verdict takes, and how long that is as far as games tell; `most` pairs
    /// are played in all.
    pub(crate) fn before(&self, trial: &SequentialTest, most: u64) -> String {
        let hypotheses = trial.walk().hypotheses();
        let profile = expected(trial, 0.0, DEVIATION).map(f64::ceil);
        let unit = report::observation(trial.walk().counts());
        let [under_h0, between, under_h1] = profile.map(|pairs| count(pairs as u64, unit));
        let mut text = format!(
            "a verdict takes about {under_h0} of games if the difference is {}, {under_h1} if it is {}, {between} \
             half-way between; at most {} are played",
            hypotheses.elo0(),
            hypotheses.elo1(),
            count(most, unit),
        );
        match self.pace(trial) {
            Some(pace) => {
                let range = self.rest(trial).map_or_else(String::new, |range| format!("{range}; "));
                let rest = output::span(pace * most.saturating_sub(trial.walk().pairs()) as f64);
                text += &format!("\nas long as the games so far: {range}all {unit}s at most {rest}");
            }
            None => text += "; how long that is will be told by the first games",
        }
        text
    }

    /// Says how long the verdict is still off; `None` before games tell, and when it has come.
    pub(crate) fn rest(&self, trial: &SequentialTest) -> Option<String> {
        let pace = self.pace(trial)?;
        let walk = trial.walk();
        if trial.stop().is_some() {
            return None;
        }
        let seen = walk.counts().variance().filter(|_| walk.counts().total() >= ENOUGH_PAIRS);
        let deviation = seen.map_or(DEVIATION, f64::sqrt).max(0.01);
        let pairs = expected(trial, walk.llr(), deviation).map(|pairs| pairs.max(1.0));
        let shortest = output::span(pace * pairs.iter().copied().fold(f64::INFINITY, f64::min));
        let longest = output::span(pace * pairs.iter().copied().fold(0.0, f64::max));
        Some(if shortest == longest {
            format!("a verdict in about {longest}")
        } else {
            format!("a verdict in about {shortest} to {longest}")
        })
    }

    /// Returns the seconds that a pair, or a block at a larger table, takes; `None` before games tell.
    fn pace(&self, trial: &SequentialTest) -> Option<f64> {
        let game = self.spent.as_secs_f64() / self.games as f64;
        let games = trial.walk().counts().games() as f64;
        (self.games >= ENOUGH_GAMES).then(|| games * game / self.slots.get() as f64)
    }
}

/// Returns how many pairs are still to be expected under H0, half-way between the hypotheses, and under H1.
fn expected(trial: &SequentialTest, llr: f64, deviation: f64) -> [f64; 3] {
    let walk = trial.walk();
    let hypotheses = walk.hypotheses();
    let middle = 0.5 * (hypotheses.elo0() + hypotheses.elo1());
    [hypotheses.elo0(), middle, hypotheses.elo1()]
        .map(|elo| Length::of_blocks(hypotheses, walk.counts().games(), llr, elo, deviation).pairs)
}
