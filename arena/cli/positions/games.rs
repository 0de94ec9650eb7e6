//! `arena games`: the games, their options and their rules.

use std::fmt::Write as _;

use comfy_table::{ContentArrangement, Table, presets};
use diagnostic::Exit;
use diagnostic::Failure;
use diagnostic::output;
use rulebook::Rulebook;
use rules::{Game, OptionSpec};
use tournament_file::game_options;

/// Lists the games with their options, defaults and allowed values, or prints the rules of one.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The game whose rules to print, as `farook` or `./dao.wasm`; without it, the built-in games are listed
    #[arg(value_name = "GAME", conflicts_with = "json")]
    game: Option<String>,
    /// Write one JSON array instead.
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        if let Some(name) = &self.game {
            let setup = game_options::setup(name, &[])?;
            let game = setup.game();
            let mut text = match game.own_rules() {
                // What the list says of a built-in game.
                Some(rules) => {
                    let mut text = heading(game) + "\n";
                    if !rules.notation().is_empty() {
                        let _ = writeln!(text, "Plies: {}\n", rules.notation());
                    }
                    text
                }
                None => String::new(),
            };
            match Rulebook::of(game) {
                Some(rules) => text += &rules.to_text(output::width()),
                None => text += "The game says nothing more about its rules.\n",
            }
            output::print(&text)?;
            return Ok(Exit::Done);
        }
        output::print(&if self.json { rules_server::games_json() } else { to_text(rules::GAMES) })?;
        Ok(Exit::Done)
    }
}

fn to_text(games: &[Game]) -> String {
    let mut text = String::new();
    for (index, game) in games.iter().enumerate() {
        if index > 0 {
            text.push('\n');
        }
        text += &heading(game);
    }
    text + "\nOptions follow the name of the game: `fanorona:size=5x5,quiet-cap=10`.\n"
}

/// Returns what a game is, and its options.
fn heading(game: &Game) -> String {
    let mut text = format!("{} ({}): {}\n", game.id, game.title, game.about);
    if !game.options.is_empty() {
        let _ = writeln!(text, "{}", options_table(game.options));
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
