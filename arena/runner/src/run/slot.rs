//! A place where one game at a time is played: one thread, which writes to, waits for and reads from all of
//! its bots itself.
//!
//! Bots stay alive between games. What a bot did in the last game does not follow it: before it is used again
//! it has to answer `isready`, or it is started again.

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

/// How many descriptors a slot may need at tables of up to this many seats: those of each of its processes, of one more for each
/// bot that is about to start or end, and what its runtime waits with.
pub(crate) const fn most_descriptors(seats: usize) -> usize {
    let idle = if seats > MOST_IDLE { seats } else { MOST_IDLE };
    let moving = if seats > 2 { 2 * seats } else { 4 };
    (idle + moving) * processes::DESCRIPTORS + 8
}

/// How many characters of a bot's version are recorded.
const VERSION_SHOWN: usize = 80;

/// What a slot tells the coordinator.
pub(crate) enum SlotReport {
    /// A line on its way.
    Trace(TraceLine),
    /// A bot failed.
    Failed(Box<BotFailure>),
    /// Every line of a game that has ended.
    Transcript(u64, String),
    /// The game has ended.
    Finished(usize, Box<GameRecord>),
    /// The game has ended in a way that may be the doing of the machine, or of the arena itself.
    Doubtful(usize, Box<GameRecord>),
    /// The game was abandoned.
    Abandoned,
    /// The game cannot be played because of a fault of the arena.
    Broken(RunError),
    /// The slot is no more, whatever the reason.
    Left(usize),
}

/// What all slots share.
pub(crate) struct Shared<'a> {
    pub(crate) plan: &'a GamePlan,
    pub(crate) settings: PlaySettings,
    pub(crate) launcher: &'a dyn Launcher,
    pub(crate) stagger: Stagger,
    /// The user's handle, and that of the run itself.
    pub(crate) controls: [Control; 2],
    /// The bots that were silent before their first ply once.
    pub(crate) offenders: Mutex<HashSet<usize>>,
    pub(crate) backlog: Backlog,
    pub(crate) began: Instant,
    /// Where games in progress are shown, if anybody looks.
    pub(crate) live: Option<Live>,
    /// Where a slot and its bots come together.
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

/// A place where games are played.
pub(crate) struct Slot<'a> {
    shared: &'a Shared<'a>,
    number: usize,
    reports: Sender<SlotReport>,
    /// Bots that wait for their next game, the one that was used last at the back.
    idle: VecDeque<(usize, Player)>,
    /// Where the game is shown, if anybody looks.
    cell: Option<Arc<LiveCell>>,
    /// Where it comes together with its bots, where it may.
    gathering: Option<Gathering<'a>>,
}

impl<'a> Slot<'a> {
    /// Returns a slot without bots.
    pub(crate) fn new(shared: &'a Shared<'a>, number: usize, reports: Sender<SlotReport>) -> Self {
        let cell = shared.live.as_ref().map(|live| live.cell(number));
        Self { shared, number, reports, idle: VecDeque::new(), cell, gathering: None }
    }

    /// Plays the games that come until no more come, then ends its bots.
    pub(crate) async fn run(mut self, mut jobs: UnboundedReceiver<Job>) {
        let shared = self.shared;
        // Its thread follows its bots: a line that stays on one core is handed over fastest.
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

    /// Plays a game and returns what to report of its end.
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
        // No bot is to be blamed for what the arena lacks.
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

    /// Plays the game between bots that sit at the board.
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

    /// Ends a game that cannot begin: not every bot came to the board.
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

    /// Tells of the bots that failed.
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

    /// Takes a bot that waits, if there is one.
    fn take(&mut self, bot: usize) -> Option<Player> {
        let place = self.idle.iter().position(|(other, _)| *other == bot)?;
        self.idle.remove(place).map(|(_, player)| player)
    }

    /// Brings a bot to the board: the one that waited, if it is in step, or a new process.
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
            // It may have sat on the other side before. One that cannot be moved is started again where it belongs.
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

    /// Returns the cores of its games, where they keep to some.
    fn place(&self) -> Option<&'a GameCores> {
        self.shared.settings.pins.places().get(self.number)
    }

    /// Keeps a bot for its next game. One that may not play many games at once is ended before its game counts as
    /// over: the next one may be played in another slot.
    async fn keep(&mut self, bot: usize, mut player: Player) {
        if self.shared.plan.bots[bot].at_once.is_some() {
            player.end(&self.shared.settings.timeouts).await;
            return;
        }
        // What it says between games belongs to none.
        player.set_log(LineLog::new(Instant::now()));
        self.idle.push_back((bot, player));
    }

    /// Decides which bots stay once a game has ended and is recorded.
    async fn tidy(&mut self) {
        let (timeouts, restart) = (&self.shared.settings.timeouts, self.shared.settings.conditions.restart);
        let most = if restart == Restart::Always { 0 } else { MOST_IDLE.max(self.shared.plan.most_seats()) };
        let spare = self.idle.len().saturating_sub(most);
        let ends = self.idle.drain(..spare).map(|(_, player)| player.end(timeouts));
        join_all(ends.collect::<Vec<_>>()).await;
        // A bot that still thinks about a game that is over takes the processor from those that play: it comes
        // to rest now or is ended.
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
            // Nobody listens any more when the run has been given up.
            sink: Box::new(move |line| drop(reports.send(SlotReport::Trace(line)))),
        })
    }

    fn tell(&self, report: SlotReport) {
        // Nobody listens any more when the run has been given up.
        let _ = self.reports.send(report);
    }
}

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        self.tell(SlotReport::Left(self.number));
    }
}

/// Returns whether no bot is to be blamed for this.
fn is_ours(error: &io::Error) -> bool {
    is_shortage(error) || error.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<Unpinned>)
}

fn version(player: &Player) -> String {
    player.identity().version.as_ref().map_or_else(String::new, |text| printable_capped(text, VERSION_SHOWN))
}

/// Returns what was used in between; the peak is that of the whole life of the process.
fn used(before: Option<Duration>, after: ProcessUsage) -> ProcessUsage {
    let cpu = after.cpu.zip(before).map(|(after, before)| after.saturating_sub(before));
    ProcessUsage { cpu, peak_kib: after.peak_kib }
}
