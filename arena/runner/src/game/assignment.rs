//! The meaning of a task: the seating, the messages to each bot, and the record of the game.

use processes::ProcessUsage;
use protocol::{GameSetup, Pairs};
use record::{GameRecord, SeatRecord};
use rules::{PLAYERS_OPTION, PerSeat, Seat, Setup};
use settings::TimeControl;

use crate::game::GameCourse;
use crate::game::conclusion::Conclusion;
use crate::player::number;
use crate::random::bot_seed;
use crate::{Contest, GamePlan, Job, Opening, PlannedBot, Spoken, Task};

/// A task with its plan.
#[derive(Clone, Copy)]
pub(crate) struct Assignment<'a> {
    /// The plan.
    pub(crate) plan: &'a GamePlan,
    /// The task.
    pub(crate) task: &'a Task,
}

/// The facts about a bot after a game.
#[derive(Clone, Debug, Default)]
pub(crate) struct SeatOutcome {
    /// The version that it reports.
    pub(crate) version: String,
    /// How its process ended, if it did.
    pub(crate) exit: Option<String>,
    /// The resources that it used.
    pub(crate) used: ProcessUsage,
    /// The end of its standard error.
    pub(crate) stderr: Vec<u8>,
    /// The last lines exchanged.
    pub(crate) spoken: Spoken,
    /// How to flush its output, if it was found to be held back.
    pub(crate) flush: Option<String>,
}

/// The time of a game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    /// The start.
    pub(crate) started: jiff::Timestamp,
    /// The duration.
    pub(crate) took: std::time::Duration,
    /// The processor that the slot shared with its bots, if they were gathered.
    pub(crate) gathered: Option<record::Gathered>,
}

/// Returns the `game` line for a bot in this seat with this time control, for any game of a ruleset.
pub(crate) fn setup_of(setup: &Setup, control: &TimeControl, seat: Seat) -> GameSetup {
    // The number of seats has its own pair.
    let options = setup.options().iter().filter(|(key, _)| *key != PLAYERS_OPTION);
    GameSetup {
        players: setup.seats() as u8,
        options: options.fold(Pairs::new(), |pairs, (key, value)| pairs.with(key, value)),
        you: Some(number(seat)),
        time_control: Some(control.pgn()),
        move_time: control.movetime(),
        ..GameSetup::new(setup.game().id)
    }
}

/// Returns the names of opponents as bots receive them, in the order of seats: a single one unchanged, several without commas
/// in a name.
pub(crate) fn opponents<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<_> = names.collect();
    match &names[..] {
        [name] => (*name).to_owned(),
        names => names.iter().map(|name| name.replace(',', "_")).collect::<Vec<_>>().join(","),
    }
}

impl<'a> Assignment<'a> {
    /// Returns the game of the tournament.
    pub(crate) fn contest(self) -> &'a Contest {
        &self.plan.contests[self.task.contest]
    }

    /// Returns the bot in a seat.
    pub(crate) fn bot(self, seat: Seat) -> &'a PlannedBot {
        &self.plan.bots[self.task.seats[seat]]
    }

    /// Returns the time control of the bot in a seat.
    pub(crate) fn control(self, seat: Seat) -> &'a TimeControl {
        self.bot(seat).tc.as_ref().unwrap_or(&self.contest().tc)
    }

    /// Returns the `game` line for the bot in a seat.
    pub(crate) fn setup(self, seat: Seat) -> GameSetup {
        GameSetup {
            opponent: Some(self.opponents(seat)),
            seed: Some(self.seed(seat)),
            id: Some(self.task.number.to_string()),
            ..setup_of(&self.contest().setup, self.control(seat), seat)
        }
    }

    /// Returns the names of the other bots at the table, in the order of seats.
    fn opponents(self, seat: Seat) -> String {
        let others = self.task.seats.seats().filter(|other| *other != seat);
        opponents(others.map(|other| &*self.bot(other).name))
    }

    /// Returns the record of a game that is not played because the bot of a seat is withdrawn.
    pub(crate) fn withdrawn(self, seat: Seat, faults: u32, versions: &PerSeat<&str>) -> GameRecord {
        let course = GameCourse::unplayed(Conclusion::withdrawn(seat, faults), self.task.seats.len());
        let after = versions
            .each_ref()
            .map(|version| SeatOutcome { version: (*version).to_owned(), ..SeatOutcome::default() });
        let span = Span { started: jiff::Timestamp::now(), took: std::time::Duration::ZERO, gathered: None };
        self.record(course, &Opening::default(), &after, span)
    }

    /// Returns the record of the game without any events.
    pub(crate) fn unplayed(self, opening: &Opening) -> GameRecord {
        let versions = self.task.seats.each_ref().map(|_| "");
        GameRecord { start: opening.start.clone(), ..self.withdrawn(Seat::P1, 0, &versions) }
    }

    /// Returns the record of the game.
    pub(crate) fn record(
        self,
        course: GameCourse,
        opening: &Opening,
        after: &PerSeat<SeatOutcome>,
        span: Span,
    ) -> GameRecord {
        let (task, contest) = (self.task, self.contest());
        let failed = course.end.fault.filter(|_| course.end.result == record::GameResult::None);
        let mut detail = course.end.detail;
        let (mut warnings, mut out) = (course.warnings, course.out);
        // If a game does not count, its result does not show whose fault it was.
        if let Some(seat) = failed {
            detail = detail.map(|detail| format!("`{}` {detail}", self.bot(seat).name));
        }
        let seats = PerSeat::new(task.seats.len(), |seat| {
            let (bot, after) = (self.bot(seat), &after[seat]);
            SeatRecord {
                bot: bot.name.clone(),
                version: bot.version.clone().unwrap_or_else(|| after.version.clone()),
                digest: bot.digest.clone(),
                tc: self.control(seat).clone().into(),
                seed: self.seed(seat),
                overruns: course.overruns[seat],
                retries: course.retries[seat],
                warnings: std::mem::take(&mut warnings[seat]),
                exit: after.exit.clone(),
                cpu_ms: after.used.cpu.map(|cpu| cpu.as_millis().try_into().unwrap_or(u64::MAX)),
                peak_kib: after.used.peak_kib,
                out: out[seat].take(),
            }
        });
        let options = contest.setup.options().iter().map(|(key, value)| ((*key).to_owned(), value.clone()));
        GameRecord {
            number: task.number,
            pair: task.pair,
            leg: task.leg,
            round: task.round,
            game: contest.setup.game().id.to_owned(),
            options: options.collect(),
            label: contest.label.clone(),
            start: opening.start.clone(),
            seats,
            opening: course.opening,
            plies: course.plies,
            result: course.end.result,
            reason: course.end.reason,
            detail,
            failed,
            started: format!("{:.3}", span.started),
            seconds: span.took.as_millis() as f64 / 1000.0,
            gathered: span.gathered,
            worker: None,
        }
    }

    fn seed(self, seat: Seat) -> u64 {
        let names = self.task.seats.each_ref().map(|bot| self.plan.bots[*bot].name.as_str());
        let game = (self.task.round, self.task.leg);
        bot_seed(self.plan.settings.seed, &self.contest().label, &names, game, seat)
    }
}

impl GamePlan {
    /// Returns the parts of a game's record that do not depend on its course: its numbers, rules and start, and its bots with
    /// their digests, time controls and seeds. The rest is that of an unplayed game.
    ///
    /// # Panics
    /// When the task points outside the plan.
    #[must_use]
    pub fn unplayed(&self, job: &Job) -> GameRecord {
        Assignment { plan: self, task: &job.task }.unplayed(&job.opening)
    }
}
