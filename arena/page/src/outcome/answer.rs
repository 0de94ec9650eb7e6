//! What a report begins with: the question of the run and its answer, with the figures that belong to it.

use record::RunSummary;
use report::{Look, PlayedTime, RunReport, SequentialTest, count_of, outcome, trial_facts};

use crate::figures::decimals;
use crate::figures::escape;

/// The width that figures of a test are laid out for: they stand in cells and are not broken by us.
const WIDTH: usize = 200;

/// The start of a page.
pub(crate) struct Answer {
    /// The sentence, cut where names begin and end.
    pub(crate) words: Vec<Word>,
    /// The verdict of a test as a bar of its likelihood ratio.
    pub(crate) bar: Option<String>,
    /// What was played when: each with its name.
    pub(crate) facts: Vec<(&'static str, String)>,
    /// The figures of a test, each with its name.
    pub(crate) figures: Vec<(&'static str, String)>,
    /// How many games were lost by faults.
    pub(crate) faults: usize,
}

/// A part of a sentence.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) text: String,
    pub(crate) is_name: bool,
}

impl Answer {
    pub(crate) fn of(run: &RunReport<'_>) -> Self {
        let contents = run.contents();
        let trial = SequentialTest::of(contents);
        Self {
            words: words(&outcome(run)),
            bar: trial.as_ref().map(ratio_bar),
            facts: facts(contents, run),
            figures: trial.map(|trial| figures(&trial)).unwrap_or_default(),
            faults: run.incidents().map(|game| game.faults().count()).sum(),
        }
    }
}

/// Returns the figures of a test, negative ones with a minus.
fn figures(trial: &SequentialTest) -> Vec<(&'static str, String)> {
    let facts = trial_facts(trial, &Look::plain(WIDTH)).into_iter();
    facts.map(|(name, text)| (name, with_minus(&text))).collect()
}

/// Writes the hyphens before figures as minuses; those within names stay.
fn with_minus(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text.chars().peekable();
    let mut last = ' ';
    while let Some(c) = rest.next() {
        let is_minus = c == '-' && last == ' ' && rest.peek().is_some_and(char::is_ascii_digit);
        out.push(if is_minus { '\u{2212}' } else { c });
        last = c;
    }
    out
}

/// Cuts a sentence where its names begin and end.
fn words(sentence: &str) -> Vec<Word> {
    let parts = sentence.split('`').enumerate();
    let parts = parts.map(|(place, text)| Word { text: text.to_owned(), is_name: place % 2 == 1 });
    parts.filter(|word| !word.text.is_empty()).collect()
}

fn facts(contents: &RunSummary, run: &RunReport<'_>) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    let format = contents.runs.last().map(|run| crate::naming::shown(&run.config.format.to_string()));
    facts.extend(format.map(|format| ("Format", format)));
    if let Some(time) = PlayedTime::of(contents) {
        facts.push(("Played", time.date()));
        facts.push(("Duration", time.duration()));
    }
    let standings = run.tally().standings(None);
    let state = if standings.is_live { ", more to come" } else { "" };
    facts.push(("Games", format!("{}{state}", contents.games.len())));
    facts.push(("Bots", standings.rows.len().to_string()));
    facts
}

/// Draws the likelihood ratio of a test between its bounds.
fn ratio_bar(trial: &SequentialTest) -> String {
    const WIDTH: f64 = 360.0;
    const LEFT: f64 = 14.0;
    const RIGHT: f64 = WIDTH - LEFT;
    let walk = trial.walk();
    let ((lower, upper), ratio) = (walk.bounds(), walk.llr());
    let (low, high) = (lower.min(ratio), upper.max(ratio));
    let x = |value: f64| LEFT + (value - low) / (high - low).max(f64::EPSILON) * (RIGHT - LEFT);
    let [from, to, zero, here] = [lower, upper, 0.0, ratio].map(x);
    let class = if ratio < 0.0 { "lost" } else { "won" };
    let [low_text, high_text, text] = [lower, upper, ratio].map(|value| decimals(value, 2));
    let words = format!(
        "LLR {text} after {}, between {low_text} (failed) and {high_text} (passed)",
        count_of(walk.pairs(), "pair")
    );
    let anchor = |x: f64| match x {
        x if x < 90.0 => "start",
        x if x > 270.0 => "end",
        _ => "middle",
    };
    format!(
        "<svg viewBox=\"0 -8 {WIDTH} 74\" class=\"chart ratio\" role=\"img\" aria-label=\"{}\">\
         <rect x=\"{LEFT}\" y=\"24\" width=\"{:.1}\" height=\"16\" rx=\"3\" class=\"track\"/>\
         <rect x=\"{:.1}\" y=\"24\" width=\"{:.1}\" height=\"16\" class=\"{class}\"/>\
         <path d=\"M{from:.1} 19v26M{to:.1} 19v26\" class=\"bound\"/><path d=\"M{zero:.1} 22v20\" class=\"g0\"/>\
         <path d=\"M{here:.1} 20l-5 -7h10z\" class=\"here\"/>\
         <text x=\"{here:.1}\" y=\"9\" text-anchor=\"{}\" class=\"an\">LLR {text}</text>\
         <text x=\"{from:.1}\" y=\"60\" text-anchor=\"start\">failed {low_text}</text>\
         <text x=\"{to:.1}\" y=\"60\" text-anchor=\"end\">passed {high_text}</text></svg>",
        escape(&words),
        RIGHT - LEFT,
        zero.min(here),
        (here - zero).abs(),
        anchor(here),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negative_figures_have_a_minus_and_names_keep_their_hyphens() {
        assert_eq!(with_minus("-2.94 and -3, bot-2 0"), "\u{2212}2.94 and \u{2212}3, bot-2 0");
    }

    #[test]
    fn names_are_told_from_words() {
        let word = |text: &str, is_name| Word { text: text.to_owned(), is_name };
        let expected = [word("<b>", true), word(" beats ", false), word("x", true), word(".", false)];
        assert_eq!(words("`<b>` beats `x`."), expected);
    }
}
