//! Playing a plan: what `arena run` and `arena match` have in common.

use std::collections::{BTreeSet, HashMap};
use std::error::Error;
use std::fs;
use std::io::{self, IsTerminal};
use std::num::NonZeroU32;
use std::path::Path;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use record::{Contents, GameRecord, Journal, JournalError, Line, RunRecord, Termination};
use report::{Tally, Trial};
use runner::{
    Bot, BotFailure, Contest, Control, Fixture, Launcher, Live, Observer, Pins, ProbeResult, Settings, Task,
    TraceLine, pending,
};
use stats::sprt::{Decision, HypothesesError};

use crate::config::{OnStartFailure, Plan, Source};
use crate::confine;
use crate::dashboard::{Dashboard, check_terminal};
use crate::diagnostic::{Diagnostic, Failure};
use crate::directed::Director;
use crate::evidence::Evidence;
use crate::exit::Exit;
use crate::forecast::Forecast;
use crate::growth;
use crate::launcher::launcher;
use crate::live::{self, Scoreboard, Station, Steering, View};
use crate::output;
use crate::pinning;
use crate::progress::{Progress, say};
use crate::signals::Interrupts;

/// How many failures of one bot are told with what it wrote to its standard error.
const STDERR_SHOWN: u32 = 2;

/// How many lines of it.
const STDERR_LINES: usize = 20;

/// Where the records of a run go.
pub(crate) enum Store {
    /// Into a run's directory.
    Directory(Box<Journal>),
    /// Nowhere but into memory.
    Memory,
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

/// How a run ended.
pub(crate) struct Played {
    /// Everything that is recorded, earlier games included.
    pub(crate) contents: Contents,
    /// How many games were played now.
    pub(crate) now: u64,
    /// How many games are still to be played.
    pub(crate) left: u64,
    /// Whether the user interrupted.
    pub(crate) is_interrupted: bool,
    /// The bots that could not start and were left out, as `on-start-failure: skip` says.
    pub(crate) left_out: Vec<String>,
    /// How long it was to play, if that is why games are left.
    pub(crate) out_of_time: Option<Duration>,
    /// The test, in a run of format `sprt`.
    pub(crate) trial: Option<Trial>,
}

impl Played {
    /// Tells the user how to go on where games are left.
    pub(crate) fn tell_rest(&self) {
        let (left, command) = (output::count(self.left, "game"), output::command_line());
        if self.is_interrupted {
            say(&format!("interrupted with {left} left; to go on: {command}"));
        } else if let Some(time) = self.out_of_time {
            let time = runner::format_duration(time);
            say(&format!("{time} are over without a verdict, at most {left} left; to go on: {command}"));
        } else if !self.left_out.is_empty() && self.left > 0 {
            let bots: Vec<_> = self.left_out.iter().map(|bot| format!("`{bot}`")).collect();
            let bots = bots.join(", ");
            say(&format!("{left} left, without {bots}, which could not start; to play them: {command}"));
        }
    }

    /// Returns the exit code of the command.
    pub(crate) fn exit(&self) -> Exit {
        let counts = |game: &GameRecord| game.result != record::Result::None;
        let is_withdrawn = |game: &GameRecord| game.reason == Termination::Withdrawn;
        if self.is_interrupted {
            Exit::Interrupted
        } else if let Some(trial) = &self.trial {
            match trial.decision() {
                Decision::H1 => Exit::Done,
                Decision::H0 => Exit::No,
                Decision::Continue => Exit::NoVerdict,
            }
        } else if !self.contents.games.iter().any(counts) {
            Exit::NoVerdict
        } else if !self.left_out.is_empty() || self.contents.games.iter().any(is_withdrawn) {
            Exit::Withdrawn
        } else {
            Exit::Done
        }
    }
}

/// Plays what `plan` asks for and `contents` does not hold yet, after checking that it fits what was played.
///
/// # Errors
/// When the plan does not fit the run, a bot cannot play, or the journal cannot be written.
pub(crate) fn play(
    plan: &Plan,
    mut contents: Contents,
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
    let history: Vec<_> = contents.runs.iter().map(|run| &run.config).collect();
    let mut play = plan.play();
    play.settings.pins = pins;
    let mut director = Director::new(&contents)?;
    let fixtures = match &mut director {
        Some(director) => director.more().unwrap_or_default(),
        None => pending(&history, &contents.games),
    };
    let is_ours = |fixture: &&Fixture| plan.shard.is_none_or(|shard| shard.has(fixture.pair));
    let mut tasks: Vec<Task> =
        fixtures.iter().filter(is_ours).filter_map(|fixture| play.task(fixture)).collect();
    let trial = trial(plan, &contents)?;
    if trial.as_ref().is_some_and(|trial| trial.stop().is_some()) {
        tasks.clear();
    }
    let total = director.as_ref().map_or(tasks.len() as u64, Director::games_left);
    if !contents.games.is_empty() && !tasks.is_empty() {
        let are = |number: u64| if number == 1 { "is" } else { "are" };
        let (recorded, most) =
            (contents.games.len() as u64, if director.is_some() { "at most " } else { "" });
        say(&format!(
            "going on: {} {} recorded, {most}{total} {} to be played",
            output::count(recorded, "game"),
            are(recorded),
            are(total)
        ));
    }
    let forecast = Forecast::new(plan.settings.concurrency, &contents.games);
    if let Some(trial) = trial.as_ref().filter(|_| !tasks.is_empty()) {
        say(&forecast.before(trial, u64::from(plan.config.rounds) * plan.config.games.len() as u64));
    }
    if let Some(told) = pinning::describe(&play.settings).filter(|_| !tasks.is_empty()) {
        say(&told);
    }
    let deadline = plan.max_time.map(Deadline::new);
    let control = Control::new();
    let interrupts = match &plan.source {
        Some(_) => Interrupts::listen_with_file(control.clone()),
        None => Interrupts::listen(control.clone()),
    };
    let interrupts = interrupts.map_err(|error| Failure::io("failed to listen for signals", &error))?;
    let mut left_out = Vec::new();
    if !tasks.is_empty() {
        // Results may bring any bot to the board.
        let is_any = director.is_some();
        let has_bot = |index: usize| is_any || tasks.iter().any(|task| task.seats.contains(&index));
        let has_contest = |index: usize| is_any || tasks.iter().any(|task| task.contest == index);
        // A schedule that follows results needs the results of every bot.
        let may_skip = plan.on_start_failure == OnStartFailure::Skip && director.is_none();
        let broken = probe(runner::probe_with, &play, has_bot, has_contest, may_skip, &control)?;
        tasks.retain(|task| task.seats.iter().all(|bot| !broken.contains(bot)));
        left_out = broken.iter().map(|bot| protocol::printable(&play.bots[*bot].name).into_owned()).collect();
    }
    if let (Store::Directory(journal), true, Some(run)) = (&mut store, is_changed, contents.runs.last()) {
        journal.append(&Line::Run(Box::new(run.clone()))).map_err(|error| failure(&error))?;
    }
    if tasks.is_empty() {
        return Ok(Played {
            contents,
            now: 0,
            left: 0,
            is_interrupted: false,
            left_out,
            out_of_time: None,
            trial,
        });
    }
    let launcher = launcher()?;
    let board = Scoreboard::new(&plan.config.name, &plan.config.format, contents.games.len() as u64, total);
    let steering = Steering { control: control.clone(), trigger: interrupts.trigger() };
    let dashboard = match show {
        Show::Progress => None,
        Show::Dashboard => Some(
            Dashboard::open(steering.clone())
                .map_err(|error| Failure::io("failed to take the terminal over", &error))?,
        ),
    };
    let progress = Progress::new(total, Tally::of(&contents), dashboard);
    let (station, complaints) = Station::open(board, steering, plan.settings.concurrency.get(), directory);
    complaints.iter().for_each(|complaint| progress.say(complaint));
    let mut desk = Desk {
        station,
        progress,
        source: plan.source.as_ref(),
        recorded: &contents.games,
        recorded_void: &contents.void,
        withdrawn: BTreeSet::new(),
        control: &control,
        trial,
        forecast,
        deadline,
        director,
        plan: &play,
        interrupts: &interrupts,
        told: 0,
        games: Vec::new(),
        void: Vec::new(),
        failures: HashMap::new(),
        evidence: Evidence::of(directory),
        store,
    };
    let outcome = runner::play_with(launcher, &play, tasks, &control, &mut desk);
    // A signal that came with the last games is told as well.
    desk.tick();
    let Desk { progress, games, void, store, trial, director, deadline, .. } = desk;
    progress.finish();
    let now = games.len() as u64;
    contents.games.extend(games);
    contents.games.sort_by_key(|game| game.number);
    contents.void.extend(void);
    contents.void.sort_by_key(|game| game.number);
    if let Store::Directory(mut journal) = store {
        journal.sync().map_err(|error| failure(&error))?;
    }
    outcome.map_err(|error| {
        let mut text = error.to_string();
        let mut cause = error.source();
        while let Some(error) = cause {
            text = format!("{text}: {error}");
            cause = error.source();
        }
        Failure::new(Exit::Io, vec![Diagnostic::new(text)])
            .hint(format!("{now} games of this start are recorded; the same command goes on from there"))
    })?;
    let has_verdict = trial.as_ref().is_some_and(|trial| trial.stop().is_some());
    let is_interrupted = interrupts.count() > 0 && !has_verdict;
    let left = director.as_ref().map_or(total - now, Director::games_left);
    let left = if has_verdict { 0 } else { left };
    let out_of_time =
        deadline.filter(|deadline| deadline.is_over() && left > 0).map(|deadline| deadline.time);
    Ok(Played { contents, now, left, is_interrupted, left_out, out_of_time, trial })
}

/// Says in words what the columns of a run's tables mean and which model made them.
///
/// # Errors
/// When standard output fails.
pub(crate) fn explain(contents: &Contents) -> Result<(), Failure> {
    let look = output::look(io::stdout().is_terminal());
    output::print_if_read(&output::paragraphs(&report::explanation(contents), &look))
}

/// Adds the configuration of a plan to those of its run, after checking that it fits what was played, and tells what
/// changes. Returns whether it is another one than before.
///
/// # Errors
/// When it does not fit.
pub(crate) fn configure(plan: &Plan, contents: &mut Contents) -> Result<bool, Failure> {
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
        let has_stages = plan.config.schedule.is_some() || formats::is_open(&plan.config.format);
        contents.runs.push(RunRecord {
            from_pair: has_stages.then(|| last_pair.saturating_add(1)),
            format: plan.config.journal_format(),
            arena: env!("CARGO_PKG_VERSION").to_owned(),
            rules,
            written: Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            config: plan.config.clone(),
        });
    }
    Ok(is_changed)
}

/// Returns the test of a plan with the games that it has already, if it is one.
///
/// # Errors
/// When its hypotheses make no test.
fn trial(plan: &Plan, contents: &Contents) -> Result<Option<Trial>, Failure> {
    let failed = |error: HypothesesError| Failure::usage(format!("the hypotheses make no test: {error}"));
    let Some(trial) = Trial::new(&plan.config) else { return Ok(None) };
    let mut trial = trial.map_err(failed)?;
    for game in &contents.games {
        trial.push(game);
    }
    Ok(Some(trial))
}

/// When a test has to end, verdict or not.
#[derive(Debug)]
struct Deadline {
    /// How long it may play.
    time: Duration,
    end: Instant,
    /// Whether the user was told that the time is over.
    is_told: bool,
}

impl Deadline {
    fn new(time: Duration) -> Self {
        Self { time, end: Instant::now() + time, is_told: false }
    }

    fn is_over(&self) -> bool {
        Instant::now() >= self.end
    }

    /// Returns whether games that were running when the time was over have had their time too: a tenth of it.
    fn is_long_over(&self) -> bool {
        Instant::now() >= self.end + self.time / 10
    }
}

/// Starts every bot of a plan once, and sets up every game of it with each. Returns the cores that its games would
/// keep to.
///
/// # Errors
/// When a bot cannot play, or the user interrupts.
pub(crate) fn try_bots(plan: &Plan) -> Result<Pins, Failure> {
    let pins = pinning::places(plan)?;
    let control = Control::new();
    let _interrupts = Interrupts::listen(control.clone())
        .map_err(|error| Failure::io("failed to listen for signals", &error))?;
    probe(runner::rehearse, &plan.play(), |_| true, |_| true, false, &control).map(|_| pins)
}

/// Starts every bot that has games to play once, before the first game. Returns those that cannot play, which is
/// allowed where `may_skip` says so and two others can.
///
/// # Errors
/// When a bot cannot play and that is not allowed, or the user interrupts.
fn probe(
    try_all: impl Fn(&dyn Launcher, &[Bot], &[Contest], &Settings, &Control) -> Option<Vec<ProbeResult>>,
    plan: &runner::Plan,
    has_bot: impl Fn(usize) -> bool,
    has_contest: impl Fn(usize) -> bool,
    may_skip: bool,
    control: &Control,
) -> Result<Vec<usize>, Failure> {
    let bots: Vec<_> = chosen(&plan.bots, has_bot);
    let contests: Vec<_> = chosen(&plan.contests, has_contest);
    let Some(results) = try_all(launcher()?, &bots, &contests, &plan.settings, control) else {
        say("interrupted while the bots were tried: no game was played");
        return Err(Failure::new(Exit::Interrupted, Vec::new()));
    };
    let mut faults = Vec::new();
    let mut broken = Vec::new();
    let sound = results.iter().filter(|result| result.outcome.is_ok()).count();
    for result in results {
        let Err(failure) = result.outcome else { continue };
        broken.extend(plan.bots.iter().position(|bot| bot.name == result.bot));
        let mut text = format!("bot `{}` cannot play: {}", protocol::printable(&result.bot), failure.fault);
        if let Some(exit) = failure.exit.as_ref().filter(|exit| !failure.fault.contains(exit.as_str())) {
            text = format!("{text} ({exit})");
        }
        let mut diagnostic = Diagnostic::new(text).hint(format!(
            "it was started with `{}` in `{}`",
            failure.command,
            failure.dir.display()
        ));
        if let Some(flush) = &failure.flush {
            diagnostic = diagnostic.hint(format!("to flush stdout after every line {flush}"));
        }
        if let Some(advice) = confine::advice(&failure.stderr).filter(|_| failure.is_confined) {
            diagnostic = diagnostic.hint(advice);
        }
        if !failure.stderr.is_empty() {
            diagnostic = diagnostic.hint(format!("its last words on stderr:\n{}", failure.stderr.join("\n")));
        }
        faults.push(diagnostic);
    }
    if faults.is_empty() {
        return Ok(broken);
    }
    let failure = Failure::new(Exit::NoVerdict, faults);
    if may_skip && sound >= 2 {
        failure.print();
        say("the others play without it; its games stay to be played");
        return Ok(broken);
    }
    Err(if sound >= 2 { failure.hint("to play without it: `--on-start-failure skip`") } else { failure })
}

fn chosen<T: Clone>(items: &[T], is_chosen: impl Fn(usize) -> bool) -> Vec<T> {
    items.iter().enumerate().filter(|(index, _)| is_chosen(*index)).map(|(_, item)| item.clone()).collect()
}

/// Where what happens during a run arrives: the journal, the progress, the user.
struct Desk<'a> {
    progress: Progress,
    station: Station,
    control: &'a Control,
    trial: Option<Trial>,
    forecast: Forecast,
    deadline: Option<Deadline>,
    director: Option<Director>,
    plan: &'a runner::Plan,
    interrupts: &'a Interrupts,
    /// How many interruptions the user was told of.
    told: usize,
    /// Where the number of games at once may be changed.
    source: Option<&'a Source>,
    /// The games that were recorded before.
    recorded: &'a [GameRecord],
    /// The games that were void before.
    recorded_void: &'a [GameRecord],
    /// The bots of which the user was told that they are withdrawn.
    withdrawn: BTreeSet<String>,
    games: Vec<GameRecord>,
    /// The games that were void now.
    void: Vec<GameRecord>,
    failures: HashMap<String, u32>,
    evidence: Evidence,
    store: Store,
}

impl Desk<'_> {
    /// Tells of a bot that is withdrawn, once.
    fn tell_withdrawn(&mut self, game: &GameRecord) {
        let Some(seat) = game.failed.filter(|_| game.reason == Termination::Withdrawn) else { return };
        let bot = &game.seats[seat.index()].bot;
        if self.withdrawn.insert(bot.clone()) {
            self.station.withdrawn(bot);
            let faults = self.plan.settings.max_faults.map_or(0, NonZeroU32::get);
            let name = protocol::printable(bot);
            self.progress.say(&format!(
                "game {}: `{name}` is withdrawn after {}: its games from here on do not count",
                game.number,
                output::count(u64::from(faults), "fault")
            ));
        }
    }

    /// Carries out orders, and shows the run to those who watch it.
    fn watch(&mut self) {
        for line in self.station.steer() {
            self.progress.say(&line);
        }
        if self.station.is_due() || self.progress.dashboard().is_some() {
            let state = self.station.show(&View {
                plan: self.plan,
                control: self.control,
                tally: self.progress.tally(),
                trial: self.trial.as_ref(),
                note: self.director.as_ref().map(Director::line),
            });
            if let Some(dashboard) = self.progress.dashboard() {
                dashboard.show(state);
            }
        }
    }

    /// Reads the tournament file once more for how many games are played at once.
    fn reread(&mut self) {
        let Some(source) = self.source else { return };
        if source.is_overridden() {
            return self
                .progress
                .say("hang-up: `--concurrency` of the command line holds, whatever the file says");
        }
        let before = self.control.slots().unwrap_or(self.plan.settings.concurrency);
        match source.concurrency() {
            Ok(now) if now == before => {
                self.progress.say(&format!("hang-up: the file was read again, concurrency stays {now}"));
            }
            Ok(now) => {
                if let Err(error) = self.plan.settings.pins.check(now.get()) {
                    return self.progress.say(&format!("hang-up: {error}; concurrency stays {before}"));
                }
                self.control.set_slots(now);
                self.station.told_concurrency(now.get());
                self.progress.say(&format!(
                    "hang-up: concurrency is {now} instead of {before}; the rest of the file counts when the run is \
                     started again"
                ));
            }
            Err(failure) => {
                self.progress.say(&format!(
                    "hang-up: the file is at fault, concurrency stays {before}\n{}",
                    failure.to_string().trim_end()
                ));
            }
        }
    }
}

impl Observer for Desk<'_> {
    fn live(&self) -> Option<Live> {
        let is_watched = self.station.has_file() || self.progress.dashboard().is_some();
        is_watched.then(|| self.station.live())
    }

    fn game_started(&mut self, _task: &Task, _slot: usize) {
        self.station.game_started();
    }

    fn recorded(&self, show: &mut dyn FnMut(&GameRecord)) {
        self.recorded.iter().for_each(show);
    }

    fn recorded_void(&self, show: &mut dyn FnMut(&GameRecord)) {
        self.recorded_void.iter().for_each(show);
    }

    fn game_void(&mut self, game: GameRecord) -> Result<(), Box<dyn Error + Send + Sync>> {
        let line = Line::Void(Box::new(game));
        if let Store::Directory(journal) = &mut self.store {
            journal.append(&line)?;
        }
        if let Line::Void(game) = line {
            let before = self.recorded_void.iter().chain(&self.void);
            let times = before.filter(|other| other.number == game.number).count() + 1;
            let most = self.plan.settings.replay_noisy.map_or(0, NonZeroU32::get);
            self.progress.say(&format!(
                "game {}: void, since the machine kept the bot waiting; it is played again ({times} of at most {most} \
                 times)",
                game.number
            ));
            self.station.game_void(game.number);
            if let Some(told) = self.evidence.game_void(&game, times) {
                self.progress.say(&told);
            }
            self.void.push(*game);
        }
        Ok(())
    }

    fn game_finished(&mut self, game: GameRecord) -> Result<(), Box<dyn Error + Send + Sync>> {
        let line = Line::Game(Box::new(game));
        if let Store::Directory(journal) = &mut self.store {
            journal.append(&line)?;
        }
        if let Line::Game(game) = line {
            self.tell_withdrawn(&game);
            if let Some(trial) = &mut self.trial {
                trial.push(&game);
                self.forecast.push(&game);
                let rest = self.forecast.rest(trial).map_or_else(String::new, |rest| format!(", {rest}"));
                self.progress.test(report::trial_line(trial) + &rest);
                if trial.stop().is_some() {
                    // What is still being played comes after the verdict: it would count for nothing.
                    self.control.abort();
                }
            }
            if let Some(director) = &mut self.director {
                director.push(&game);
                self.progress.test(director.line());
            }
            self.progress.game_finished(&game);
            self.station.game_finished(&game);
            if let Some(told) = self.evidence.game_finished(&game) {
                self.progress.say(&told);
            }
            self.games.push(*game);
        }
        Ok(())
    }

    fn more(&mut self) -> Option<Vec<Task>> {
        let fixtures = self.director.as_mut()?.more()?;
        Some(fixtures.iter().filter_map(|fixture| self.plan.task(fixture)).collect())
    }

    fn trace(&mut self, line: TraceLine) {
        let text = format!(
            "{:>10.3} game {} p{} {} {}",
            line.at.as_secs_f64() * 1000.0,
            line.game,
            line.seat,
            line.direction.sign(),
            line.text
        );
        self.progress.say(&text);
    }

    fn bot_failed(&mut self, failure: BotFailure) {
        let bot = protocol::printable(&failure.bot).to_string();
        self.progress
            .say(&format!("game {}: `{bot}`: {}: {}", failure.game, failure.termination, failure.detail));
        let count = self.failures.entry(failure.bot.clone()).or_insert(0);
        *count += 1;
        if *count <= STDERR_SHOWN {
            for line in &failure.stderr[failure.stderr.len().saturating_sub(STDERR_LINES)..] {
                self.progress.say(&format!("  stderr of `{bot}`: {line}"));
            }
        }
        self.station.fault(&failure);
        self.evidence.fault(failure);
    }

    fn transcript(&mut self, game: u64, text: String) {
        self.evidence.transcript(game, text);
    }

    fn tick(&mut self) {
        if self.interrupts.take_hang_up() {
            self.reread();
        }
        let count = self.interrupts.count();
        if count > self.told {
            self.told = count;
            self.progress.say(match count {
                1 => "interrupted: running games finish, no new ones begin; again to abandon them",
                2 => "interrupted again: running games are abandoned; again to end at once",
                _ => "interrupted",
            });
        }
        if let Some(deadline) = self.deadline.as_mut().filter(|deadline| deadline.is_over()) {
            if !deadline.is_told {
                deadline.is_told = true;
                self.control.finish();
                self.progress.say("the time is over: running games finish, no new ones begin");
            }
            if deadline.is_long_over() {
                self.control.abort();
            }
        }
        self.watch();
        self.progress.tick();
    }
}

/// Returns the page that is shown when a run ends, laid out for standard output.
pub(crate) fn summary(contents: &Contents) -> String {
    report::summary_text(contents, &output::look(io::stdout().is_terminal()))
}

/// Writes every file that is made from the journal into the run's directory. A file is replaced whole or not
/// at all.
///
/// # Errors
/// When one cannot be written.
pub(crate) fn write_files(directory: &Path, contents: &Contents) -> Result<Vec<&'static str>, Failure> {
    let mut names = Vec::new();
    let page = ("report.html", page::report_page(contents).into_bytes());
    for (name, bytes) in report::files(contents).into_iter().chain([page]) {
        let path = directory.join(name);
        let draft = directory.join(format!("{name}.new"));
        fs::write(&draft, bytes)
            .and_then(|()| fs::rename(&draft, &path))
            .map_err(|error| Failure::io(format!("failed to write `{}`", path.display()), &error))
            .map_err(|failure| {
                failure.hint("every game is in the journal: `arena report DIR` writes the tables")
            })?;
        names.push(name);
    }
    Ok(names)
}

/// Turns a fault of the journal into one for the user.
pub(crate) fn failure(error: &JournalError) -> Failure {
    let text = match error.source() {
        Some(cause) => format!("{error}: {cause}"),
        None => error.to_string(),
    };
    let failure = Failure::new(Exit::Io, vec![Diagnostic::new(text)]);
    match error {
        JournalError::InUse { .. } => {
            failure.hint("wait until it has ended, or play elsewhere with `--out DIR`")
        }
        JournalError::Line { .. } => failure
            .hint("nothing was changed; restore the file from a copy, or play elsewhere with `--out DIR`"),
        _ => failure,
    }
}
