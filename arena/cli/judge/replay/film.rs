//! A recorded game as an animated picture, alone or within a piece of HTML.

use std::path::{Path, PathBuf};
use std::time::Duration;

use audit::{RecordedGame, RecordedGames, begin};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use board::{Drawing, Marks, Scene, Story, Titles};
use diagnostic::output::count;
use diagnostic::{Exit, Failure};
use pixels::Pace;
use protocol::printable_capped;
use quick_xml::escape::escape;
use record::GameResult;
use rules::{Catalogue, PerSeat, Rejection, Seat};

use crate::positions::position::{unpainted, write_picture};

/// How many pixels the longer side of an animated picture may have.
const SIZES: std::ops::RangeInclusive<i64> = 64..=1600;

/// How many characters of a name are kept.
const LONGEST_NAME: usize = 60;

/// What is made of one game instead of refereeing all.
#[derive(Debug, clap::Args)]
pub(super) struct FilmArguments {
    /// Write one game as an animated picture instead; `-` is standard output
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    gif: Option<PathBuf>,
    /// Write one game as a piece of HTML that holds its animated picture and its plies, to paste into a page
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "gif"])]
    html: Option<PathBuf>,
    /// The number of the game for `--gif` and `--html`; not needed where there is only one
    #[arg(long, value_name = "N")]
    game: Option<u64>,
    /// How many pixels the longer side of the picture has, from 64 to 1600
    #[arg(long, value_name = "PX", default_value_t = 480, value_parser = clap::value_parser!(u32).range(SIZES))]
    size: u32,
    /// How long the position after each ply is shown
    #[arg(long, value_name = "TIME", default_value = "800ms", value_parser = shown_for)]
    delay: Duration,
    /// How long the last position is shown
    #[arg(long, value_name = "TIME", default_value = "4s", value_parser = shown_for)]
    hold: Duration,
}

fn shown_for(text: &str) -> Result<Duration, String> {
    let time = settings::parse_duration(text).map_err(|error| error.to_string())?;
    let allowed = Duration::from_millis(20)..=Duration::from_secs(600);
    if allowed.contains(&time) { Ok(time) } else { Err("it is from 20ms to 10m".to_owned()) }
}

impl FilmArguments {
    /// Writes what was asked for. Returns `None` where nothing of this kind was.
    pub(super) fn run(&self, files: &[PathBuf], named: &Catalogue) -> Result<Option<Exit>, Failure> {
        let Some(target) = self.gif.as_ref().or(self.html.as_ref()) else {
            return match self.game {
                Some(_) => {
                    Err(Failure::usage("`--game` chooses the game for `--gif` or `--html`".to_owned()))
                }
                None => Ok(None),
            };
        };
        let [file] = files else {
            return Err(Failure::usage("a picture shows a game of one file".to_owned()));
        };
        let game = find(file, self.game)?;
        let film = Film::of(&game, &own_games::with_modules_beside(file, named.clone()))?;
        let pace = Pace { each: self.delay, last: self.hold };
        let picture = pixels::gif(&film.frames, self.size, pace).map_err(|error| unpainted(&error))?;
        let bytes = if self.html.is_some() { film.html(&picture).into_bytes() } else { picture };
        write_picture(target, &bytes)?;
        Ok(Some(Exit::Done))
    }
}

/// Returns the game with this number, or the only one.
fn find(file: &Path, number: Option<u64>) -> Result<RecordedGame, Failure> {
    let unreadable = |words: String| Failure::new(Exit::Io, vec![diagnostic::Diagnostic::new(words)]);
    let mut games = RecordedGames::open(file).map_err(unreadable)?;
    let Some(number) = number else {
        let nothing = || Failure::usage(format!("`{}` has no game", file.display()));
        let first = games.next().ok_or_else(nothing)?.map_err(unreadable)?;
        return match games.next() {
            None => Ok(first),
            Some(_) => Err(Failure::usage(format!("`{}` has more than one game", file.display()))
                .hint("`--game N` chooses one of them".to_owned())),
        };
    };
    let (wanted, mut seen) = (number.to_string(), 0);
    for game in games {
        let game = game.map_err(unreadable)?;
        if game.number.as_deref() == Some(&wanted) {
            return Ok(game);
        }
        seen += 1;
    }
    Err(Failure::usage(format!("`{}` has no game {number}", file.display()))
        .hint(format!("it has {}", count(seen, "game"))))
}

/// The pictures of a game from its start to its end, and what is told of it.
struct Film {
    frames: Vec<String>,
    label: String,
    names: PerSeat<String>,
    /// Who won, and why.
    end: String,
    plies: Vec<String>,
}

impl Film {
    fn of(game: &RecordedGame, catalogue: &Catalogue) -> Result<Self, Failure> {
        let (setup, mut referee) = begin(game, catalogue).map_err(|problem| {
            let problem = problem.bounded();
            Failure::usage(format!("the game cannot be shown: {}; {}", problem.recorded, problem.rules))
        })?;
        let undrawn = || Failure::usage(format!("the board of `{}` has no drawing", setup.game().id));
        let drawing = Drawing::of(&setup).ok_or_else(undrawn)?;
        let names =
            game.names.each_ref().map(|name| printable_capped(name.as_deref().unwrap_or("?"), LONGEST_NAME));
        let plies: Vec<String> = game.plies().map(str::to_owned).collect();
        let mut scene = Scene::of(&drawing, &referee.position()).ok_or_else(undrawn)?;
        let mut story = Story::default();
        let mut frames = Vec::with_capacity(plies.len() + 1);
        let mut end = String::new();
        for number in 0..=plies.len() {
            if let Some(ply) = number.checked_sub(1).and_then(|before| plies.get(before)) {
                let (before, is_first) = (scene, referee.turn().is_fresh);
                game.put_out(&mut *referee, number - 1)
                    .map_err(|rejection| refused(number, ply, &rejection))?;
                referee.submit(ply).map_err(|rejection| refused(number, ply, &rejection))?;
                scene = Scene::of(&drawing, &referee.position()).ok_or_else(undrawn)?;
                if is_first {
                    story.turn.clear();
                }
                story.turn.push(Marks::of(&drawing, &before, ply, &scene));
            }
            story.end = referee.end();
            let is_last = number == plies.len();
            let line = if is_last {
                end = verdict(game, &names, story.end.as_ref().map(rules::End::words));
                end.clone()
            } else {
                match number.checked_sub(1).and_then(|before| plies.get(before)) {
                    Some(ply) => format!("{number}/{} {ply}", plies.len()),
                    None => setup.label(),
                }
            };
            let decider = Some(referee.seat()).filter(|_| !is_last);
            // A board has two sides: at a larger table every second seat stands below it, the others above.
            let side =
                |first: usize| names.iter().skip(first).step_by(2).cloned().collect::<Vec<_>>().join(", ");
            let decider = decider.map(|seat| Seat::BOTH[seat.index() % 2]);
            let titles = Titles { names: [side(0), side(1)], decider, line };
            frames.push(board::titled_picture(&drawing, &scene, &story, &titles));
        }
        Ok(Self { frames, label: setup.label(), names, end, plies })
    }

    /// Returns a figure that needs no script, no style sheet and no other file.
    fn html(&self, picture: &[u8]) -> String {
        let names: Vec<_> = self.names.iter().map(escape).collect();
        let (against, names) = (names.join(" against "), names.join("</b> – <b>"));
        let (label, end) = (escape(&self.label), escape(&self.end));
        let plies = self.plies.join(" ");
        let plies = escape(&plies);
        format!(
            "<figure style=\"margin:1em 0;max-width:100%\">\n\
             <img alt=\"{label}: {against}, played through. {end}\" style=\"max-width:100%;height:auto\" src=\"data:image/gif;base64,{}\">\n\
             <figcaption><b>{names}</b>, {label}: {end}\n\
             <details><summary>{}</summary><code style=\"overflow-wrap:anywhere\">{plies}</code></details></figcaption>\n\
             </figure>\n",
            STANDARD.encode(picture),
            count(self.plies.len() as u64, "ply"),
        )
    }
}

/// Says who won and why: by the rules in words, or else by the recorded reason.
fn verdict(game: &RecordedGame, names: &PerSeat<String>, words: Option<String>) -> String {
    let won = match game.result {
        GameResult::P1Win => format!("{} won", names[0]),
        GameResult::P2Win => format!("{} won", names[1]),
        GameResult::Draw => "drawn".to_owned(),
        GameResult::None => "no result".to_owned(),
        GameResult::Places(places) => format!("places {places}"),
    };
    let reason = words.or_else(|| game.reason.as_deref().map(|reason| printable_capped(reason, 80)));
    reason.map_or_else(|| won.clone(), |reason| format!("{won}: {reason}"))
}

fn refused(number: usize, ply: &str, rejection: &Rejection) -> Failure {
    Failure::usage(format!("the rules refuse ply {number}, `{}`: {rejection}", printable_capped(ply, 60)))
        .hint("without `--gif` and `--html`, all that does not hold is told".to_owned())
}
