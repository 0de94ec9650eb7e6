//! A slot plays one game at a time. Its only thread writes to, waits for and reads from all of its bots.
//!
//! Bots stay alive between games, but a bot's behaviour in one game does not affect the next: before it is used again it must
//! answer `isready`, or it is restarted.

use std::collections::{HashSet, VecDeque};
use std::io;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use processes::{Launcher, ProcessUsage, is_shortage};
use protocol::{last_lines, printable_capped};
use record::{GameRecord, Termination};
use rules::{PerSeat, Rejection, Seat, StartError};
use settings::Restart;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::Instant;

use crate::clock::Clock;
use crate::game::assignment::{Assignment, SeatOutcome, Span};
use crate::game::conclusion::Conclusion;
use crate::game::live::{LiveCell, LiveFeed};
use crate::game::{self, Fault, GameCourse, GameParts};
use crate::plan::Pinned;
use crate::player::line_log::{LineLog, Transcript};
use crate::player::trace::{Backlog, Tracer};
use crate::player::trouble::{TimedTrouble, Trouble};
use crate::player::{LostBot, Player, number};
use crate::run::gathering::{Gathering, MeetingPlaces};
use crate::run::join_all::join_all;
use crate::run::stagger::Stagger;
use crate::{
    BotFailure, Control, GameCores, GamePlan, Job, Live, PlannedBot, PlaySettings, RunError, Task, TraceLine,
    Unpinned,
};

/// How many processes of a slot wait for their next game, at tables of up to as many seats.
const MOST_IDLE: usize = 4;

/// The most descriptors that a slot needs at tables of up to `seats` seats: those of each of its processes, of one more for
/// each bot that is starting or ending, and those of its runtime.
pub(crate) const fn most_descriptors(seats: usize) -> usize {
    let idle = if seats > MOST_IDLE { seats } else { MOST_IDLE };
    let moving = if seats > 2 { 2 * seats } else { 4 };
    (idle + moving) * processes::DESCRIPTORS + 8
}

/// The most characters recorded of a bot's version.
const VERSION_SHOWN: usize = 80;

/// A report of a slot to the coordinator.
pub(crate) enum SlotReport {
    /// A line to or from a bot.
    Trace(TraceLine),
    /// A bot failed.
    Failed(Box<BotFailure>),
    /// Every line of a game that has ended.
    Transcript(u64, String),
    /// The game has ended.
    Finished(usize, Box<GameRecord>),
    /// The game has ended in a way that the machine or the arena itself may have caused.
    Doubtful(usize, Box<GameRecord>),
    /// The game was abandoned.
    Abandoned,
    /// The game cannot be played because of an error of the arena.
    Broken(RunError),
    /// The slot has ended, for any reason.
    Left(usize),
}

/// The state that all slots share.
pub(crate) struct Shared<'a> {
    pub(crate) plan: &'a GamePlan,
    pub(crate) settings: PlaySettings,
    pub(crate) launcher: &'a dyn Launcher,
    pub(crate) stagger: Stagger,
    /// The user's handle, and the handle of the run itself.
    pub(crate) controls: [Control; 2],
    /// The bots that have stalled once before their first ply.
    pub(crate) offenders: Mutex<HashSet<usize>>,
    pub(crate) backlog: Backlog,
    pub(crate) began: Instant,
    /// Where current games are shown, if there are viewers.
    pub(crate) live: Option<Live>,
    /// The processors on which slots and bots gather.
    pub(crate) places: MeetingPlaces,
}

impl Shared<'_> {
    /// Waits until the running games are abandoned.
    async fn aborted(&self) {
        let [user, run] = &self.controls;
        tokio::select! {
            () = user.aborted() => {}
            () = run.aborted() => {}
        }
    }
}

/// A slot.
pub(crate) struct Slot<'a> {
    shared: &'a Shared<'a>,
    number: usize,
    reports: Sender<SlotReport>,
    /// Bots that wait for their next game, the most recently used one at the back.
    idle: VecDeque<(usize, Player)>,
    /// Where the game is shown, if there are viewers.
    cell: Option<Arc<LiveCell>>,
    /// The gathering of the slot and its bots, if allowed.
    gathering: Option<Gathering<'a>>,
}

impl<'a> Slot<'a> {
    /// Returns a slot without bots.
    pub(crate) fn new(shared: &'a Shared<'a>, number: usize, reports: Sender<SlotReport>) -> Self {
        let cell = shared.live.as_ref().map(|live| live.cell(number));
        Self { shared, number, reports, idle: VecDeque::new(), cell, gathering: None }
    }

    /// Plays games until no more come, then ends its bots.
    pub(crate) async fn run(mut self, mut jobs: UnboundedReceiver<Job>) {
        let shared = self.shared;
        // Its thread stays with its bots, because a line within one core arrives fastest.
        if let Some(Err(error)) = self.place().map(GameCores::take) {
            return self.tell(SlotReport::Broken(error.into()));
        }
        self.gathering = Gathering::new(&shared.places);
        loop {
            let job = tokio::select! {
                biased;
                () = shared.aborted() => break,
                job = jobs.recv() => job,
            };
            let Some(job) = job else { break };
            let report = tokio::select! {
                biased;
                () = shared.aborted() => SlotReport::Abandoned,
                played = self.play(&job) => played.unwrap_or_else(SlotReport::Broken),
            };
            self.tell(report);
            tokio::select! {
                biased;
                () = shared.aborted() => {}
                () = self.tidy() => {}
            }
        }
        let is_aborted = shared.controls.iter().any(Control::is_aborting);
        let idle = std::mem::take(&mut self.idle);
        let ends = idle.into_iter().map(|(_, player)| async move {
            if is_aborted {
                player.kill().await;
            } else {
                player.end(&shared.settings.timeouts).await;
            }
        });
        join_all(ends).await;
    }

    /// Plays a game and returns the report of its end.
    async fn play(&mut self, job: &Job) -> Result<SlotReport, RunError> {
        let (started, since) = (jiff::Timestamp::now(), Instant::now());
        let assignment = Assignment { plan: self.shared.plan, task: &job.task };
        let mut feed = self.cell.as_ref().map(|cell| {
            LiveFeed::new(Arc::clone(cell), &job.task, self.number, job.opening.start.as_deref())
        });
        let mut idle: Vec<_> = job.task.seats.iter().map(|bot| self.take(*bot)).collect();
        if let Some(gathering) = &mut self.gathering {
            gathering.prepare(idle.iter_mut().map(Option::as_mut).collect());
        }
        let transcript = self.shared.settings.transcripts.then(Transcript::default);
        let log = |seat| {
            let log = LineLog::new(since).with_tracer(self.tracer(&job.task, seat));
            log.with_transcript(number(seat).get(), transcript.clone())
        };
        let seated = job.task.seats.seats().zip(idle);
        let seated = seated.map(|(seat, idle)| self.seat(assignment.bot(seat), seat, idle, log(seat)));
        let mut seated = join_all(seated.collect::<Vec<_>>()).await;
        // No bot is to blame for missing resources of the arena.
        let lacks = |one: &Result<Player, LostBot>| matches!(one, Err(LostBot { failure: TimedTrouble { trouble: Trouble::Spawn(error), .. }, .. }) if is_ours(error));
        if let Some(place) = seated.iter().position(lacks)
            && let Err(LostBot { failure: TimedTrouble { trouble: Trouble::Spawn(error), .. }, .. }) =
                seated.swap_remove(place)
        {
            return Err(match error.downcast::<Unpinned>() {
                Ok(unpinned) => unpinned.into(),
                Err(error) => error.into(),
            });
        }
        let (course, mut after) = if seated.iter().all(Result::is_ok) {
            let players = seated.into_iter().flatten().collect();
            self.play_seated(assignment, job, players, feed.as_mut()).await?
        } else {
            self.cancel(assignment, seated).await
        };
        self.tell_faults(assignment, &course.faults, &mut after);
        if let Some(transcript) = transcript {
            self.tell(SlotReport::Transcript(job.task.number, transcript.text()));
        }
        let end = if course.end.is_doubtful { SlotReport::Doubtful } else { SlotReport::Finished };
        let gathered = self.gathering.as_ref().and_then(|gathering| gathering.told(since.into_std()));
        let span = Span { started, took: since.elapsed(), gathered };
        let record = assignment.record(course, &job.opening, &after, span);
        Ok(end(self.number, Box::new(record)))
    }

    /// Plays the game with bots that are ready.
    async fn play_seated(
        &mut self,
        assignment: Assignment<'_>,
        job: &Job,
        mut players: Vec<Player>,
        feed: Option<&mut LiveFeed>,
    ) -> Result<(GameCourse, PerSeat<SeatOutcome>), RunError> {
        let (task, opening, contest) = (&job.task, &job.opening, assignment.contest());
        let settings = &self.shared.settings;
        let failed =
            |rejection| RunError::Rules { game: task.number, label: contest.label.clone(), rejection };
        let referee = opening.referee(&contest.setup).map_err(|error| match error {
            StartError::Rules(fault) => failed(Rejection::Rules(Box::new(fault))),
            StartError::Position(error) => failed(Rejection::NotAPly(error.to_string())),
        })?;
        if let Some(gathering) = &mut self.gathering {
            gathering.gather(&mut players);
        }
        let seats = players.len();
        let before: Vec<_> = players.iter_mut().map(Player::cpu).collect();
        let began = Instant::now();
        let course = game::play(
            &mut players,
            GameParts {
                referee,
                setups: PerSeat::new(seats, |seat| assignment.setup(seat)),
                opening: &opening.plies,
                start: opening.start.as_deref(),
                clocks: PerSeat::new(seats, |seat| Clock::new(assignment.control(seat), settings)),
                settings,
                is_forgiven: self.forgiven(task),
                absent: Vec::new(),
                feed,
            },
        )
        .await
        .map_err(failed)?;
        if let Some(gathering) = &mut self.gathering {
            let took = began.elapsed();
            let used: Vec<_> = players
                .iter_mut()
                .zip(&before)
                .map(|(player, before)| {
                    player.cpu().zip(*before).map(|(now, before)| now.saturating_sub(before))
                })
                .collect();
            gathering.note(&mut players, took, course.plies.len(), &used);
        }
        let mut after = PerSeat::new(seats, |_| SeatOutcome::default());
        for (seat, mut player) in Seat::all(seats).zip(players) {
            let after = &mut after[seat];
            let fault = course.faults.iter().find(|fault| fault.seat == seat);
            if fault.is_some() {
                after.spoken = player.spoken();
            }
            after.version = version(&player);
            after.flush = player.flush_advice(&assignment.bot(seat).launch);
            after.used = used(before[seat.index()], player.usage());
            if player.is_broken() {
                let ended = player.kill().await;
                (after.exit, after.stderr) = (ended.status, ended.stderr);
            } else {
                after.stderr = player.stderr();
                self.keep(task.seats[seat], player).await;
            }
            if let Some(exit) = fault.and_then(|fault| fault.exit.as_ref()) {
                after.exit = Some(exit.clone());
            }
        }
        Ok((course, after))
    }

    /// Ends a game that cannot begin because a bot is missing.
    async fn cancel(
        &mut self,
        assignment: Assignment<'_>,
        bots: Vec<Result<Player, LostBot>>,
    ) -> (GameCourse, PerSeat<SeatOutcome>) {
        let seats = bots.len();
        let mut after = PerSeat::new(seats, |_| SeatOutcome::default());
        let mut failures = PerSeat::new(seats, |_| None);
        for (seat, bot) in Seat::all(seats).zip(bots) {
            let after = &mut after[seat];
            match bot {
                Ok(player) => {
                    after.version = version(&player);
                    self.keep(assignment.task.seats[seat], player).await;
                }
                Err(lost) => {
                    after.exit = lost.failure.trouble.exit().map(str::to_owned);
                    after.stderr = lost.stderr;
                    after.spoken = lost.spoken;
                    after.flush = lost.flush;
                    failures[seat] = Some(lost.failure);
                }
            }
        }
        let end =
            Conclusion::before_start(&failures, &self.forgiven(assignment.task)).expect("a bot is missing");
        (GameCourse::unplayed(end, seats), after)
    }

    /// Reports the bots that failed.
    fn tell_faults(&self, assignment: Assignment<'_>, faults: &[Fault], after: &mut PerSeat<SeatOutcome>) {
        for Fault { seat, reason, detail, scene, .. } in faults {
            if *reason == Termination::Stall {
                self.offenders().insert(assignment.task.seats[*seat]);
            }
            let (bot, after) = (assignment.bot(*seat), &mut after[*seat]);
            self.tell(SlotReport::Failed(Box::new(BotFailure {
                bot: bot.name.clone(),
                game: assignment.task.number,
                termination: *reason,
                detail: detail.clone(),
                stderr: last_lines(&after.stderr),
                seat: number(*seat).get(),
                command: bot.launch.command(),
                dir: bot.launch.dir.clone(),
                is_confined: !bot.launch.prefix.is_empty(),
                exit: after.exit.clone(),
                spoken: std::mem::take(&mut after.spoken),
                flush: after.flush.take(),
                scene: scene.clone(),
            })));
        }
    }

    /// Takes a waiting bot, if there is one.
    fn take(&mut self, bot: usize) -> Option<Player> {
        let place = self.idle.iter().position(|(other, _)| *other == bot)?;
        self.idle.remove(place).map(|(_, player)| player)
    }

    /// Prepares a bot for a game: the waiting one, if it is in step, or a new process.
    async fn seat(
        &self,
        bot: &PlannedBot,
        seat: Seat,
        idle: Option<Player>,
        mut log: LineLog,
    ) -> Result<Player, LostBot> {
        let timeouts = &self.shared.settings.timeouts;
        let place = self.place();
        if let Some(mut player) = idle {
            player.set_log(log);
            let is_kept = match player.resync(timeouts.ready).await {
                Ok(()) => true,
                Err(_) => self.shared.settings.conditions.restart == Restart::Never && !player.is_broken(),
            };
            // It may have had the other seat before. If it cannot be moved, it is restarted on the right cores.
            let is_in_place =
                place.is_none_or(|place| place.is_shared() || player.move_to(place, seat).is_ok());
            if is_kept && is_in_place {
                return Ok(player);
            }
            log = player.take_log();
            player.kill().await;
        }
        self.shared.stagger.turn().await;
        if let Some(gathering) = &self.gathering {
            gathering.step_out();
        }
        Player::launch(&Pinned { launcher: self.shared.launcher, place, seat }, bot, timeouts, log).await
    }

    /// Returns the cores of its games, if they are pinned.
    fn place(&self) -> Option<&'a GameCores> {
        self.shared.settings.pins.places().get(self.number)
    }

    /// Keeps a bot for its next game. A bot that may not play many games at once is ended before its game counts as over,
    /// because another slot may play the next one; one that has refused a game is ended because it may be out of step.
    async fn keep(&mut self, bot: usize, mut player: Player) {
        if self.shared.plan.bots[bot].at_once.is_some() || player.has_refused() {
            player.end(&self.shared.settings.timeouts).await;
            return;
        }
        // Its messages between games belong to none.
        player.set_log(LineLog::new(Instant::now()));
        self.idle.push_back((bot, player));
    }

    /// Decides which bots stay after a game has ended and is recorded.
    async fn tidy(&mut self) {
        let (timeouts, restart) = (&self.shared.settings.timeouts, self.shared.settings.conditions.restart);
        let most = if restart == Restart::Always { 0 } else { MOST_IDLE.max(self.shared.plan.most_seats()) };
        let spare = self.idle.len().saturating_sub(most);
        let ends = self.idle.drain(..spare).map(|(_, player)| player.end(timeouts));
        join_all(ends.collect::<Vec<_>>()).await;
        // A bot that is still thinking about a finished game takes processor time from the players: it finishes now or is
        // ended.
        for (bot, mut player) in std::mem::take(&mut self.idle) {
            if player.is_owing() && player.resync(timeouts.ready).await.is_err() {
                let is_kept = restart == Restart::Never && !player.is_broken();
                if !is_kept {
                    player.kill().await;
                    continue;
                }
            }
            self.idle.push_back((bot, player));
        }
    }

    fn offenders(&self) -> std::sync::MutexGuard<'_, HashSet<usize>> {
        self.shared.offenders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn forgiven(&self, task: &Task) -> PerSeat<bool> {
        let offenders = self.offenders();
        task.seats.each_ref().map(|bot| !offenders.contains(bot))
    }

    fn tracer(&self, task: &Task, seat: Seat) -> Option<Tracer> {
        let reports = self.reports.clone();
        self.shared.settings.trace.then(|| Tracer {
            began: self.shared.began,
            game: task.number,
            seat: number(seat).get(),
            backlog: self.shared.backlog.clone(),
            // There is no receiver when the run has been abandoned.
            sink: Box::new(move |line| drop(reports.send(SlotReport::Trace(line)))),
        })
    }

    fn tell(&self, report: SlotReport) {
        // There is no receiver when the run has been abandoned.
        let _ = self.reports.send(report);
    }
}

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        self.tell(SlotReport::Left(self.number));
    }
}

/// Returns whether this error is the arena's and no bot's.
fn is_ours(error: &io::Error) -> bool {
    is_shortage(error) || error.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<Unpinned>)
}

fn version(player: &Player) -> String {
    player.identity().version.as_ref().map_or_else(String::new, |text| printable_capped(text, VERSION_SHOWN))
}

/// Returns the resources used in between. The peak is that of the whole life of the process.
fn used(before: Option<Duration>, after: ProcessUsage) -> ProcessUsage {
    let cpu = after.cpu.zip(before).map(|(after, before)| after.saturating_sub(before));
    ProcessUsage { cpu, peak_kib: after.peak_kib }
}
