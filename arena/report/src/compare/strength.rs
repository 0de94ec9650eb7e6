//! Differences of strength between two runs.

use stats::{
    Effect, FitSettings, Interval, Method, Prior, RIDGE_SIGMA, Rating, RatingTable, Sample, change, combine,
};

use crate::compare::side::Side;

/// The change of one bot in one game.
#[derive(Clone, Debug, PartialEq)]
pub struct GameChange {
    /// The game's label.
    pub label: String,
    /// Games played by the bot.
    pub games: [u64; 2],
    /// Their mean score, 0 to 1.
    pub scores: [Option<f64>; 2],
    /// The change of strength in Elo, relative to the mean of the reference; `None` if the bot is the whole reference.
    pub elo: Option<f64>,
    /// Its standard error.
    pub error: Option<f64>,
    /// Half the width of its 95 % interval.
    pub error95: Option<f64>,
    /// The two-sided p value of "nothing changed".
    pub p_value: Option<f64>,
    /// The same p value, adjusted for all tests of the comparison (Holm).
    pub p_holm: Option<f64>,
    /// Whether a prior determines the figures (the `~` mark).
    pub is_regularized: bool,
}

/// The change over all games together.
#[derive(Clone, Debug, PartialEq)]
pub struct OverallChange {
    /// The number of games in the mean.
    pub games: usize,
    /// The mean change in Elo over games like these (random effects).
    pub elo: f64,
    /// Its 95 % interval: modified Hartung-Knapp, the normal law for a single game.
    pub interval: Interval,
    /// The two-sided p value of "nothing changed".
    pub p_value: f64,
    /// The same p value, adjusted for all tests of the comparison; that of the game if there is only one.
    pub p_holm: f64,
    /// The share of the spread between games that errors do not explain, 0 to 1.
    pub i_squared: f64,
    /// The 95 % prediction interval of the change on one further game, for at least three games.
    pub prediction: Option<Interval>,
}

/// Compares the strengths of bots in one game with the mean of the reference bots. Bots are given by name.
///
/// The changes are in the order of `bots`, without those that lack games in one of the runs.
pub(super) fn in_game(
    sides: &[Side; 2],
    label: &str,
    samples: [&Sample; 2],
    bots: &[String],
    reference: &[String],
) -> Vec<(usize, GameChange)> {
    let plain = [0, 1].map(|run: usize| fit(&sides[run], samples[run], Prior::Auto));
    let is_regularized = plain.iter().any(|table| table.method != Method::Plain);
    let tables = if is_regularized {
        // Both runs use the prior, otherwise its shrinkage would look like a change.
        [0, 1].map(|run: usize| fit(&sides[run], samples[run], Prior::Ridge { sigma: RIDGE_SIGMA }))
    } else {
        plain
    };
    let numbers = |name: &String| -> Option<[usize; 2]> {
        let both = [sides[0].number(name)?, sides[1].number(name)?];
        let has_played = [0, 1].iter().all(|run: &usize| tables[*run].ratings[both[*run]].games > 0);
        has_played.then_some(both)
    };
    let known: Vec<[usize; 2]> = reference.iter().filter_map(numbers).collect();
    let known = if known.is_empty() { bots.iter().filter_map(numbers).collect() } else { known };
    let mut changes = Vec::new();
    for (place, name) in bots.iter().enumerate() {
        let Some(both) = numbers(name) else { continue };
        let is_alone = known == [both];
        let above = [0, 1].map(|run: usize| {
            let reference: Vec<usize> = known.iter().map(|numbers| numbers[run]).collect();
            tables[run].above(both[run], &reference).filter(|_| !is_alone)
        });
        let ratings = [0, 1].map(|run: usize| &tables[run].ratings[both[run]]);
        let mut found = GameChange {
            label: label.to_owned(),
            games: ratings.map(|rating| rating.games),
            scores: ratings.map(Rating::score),
            elo: None,
            error: None,
            error95: None,
            p_value: None,
            p_holm: None,
            is_regularized,
        };
        if let [Some((before, error_before)), Some((after, error_after))] = above {
            found.elo = Some(after - before);
            if let (Some(one), Some(two)) = (error_before, error_after) {
                let effect =
                    change(Effect { value: before, error: one }, Effect { value: after, error: two });
                (found.error, found.error95) = (Some(effect.error), Some(effect.error95()));
                found.p_value = Some(effect.p_value());
            }
        }
        changes.push((place, found));
    }
    changes
}

fn fit(side: &Side, sample: &Sample, prior: Prior) -> RatingTable {
    sample.fit(side.players(), 1, &FitSettings { prior, ..FitSettings::default() })
}

/// Combines the changes of one bot in several games; `None` if none has an error.
pub(super) fn over_all(games: &[GameChange]) -> Option<OverallChange> {
    let effects: Vec<Effect> =
        games.iter().filter_map(|game| Some(Effect { value: game.elo?, error: game.error? })).collect();
    let together = combine(&effects).ok()?;
    let random = together.random;
    Some(OverallChange {
        games: effects.len(),
        elo: random.mean.value,
        interval: random.interval.unwrap_or(together.fixed_interval),
        p_value: random.p_value,
        p_holm: random.p_value,
        i_squared: together.i_squared,
        prediction: random.prediction,
    })
}
