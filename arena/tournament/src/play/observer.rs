//! Where what happens during a run arrives.

use std::collections::{BTreeSet, HashMap};
use std::num::NonZeroU32;

use diagnostic::output;
use live::{Endpoint, Interrupts, View};
use notify::{Notice, Notifier};
use record::{GameRecord, GameSummary, JournalLine, Summarizer, Termination};
use report::{Asked, SequentialTest};
use runner::{BotFailure, Control, EventError, Host, Listener, Live, RunEvent, Task, TraceLine};
use tournament_file::Source;

use super::Store;
use super::deadline::Deadline;
use super::events;
use crate::display::Display;
use crate::evidence::{self, EvidenceFiles};
use crate::feedback_schedule::FeedbackSchedule;
use crate::forecast::Forecast;

/// How many failures of one bot are told with what it wrote to its standard error.
const STDERR_SHOWN: u32 = 2;

/// How many lines of it.
const STDERR_LINES: usize = 20;

/// Tells the journal, the progress and the user.
pub(super) struct RunObserver<'a> {
    pub progress: Box<dyn Display>,
    pub asked: Asked,
    pub endpoint: Endpoint,
    pub control: &'a Control,
    pub trial: Option<SequentialTest>,
    pub forecast: Forecast,
    pub deadline: Option<Deadline>,
    pub director: Option<FeedbackSchedule>,
    pub plan: &'a runner::GamePlan,
    pub interrupts: &'a Interrupts,
    /// How many interruptions the user was told about.
    pub told: usize,
    /// Where the number of games at once may be changed.
    pub source: Option<&'a Source>,
    /// The bots of which the user was told that they are withdrawn.
    pub withdrawn: BTreeSet<String>,
    /// The games without their plies, those that were recorded before included.
    pub games: Summarizer,
    /// Whether the verdict of the test was told.
    pub has_verdict: bool,
    /// How many plies were decided in the games of this start.
    pub plies: u64,
    pub failures: HashMap<String, u32>,
    pub evidence: EvidenceFiles,
    pub notifier: &'a mut Notifier,
    pub store: Store,
}

impl RunObserver<'_> {
    /// Tells of a bot that is withdrawn, once.
    fn tell_withdrawn(&mut self, game: &GameRecord) {
        let Some(seat) = game.failed.filter(|_| game.reason == Termination::Withdrawn) else { return };
        let bot = &game.seats[seat.index()].bot;
        if self.withdrawn.insert(bot.clone()) {
            self.endpoint.withdrawn(bot);
            let faults = self.plan.settings.conditions.max_faults.map_or(0, NonZeroU32::get);
            let name = protocol::printable(bot);
            self.notifier.tell(&Notice::BotWithdrawn {
                bot: name.to_string(),
                game: game.number,
                faults: u64::from(faults),
            });
            self.progress.say(&format!(
                "game {}: `{name}` is withdrawn after {}: its games from here on do not count",
                game.number,
                output::count(u64::from(faults), "fault")
            ));
        }
    }

    /// Carries out orders, and shows the run to those who watch it.
    fn watch(&mut self) {
        for line in self.endpoint.steer() {
            self.progress.say(&line);
        }
        if self.endpoint.is_due() || self.progress.wants_state() {
            let state = self.endpoint.show(&View {
                plan: self.plan,
                control: self.control,
                tally: &self.asked.tally(&self.games.run().games),
                trial: self.trial.as_ref(),
                note: self.director.as_ref().map(FeedbackSchedule::line),
            });
            self.progress.show_state(state);
        }
    }

    /// Reads the tournament file again for how many games are played at once.
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
                self.endpoint.told_concurrency(now.get());
                self.progress.say(&format!(
                    "hang-up: concurrency is {now} instead of {before}; the rest of the file counts when the run is \
                     started again"
                ));
            }
            Err(failure) => {
                self.progress.say(&format!(
                    "hang-up: the file has errors, concurrency stays {before}\n{}",
                    failure.to_string().trim_end()
                ));
            }
        }
    }
}

impl Listener for RunObserver<'_> {
    fn event(&mut self, event: RunEvent<'_>) -> Result<(), EventError> {
        match event {
            RunEvent::GameStarted { task, .. } => self.endpoint.game_started(task.number),
            RunEvent::GameFinished(game) => return self.game_finished(game),
            RunEvent::GameVoid(game) => return self.game_void(game),
            RunEvent::GameUncounted(game) => return self.game_uncounted(game),
            RunEvent::Trace(line) => self.trace(&line),
            RunEvent::BotFailed(failure) => self.bot_failed(*failure),
            RunEvent::Transcript { game, text } => self.evidence.transcript(game, text),
            RunEvent::Note(text) => self.progress.say(&text),
            RunEvent::Tick => self.tick(),
            _ => {}
        }
        Ok(())
    }
}

impl Host for RunObserver<'_> {
    fn more(&mut self) -> Option<Vec<Task>> {
        let fixtures = self.director.as_mut()?.more()?;
        Some(self.plan.tasks(fixtures).collect())
    }

    fn recorded(&self, show: &mut dyn FnMut(&GameSummary<'_>)) {
        self.games.run().games.iter().for_each(|game| show(&game));
    }

    fn recorded_void(&self, show: &mut dyn FnMut(&GameSummary<'_>)) {
        self.games.run().void.iter().for_each(show);
    }

    fn live(&self) -> Option<Live> {
        let is_watched = self.endpoint.has_file() || self.progress.wants_state();
        is_watched.then(|| self.endpoint.live())
    }
}

impl RunObserver<'_> {
    fn game_void(&mut self, game: Box<GameRecord>) -> Result<(), EventError> {
        let line = JournalLine::Void(game);
        let place = self.store.keep(&line)?;
        if let JournalLine::Void(game) = line {
            let before = || self.games.run().void.iter().filter(|other| other.number == game.number);
            let times = before().count() + 1;
            let words = if game.reason == Termination::Timeout {
                let noisy = before().filter(|other| other.reason == Termination::Timeout).count() + 1;
                let most = self.plan.settings.conditions.replay_noisy.map_or(0, NonZeroU32::get);
                format!(
                    "since the machine kept the bot waiting; it is played again ({noisy} of at most {most} times)"
                )
            } else {
                let detail = game.detail.as_deref().map(protocol::printable).unwrap_or_default();
                format!("{detail}; it is played again")
            };
            self.progress.say(&format!("game {}: void, {words}", game.number));
            self.endpoint.game_void(game.number);
            self.evidence.game_void(&game, times).iter().for_each(|told| self.progress.say(told));
            self.games.push_void(&game, place);
        }
        Ok(())
    }

    fn game_uncounted(&mut self, game: Box<GameRecord>) -> Result<(), EventError> {
        let line = JournalLine::Void(game);
        let place = self.store.keep(&line)?;
        if let JournalLine::Void(game) = line {
            self.games.push_void(&game, place);
        }
        Ok(())
    }

    fn game_finished(&mut self, game: Box<GameRecord>) -> Result<(), EventError> {
        let line = JournalLine::Game(game);
        let place = self.store.keep(&line)?;
        if let JournalLine::Game(game) = line {
            self.tell_withdrawn(&game);
            self.plies += game.plies.iter().filter(|ply| ply.us.is_some()).count() as u64;
            let summary = self.games.push(&game, place);
            if let Some(trial) = &mut self.trial {
                trial.push(&summary);
                self.forecast.push(&summary);
                let rest = self.forecast.rest(trial).map_or_else(String::new, |rest| format!(", {rest}"));
                self.progress.set_status(report::trial_line(trial) + &rest);
                if trial.stop().is_some() {
                    // Results of games that were being played may follow: the verdict is told once.
                    if !std::mem::replace(&mut self.has_verdict, true) {
                        self.notifier.tell(&events::verdict(trial));
                    }
                    // What is still being played comes after the verdict: it would count for nothing.
                    self.control.abort();
                }
            }
            if let Some(director) = &mut self.director {
                director.push(&summary);
                self.progress.set_status(director.line());
            }
            self.progress.game_finished(&self.games.run().games);
            self.endpoint.game_finished(&game);
            self.evidence.game_finished(&game).iter().for_each(|told| self.progress.say(told));
        }
        Ok(())
    }

    fn trace(&mut self, line: &TraceLine) {
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
            for hint in evidence::dialogue_hints(&failure) {
                self.progress.say(&format!("  hint: {hint}"));
            }
        }
        self.endpoint.fault(&failure);
        self.evidence.fault(failure);
    }

    /// Takes note that time has passed.
    pub(super) fn tick(&mut self) {
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
        for complaint in self.notifier.complaints() {
            self.progress.say(&complaint);
        }
        if self.store.settle().is_err() {
            // The wait for the disk at the end of the run fails as well, and says why.
            self.control.abort();
        }
        self.watch();
        self.progress.tick(&self.games.run().games);
    }
}
