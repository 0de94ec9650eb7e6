//! One verdict over several games of a test: which games improved, which regressed.

use protocol::printable;
use serde::Serialize;
use stats::sprt::{Figures, Hypotheses};
use stats::{Counts, Effect, EloRange, combine, holm};

use crate::sequential_test::text::elo_range;
use crate::tables::notes;
use crate::writing::columns::aligned_elo;
use crate::writing::markdown;
use crate::writing::number::{p_value, percent, signed};
use crate::writing::sheet::{Cell, Kind, Sheet};
use crate::{Look, SequentialTest, sentences};

/// The least number of pairs for which a game has an error of its own.
const PAIRS: u64 = 10;

/// Repeated openings reduce the variance at most to this share, because few openings determine it poorly.
const LEAST_DEPENDENCE: f64 = 0.5;

/// The highest adjusted p value of a reported gain or loss.
const SIGNIFICANT: f64 = 0.05;

/// The results of a test in each of several games and in all games together, in Elo of the new bot over the base.
///
/// The figures assume that the number of pairs was fixed in advance. After a test has stopped they are too extreme, like all
/// plain figures.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeveralGames {
    /// The new bot and the base, as written.
    pub names: [String; 2],
    /// The games with enough pairs, in the order of the configuration.
    pub games: Vec<GameGain>,
    /// The games with fewer than ten pairs.
    pub left_out: Vec<String>,
    /// The mean over games like these (random effects, Paule and Mandel), in Elo.
    pub elo: f64,
    /// Its 95 % interval (modified Hartung-Knapp).
    pub interval: [f64; 2],
    /// The two-sided p value of "no difference over games like these".
    pub p: f64,
    /// The standard deviation of true differences between games, in Elo (τ).
    pub spread: f64,
    /// The share of the spread that errors do not explain, 0 to 1 (I²).
    pub i_squared: f64,
    /// The 95 % prediction interval of the difference on one further game, for at least three games.
    pub prediction: Option<[f64; 2]>,
}

/// The result of a test in one game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameGain {
    /// The game's label.
    pub game: String,
    /// Pairs that count.
    pub pairs: u64,
    /// The numbers of pairs that scored 0, ¼, ½, ¾ and 1.
    pub counts: Vec<u64>,
    /// The difference in Elo.
    pub elo: f64,
    /// Half the width of its 95 % interval, from pairs.
    pub error95: f64,
    /// If all pairs have the same score, the 95 % interval that they allow, with `null` for an open end. `elo` and `error95`
    /// are then the values that represent this interval among the other games.
    pub bound: Option<[Option<f64>; 2]>,
    /// The one-sided p value of "not stronger in this game", Holm-adjusted for all games.
    pub p_gained: f64,
    /// The one-sided p value of "not weaker in this game", Holm-adjusted for all games.
    pub p_regressed: f64,
}

impl SeveralGames {
    /// Returns the verdict of a test; `None` if fewer than two games have enough pairs.
    #[must_use]
    pub fn of(trial: &SequentialTest) -> Option<Self> {
        let counts = trial.by_game().zip(trial.dependence());
        let counts = counts.map(|((label, pairs), dependence)| (label, pairs, dependence));
        Self::from_counts(trial.names_as_written(), counts, trial.walk().hypotheses())
    }

    fn from_counts<'a>(
        names: [String; 2],
        counts: impl Iterator<Item = (&'a str, Counts, f64)>,
        hypotheses: &Hypotheses,
    ) -> Option<Self> {
        let (mut games, mut effects, mut left_out) = (Vec::new(), Vec::new(), Vec::new());
        // One minus the p value of "not stronger".
        let mut stronger = Vec::new();
        for (label, pairs, dependence) in counts {
            let figures = Figures::of(&pairs, hypotheses);
            let Some(figures) = figures.filter(|_| pairs.total() >= PAIRS) else {
                left_out.push(label.to_owned());
                continue;
            };
            let unit = Effect { value: 0.0, error: 1.0 }.error95();
            let constant = figures.constant;
            let effect = constant.map_or_else(
                || Effect {
                    value: figures.elo,
                    error: figures.elo_error / unit * dependence.max(LEAST_DEPENDENCE).sqrt(),
                },
                |constant| constant.effect(),
            );
            stronger.push(constant.map_or_else(
                || {
                    let half = effect.p_value() / 2.0;
                    if effect.value > 0.0 { 1.0 - half } else { half }
                },
                |constant| constant.los,
            ));
            effects.push(effect);
            games.push(GameGain {
                game: label.to_owned(),
                pairs: pairs.total(),
                counts: pairs.counts().to_vec(),
                elo: effect.value,
                error95: effect.error95(),
                bound: constant.map(|constant| [constant.range.low, constant.range.high]),
                p_gained: 1.0,
                p_regressed: 1.0,
            });
        }
        if games.len() < 2 {
            return None;
        }
        let together = combine(&effects).ok()?;
        let interval = together.random.interval?;
        let gained = holm(&stronger.iter().map(|stronger| 1.0 - stronger).collect::<Vec<_>>());
        let regressed = holm(&stronger);
        for ((game, gained), regressed) in games.iter_mut().zip(gained).zip(regressed) {
            (game.p_gained, game.p_regressed) = (gained, regressed);
        }
        Some(Self {
            names,
            games,
            left_out,
            elo: together.random.mean.value,
            interval: [interval.low, interval.high],
            p: together.random.p_value,
            spread: together.random.tau_squared.sqrt(),
            i_squared: together.i_squared,
            prediction: together.random.prediction.map(|prediction| [prediction.low, prediction.high]),
        })
    }

    /// Returns the verdict in words, the table of games, and notes.
    #[must_use]
    pub fn to_text(&self, look: &Look) -> String {
        format!(
            "{}\n{}\n{}",
            notes::wrapped(&self.verdict(), look),
            self.sheet(look).text(look),
            notes::wrapped(&self.notes(), look)
        )
    }

    /// Returns the same as Markdown.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let verdict = markdown::paragraphs(&self.verdict());
        let sheet = self.sheet(&Look::plain(usize::MAX)).markdown();
        format!("{}\n{sheet}{}", verdict.trim_start(), markdown::paragraphs(&self.notes()))
    }

    /// Returns one JSON object and a line feed.
    #[must_use]
    pub fn to_json(&self) -> String {
        crate::writing::json::document(self)
    }

    /// Returns paragraphs that explain the columns and the model.
    #[must_use]
    pub fn explanation() -> Vec<String> {
        sentences::paragraphs(sentences::SEVERAL)
    }

    fn verdict(&self) -> Vec<String> {
        let ends = |[low, high]: [f64; 2]| format!("{} to {}", signed(low, 0), signed(high, 0));
        let mut verdict = vec![format!(
            "Over games like these `{}` has {} Elo over `{}` (95% from {}, p {}); {} of the spread between games is more than \
             errors explain (I2).",
            printable(&self.names[0]),
            signed(self.elo, 0),
            printable(&self.names[1]),
            ends(self.interval),
            p_value(self.p),
            percent(Some(self.i_squared))
        )];
        if let Some(prediction) = self.prediction {
            verdict.push(format!("One further game is expected within {} (95%).", ends(prediction)));
        }
        let named = |p: fn(&GameGain) -> f64| {
            let games = self.games.iter().filter(|game| p(game) <= SIGNIFICANT);
            games.map(|game| printable(&game.game).into_owned()).collect::<Vec<_>>().join(", ")
        };
        for (verb, games) in
            [("Gained", named(|game| game.p_gained)), ("Regressed", named(|game| game.p_regressed))]
        {
            verdict.push(if games.is_empty() {
                format!("{verb}: no game for certain.")
            } else {
                format!("{verb}: {games}.")
            });
        }
        verdict
    }

    fn sheet(&self, look: &Look) -> Sheet {
        let mut sheet = Sheet::default();
        sheet.column("game", Kind::Name, 0);
        sheet.column("pairs", Kind::Figure, 2);
        sheet.column("worst to best", Kind::Figure, 3);
        sheet.column("Elo", Kind::Figure, 0);
        sheet.column("p gained", Kind::Figure, 1);
        sheet.column("p regressed", Kind::Figure, 1);
        let figures: Vec<_> =
            self.games.iter().map(|game| (Some(game.elo), Some(game.error95), false)).collect();
        let p = |p: f64| if p <= SIGNIFICANT { Cell::warning(p_value(p) + " *") } else { p_value(p).into() };
        for (game, elo) in self.games.iter().zip(aligned_elo(&figures, look)) {
            let elo = match game.bound {
                Some([low, high]) => elo_range(EloRange { low, high }, 0).unwrap_or_default(),
                None => elo,
            };
            sheet.row(vec![
                game.game.clone().into(),
                game.pairs.to_string().into(),
                game.counts.iter().map(u64::to_string).collect::<Vec<_>>().join(" ").into(),
                elo.into(),
                p(game.p_gained),
                p(game.p_regressed),
            ]);
        }
        sheet
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = vec![
            "Errors come from pairs and take their number as fixed beforehand: after a stop all these figures are somewhat \
             too extreme."
                .to_owned(),
        ];
        if self.games.iter().any(|game| game.bound.is_some()) {
            notes.push(
                "Where all pairs of a game scored the same, Elo is what that allows (95%, exact); among the other games it counts as \
                 the estimate of one pair more, half won and half lost, with an error that reaches to the end of the interval."
                    .to_owned(),
            );
        }
        if !self.left_out.is_empty() {
            let games: Vec<_> = self.left_out.iter().map(|game| printable(game).into_owned()).collect();
            notes.push(format!("Left out: {} (fewer than {PAIRS} pairs).", games.join(", ")));
        }
        notes
    }
}

#[cfg(test)]
mod tests {
    use stats::sprt::Model;

    use super::*;

    fn several(counts: &[(&str, [u64; 5])]) -> Option<SeveralGames> {
        let hypotheses = Hypotheses::new(0.0, 5.0, 0.05, 0.05, Model::Normalized).expect("a test");
        let counts = counts.iter().map(|(label, counts)| (*label, Counts::of_pairs(*counts), 1.0));
        SeveralGames::from_counts(["new".to_owned(), "base".to_owned()], counts, &hypotheses)
    }

    #[test]
    fn the_game_that_regressed_is_told_from_those_that_gained() {
        let told = several(&[
            ("farook", [2, 10, 40, 60, 30]),
            ("faust", [3, 12, 38, 55, 28]),
            ("sophia", [40, 50, 30, 8, 2]),
        ])
        .expect("three games");
        let text = told.to_text(&Look::plain(100));
        assert!(text.contains("Gained: farook, faust.\nRegressed: sophia.\n"), "{text}");
        assert!(told.i_squared > 0.9 && told.interval[0] < told.elo && told.elo < told.interval[1]);
        assert!(told.games[2].p_regressed < 0.001 && told.games[2].p_gained > 0.99);
        let prediction = told.prediction.expect("three games");
        assert!(prediction[0] < told.interval[0] && told.interval[1] < prediction[1]);
    }

    #[test]
    fn equal_games_are_no_news() {
        let told = several(&[("a", [5, 10, 30, 10, 5]), ("b", [4, 11, 29, 11, 4])]).expect("two games");
        assert!(told.elo.abs() < 1e-6 && told.p > 0.99 && told.prediction.is_none(), "{told:?}");
        assert!(told.to_markdown().contains("Regressed: no game for certain."));
        let json: serde_json::Value = serde_json::from_str(&told.to_json()).expect("JSON");
        assert_eq!((&json["games"][1]["pairs"], &json["prediction"]), (&59.into(), &serde_json::Value::Null));
    }

    #[test]
    fn games_with_few_pairs_are_left_out_and_said() {
        let told = several(&[
            ("few", [1, 1, 1, 1, 1]),
            ("a", [5, 10, 30, 10, 5]),
            ("split", [0, 0, 50, 0, 0]),
            ("b", [4, 11, 29, 11, 4]),
        ])
        .expect("three games");
        assert_eq!(told.left_out, ["few"]);
        assert!(told.to_text(&Look::plain(200)).contains("Left out: few (fewer than 10 pairs"));
        let split = &told.games[1];
        assert!(split.elo.abs() < 1e-9 && split.p_gained > 0.4 && split.p_regressed > 0.4, "{split:?}");
        assert_eq!(several(&[("a", [5, 10, 30, 10, 5]), ("few", [1, 1, 1, 1, 1])]), None);
    }

    /// Issue 17: a game lost 60:0 was left out, and the verdict was "+53 Elo, Regressed: no game for certain".
    #[test]
    fn a_game_lost_altogether_is_the_strongest_evidence() {
        let others = [("a", [2, 10, 40, 60, 30]), ("b", [3, 12, 38, 55, 28]), ("c", [2, 9, 44, 61, 25])];
        let with =
            |lost: [u64; 5]| several(&[others[0], others[1], others[2], ("lost", lost)]).expect("games");
        let told = with([60, 0, 0, 0, 0]);
        let text = told.to_text(&Look::plain(100));
        assert!(text.contains("Regressed: lost."), "{text}");
        assert!(text.contains("below -516"), "{text}");
        // Close to the figure with half a point won.
        let nearly = with([59, 1, 0, 0, 0]);
        assert!((told.elo - nearly.elo).abs() < 60.0, "{} {}", told.elo, nearly.elo);
        assert!(told.games[3].p_regressed < 1e-9 && told.games[3].p_gained > 0.99);
        let won = several(&[others[0], ("won", [0, 0, 0, 0, 10])]).expect("games");
        assert!(won.to_markdown().contains("Gained: a, won."), "{}", won.to_markdown());
        assert!(won.to_json().contains("\"bound\""));
    }
}
