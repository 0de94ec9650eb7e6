//! Playing a plan: what `arena run` and `arena match` have in common.

mod deadline;
mod events;
mod observer;
mod outcome;
mod pending_games;
mod tryout;

use std::collections::{BTreeSet, HashMap};
use std::error::Error;
use std::path::Path;
use std::time::Instant;

use diagnostic::{Diagnostic, Exit, Failure, output, say};
use live::{Endpoint, Interrupts, Scoreboard, Steering, WorkerPanel};
use notify::{Notice, Notifier};
use processes::Counters;
use record::{Journal, JournalError, JournalLine, RunSummary, Summarizer};
use report::Asked;
use runner::{Control, Executor, GamePlan, HarnessCost, RunError, ThisMachine};
use settings::OnStartFailure;
use tournament_file::{Plan, launcher};

use self::deadline::Deadline;
use self::observer::RunObserver;

pub use self::outcome::RunOutcome;
use self::pending_games::PendingGames;
use self::tryout::probe;
pub use self::tryout::try_bots;
use crate::display::{Presentation, RunStart};
use crate::evidence::EvidenceFiles;
use crate::feedback_schedule::FeedbackSchedule;
use crate::forecast::Forecast;
use crate::pinning;
use crate::resume::configure;
use crate::run_directory::failure;

/// Where the records of a run go.
pub enum Store {
    /// Into a run's directory.
    Directory(Box<Journal>),
    /// Nowhere: what tables need is in memory.
    Memory,
}

impl Store {
    /// Opens the directory of a run, which begins where there is none; says where the last line of its journal is left out.
    ///
    /// # Errors
    /// When the journal cannot be read, or another arena has it.
    pub fn open(directory: &Path) -> Result<(Self, RunSummary), Failure> {
        let (journal, contents) = Journal::open(directory).map_err(|error| failure(&error))?;
        if contents.torn > 0 {
            let torn = contents.torn;
            say(&format!("dropped an unfinished last line of {torn} bytes from the journal"));
        }
        Ok((Self::Directory(Box::new(journal)), contents))
    }

    /// Keeps a line; returns where it begins in the journal, if there is one.
    ///
    /// # Errors
    /// When it cannot be written.
    fn keep(&mut self, line: &JournalLine) -> Result<u64, JournalError> {
        match self {
            Self::Directory(journal) => journal.append(line),
            Self::Memory => Ok(0),
        }
    }

    /// Has what was kept reach the disk, where it has waited long enough.
    ///
    /// # Errors
    /// When the system reports that it has not.
    fn settle(&mut self) -> Result<(), JournalError> {
        match self {
            Self::Directory(journal) => journal.sync_when_due(),
            Self::Memory => Ok(()),
        }
    }
}

/// Plays what `plan` asks for and `contents` does not hold yet, after checking that it fits what was played. The games are played
/// on this machine.
///
/// # Errors
/// As [`play_on`].
pub fn play(
    plan: &Plan,
    contents: RunSummary,
    store: Store,
    presentation: &dyn Presentation,
) -> Result<RunOutcome, Failure> {
    play_on(&ThisMachine(launcher()?), None, plan, contents, store, presentation)
}

/// Plays what `plan` asks for and `contents` does not hold yet, by an executor, after checking that it fits what was played.
/// `workers` shows the machines by which it does so, where there are others.
///
/// # Errors
/// When the plan does not fit the run, a bot cannot play, or the journal cannot be written.
pub fn play_on(
    executor: &dyn Executor,
    workers: Option<WorkerPanel>,
    plan: &Plan,
    contents: RunSummary,
    store: Store,
    presentation: &dyn Presentation,
) -> Result<RunOutcome, Failure> {
    let directory = match &store {
        Store::Directory(_) => Some(plan.out.as_path()),
        Store::Memory => None,
    };
    let prepared = prepare(directory, plan, contents)?;
    let control = Control::new();
    let interrupts =
        Interrupts::listen_for_run(control.clone(), plan.source.is_some(), presentation.restorer())?;
    let mut notifier = events::notifier(plan, directory, interrupts.trigger());
    let mut stage = Stage::Prepared;
    let place = Place { executor, workers, directory, presentation, control, interrupts: &interrupts };
    let outcome = play_telling(&place, plan, prepared, store, &mut notifier, &mut stage);
    // Signals are heard until everything is told.
    events::close(notifier, &outcome, stage);
    outcome
}

/// How far a run has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// It is known what is to be played.
    Prepared,
    /// Bots are started for the first time.
    Probing,
    /// Games are played.
    Playing,
}

/// Where a run is played, kept and shown, and what ends, pauses or resizes it from outside.
struct Place<'a> {
    executor: &'a dyn Executor,
    workers: Option<WorkerPanel>,
    directory: Option<&'a Path>,
    presentation: &'a dyn Presentation,
    control: Control,
    interrupts: &'a Interrupts,
}

/// What is to be played, before anything was started.
struct Prepared {
    contents: RunSummary,
    /// Whether the journal has another configuration, or none.
    is_changed: bool,
    play: GamePlan,
}

/// Finds out what is played and where. Only the user, who has just begun the run, is told of what fails here.
///
/// # Errors
/// When the plan does not fit the run or this machine.
fn prepare(directory: Option<&Path>, plan: &Plan, mut contents: RunSummary) -> Result<Prepared, Failure> {
    // What an arena that was killed has left there does not show this run.
    directory.into_iter().for_each(live::clear);
    plan.notes.iter().for_each(|note| say(note));
    let is_changed = configure(plan, &mut contents)?;
    if let Some(directory) = directory {
        let setups = plan.contests.iter().map(|contest| &contest.setup);
        own_games::keep_modules(setups, directory)
            .map_err(|error| Failure::io("failed to keep the rules in the directory of the run", &error))?;
    }
    let pins = pinning::places(plan)?;
    let mut play = plan.play();
    play.settings.pins = pins;
    Ok(Prepared { contents, is_changed, play })
}

/// Plays, and has told what happens until the end.
///
/// # Errors
/// As [`play_on`].
fn play_telling(
    place: &Place<'_>,
    plan: &Plan,
    prepared: Prepared,
    mut store: Store,
    notifier: &mut Notifier,
    stage: &mut Stage,
) -> Result<RunOutcome, Failure> {
    let Place { executor, ref workers, directory, presentation, ref control, interrupts } = *place;
    let Prepared { contents, is_changed, play } = prepared;
    let mut pending = PendingGames::of(plan, &play, &contents)?;
    let total = pending.total;
    let forecast = Forecast::new(plan.settings.concurrency, &contents.games);
    if !pending.is_empty() {
        if !contents.games.is_empty() {
            say(&going_on(contents.games.len() as u64, total, pending.director.is_some()));
        }
        if let Some(trial) = &pending.trial {
            say(&forecast.before(trial, u64::from(plan.config.rounds) * plan.config.games.len() as u64));
        }
        pinning::describe(&play.settings).iter().for_each(|told| say(told));
    }
    let deadline = plan.max_time.map(Deadline::new);
    let mut left_out = Vec::new();
    if !pending.is_empty() {
        let (has_bot, has_contest) = (|bot| pending.has_bot(bot), |contest| pending.has_contest(contest));
        // A schedule that follows results needs the results of every bot.
        let may_skip = plan.on_start_failure == OnStartFailure::Skip && pending.director.is_none();
        let try_all = |bots: &[_], contests: &[_], settings: &_| {
            executor.probe(bots, contests, settings, control).map_err(|error| broken_off(&error, 0))
        };
        *stage = Stage::Probing;
        let broken = probe(try_all, &play, has_bot, has_contest, may_skip)?;
        left_out = broken.iter().map(|bot| protocol::printable(&play.bots[*bot].name).into_owned()).collect();
        pending.leave_out(broken);
    }
    if let (Store::Directory(journal), true, Some(run)) = (&mut store, is_changed, contents.runs.last()) {
        journal.append(&JournalLine::Run(Box::new(run.clone()))).map_err(|error| failure(&error))?;
    }
    if pending.is_empty() {
        return Ok(RunOutcome {
            contents,
            now: 0,
            left: 0,
            is_interrupted: false,
            left_out,
            out_of_time: None,
            trial: pending.trial,
            effort: None,
        });
    }
    let tasks = pending.tasks();
    let PendingGames { director, trial, .. } = pending;
    let board = Scoreboard::new(
        &plan.config.name,
        &plan.config.format.to_string(),
        contents.games.len() as u64,
        total,
    );
    let steering =
        Steering { control: control.clone(), trigger: interrupts.trigger(), workers: workers.clone() };
    let asked = Asked::of(&contents);
    let opening = RunStart {
        total,
        asked: &asked,
        catalogue: plan.catalogue(),
        games: &contents.games,
        steering: steering.clone(),
    };
    let progress = presentation.open(opening)?;
    let recorded = contents.games.len() as u64;
    let (endpoint, complaints) = Endpoint::open(board, steering, plan.settings.concurrency.get(), directory);
    complaints.iter().for_each(|complaint| progress.say(complaint));
    *stage = Stage::Playing;
    notifier.tell(&Notice::RunStarted {
        games_recorded: recorded,
        games_left: total,
        bots: play.bots.len() as u64,
    });
    let mut observer = RunObserver {
        notifier,
        has_verdict: false,
        endpoint,
        progress,
        asked,
        source: plan.source.as_ref(),
        withdrawn: BTreeSet::new(),
        control,
        trial,
        forecast,
        deadline,
        director,
        plan: &play,
        interrupts,
        told: 0,
        games: Summarizer::new(contents),
        plies: 0,
        failures: HashMap::new(),
        evidence: EvidenceFiles::of(directory),
        store,
    };
    let (before, since) = (Counters::now(), Instant::now());
    let outcome = executor.play(&play, tasks, control, &mut observer);
    let (after, took) = (Counters::now(), since.elapsed());
    // A signal that came with the last games is told as well.
    observer.tick();
    let RunObserver { progress, games, plies, store, trial, director, deadline, .. } = observer;
    progress.finish();
    let contents = games.finish();
    let now = contents.games.len() as u64 - recorded;
    let effort = after.zip(before).map(|(after, before)| {
        let counters = after.since(&before);
        HarnessCost { games: now, plies, took, counters }
    });
    if let Store::Directory(mut journal) = store {
        journal.sync().map_err(|error| failure(&error))?;
    }
    outcome.map_err(|error| broken_off(&error, now))?;
    let has_verdict = trial.as_ref().is_some_and(|trial| trial.stop().is_some());
    let is_interrupted = interrupts.count() > 0 && !has_verdict;
    let left = director.as_ref().map_or(total - now, FeedbackSchedule::games_left);
    let left = if has_verdict { 0 } else { left };
    let out_of_time =
        deadline.filter(|deadline| deadline.is_over() && left > 0).map(|deadline| deadline.time);
    Ok(RunOutcome { contents, now, left, is_interrupted, left_out, out_of_time, trial, effort })
}

/// Returns what is said when a run is resumed.
fn going_on(recorded: u64, total: u64, is_most: bool) -> String {
    let are = |number: u64| if number == 1 { "is" } else { "are" };
    let most = if is_most { "at most " } else { "" };
    let games = output::count(recorded, "game");
    format!("resuming: {games} {} recorded, {most}{total} {} to be played", are(recorded), are(total))
}

/// Returns why a run was broken off, after this many games.
fn broken_off(error: &RunError, now: u64) -> Failure {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    Failure::new(Exit::Io, vec![Diagnostic::new(text)])
        .hint(format!("{now} games of this start are recorded; the same command continues from there"))
}
