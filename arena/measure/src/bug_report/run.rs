//! What a journal tells of a run: how it was set up, how games ended, the last of them, and faults.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;
use std::path::Path;

use diagnostic::output::count;
use record::{BotConfig, GameSummary, RunConfig, RunSummary};
use serde_json::{Value, json};

use super::block;
use super::privacy::{self, Privacy};

/// How many of the last games, and of the last faults, are told.
const LAST: usize = 5;

/// How many bots are told.
const BOTS: usize = 20;

/// Returns what the journal of a directory tells. The names of machines that played become private.
pub(super) fn describe(directory: &Path, privacy: &mut Privacy) -> String {
    let mut text = "\n### The run\n\n".to_owned();
    match record::summarize(directory) {
        Err(error) => text + &block("text", &format!("the journal cannot be read: {error}")),
        Ok(summary) => {
            let workers = summary.games.lineups().filter_map(|lineup| lineup.worker.as_ref());
            workers.for_each(|worker| privacy.add_name(&worker.name, "WORKER"));
            text += &overview(&summary);
            if let Some(run) = summary.runs.last() {
                let config = serde_json::to_string_pretty(&config(&run.config)).unwrap_or_default();
                text += &format!("\nIts configuration:\n\n{}", block("json", &config));
            }
            text += &format!("\nThe last games:\n\n{}", block("text", &last(summary.games.iter())));
            let faults =
                summary.games.iter().filter(|game| game.faults().next().is_some() || game.failed.is_some());
            let void = summary.void.iter().cloned();
            text + &format!("\nThe last faults:\n\n{}", block("text", &last(faults)))
                + &format!("\nThe last games that were played again:\n\n{}", block("text", &last(void)))
        }
    }
}

/// Returns the numbers of a run.
fn overview(summary: &RunSummary) -> String {
    let mut text = String::new();
    if let Some(run) = summary.runs.last() {
        let signature = if run.rules == rules::signature() {
            "those of this arena"
        } else {
            "others than those of this arena"
        };
        let _ = writeln!(
            text,
            "* written by arena {} in format {}, with the rules {} ({signature})",
            run.arena, run.format, run.rules
        );
    }
    let _ = writeln!(
        text,
        "* {}, {}, {}, {} of an incomplete last line",
        count(summary.runs.len() as u64, "configuration"),
        count(summary.games.len() as u64, "game"),
        count(summary.void.len() as u64, "void game"),
        count(summary.torn, "byte")
    );
    let mut reasons: BTreeMap<String, u64> = BTreeMap::new();
    summary.games.iter().for_each(|game| *reasons.entry(game.reason.to_string()).or_default() += 1);
    let reasons: Vec<_> = reasons.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
    if !reasons.is_empty() {
        let _ = writeln!(text, "* ends: {}", reasons.join(", "));
    }
    text
}

/// Returns the last of some games, a line each, with what happened in those that ended by a fault.
fn last<'a>(games: impl Iterator<Item = GameSummary<'a>>) -> String {
    let mut last = VecDeque::new();
    for game in games {
        last.truncate(LAST - 1);
        last.push_front(game);
    }
    let lines: Vec<_> = last.iter().rev().map(line).collect();
    if lines.is_empty() { "none".to_owned() } else { lines.join("\n") }
}

fn line(game: &GameSummary<'_>) -> String {
    let seats: Vec<_> = game.seats().iter().map(|seat| seat.bot.as_str()).collect();
    let mut line = format!(
        "game {}: {}: {}: {}, {}, {} plies, {:.3} s",
        game.number,
        game.label(),
        seats.join(" - "),
        game.result,
        game.reason,
        game.plies,
        game.seconds
    );
    if let Some(detail) = game.detail() {
        let _ = write!(line, "\n  {detail}");
    }
    for exit in game.seats().seats().filter_map(|seat| game.exit(seat)) {
        let _ = write!(line, "\n  exit: {exit}");
    }
    line
}

/// Returns a configuration without what may be private: of options, values that are neither numbers nor switches; of the environment
/// everything; of files their directories.
fn config(config: &RunConfig) -> Value {
    let mut told = serde_json::to_value(config).unwrap_or_default();
    told["bots"] = config.bots.iter().take(BOTS).map(bot).collect();
    if let Some(more) = config.bots.len().checked_sub(BOTS).filter(|more| *more > 0) {
        told["more_bots"] = json!(more);
    }
    for (game, config) in told["games"].as_array_mut().into_iter().flatten().zip(&config.games) {
        if let Some(rules) = &config.rules {
            let kind = if rules.module.is_some() { "module" } else { "program" };
            game["rules"] = json!({ "kind": kind, "digest": rules.digest });
        }
    }
    told
}

fn bot(bot: &BotConfig) -> Value {
    let mut told = serde_json::to_value(bot).unwrap_or_default();
    told["command"] = json!(privacy::command(&bot.command));
    let is_plain =
        |value: &str| value.parse::<f64>().is_ok() || ["true", "false", "on", "off"].contains(&value);
    let option =
        |(name, value): (&String, &String)| (name.clone(), json!(if is_plain(value) { value } else { "…" }));
    told["options"] = bot.options.iter().map(option).collect::<serde_json::Map<_, _>>().into();
    if !bot.start.env.is_empty() {
        told["start"]["env"] = json!(format!("{} variables", bot.start.env.len()));
    }
    if let Some(granted) = told.as_object_mut().and_then(|told| told.remove("granted")) {
        told["granted"] = json!(granted.as_object().map(|granted| granted.keys().collect::<Vec<_>>()));
    }
    told
}
