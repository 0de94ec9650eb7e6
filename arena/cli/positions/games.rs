//! `arena games`: the games and their options.

use std::fmt::Write as _;

use comfy_table::{ContentArrangement, Table, presets};
use diagnostic::Exit;
use diagnostic::Failure;
use diagnostic::output;
use rules::{Game, OptionSpec, Values};
use serde::Serialize;

/// Lists the games with their options, defaults and allowed values.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Write one JSON array instead.
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        output::print(&if self.json { to_json(rules::GAMES) } else { to_text(rules::GAMES) })?;
        Ok(Exit::Done)
    }
}

fn to_text(games: &[Game]) -> String {
    let mut text = String::new();
    for (index, game) in games.iter().enumerate() {
        if index > 0 {
            text.push('\n');
        }
        let _ = writeln!(text, "{} ({}): {}", game.id, game.title, game.about);
        if !game.options.is_empty() {
            let _ = writeln!(text, "{}", options_table(game.options));
        }
    }
    text
}

fn options_table(options: &[OptionSpec]) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(u16::try_from(output::width()).unwrap_or(u16::MAX));
    table.set_header(["  option", "default", "values", "what it does"]);
    for spec in options {
        let values = spec.values.to_string().replace('|', ", ").replace("..", " to ");
        table.add_row([&format!("  {}", spec.name), spec.default, &values, spec.about]);
    }
    table.trim_fmt()
}

/// A game as JSON.
#[derive(Serialize)]
struct GameLine<'a> {
    game: &'a str,
    title: &'a str,
    about: &'a str,
    options: Vec<OptionLine<'a>>,
}

/// An option as JSON: `values` for one of several words, `min` and `max` for a number.
#[derive(Serialize)]
struct OptionLine<'a> {
    name: &'a str,
    default: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<&'a [&'a str]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    min: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<u32>,
    about: &'a str,
}

/// Returns the games as one JSON array on a line.
pub(crate) fn to_json(games: &[Game]) -> String {
    let option = |spec: &OptionSpec| {
        let (values, min, max) = match spec.values {
            Values::Words(words) => (Some(words), None, None),
            Values::Range(min, max) => (None, Some(min), Some(max)),
        };
        OptionLine { name: spec.name, default: spec.default, values, min, max, about: spec.about }
    };
    let lines: Vec<_> = games
        .iter()
        .map(|game| GameLine {
            game: game.id,
            title: game.title,
            about: game.about,
            options: game.options.iter().map(option).collect(),
        })
        .collect();
    serde_json::to_string(&lines).expect("strings and numbers can be written as JSON") + "\n"
}
