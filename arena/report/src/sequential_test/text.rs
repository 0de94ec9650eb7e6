//! The sequential test as text.

use std::fmt::Write as _;

use stats::sprt::{ELO_LIMIT, Figures, Hypotheses, SprtEnd, SprtVerdict};
use stats::{Constant, Counts, EloRange};

use crate::sequential_test::question::{NONE, TestQuestion};
use crate::tables::notes;
use crate::writing::number::{count_of, fixed, percent, signed};
use crate::{Look, SequentialTest};

/// Returns one line for a display during the test: the ratio with its bounds, the pairs, and an interval that is valid at any
/// time.
#[must_use]
pub fn trial_line(trial: &SequentialTest) -> String {
    let walk = trial.walk();
    let (lower, upper) = walk.bounds();
    let mut line = format!(
        "LLR {} ({} to {}), {} [{}]",
        signed(walk.llr(), 2),
        signed(lower, 2),
        signed(upper, 2),
        count_of(walk.pairs(), observation(walk.counts())),
        counts(trial),
    );
    if let Some(range) = range(trial) {
        let _ = write!(line, ", Elo {range} at any time");
    }
    line
}

/// Returns the result of the test: the verdict, the ratio and its bounds, both estimates of the strength, and the games behind
/// them.
#[must_use]
pub fn trial_text(trial: &SequentialTest, look: &Look) -> String {
    let mut text = notes::wrapped(&[TestQuestion::of(trial).asked(), trial_verdict(trial)], look);
    text.push('\n');
    for (label, value) in trial_facts(trial, look) {
        let _ = writeln!(text, "{label:<16}{value}");
    }
    text
}

/// Returns the named figures of a test: the ratio and its bounds, the pairs and games, both estimates of the strength.
#[must_use]
pub fn trial_facts(trial: &SequentialTest, look: &Look) -> Vec<(&'static str, String)> {
    let walk = trial.walk();
    let hypotheses = walk.hypotheses();
    let [new, base] = trial.names();
    let mut facts = Vec::new();
    let mut line = |label: &'static str, value: String| facts.push((label, value));
    line("test", hypotheses_text(hypotheses));
    let (lower, upper) = walk.bounds();
    line("LLR", format!("{}, bounds {} and {}", signed(walk.llr(), 2), signed(lower, 2), signed(upper, 2)));
    let unit = observation(walk.counts());
    line(observations(walk.counts()), format!("{} played, worst to best {}", walk.pairs(), counts(trial)));
    if walk.copies() > 0 {
        line(
            "copies",
            format!("{} like an earlier one ply for ply: no evidence", count_of(walk.copies(), unit)),
        );
    }
    if trial.skipped() > 0 {
        let units = count_of(trial.skipped(), unit);
        line("left out", format!("{units} with a game that does not count"));
    }
    let [of_new, of_base] = trial.tallies();
    let games = of_new.wins + of_new.draws + of_base.wins;
    let drawn = percent((games > 0).then(|| of_new.draws as f64 / games as f64));
    let [won, level, lost] = [of_new.wins, of_new.draws, of_base.wins];
    match walk.counts().games() {
        ..=2 => line("games", format!("{won} won, {level} drawn, {lost} lost: {drawn} drawn")),
        seats => line(
            "results",
            format!(
                "{new} beat {won} of {games} seats of {base}, {level} level, {lost} lost to: {drawn} level, at tables of {seats}"
            ),
        ),
    }
    line(
        "faults",
        format!(
            "{new} {} ({} on time), {base} {} ({} on time)",
            of_new.faults, of_new.timeouts, of_base.faults, of_base.timeouts
        ),
    );
    if let Some(figures) = trial.figures() {
        estimates(&figures, trial, look, &mut line);
    }
    facts
}

fn estimates(
    figures: &Figures,
    trial: &SequentialTest,
    look: &Look,
    line: &mut impl FnMut(&'static str, String),
) {
    if trial.stop().is_none() {
        // All other figures are valid at one number of pairs only.
        if let Some(range) = range(trial) {
            line("Elo, any time", format!("{range}: holds however often one looked"));
        }
        return;
    }
    let mark = look.choose("\u{b1}", "+-");
    line("score", percent(Some(figures.score)));
    if let Some(constant) = figures.constant {
        line("Elo", constant_text(&constant));
        if let Some(range) = range(trial) {
            line("Elo, any time", format!("{range}: holds however often one looked"));
        }
        line("LOS", percent(Some(constant.los)));
        return;
    }
    line(
        "Elo, naive",
        format!(
            "{} {mark} {} (too extreme after a stop)",
            signed(figures.elo, 1),
            fixed(figures.elo_error, 1)
        ),
    );
    if let (Some(nelo), Some(error)) = (figures.nelo, figures.nelo_error) {
        line("nElo, naive", format!("{} {mark} {}", signed(nelo, 1), fixed(error, 1)));
    }
    if trial.stop() == Some(SprtEnd::Bound) {
        let unbiased = figures.unbiased;
        line(
            "Elo, unbiased",
            format!(
                "{} (95% from {} to {}), median-unbiased, allows for the stop",
                within_limit(unbiased.elo),
                within_limit(unbiased.low),
                within_limit(unbiased.high)
            ),
        );
    }
    if let Some(range) = range(trial) {
        line("Elo, any time", format!("{range}: holds however often one looked"));
    }
    line("LOS", percent(Some(figures.los)));
}

/// Returns in words how the test ended, or that it has no verdict: the answer to [`TestQuestion::asked`].
#[must_use]
pub fn trial_verdict(trial: &SequentialTest) -> String {
    match (trial.decision(), trial.stop()) {
        (SprtVerdict::Continue, Some(SprtEnd::Identical)) => {
            format!("{NONE}: both play exactly the same games; they do not differ on these openings.")
        }
        (SprtVerdict::Continue, Some(SprtEnd::MaxPairs | SprtEnd::Bound)) => {
            let units = observations(trial.walk().counts());
            format!("{NONE}: all {units} are played, and neither bound is reached.")
        }
        (decision, _) => TestQuestion::of(trial).answer(decision),
    }
}

pub(crate) fn hypotheses_text(hypotheses: &Hypotheses) -> String {
    format!(
        "{} Elo: H0 {}, H1 {}; alpha {}, beta {}",
        hypotheses.model(),
        hypotheses.elo0(),
        hypotheses.elo1(),
        hypotheses.alpha(),
        hypotheses.beta()
    )
}

/// Writes an estimate that is sought within a limit. At the limit only the side is known.
pub(crate) fn within_limit(elo: f64) -> String {
    let beyond = if elo.abs() >= ELO_LIMIT { "beyond " } else { "" };
    format!("{beyond}{}", signed(elo, 1))
}

/// Returns the name of an observation: game, pair, or block at a table of more than two seats.
#[must_use]
pub const fn observation(counts: &Counts) -> &'static str {
    match counts.games() {
        1 => "game",
        2 => "pair",
        _ => "block",
    }
}

/// Returns the plural of [`observation`].
pub(crate) const fn observations(counts: &Counts) -> &'static str {
    match counts.games() {
        1 => "games",
        2 => "pairs",
        _ => "blocks",
    }
}

fn counts(trial: &SequentialTest) -> String {
    trial.walk().counts().counts().iter().map(u64::to_string).collect::<Vec<_>>().join(" ")
}

/// Returns the interval that is valid at any time; `None` while both its ends are open.
pub(crate) fn range(trial: &SequentialTest) -> Option<String> {
    trial.monitor().elo().and_then(|range| elo_range(range, 0))
}

/// Writes the figures for results that are all the same.
pub(crate) fn constant_text(constant: &Constant) -> String {
    let range = elo_range(constant.range, 1).unwrap_or_default();
    format!("{range} (95%): all results are the same; valid at any time")
}

/// Writes an interval with `decimals` decimals. An open end is never shown as a figure: `above +3`. Returns `None` if both ends
/// are open.
#[must_use]
pub fn elo_range(range: EloRange, decimals: usize) -> Option<String> {
    let elo = |elo| signed(elo, decimals);
    match (range.low, range.high) {
        (Some(low), Some(high)) => Some(format!("{} to {}", elo(low), elo(high))),
        (Some(low), None) => Some(format!("above {}", elo(low))),
        (None, Some(high)) => Some(format!("below {}", elo(high))),
        (None, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(low: Option<f64>, high: Option<f64>, expected: Option<&str>) {
        assert_eq!(elo_range(EloRange { low, high }, 0).as_deref(), expected);
    }

    #[test]
    fn an_open_end_is_no_figure() {
        check(None, None, None);
        check(Some(-3.4), None, Some("above -3"));
        check(None, Some(12.0), Some("below +12"));
        check(Some(-3.4), Some(12.0), Some("-3 to +12"));
    }

    #[test]
    fn an_estimate_at_the_limit_says_so() {
        assert_eq!(within_limit(ELO_LIMIT), "beyond +1000.0");
        assert_eq!(within_limit(-ELO_LIMIT), "beyond -1000.0");
        assert_eq!(within_limit(12.34), "+12.3");
    }
}
