//! `arena repro DIR GAME`: sends a bot the lines of a recorded game again.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use diagnostic::Exit;
use diagnostic::Failure;
use diagnostic::output;
use diagnostic::say;
use live::Interrupts;
use protocol::printable;
use record::{GameReader, GameRecord};
use rules::{PerSeat, Seat};
use runner::{Control, GamePlan, PairPlace, Repeated, ReproEnd, ReproGame, ReproVerdict, Task};
use tournament::evidence::{FAULTS, parse_fault_page};
use tournament_file::launcher;

use crate::own_games_arguments::OwnGamesArguments;
use crate::recorded_bots::{self, BotArguments, Recalled};

/// Sends a bot the lines of a recorded game again, and shows what it answers now and how long it takes.
///
/// The position before each question is that of the record, whatever the bot answers, and its clock shows what it
/// showed then. The opponent does not think, and answers that were refused are not repeated. Ends with 0 where
/// every answer is the recorded one and no fault comes again, with 1 where one differs or is a fault.
#[derive(Debug, Args)]
#[command(
    after_help = "Without CMD the recorded command is shown, started only where you allow it, and confined. For example:\n  \
    arena repro results/cup 17\n  arena repro results/cup/faults/17.txt -- python3 mine.py"
)]
pub(crate) struct Arguments {
    /// The directory of the run, or a page of its `faults`
    #[arg(value_name = "DIR")]
    target: PathBuf,
    /// The number of the game; a page of `faults` names its own
    #[arg(value_name = "GAME")]
    game: Option<u64>,
    /// Put only the question for this ply, counted from 1 with the opening
    #[arg(long, value_name = "N")]
    ply: Option<usize>,
    /// The seat of the bot; left out, the one that lost by a fault
    #[arg(long, value_name = "SEAT", value_parser = seat)]
    seat: Option<Seat>,
    /// Show every line that passes
    #[arg(long)]
    trace: bool,
    #[command(flatten)]
    own_games: OwnGamesArguments,
    #[command(flatten)]
    bots: BotArguments,
    /// The command to start instead of the recorded one
    #[arg(value_name = "CMD", last = true)]
    command: Vec<String>,
}

fn seat(text: &str) -> Result<Seat, &'static str> {
    text.parse().map_err(|()| "a seat is `p1`, `p2` and so on")
}

impl Arguments {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let (directory, number, named) = self.place()?;
        let contents = tournament::read(&directory, &self.bots.with_games(self.own_games.catalogue()?)?)?;
        let summary = contents.games.iter().find(|game| game.number == number).ok_or_else(|| {
            Failure::usage(format!("`{}` has no game {number}", directory.display()))
                .hint(format!("it has {}", output::count(contents.games.len() as u64, "game")))
        })?;
        let game = GameReader::open(&directory).and_then(|mut reader| reader.read(&summary));
        let game = &game.map_err(|error| tournament::failure(&error))?;
        let seat = self.seat(game, named)?;
        let decides = |ply: usize| {
            let decision = game.plies.get(ply.wrapping_sub(1));
            decision.is_none_or(|decision| {
                usize::from(decision.seat) == seat.index() + 1 && decision.us.is_some()
            })
        };
        if let Some(ply) = self.ply
            && (ply == 0 || ply > game.plies.len() + 1 || !decides(ply))
        {
            let own = (1..=game.plies.len()).filter(|ply| decides(*ply)).map(|ply| ply.to_string());
            return Err(Failure::usage(format!("{seat} was not asked for ply {ply} of game {number}"))
                .hint(format!("it was for {}", own.collect::<Vec<_>>().join(", "))));
        }
        let command = (!self.command.is_empty()).then_some(self.command.as_slice());
        let mut recalled = Recalled::default();
        let bot = self.bots.bot(&contents, &game.seats[seat.index()], command, &mut recalled)?;
        self.bots.confirm(&recalled)?;
        // Opponents are not started: of them only the names and the limits count.
        let mut bots = Vec::new();
        for (other, record) in game.seats.by_seat() {
            bots.push(match other == seat {
                true => bot.clone(),
                false => runner::PlannedBot {
                    name: record.bot.clone(),
                    tc: Some(recorded_bots::control(record)?),
                    ..bot.clone()
                },
            });
        }
        // On a worker of another speed clocks ran by other times.
        for (bot, (seat, _)) in bots.iter_mut().zip(game.seats.by_seat()) {
            bot.tc = game.clock_control(seat).or_else(|| bot.tc.take());
        }
        let plan = GamePlan {
            bots,
            contests: vec![recorded_bots::contest(&contents.runs, game, &contents.catalogue)?],
            settings: recorded_bots::settings(recorded_bots::run_of(&contents, &summary)?)?,
        };
        let seats = PerSeat::new(game.seats.len(), Seat::index);
        let GameRecord { pair, leg, round, .. } = *game;
        let task = Task { number, pair, leg, round, place: PairPlace::default(), contest: 0, seats };
        self.repeat(ReproGame { plan: &plan, task: &task, record: game }, seat)
    }

    fn repeat(&self, game: ReproGame<'_>, seat: Seat) -> Result<Exit, Failure> {
        let control = Control::new();
        let _interrupts = Interrupts::listen(control.clone())?;
        output::print(&heading(game, seat))?;
        let (mut asked, mut same, mut faults) = (0_u64, 0, 0);
        let mut failed = None;
        let mut tell = |repeated: Repeated| {
            asked += 1;
            match repeated.verdict {
                ReproVerdict::Same | ReproVerdict::Mended => same += 1,
                ReproVerdict::Different => {}
                ReproVerdict::Fault(_) => faults += 1,
            }
            failed = failed.take().or(output::print(&self.line(&repeated)).err());
        };
        let end = runner::repro(launcher()?, game, seat, self.ply, &control, &mut tell);
        if let Some(failure) = failed {
            return Err(failure);
        }
        let number = game.record.number;
        match end {
            Err(rejection) => Err(Failure::new(
                Exit::Io,
                vec![diagnostic::Diagnostic::new(format!(
                    "the record of game {number} contradicts the rules: {rejection}"
                ))],
            )
            .hint("`arena replay` says what does not hold")),
            Ok(ReproEnd::Interrupted) => {
                say("interrupted");
                Ok(Exit::Interrupted)
            }
            Ok(ReproEnd::Lost(words, stderr)) => {
                let command = &game.plan.bots[0].launch;
                say(&format!("the bot {words}: it was started with `{}`", command.command()));
                stderr.iter().for_each(|line| say(&format!("  stderr: {line}")));
                Ok(Exit::No)
            }
            Ok(ReproEnd::Done) => {
                let asked_words = output::count(asked, "question");
                let different = asked - same - faults;
                output::print(&format!(
                    "{asked_words}: {same} same or fixed, {different} different, {faults} faults\n"
                ))?;
                Ok(if same == asked { Exit::Done } else { Exit::No })
            }
        }
    }

    /// Returns the directory of the run, the number of the game, and the seat where the page about a fault names one.
    fn place(&self) -> Result<(PathBuf, u64, Option<Seat>), Failure> {
        if let Some(game) = self.game {
            return Ok((self.target.clone(), game, None));
        }
        let page = || parse_fault_page(self.target.file_stem()?.to_str()?);
        let folder = self.target.parent().filter(|folder| folder.ends_with(FAULTS));
        match (page(), folder.and_then(Path::parent)) {
            (Some((game, seat)), Some(directory)) if directory == Path::new("") => {
                Ok((PathBuf::from("."), game, seat))
            }
            (Some((game, seat)), Some(directory)) => Ok((directory.to_path_buf(), game, seat)),
            _ => Err(Failure::usage("no game is named")
                .hint("for example `arena repro DIR 17`, or `arena repro DIR/faults/17.txt`")),
        }
    }

    /// Returns whose lines are sent again: `named` is the seat of a page about a fault.
    fn seat(&self, game: &GameRecord, named: Option<Seat>) -> Result<Seat, Failure> {
        let seats =
            game.seats.by_seat().map(|(seat, one)| format!("`--seat {seat}` is `{}`", printable(&one.bot)));
        let hint = seats.collect::<Vec<_>>().join(", ");
        match (self.seat.or(named), game.faults().next()) {
            (Some(seat), _) if seat.index() < game.seats.len() => Ok(seat),
            (Some(seat), _) => {
                Err(Failure::usage(format!("game {} has no seat {seat}", game.number)).hint(hint))
            }
            (None, Some(_)) if game.faults().count() > 1 => {
                let message =
                    format!("several bots of game {} failed: say whose lines are meant", game.number);
                Err(Failure::usage(message).hint(hint))
            }
            (None, Some((seat, _))) => Ok(seat),
            (None, None) => {
                let number = game.number;
                let message = format!("game {number} was not lost by a fault: say whose lines are meant");
                Err(Failure::usage(message).hint(hint))
            }
        }
    }

    fn line(&self, repeated: &Repeated) -> String {
        let mut text = String::new();
        if self.trace {
            for line in &repeated.spoken.lines {
                let millis = line.at.as_micros() as f64 / 1000.0;
                text.push_str(&format!(
                    "{millis:>12.3} {} {}\n",
                    line.direction.sign(),
                    printable(&line.text)
                ));
            }
        }
        let plies = |plies: &[String]| match plies {
            [] => "-".to_owned(),
            plies => printable(&plies.join(" ")).into_owned(),
        };
        let then = format!(
            "{} in {}",
            plies(&repeated.then),
            repeated.then_spent.map_or_else(|| "-".to_owned(), millis)
        );
        let now = format!("{} in {}", plies(&repeated.now), millis(repeated.spent));
        let verdict = match &repeated.verdict {
            ReproVerdict::Same => "same".to_owned(),
            ReproVerdict::Mended => "the fault does not come again".to_owned(),
            ReproVerdict::Different => "different".to_owned(),
            ReproVerdict::Fault(words) => format!("fault: {words}"),
        };
        text.push_str(&format!("ply {:>3}  then {then:<24} now {now:<24} {verdict}\n", repeated.ply));
        text
    }
}

fn heading(game: ReproGame<'_>, seat: Seat) -> String {
    let record = game.record;
    let others = record.seats.by_seat().filter(|(other, _)| *other != seat);
    let others: Vec<_> = others.map(|(_, one)| format!("`{}`", printable(&one.bot))).collect();
    let mut text = format!(
        "game {} of {}: {seat} `{}` against {}, {} ({})\n",
        record.number,
        printable(&record.label),
        printable(&record.seats[seat.index()].bot),
        others.join(", "),
        record.result,
        record.reason
    );
    if let Some(detail) = &record.detail {
        text.push_str(&format!("recorded: {}\n", printable(detail)));
    }
    text
}

fn millis(time: Duration) -> String {
    format!("{:.1} ms", time.as_micros() as f64 / 1000.0)
}
