//! The sequential test of a tournament of format `sprt`.

use std::time::Duration;

use diagnostic::{Diagnostic, output};
use record::{GameConfig, SprtConfig};
use runner::Contest;
use settings::Complaint;
use settings::{ERROR_RATE, Preset};
use stats::sprt::{Hypotheses, Length, Model};

use crate::written::errors::{InputErrors, Spot};
use crate::written::raw::{RawFile, RawSprt};
use crate::{games::openings, scalars};

/// The deviation of a pair's score in games with few draws. Normalized bounds do not depend on it.
const DEVIATION: f64 = 0.3;

/// The most pairs of a test that does not say how many.
const MOST_PAIRS: f64 = 100_000.0;

/// A sequential test.
#[derive(Debug)]
pub(crate) struct Test {
    /// What its verdict depends on.
    pub config: SprtConfig,
    /// The same as figures.
    hypotheses: Hypotheses,
    /// How many pairs are played at most if nothing says how many rounds.
    usual_pairs: Option<u32>,
    /// How long it may play.
    pub max_time: Option<Duration>,
}

/// Checks the test of a tournament whose format is known; none where the format has none.
pub(crate) fn check(raw: &RawFile, is_test: bool, errors: &mut InputErrors) -> Option<Test> {
    let spot = raw.spot("sprt");
    let Some(test) = &raw.sprt else {
        if is_test {
            let hint = "for example `sprt: {elo0: 0, elo1: 10}`";
            let message = "format `sprt` needs the hypotheses of its test";
            errors.add(&raw.spot("format"), Diagnostic::new(message).hint(hint));
        }
        return None;
    };
    if !is_test {
        let message = "`sprt` says how a test is made, but this is no tournament of format `sprt`";
        errors.add_key(&spot, Diagnostic::new(message).hint("add `format: sprt`, or leave it out"));
        return None;
    }
    if raw.bots.as_ref().is_some_and(|bots| bots.len() > 2) {
        let message = "a test is between two bots: the new one, then the base";
        let hint = "list two bots, or choose them with `--bots NEW,BASE`";
        errors.add(&raw.spot("bots"), Diagnostic::new(message).hint(hint));
    }
    read(test, &spot, errors)
}

/// Returns how many rounds a test has at most: those asked for, else about three times what the test needs on
/// average where it is hardest, or fewer where there are not as many openings: two deterministic bots that start from
/// one position twice play one game twice.
pub(crate) fn rounds(
    test: &Test,
    asked: Option<u32>,
    raw: &RawFile,
    games: &[(GameConfig, Contest)],
    seed: u64,
    errors: &mut InputErrors,
) -> u32 {
    // 523,000 / x^2 pairs on average at the middle of bounds x normalized Elo apart, at 5 % errors.
    let distance = test.config.elo1 - test.config.elo0;
    let pairs = (3.0 * 523_000.0 / distance.powi(2)).clamp(200.0, MOST_PAIRS);
    let usual = test.usual_pairs.unwrap_or(pairs as u32).div_ceil(games.len().max(1) as u32);
    let mut rounds = asked.unwrap_or(usual);
    if asked.is_some() {
        openings::check_rounds(games, rounds, raw, seed, errors);
        return rounds;
    }
    let mut scarce = None;
    for ((config, _), count) in games.iter().zip(openings::counts(games, rounds, seed, raw, errors)) {
        let Some(count) = count else { continue };
        if count == 0 {
            errors.add(&raw.spot("openings"), openings::nothing_to_play(config));
        } else if !config.openings.repeat && count < rounds {
            (rounds, scarce) = (count, Some(config));
        }
    }
    if let Some(config) = scarce {
        errors.note(too_short(test, config, rounds, games.len() as u64, raw));
    }
    rounds
}

/// Says that a game has too few openings for a test of the usual length, what that means for it, and what to do.
fn too_short(test: &Test, config: &GameConfig, openings: u32, games: u64, raw: &RawFile) -> String {
    let pairs = u64::from(openings) * games;
    let mut text = format!(
        "{} has only {} ({}): the test ends after {} of games at most, {} in all",
        config.label,
        output::count(openings.into(), "different opening"),
        openings::describe(&config.openings),
        output::count(pairs, "pair"),
        output::count(2 * pairs, "game"),
    );
    let [under_h0, middle, under_h1] =
        Length::profile(&test.hypotheses, DEVIATION).map(|length| length.pairs);
    let shortest = under_h0.min(under_h1);
    let outlook = match pairs as f64 {
        pairs if pairs < shortest => "it will probably end without one",
        pairs if pairs < 2.0 * middle => "it may end without one",
        _ => "that is probably enough",
    };
    text +=
        &format!("; a verdict takes about {:.0} to {:.0} pairs: {outlook}", shortest.ceil(), middle.ceil());
    let more = match () {
        () if raw.spot("openings") == Spot::Flag("--plies") => "to play more, give a higher `--plies`",
        () if config.openings.deepen => "to play more, choose hypotheses that are further apart",
        () if config.openings.plies.is_some() => "to play more, make the openings longer",
        () if config.openings.turns.is_some() => "to play more, make the openings longer",
        () if config.openings.book.is_some() => "to play more, use random openings: `openings: {plies: N}`",
        () => "to play more, add openings to the file, or repeat them: `repeat: true` in `openings`",
    };
    text + "\nhint: " + more
}

/// Reads how long a test may play, as a flag says it.
///
/// # Errors
/// Says what is wrong with it.
pub fn read_max_time(text: &str) -> Result<Duration, String> {
    scalars::max_time(text).map_err(|complaint| format!("it {}; {}", complaint.predicate, complaint.hint))
}

fn read(raw: &RawSprt, spot: &Spot, errors: &mut InputErrors) -> Option<Test> {
    let preset = raw.preset.as_deref().map(|name| {
        name.parse::<Preset>().ok().or_else(|| {
            let names = Preset::WORDS.join(", ");
            let complaint =
                Complaint::new(format!("cannot be `{}`", name.escape_debug()), format!("allowed: {names}"));
            errors.complain(&spot.key("preset"), &complaint);
            None
        })
    });
    let max_time = raw.max_time.as_deref().map(|text| {
        scalars::max_time(text).map_err(|complaint| errors.complain(&spot.key("max-time"), &complaint)).ok()
    });
    let model = match raw.model.as_deref().unwrap_or("normalized").parse::<Model>() {
        Ok(model) => Some(model),
        Err(error) => {
            let message = format!("`model` of the test: {error}");
            errors.add(&spot.key("model"), Diagnostic::new(message).hint("allowed: normalized, logistic"));
            None
        }
    };
    let overshoot = match raw.overshoot.as_deref() {
        None => Some(false),
        text => errors.read(&spot.key("overshoot"), text, settings::truth),
    };
    let mut number = |key: &str, text: Option<&String>, usual: Option<f64>, example: &str| {
        let Some(text) = text else {
            if usual.is_none() {
                let message = format!("`sprt` lacks `{key}`");
                let hint = format!("for example `{key}: {example}`, or `preset: gain`");
                errors.lack(spot, &[key], Diagnostic::new(message).hint(hint));
            }
            return usual;
        };
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Some(number),
            _ => {
                let predicate = format!("cannot be `{}`: it must be a number", text.escape_debug());
                let complaint = Complaint::new(predicate, format!("for example `{example}`"));
                errors.complain(&spot.key(key), &complaint);
                None
            }
        }
    };
    let [usual0, usual1] = match preset {
        Some(Some(preset)) => preset.elo().map(Some),
        // What a preset that does not exist would have said is not missed as well.
        Some(None) => [Some(f64::NAN); 2],
        None => [None; 2],
    };
    let elo0 = number("elo0", raw.elo0.as_ref(), usual0, "0");
    let elo1 = number("elo1", raw.elo1.as_ref(), usual1, "10");
    let alpha = number("alpha", raw.alpha.as_ref(), Some(ERROR_RATE), "0.05");
    let beta = number("beta", raw.beta.as_ref(), Some(ERROR_RATE), "0.05");
    let usual_pairs = preset.map(|preset| preset.map(Preset::max_pairs));
    if matches!(usual_pairs, Some(None)) || matches!(max_time, Some(None)) {
        return None;
    }
    let (elo0, elo1, alpha, beta, model) = (elo0?, elo1?, alpha?, beta?, model?);
    let hypotheses = match Hypotheses::new(elo0, elo1, alpha, beta, model) {
        Ok(hypotheses) => hypotheses,
        Err(error) => {
            let hint =
                "a test decides between `elo0` and the greater `elo1`: for example `{elo0: 0, elo1: 10}`";
            errors.add(spot, Diagnostic::new(format!("the hypotheses make no test: {error}")).hint(hint));
            return None;
        }
    };
    let config = SprtConfig { model: model.into(), elo0, elo1, alpha, beta, overshoot: overshoot? };
    Some(Test { config, hypotheses, usual_pairs: usual_pairs.flatten(), max_time: max_time.flatten() })
}
