//! The sequential test as Markdown, for a comment on a change under review.

use std::fmt::Write as _;

use protocol::printable;
use record::{BotConfig, RunConfig};
use stats::sprt::{Figures, SprtEnd};

use crate::SequentialTest;
use crate::sequential_test::question::TestQuestion;
use crate::sequential_test::text::{
    constant_text, hypotheses_text, observations, range, trial_verdict, within_limit,
};
use crate::writing::markdown::safe;
use crate::writing::number::{fixed, percent, signed};

/// Returns the result of a test as one short page of Markdown: the verdict, the ratio and its bounds, both estimates, the
/// pairs, faults, versions, games and the machine.
///
/// `config` is the last configuration, and `machine` describes the machine in one line.
#[must_use]
pub fn trial_markdown(trial: &SequentialTest, config: &RunConfig, machine: &str) -> String {
    let walk = trial.walk();
    let mut rows: Vec<(&str, String)> = Vec::new();
    let (lower, upper) = walk.bounds();
    rows.push(("test", hypotheses_text(walk.hypotheses())));
    rows.push((
        "LLR",
        format!("{}, bounds {} and {}", signed(walk.llr(), 2), signed(lower, 2), signed(upper, 2)),
    ));
    let counts = walk.counts().counts().iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
    let seats = walk.counts().games();
    let scale = if seats > 2 { "worst to best score" } else { "with 0, ½, 1, 1½, 2 points" };
    let mut pairs = format!("{} played; {scale}: {counts}", walk.pairs());
    if walk.copies() > 0 {
        let _ = write!(pairs, "; copies of earlier ones: {}", walk.copies());
    }
    if trial.skipped() > 0 {
        let _ = write!(pairs, "; left out because a game does not count: {}", trial.skipped());
    }
    rows.push((observations(walk.counts()), pairs));
    let [new, base] = trial.tallies();
    let games = new.wins + new.draws + base.wins;
    let drawn = percent((games > 0).then(|| new.draws as f64 / games as f64));
    let [won, level, lost] = [new.wins, new.draws, base.wins];
    rows.push(match seats {
        ..=2 => ("games", format!("{won} won, {level} drawn, {lost} lost ({drawn} drawn)")),
        _ => ("seats of the base", format!("{won} beaten, {level} level, {lost} lost to ({drawn} level)")),
    });
    if let Some(figures) = trial.figures() {
        rows.push(("score", percent(Some(figures.score))));
        if let Some(constant) = figures.constant {
            rows.push(("Elo", constant_text(&constant)));
        } else {
            estimates(&figures, trial, &mut rows);
        }
        if let Some(range) = range(trial) {
            rows.push(("Elo, valid at any time", format!("{range} (95%)")));
        }
        rows.push(("LOS", percent(Some(figures.constant.map_or(figures.los, |constant| constant.los)))));
    }
    let faults = |bot: &BotConfig, faults: u64, timeouts: u64| {
        format!("{} {faults} ({timeouts} on time)", safe(&printable(&bot.name)))
    };
    if let [first, second] = &config.bots[..] {
        let faults = [faults(first, new.faults, new.timeouts), faults(second, base.faults, base.timeouts)];
        rows.push(("games lost by faults", faults.join(", ")));
        rows.push(("versions", format!("{}; {}", version(first), version(second))));
    }
    let games: Vec<_> = config.games.iter().map(|game| format!("{} ({})", game.label, game.tc)).collect();
    rows.push(("games played", safe(&printable(&games.join(", ")))));
    rows.push(("machine", safe(&printable(machine))));

    let [asked, verdict] =
        [TestQuestion::of(trial).asked(), trial_verdict(trial)].map(|text| safe(&text.replace('`', "")));
    let mut text = format!("{asked}\n\n**{verdict}**\n\n| | |\n|:--|:--|\n");
    for (name, value) in rows {
        let _ = writeln!(text, "| {name} | {value} |");
    }
    text + "\nThe naive figures assume that the number of games was fixed in advance and are too extreme after a stop.\n"
}

/// Adds the estimates of strength with their errors.
fn estimates(figures: &Figures, trial: &SequentialTest, rows: &mut Vec<(&str, String)>) {
    rows.push(("Elo, naive", format!("{} ± {}", signed(figures.elo, 1), fixed(figures.elo_error, 1))));
    if let (Some(nelo), Some(error)) = (figures.nelo, figures.nelo_error) {
        rows.push(("nElo, naive", format!("{} ± {}", signed(nelo, 1), fixed(error, 1))));
    }
    if trial.stop() == Some(SprtEnd::Bound) {
        let [elo, low, high] =
            [figures.unbiased.elo, figures.unbiased.low, figures.unbiased.high].map(within_limit);
        rows.push(("Elo, median-unbiased", format!("{elo} (95% from {low} to {high})")));
    }
}

/// Returns the version of a bot: the declared one, otherwise its command.
fn version(bot: &BotConfig) -> String {
    let name = safe(&printable(&bot.name));
    match &bot.version {
        Some(version) => format!("{name} is {}", safe(&printable(version))),
        None => format!("{name} is {} ({})", safe(&printable(&bot.command.join(" "))), bot.digest),
    }
}
