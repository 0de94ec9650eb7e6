//! The games by which an entry is tried, and how they went.

use std::error::Error;

use processes::Launcher;
use protocol::printable_capped;
use record::GameRecord;
use runner::{BotFailure, Control, EventError, Host, Listener, RunEvent};
use tournament::evidence;
use tournament_file::Plan;

/// How many of the last lines of a game that was lost by a fault are shown.
const LINES: usize = 30;

/// A game that was played.
#[derive(Clone, Debug)]
pub(crate) struct TrialGame {
    /// The game with its options.
    pub(crate) label: String,
    /// The entry's seat: `p1`, `p2` and so on.
    pub(crate) seat: String,
    /// `won`, `drawn`, `lost`, or `none` for a game that does not count. At a table of more than two the first place is a win or, if
    /// others share it, a draw.
    pub(crate) result: &'static str,
    /// The place at such a table: `place 2 of 3`.
    pub(crate) place: Option<String>,
    /// Why it ended.
    pub(crate) reason: String,
    /// How many plies were played.
    pub(crate) plies: usize,
    /// Whether the entry lost it by a fault, or it does not count because of one.
    pub(crate) is_fault: bool,
}

/// How a game was lost by a fault.
#[derive(Clone, Debug)]
pub(crate) struct LostGame {
    /// The game, the seat and the fault.
    pub(crate) title: String,
    /// What happened.
    pub(crate) detail: String,
    /// The rule that was broken, and what to look at.
    pub(crate) advice: Vec<String>,
    /// The game with its options, and the position that the bot was asked about, if it was asked.
    pub(crate) position: Option<(String, String)>,
    /// The last lines between the arena and the bot, fit to be shown.
    pub(crate) lines: Vec<String>,
    /// The end of its standard error, fit to be shown.
    pub(crate) stderr: Vec<String>,
}

/// What came of the games.
#[derive(Clone, Debug, Default)]
pub(crate) struct TrialGames {
    /// All games, in order.
    pub(crate) played: Vec<TrialGame>,
    /// Those that were lost by faults.
    pub(crate) lost: Vec<LostGame>,
    /// Whether they were ended from outside.
    pub(crate) is_interrupted: bool,
}

/// Why there are no games.
#[derive(Debug)]
pub(crate) enum NoGames {
    /// The entry cannot play what is asked, in words without a subject.
    Unfit(String),
    /// The run was ended from outside.
    Interrupted,
    /// The arena itself failed.
    Broken(String),
}

/// Plays the games of a plan whose first bot is the entry.
pub(crate) fn play(plan: &Plan, launcher: &dyn Launcher, control: &Control) -> Result<TrialGames, NoGames> {
    let plan = (plan, plan.play());
    let (config, play) = (&plan.0.config, &plan.1);
    let probed = runner::probe(launcher, &play.bots[..1], &play.contests, &play.settings, control);
    for result in probed.ok_or(NoGames::Interrupted)? {
        if let Err(failure) = result.outcome {
            return Err(NoGames::Unfit(failure.fault));
        }
    }
    let tasks: Vec<_> = play.tasks(runner::pending(&[config], [])).collect();
    let mut observer =
        TrialObserver { name: &play.bots[0].name, games: TrialGames::default(), failures: Vec::new() };
    let summary = runner::play(launcher, play, tasks, control, &mut observer)
        .map_err(|error| NoGames::Broken(chain(&error)))?;
    let mut games = observer.games;
    games.is_interrupted = summary.left + summary.abandoned > 0;
    Ok(games)
}

fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}

struct TrialObserver<'a> {
    name: &'a str,
    games: TrialGames,
    /// The faults of games that have not ended.
    failures: Vec<BotFailure>,
}

impl Listener for TrialObserver<'_> {
    fn event(&mut self, event: RunEvent<'_>) -> Result<(), EventError> {
        match event {
            RunEvent::BotFailed(failure) if failure.bot == self.name => self.failures.push(*failure),
            RunEvent::GameFinished(game) => self.game_finished(*game),
            _ => {}
        }
        Ok(())
    }
}

impl Host for TrialObserver<'_> {}

impl TrialObserver<'_> {
    fn game_finished(&mut self, game: GameRecord) {
        let Some((seat, _)) = game.seats.by_seat().find(|(_, played)| played.bot == self.name) else {
            return;
        };
        let place = game.result.place(seat);
        let result = match (place, game.result.winner()) {
            (None, _) => "none",
            (Some(_), Some(winner)) if winner == seat => "won",
            (Some(1), _) => "drawn",
            (Some(_), _) => "lost",
        };
        let seats = game.seats.len();
        let place = place.filter(|_| seats > 2).map(|place| format!("place {place} of {seats}"));
        let is_fault =
            game.faults().map(|(failed, _)| failed).chain(game.failed).any(|failed| failed == seat);
        let reason = game.reason.to_string();
        if is_fault {
            let failure = self.failures.iter().position(|failure| failure.game == game.number);
            let failure = failure.map(|index| self.failures.remove(index));
            let title = format!("{}, {seat}: {reason}", game.label);
            let detail = game.detail.clone().unwrap_or_else(|| reason.clone());
            self.games.lost.push(match failure {
                None => LostGame {
                    title,
                    detail,
                    advice: Vec::new(),
                    position: None,
                    lines: Vec::new(),
                    stderr: Vec::new(),
                },
                Some(failure) => LostGame {
                    title,
                    detail,
                    advice: evidence::advice(&failure),
                    position: failure
                        .scene
                        .as_ref()
                        .map(|scene| (game.label.clone(), scene.position.clone())),
                    lines: lines(&failure),
                    stderr: failure.stderr,
                },
            });
        }
        self.games.played.push(TrialGame {
            label: game.label,
            seat: seat.to_string(),
            result,
            place,
            reason,
            plies: game.plies.len(),
            is_fault,
        });
    }
}

fn lines(failure: &BotFailure) -> Vec<String> {
    let spoken = &failure.spoken.lines;
    let shown = spoken.iter().skip(spoken.len().saturating_sub(LINES));
    let line = |line: &runner::SpokenLine| {
        let millis = line.at.as_micros() as f64 / 1000.0;
        format!("{millis:>10.3} {} {}", line.direction.sign(), printable_capped(&line.text, 400))
    };
    shown.map(line).collect()
}
