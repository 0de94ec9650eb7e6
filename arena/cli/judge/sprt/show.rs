//! The figures of a test in four forms.

use diagnostic::output::wrap;
use protocol::printable;
use quick_xml::escape::escape;
use record::{RunConfig, RunRecord};
use report::{Look, SequentialTest, SeveralGames};
use serde::Serialize;
use serde_json::{Value, json};
use stats::EloRange;
use stats::sprt::{ELO_LIMIT, Figures, SprtVerdict};

use crate::judge::hypotheses::Test;

/// What a test has found, with the words that every form of output uses.
#[derive(Debug)]
pub(super) struct Finding<'a> {
    /// What the test asks.
    pub question: String,
    /// What it answers.
    pub verdict: String,
    /// The hypotheses: `normalized Elo [0, 10], alpha 0.05, beta 0.05`.
    pub test: String,
    /// What was counted: `35 pairs (10, 20, 5, 0, 0)`.
    pub results: String,
    /// What follows from it.
    pub figures: &'a Figures,
}

/// The figures by name, each with what it says.
fn rows(figures: &Figures) -> Vec<(&'static str, String)> {
    let estimate = |value: f64, error: f64| format!("{} ± {error:.2}", signed(value));
    let nelo = figures.nelo.zip(figures.nelo_error);
    let unbiased = figures.unbiased;
    let ratio = format!("{:.6} (bounds {:.4}, {:.4})", figures.llr, figures.lower, figures.upper);
    let score = format!("{:.2}%", 100.0 * figures.score);
    if let Some(constant) = figures.constant {
        return vec![
            ("LLR", ratio),
            ("score", score),
            (
                "Elo",
                report::elo_range(constant.range, 2).unwrap_or_default() + " (95%): all results are the same",
            ),
            ("nElo", "none: all results are the same".to_owned()),
            ("LOS", format!("{:.2}%", 100.0 * constant.los)),
        ];
    }
    vec![
        ("LLR", ratio),
        ("score", score),
        ("Elo", estimate(figures.elo, figures.elo_error)),
        ("nElo", nelo.map_or_else(|| "none: all results are the same".to_owned(), |(n, e)| estimate(n, e))),
        ("LOS", format!("{:.2}%", 100.0 * figures.los)),
        (
            "unbiased Elo",
            format!("{} [{}, {}]", sought(unbiased.elo), sought(unbiased.low), sought(unbiased.high)),
        ),
    ]
}

/// Writes Elo with its sign; what rounds to zero is `+0.00`.
fn signed(elo: f64) -> String {
    let text = format!("{elo:+.2}");
    if text == "-0.00" { "+0.00".to_owned() } else { text }
}

/// Writes an estimate that is sought within a limit: at the limit nothing is known but the side.
fn sought(elo: f64) -> String {
    let beyond = if elo.abs() >= ELO_LIMIT { "beyond " } else { "" };
    format!("{beyond}{}", signed(elo))
}

/// What must be known of results that are all the same.
const CONSTANT: &str = "The bound is exact and holds whenever one stops; LOS is one minus the chance of such results between equals.";

/// What must be known of results that vary.
const NAIVE: &str = "Elo, nElo and LOS take the number of games as fixed beforehand; after a test has stopped they are too \
    extreme. The unbiased Elo (median-unbiased, with its 95 % interval) allows for the stop, and means something only after \
    one.";

/// For people.
pub(super) fn text(finding: &Finding<'_>, look: &Look) -> String {
    let Finding { question, verdict, test, results, figures } = finding;
    let wrapped = |text: &str| wrap(text.split(' '), 0, look.width) + "\n";
    let mut text = wrapped(question) + &wrapped(verdict);
    text += &format!("\ntest          {test}\nresults       {results}\n");
    for (name, value) in rows(figures) {
        text += &format!("{name:<14}{value}\n");
    }
    text += "\n";
    text + &wrapped(if figures.constant.is_some() { CONSTANT } else { NAIVE })
}

/// The figures in one line; scripts rely on these keys.
fn json(figures: &Figures) -> String {
    #[derive(Serialize)]
    struct Row {
        llr: f64,
        lower: f64,
        upper: f64,
        decision: String,
        score: f64,
        elo: Option<f64>,
        error95: Option<f64>,
        /// The name that `error95` once had here.
        elo_error: Option<f64>,
        elo_low: Option<f64>,
        elo_high: Option<f64>,
        nelo: Option<f64>,
        nelo_error95: Option<f64>,
        /// The name that `nelo_error95` once had here.
        nelo_error: Option<f64>,
        los: f64,
        elo_unbiased: Option<f64>,
        elo_unbiased_low: Option<f64>,
        elo_unbiased_high: Option<f64>,
    }
    // Results that are all the same have an interval, which may be open, and no estimate within it.
    let varied = figures.constant.is_none().then_some(figures);
    let range = figures.constant.map_or(
        EloRange { low: Some(figures.elo - figures.elo_error), high: Some(figures.elo + figures.elo_error) },
        |constant| constant.range,
    );
    let row = Row {
        llr: figures.llr,
        lower: figures.lower,
        upper: figures.upper,
        decision: figures.decision.to_string(),
        score: figures.score,
        elo: varied.map(|figures| figures.elo),
        error95: varied.map(|figures| figures.elo_error),
        elo_error: varied.map(|figures| figures.elo_error),
        elo_low: range.low,
        elo_high: range.high,
        nelo: figures.nelo,
        nelo_error95: figures.nelo_error,
        nelo_error: figures.nelo_error,
        los: figures.constant.map_or(figures.los, |constant| constant.los),
        elo_unbiased: varied.map(|figures| figures.unbiased.elo),
        elo_unbiased_low: varied.map(|figures| figures.unbiased.low),
        elo_unbiased_high: varied.map(|figures| figures.unbiased.high),
    };
    serde_json::to_string(&row).expect("numbers can be written as JSON") + "\n"
}

/// The same with the question and what was counted: `counted` holds the words of the results.
pub(super) fn json_of_counts(finding: &Finding<'_>, test: &Test, counted: Value) -> String {
    whole(finding, test, counted).to_string() + "\n"
}

/// The same with who played, where, and what each game says where there are several: for a test that was played.
pub(super) fn played_json(
    finding: &Finding<'_>,
    trial: &SequentialTest,
    config: Option<&RunConfig>,
    machine: &str,
) -> String {
    let walk = trial.walk();
    let [of_new, of_base] = trial.tallies();
    let counted = json!({
        "pairs": walk.pairs(),
        "counts": walk.counts().counts(),
        "copies": walk.copies(),
        "skipped": trial.skipped(),
        "wins": of_new.wins,
        "draws": of_new.draws,
        "losses": of_base.wins,
    });
    let mut row = whole(finding, &Test::Sequential(*walk.hypotheses()), counted);
    if walk.counts().games() > 2 {
        row["seats"] = json!(walk.counts().games());
    }
    let bots = config.map(|config| config.bots.as_slice()).unwrap_or_default();
    for ((key, bot), tally) in ["new", "base"].into_iter().zip(bots).zip([of_new, of_base]) {
        row[key] = json!({
            "name": bot.name,
            "version": bot.version,
            "digest": bot.digest,
            "faults": tally.faults,
            "timeouts": tally.timeouts,
        });
    }
    row["machine"] = json!(machine);
    if let Some(several) = SeveralGames::of(trial) {
        row["games"] = serde_json::from_str(&several.to_json()).expect("what was written is JSON");
    }
    row.to_string() + "\n"
}

/// The figures of a test with its question, its hypotheses and what was counted.
fn whole(finding: &Finding<'_>, test: &Test, counted: Value) -> Value {
    let mut row: Value = serde_json::from_str(&json(finding.figures)).expect("what was written is JSON");
    let hypotheses = test.hypotheses();
    row["question"] = json!(finding.question);
    row["verdict"] = json!(finding.verdict);
    row["hypotheses"] = json!({
        "model": test.model(),
        "elo0": hypotheses.elo0(),
        "elo1": hypotheses.elo1(),
        "alpha": hypotheses.alpha(),
        "beta": hypotheses.beta(),
    });
    if let Value::Object(counted) = counted {
        counted.into_iter().for_each(|(word, value)| row[word] = value);
    }
    row
}

/// A table.
pub(super) fn markdown(finding: &Finding<'_>) -> String {
    let Finding { question, verdict, test, results, figures } = finding;
    let mut text = format!("{question}\n\n**{verdict}**\n\n");
    text += &format!("| figure | value |\n|---|---|\n| test | {test} |\n| results | {results} |\n");
    for (name, value) in rows(figures) {
        text += &format!("| {name} | {value} |\n");
    }
    if figures.constant.is_some() {
        return format!("{text}\n{CONSTANT}\n");
    }
    text + "\nThe unbiased Elo means something only after the test has stopped.\n"
}

/// Returns what a played test is to be known by: both bots with version (of a commit, its short name), digest, command, options
/// and time control; the arena, its rules and the machine.
pub(super) fn properties(run: &RunRecord, machine: &str) -> Vec<(String, String)> {
    let mut properties = Vec::new();
    for (seat, bot) in ["new", "base"].into_iter().zip(&run.config.bots) {
        let options: Vec<_> = bot.options.iter().map(|(key, value)| format!("{key}={value}")).collect();
        let facts = [
            ("name", Some(bot.name.clone())),
            ("version", bot.version.clone()),
            ("digest", Some(bot.digest.clone())),
            ("command", Some(bot.command.join(" "))),
            ("options", Some(options.join(" ")).filter(|options| !options.is_empty())),
            ("tc", bot.tc.as_ref().map(ToString::to_string)),
        ];
        let facts = facts.into_iter().filter_map(|(fact, value)| Some((format!("{seat}.{fact}"), value?)));
        properties.extend(facts);
    }
    for game in &run.config.games {
        properties.push((format!("game.{}", game.label), game.tc.to_string()));
    }
    properties.push(("seed".to_owned(), run.config.seed.to_string()));
    properties.push(("arena".to_owned(), run.arena.clone()));
    properties.push(("rules".to_owned(), run.rules.clone()));
    properties.push(("machine".to_owned(), machine.to_owned()));
    properties
}

/// A report of one test case. Names of bots come from the user, as do the properties.
pub(super) fn junit(finding: &Finding<'_>, properties: &[(String, String)]) -> String {
    let safe = |text: &str| escape(printable(text).as_ref()).into_owned();
    let [question, verdict] = [&finding.question, &finding.verdict].map(|text| safe(text));
    let Finding { test, results, figures, .. } = finding;
    let (failures, skipped, outcome) = match figures.decision {
        SprtVerdict::H0 => (1, 0, format!("    <failure message=\"{verdict}\"/>\n")),
        SprtVerdict::H1 => (0, 0, String::new()),
        SprtVerdict::Continue => (0, 1, format!("    <skipped message=\"{verdict}\"/>\n")),
    };
    let told: String = rows(figures).iter().map(|(name, value)| format!("{name}: {value}\n")).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuite name=\"arena sprt\" tests=\"1\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\">\n{}  \
         <testcase classname=\"sprt\" name=\"{question} ({test})\">\n{outcome}    \
         <system-out>{question}\n{verdict}\nresults: {results}\n{told}</system-out>\n  </testcase>\n</testsuite>\n",
        property_list(properties),
    )
}

fn property_list(properties: &[(String, String)]) -> String {
    if properties.is_empty() {
        return String::new();
    }
    let safe = |text: &str| escape(printable(text).as_ref()).into_owned();
    let lines = properties
        .iter()
        .map(|(name, value)| format!("    <property name=\"{}\" value=\"{}\"/>\n", safe(name), safe(value)));
    format!("  <properties>\n{}  </properties>\n", lines.collect::<String>())
}

const UNCHANGED: &str = "nothing changed: both versions have the node signature";

/// Says for people that there is nothing to test.
pub(super) fn unchanged_text(signature: u64) -> String {
    format!("{UNCHANGED} {signature}; no game was played\n")
}

/// The same in one line.
pub(super) fn unchanged_json(signature: u64) -> String {
    serde_json::json!({ "decision": "unchanged", "signature": signature }).to_string() + "\n"
}

/// The same as a comment.
pub(super) fn unchanged_markdown(signature: u64) -> String {
    format!("**{UNCHANGED} {signature}**\n\nNo game was played.\n")
}

/// The same as a test that is passed.
pub(super) fn unchanged_junit(signature: u64) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuite name=\"arena sprt\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\">\n  \
         <testcase classname=\"sprt\" name=\"node signature\">\n    \
         <system-out>{UNCHANGED} {signature}</system-out>\n  </testcase>\n</testsuite>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_are_escaped() {
        let properties = [("new.command".to_owned(), "a \"b\" <c> & 'd'\u{1b}[31m".to_owned())];
        let text = property_list(&properties);
        assert_eq!(
            text,
            "  <properties>\n    <property name=\"new.command\" value=\"a &quot;b&quot; &lt;c&gt; &amp; &apos;d&apos;\\x1b[31m\"/>\n  \
             </properties>\n"
        );
        assert_eq!(property_list(&[]), "");
    }
}
