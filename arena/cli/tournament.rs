//! Playing a plan: what `arena run` and `arena match` have in common.

mod agenda;
mod deadline;
mod desk;
mod effort;
mod played;
mod tryout;
mod written;

use std::collections::{BTreeSet, HashMap};
use std::error::Error;
use std::path::Path;
use std::time::Instant;

use jiff::Timestamp;
use processes::Counters;
use record::{Journal, JournalError, Line, RunRecord, RunSummary, Summarizer};
use runner::{Control, RunError};

use self::agenda::Agenda;
use self::deadline::Deadline;
use self::desk::Desk;
use settings::OnStartFailure;

pub(crate) use self::effort::Effort;
pub(crate) use self::played::Played;
use self::tryout::probe;
pub(crate) use self::tryout::try_bots;
pub(crate) use self::written::{explain, failure, summary, write_files};
use crate::dashboard::{Dashboard, check_terminal};
use crate::directed::Director;
use crate::evidence::Evidence;
use crate::forecast::Forecast;
use crate::growth;
use crate::live::{self, Scoreboard, Station, Steering};
use crate::pinning;
use crate::progress::Progress;
use crate::signals::Interrupts;
use diagnostic::Exit;
use diagnostic::output;
use diagnostic::{Diagnostic, Failure};
use diagnostic::{say, say_torn};
use tournament_file::Plan;
use tournament_file::launcher;

/// Where the records of a run go.
pub(crate) enum Store {
    /// Into a run's directory.
    Directory(Box<Journal>),
    /// Nowhere: what tables need is in memory.
    Memory,
}

impl Store {
    /// Keeps a line; returns where it begins in the journal, if there is one.
    ///
    /// # Errors
    /// When it cannot be written.
    fn keep(&mut self, line: &Line) -> Result<u64, JournalError> {
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

/// How a run is shown while it goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Show {
    /// As lines, or a bar and a table on a terminal.
    Progress,
    /// Full-screen.
    Dashboard,
}

impl Show {
    /// Returns what `--tui`, given or not, asks for.
    ///
    /// # Errors
    /// When there is no terminal to be taken over.
    pub(crate) fn asked(is_dashboard: bool) -> Result<Self, Failure> {
        if !is_dashboard {
            return Ok(Self::Progress);
        }
        check_terminal().map(|()| Self::Dashboard)
    }
}

/// Plays what `plan` asks for and `contents` does not hold yet, after checking that it fits what was played.
///
/// # Errors
/// When the plan does not fit the run, a bot cannot play, or the journal cannot be written.
pub(crate) fn play(
    plan: &Plan,
    mut contents: RunSummary,
    mut store: Store,
    show: Show,
) -> Result<Played, Failure> {
    let directory = match &store {
        Store::Directory(_) => Some(plan.out.as_path()),
        Store::Memory => None,
    };
    // What an arena that was killed has left there does not show this run.
    directory.into_iter().for_each(live::clear);
    plan.notes.iter().for_each(|note| say(note));
    let is_changed = configure(plan, &mut contents)?;
    let pins = pinning::places(plan)?;
    let mut play = plan.play();
    play.settings.pins = pins;
    let mut agenda = Agenda::of(plan, &play, &contents)?;
    let total = agenda.total;
    let forecast = Forecast::new(plan.settings.concurrency, &contents.games);
    if !agenda.is_empty() {
        if !contents.games.is_empty() {
            say(&going_on(contents.games.len() as u64, total, agenda.director.is_some()));
        }
        if let Some(trial) = &agenda.trial {
            say(&forecast.before(trial, u64::from(plan.config.rounds) * plan.config.games.len() as u64));
        }
        pinning::describe(&play.settings).iter().for_each(|told| say(told));
    }
    let deadline = plan.max_time.map(Deadline::new);
    let control = Control::new();
    let interrupts = match &plan.source {
        Some(_) => Interrupts::listen_with_file(control.clone()),
        None => Interrupts::listen(control.clone()),
    };
    let interrupts = interrupts.map_err(|error| Failure::io("failed to listen for signals", &error))?;
    let mut left_out = Vec::new();
    if !agenda.is_empty() {
        let (has_bot, has_contest) = (|bot| agenda.has_bot(bot), |contest| agenda.has_contest(contest));
        // A schedule that follows results needs the results of every bot.
        let may_skip = plan.on_start_failure == OnStartFailure::Skip && agenda.director.is_none();
        let broken = probe(runner::probe_with, &play, has_bot, has_contest, may_skip, &control)?;
        left_out = broken.iter().map(|bot| protocol::printable(&play.bots[*bot].name).into_owned()).collect();
        agenda.leave_out(broken);
    }
    if let (Store::Directory(journal), true, Some(run)) = (&mut store, is_changed, contents.runs.last()) {
        journal.append(&Line::Run(Box::new(run.clone()))).map_err(|error| failure(&error))?;
    }
    if agenda.is_empty() {
        return Ok(Played {
            contents,
            now: 0,
            left: 0,
            is_interrupted: false,
            left_out,
            out_of_time: None,
            trial: agenda.trial,
            effort: None,
        });
    }
    let tasks = agenda.tasks();
    let Agenda { director, trial, .. } = agenda;
    let launcher = launcher()?;
    let board = Scoreboard::new(
        &plan.config.name,
        &plan.config.format.to_string(),
        contents.games.len() as u64,
        total,
    );
    let steering = Steering { control: control.clone(), trigger: interrupts.trigger() };
    let dashboard = match show {
        Show::Progress => None,
        Show::Dashboard => Some(
            Dashboard::open(steering.clone())
                .map_err(|error| Failure::io("failed to take the terminal over", &error))?,
        ),
    };
    let progress = Progress::new(total, &contents, dashboard);
    let recorded = contents.games.len() as u64;
    let (station, complaints) = Station::open(board, steering, plan.settings.concurrency.get(), directory);
    complaints.iter().for_each(|complaint| progress.say(complaint));
    let mut desk = Desk {
        station,
        progress,
        source: plan.source.as_ref(),
        withdrawn: BTreeSet::new(),
        control: &control,
        trial,
        forecast,
        deadline,
        director,
        plan: &play,
        interrupts: &interrupts,
        told: 0,
        games: Summarizer::new(contents),
        plies: 0,
        failures: HashMap::new(),
        evidence: Evidence::of(directory),
        store,
    };
    let (before, since) = (Counters::now(), Instant::now());
    let outcome = runner::play_with(launcher, &play, tasks, &control, &mut desk);
    let (after, took) = (Counters::now(), since.elapsed());
    // A signal that came with the last games is told as well.
    desk.tick();
    let Desk { progress, games, plies, store, trial, director, deadline, .. } = desk;
    progress.finish();
    let contents = games.finish();
    let now = contents.games.len() as u64 - recorded;
    let effort = after.zip(before).map(|(after, before)| {
        let counters = after.since(&before);
        Effort { games: now, plies, took, counters }
    });
    if let Store::Directory(mut journal) = store {
        journal.sync().map_err(|error| failure(&error))?;
    }
    outcome.map_err(|error| broken_off(&error, now))?;
    let has_verdict = trial.as_ref().is_some_and(|trial| trial.stop().is_some());
    let is_interrupted = interrupts.count() > 0 && !has_verdict;
    let left = director.as_ref().map_or(total - now, Director::games_left);
    let left = if has_verdict { 0 } else { left };
    let out_of_time =
        deadline.filter(|deadline| deadline.is_over() && left > 0).map(|deadline| deadline.time);
    Ok(Played { contents, now, left, is_interrupted, left_out, out_of_time, trial, effort })
}

/// Returns what is said when a run goes on.
fn going_on(recorded: u64, total: u64, is_most: bool) -> String {
    let are = |number: u64| if number == 1 { "is" } else { "are" };
    let most = if is_most { "at most " } else { "" };
    let games = output::count(recorded, "game");
    format!("going on: {games} {} recorded, {most}{total} {} to be played", are(recorded), are(total))
}

/// Returns why a run was broken off, after so many games.
fn broken_off(error: &RunError, now: u64) -> Failure {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    Failure::new(Exit::Io, vec![Diagnostic::new(text)])
        .hint(format!("{now} games of this start are recorded; the same command goes on from there"))
}

/// Reads what a run has left, and says so where the last line of its journal is left out.
///
/// # Errors
/// When it cannot be read.
pub(crate) fn read(directory: &Path) -> Result<RunSummary, Failure> {
    let run = record::summarize(directory).map_err(|error| {
        failure(&error).hint("the directory of a run, or of a shard, holds the file `journal.jsonl`")
    })?;
    say_torn(&directory.join(record::JOURNAL), run.torn);
    Ok(run)
}

/// Adds the configuration of a plan to those of its run, after checking that it fits what was played, and tells what
/// changes. Returns whether it is another one than before.
///
/// # Errors
/// When it does not fit.
pub(crate) fn configure(plan: &Plan, contents: &mut RunSummary) -> Result<bool, Failure> {
    let rules = rules::signature();
    let mut is_changed = true;
    if let Some(last) = contents.runs.last() {
        growth::check(last, &plan.config, &rules)?;
        for change in growth::describe(&last.config, &plan.config) {
            say(&change);
        }
        is_changed = last.config != plan.config || last.arena != env!("CARGO_PKG_VERSION");
    }
    if is_changed {
        let last_pair = contents.games.iter().map(|game| game.pair).max().unwrap_or(0);
        let has_stages = plan.config.schedule.is_some() || plan.config.format == settings::Format::Ladder;
        contents.runs.push(RunRecord {
            from_pair: has_stages.then(|| last_pair.saturating_add(1)),
            format: record::FORMAT,
            arena: env!("CARGO_PKG_VERSION").to_owned(),
            rules,
            written: Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            config: plan.config.clone(),
        });
    }
    Ok(is_changed)
}
