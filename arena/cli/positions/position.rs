//! `arena position`: what a position looks like, who decides, and what is legal.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use board::{Caption, Drawing, Marks, Scene, Story};
use diagnostic::{Diagnostic, Exit, Failure, output};
use pixels::PixelError;
use rules::{Outcome, Referee, Rejection, Setup};
use serde::Serialize;

use crate::positions::game_arguments::GameArguments;
use crate::terminal;

/// Shows a position: its board, string, seat to decide, legal plies and result.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples: `arena position farook --plies b4 c4`, `arena position fanorona:size=5x5 --svg board.svg`."
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// Play these plies first, one word each.
    #[arg(long, alias = "moves", value_name = "PLY", num_args = 0..)]
    plies: Vec<String>,
    /// Write one line of JSON instead.
    #[arg(long)]
    json: bool,
    /// Write the board as a picture instead, with the last ply of `--plies` marked; `-` is standard output.
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    svg: Option<PathBuf>,
    /// The same as pixels, in the colours of the light scheme.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "svg"])]
    png: Option<PathBuf>,
    /// How many pixels the longer side of `--png` has, from 16 to 4096.
    #[arg(long, value_name = "PX", requires = "png", default_value_t = 800, value_parser = clap::value_parser!(u32).range(pixels::SIZES))]
    size: u32,
}

impl Arguments {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let (setup, mut referee) = self.game.referee()?;
        // A quoted list of plies is as good as several words.
        let plies = self.plies.iter().flat_map(|words| words.split_whitespace());
        let mut turn = Vec::new();
        for (index, ply) in plies.enumerate() {
            let (before, is_first) = (referee.position(), referee.turn().is_fresh);
            referee.submit(ply).map_err(|rejection| refusal(&*referee, ply, index + 1, &rejection))?;
            if is_first {
                turn.clear();
            }
            turn.push((before, ply));
        }
        if let Some(path) = &self.svg {
            let picture = Picture::of(&setup, &*referee, &turn)?;
            write_picture(path, picture.svg(&setup, &*referee, &turn).as_bytes())?;
            return Ok(Exit::Done);
        }
        if let Some(path) = &self.png {
            let Picture { drawing, scene, story } = Picture::of(&setup, &*referee, &turn)?;
            let svg = board::plain_picture(&drawing, &scene, &story);
            write_picture(path, &pixels::png(&svg, self.size).map_err(|error| unpainted(&error))?)?;
            return Ok(Exit::Done);
        }
        let text = if self.json { to_json(&setup, &*referee) } else { to_text(&setup, &*referee) };
        output::print(&text)?;
        Ok(Exit::Done)
    }
}

fn refusal(referee: &dyn Referee, ply: &str, number: usize, rejection: &Rejection) -> Failure {
    let seat = referee.seat();
    if let Rejection::Rules(fault) = rejection {
        return Failure::new(Exit::Io, vec![Diagnostic::new(fault.to_string())]);
    }
    let failure = Failure::usage(format!("ply {number}, `{ply}`, is refused to {seat}: {rejection}"));
    let legal = referee.legal();
    match rules::nearest(ply, legal.iter().map(String::as_str)) {
        Some(near) => failure.hint(format!("`{near}` is legal at `{}`", referee.position())),
        None if legal.is_empty() => failure,
        None => failure.hint(format!("{} plies are legal at `{}`", legal.len(), referee.position())),
    }
}

/// A position to be drawn, with what the last turn did to it.
struct Picture {
    drawing: Drawing,
    scene: Scene,
    story: Story,
}

/// A ply of the last turn: the position string before it, and its spelling.
type Step<'a> = (String, &'a str);

impl Picture {
    fn of(setup: &Setup, referee: &dyn Referee, turn: &[Step<'_>]) -> Result<Self, Failure> {
        let undrawn = || Failure::usage(format!("the board of `{}` has no drawing", setup.game().id));
        let drawing = Drawing::of(setup).ok_or_else(undrawn)?;
        let seen = |position: &str| Scene::of(&drawing, position).ok_or_else(undrawn);
        let scene = seen(&referee.position())?;
        let mut story = Story { turn: Vec::new(), end: referee.end() };
        for (index, (before, ply)) in turn.iter().enumerate() {
            let after = turn.get(index + 1).map_or_else(|| Ok(scene.clone()), |(after, _)| seen(after))?;
            story.turn.push(Marks::of(&drawing, &seen(before)?, ply, &after));
        }
        Ok(Self { drawing, scene, story })
    }

    fn svg(&self, setup: &Setup, referee: &dyn Referee, turn: &[Step<'_>]) -> String {
        let (state, end) = match referee.end() {
            None => (format!("{} decides", referee.seat()), String::new()),
            Some(end) => {
                (format!("{} ({})", end.verdict.outcome, end.verdict.reason), format!("{}. ", end.words()))
            }
        };
        let after = turn.last().map_or_else(String::new, |(_, ply)| format!(" after {ply}"));
        let caption = Caption {
            title: format!("{}{after}: {state}", setup.label()),
            description: format!("{end}{}. {}", self.scene.words(&self.drawing), referee.position()),
        };
        board::picture(&self.drawing, &self.scene, &self.story, &caption)
    }
}

/// Turns an error of our pictures into one for the user.
pub(crate) fn unpainted(error: &PixelError) -> Failure {
    Failure::new(Exit::Io, vec![diagnostic::Diagnostic::new(format!("failed to make pixels: {error}"))])
}

/// Writes a picture to a file, or to standard output for `-`.
pub(crate) fn write_picture(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if path == Path::new("-") {
        return match std::str::from_utf8(bytes) {
            Ok(text) => output::print(text),
            Err(_) => output::print_picture(bytes),
        };
    }
    fs::write(path, bytes)
        .map_err(|error| Failure::io(format!("failed to write `{}`", path.display()), &error))
}

fn to_text(setup: &Setup, referee: &dyn Referee) -> String {
    const INDENT: usize = 10;
    let position = referee.position();
    let end = referee.end();
    let mut text = format!("{}\n\n", setup.label());
    let look = terminal::look_at_output();
    let board = report::board_text(setup, &position, end.as_ref(), &look).unwrap_or_default();
    let nobody_decides = |line: &&str| end.is_none() || !line.contains(" decides");
    text.extend(board.lines().filter(nobody_decides).flat_map(|line| [line, "\n"]));
    let _ = writeln!(text, "\nposition  {position}");
    match end {
        None => {
            let legal = referee.legal();
            let count = if legal.len() == 1 { "1 ply".to_owned() } else { format!("{} plies", legal.len()) };
            let plies = output::wrap(legal.iter().map(String::as_str), INDENT, output::width());
            let _ = writeln!(text, "legal     {count}\n{:INDENT$}{plies}", "");
        }
        Some(end) => {
            let result = match end.verdict.outcome {
                Outcome::Win(seat) => format!("{seat} wins"),
                Outcome::Draw => "draw".to_owned(),
                Outcome::Places(places) => format!("places {places}"),
            };
            let _ = writeln!(text, "result    {result} ({})", end.verdict.reason);
            let _ = writeln!(text, "{:INDENT$}{}", "", end.words());
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
