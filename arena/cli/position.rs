//! `arena position`: what a position looks like, who decides, and what is legal.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, IsTerminal as _};

use rules::{Outcome, Referee, Rejection, Setup};
use serde::Serialize;

use crate::diagnostic::Failure;
use crate::exit::Exit;
use crate::options::GameArguments;
use crate::output;

/// Shows a position: its board, string, seat to decide, legal plies and result.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// Play these plies first, one word each.
    #[arg(long, value_name = "PLY", num_args = 0..)]
    moves: Vec<String>,
    /// Write one line of JSON instead.
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let (setup, mut referee) = self.game.referee()?;
        // A quoted list of plies is as good as several words.
        let plies = self.moves.iter().flat_map(|words| words.split_whitespace());
        for (index, ply) in plies.enumerate() {
            referee.submit(ply).map_err(|rejection| refusal(&*referee, ply, index + 1, &rejection))?;
        }
        let text = if self.json { to_json(&setup, &*referee) } else { to_text(&setup, &*referee) };
        output::print(&text)?;
        Ok(Exit::Done)
    }
}

fn refusal(referee: &dyn Referee, ply: &str, number: usize, rejection: &Rejection) -> Failure {
    let seat = referee.seat();
    // Both kinds of refusal say why; which of them it is matters to bots only.
    let (Rejection::NotAPly(why) | Rejection::Illegal(why)) = rejection;
    let failure = Failure::usage(format!("ply {number}, `{ply}`, is refused to {seat}: {why}"));
    let legal = referee.legal();
    match rules::nearest(ply, legal.iter().map(String::as_str)) {
        Some(near) => failure.hint(format!("`{near}` is legal at `{}`", referee.position())),
        None if legal.is_empty() => failure,
        None => failure.hint(format!("{} plies are legal at `{}`", legal.len(), referee.position())),
    }
}

fn to_text(setup: &Setup, referee: &dyn Referee) -> String {
    const INDENT: usize = 10;
    let position = referee.position();
    let verdict = referee.outcome();
    let mut text = format!("{}\n\n", setup.label());
    let board = report::board_text(setup.game().id, &position, &output::look(io::stdout().is_terminal()))
        .unwrap_or_default();
    let nobody_decides = |line: &&str| verdict.is_none() || !line.contains(" decides");
    text.extend(board.lines().filter(nobody_decides).flat_map(|line| [line, "\n"]));
    let _ = writeln!(text, "\nposition  {position}");
    match verdict {
        None => {
            let legal = referee.legal();
            let count = if legal.len() == 1 { "1 ply".to_owned() } else { format!("{} plies", legal.len()) };
            let plies = output::wrap(legal.iter().map(String::as_str), INDENT, output::width());
            let _ = writeln!(text, "legal     {count}\n{:INDENT$}{plies}", "");
        }
        Some(verdict) => {
            let result = match verdict.outcome {
                Outcome::Win(seat) => format!("{seat} wins"),
                Outcome::Draw => "draw".to_owned(),
            };
            let _ = writeln!(text, "result    {result} ({})", verdict.reason);
        }
    }
    text
}

/// A position as JSON; scripts rely on these keys.
#[derive(Serialize)]
struct PositionLine<'a> {
    game: &'a str,
    options: BTreeMap<&'a str, &'a str>,
    position: String,
    seat: String,
    legal: Vec<String>,
    result: Option<String>,
    reason: Option<&'a str>,
}

fn to_json(setup: &Setup, referee: &dyn Referee) -> String {
    let verdict = referee.outcome();
    let line = PositionLine {
        game: setup.game().id,
        options: setup.options().iter().map(|(key, value)| (*key, value.as_str())).collect(),
        position: referee.position(),
        seat: referee.seat().to_string(),
        legal: referee.legal(),
        result: verdict.map(|verdict| verdict.outcome.to_string()),
        reason: verdict.map(|verdict| verdict.reason.code()),
    };
    serde_json::to_string(&line).expect("strings can be written as JSON") + "\n"
}
