//! A place where one game at a time is played: one thread, which writes to, waits for and reads from both of
//! its bots itself.
//!
//! Bots stay alive between games. What a bot did in the last game does not follow it: before it is used again
//! it has to answer `isready`, or it is started anew.

use std::collections::{HashSet, VecDeque};
use std::sync::mpsc::Sender;
use std::sync::{Mutex, PoisonError};

use protocol::{GameSetup, Pairs, printable_capped};
use record::{GameRecord, SeatRecord, Termination};
use rules::Seat;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::Instant;

use crate::clock::Clock;
use crate::end::End;
use crate::game::{self, Course, Match};
use crate::join::join_all;
use crate::player::{Player, number};
use crate::process::{Usage, reap_fallen};
use crate::seed::bot_seed;
use crate::stderr::last_lines;
use crate::trace::{Backlog, Tracer};
use crate::trouble::Failure;
use crate::{
    Bot, BotFailure, Control, Launcher, Plan, Restart, RunError, Settings, Task, TimeControl, TraceLine,
};

/// How many processes of a slot wait for their next game.
const MOST_IDLE: usize = 4;

/// How many characters of a bot's version are recorded.
const VERSION_SHOWN: usize = 80;

/// A game to play.
pub(crate) struct Job {
    /// Which.
    pub(crate) task: Task,
    /// How it begins.
    pub(crate) opening: Vec<String>,
}

/// What a slot tells the coordinator.
pub(crate) enum Report {
    /// A line on its way.
    Trace(TraceLine),
    /// A bot failed.
    Failed(BotFailure),
    /// The game has ended.
    Finished(usize, Box<GameRecord>),
    /// The game was abandoned.
    Abandoned,
    /// The game cannot be played because of a fault of the arena.
    Broken(RunError),
    /// The slot is no more, whatever the reason.
    Left(usize),
}

/// What all slots share.
pub(crate) struct Shared<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) settings: Settings,
    pub(crate) launcher: &'a dyn Launcher,
    /// The user's handle, and that of the run itself.
    pub(crate) controls: [Control; 2],
    /// The bots that were silent before their first ply once.
    pub(crate) offenders: Mutex<HashSet<usize>>,
    pub(crate) backlog: Backlog,
    pub(crate) began: Instant,
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
    reports: Sender<Report>,
    /// Bots that wait for their next game, the one that was used last at the back.
    idle: VecDeque<(usize, Player)>,
}

impl<'a> Slot<'a> {
    /// Returns a slot without bots.
    pub(crate) const fn new(shared: &'a Shared<'a>, number: usize, reports: Sender<Report>) -> Self {
        Self { shared, number, reports, idle: VecDeque::new() }
    }

    /// Plays the games that come until no more come, then ends its bots.
    pub(crate) async fn run(mut self, mut jobs: UnboundedReceiver<Job>) {
        let shared = self.shared;
        loop {
            let job = tokio::select! {
                biased;
                () = shared.aborted() => break,
                job = jobs.recv() => job,
            };
            let Some(job) = job else { break };
            let report = tokio::select! {
                biased;
                () = shared.aborted() => Report::Abandoned,
                played = self.play(&job) => match played {
                    Ok(record) => Report::Finished(self.number, Box::new(record)),
                    Err(error) => Report::Broken(error),
                },
            };
            self.tell(report);
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
        reap_fallen().await;
    }

    async fn play(&mut self, job: &Job) -> Result<GameRecord, RunError> {
        let (started, since) = (jiff::Timestamp::now(), Instant::now());
        let [first, second] = job.task.seats;
        let (one, other) = (self.take(first), self.take(second));
        let (one, other) = tokio::join!(self.seat(job, Seat::P1, one), self.seat(job, Seat::P2, other));
        let game = Played { job, started, since };
        match (one, other) {
            (Ok(one), Ok(other)) => self.play_seated(game, [one, other]).await,
            (one, other) => {
                let failures =
                    [one.as_ref().err().map(|lost| &lost.0), other.as_ref().err().map(|lost| &lost.0)];
                let end = End::before_start(failures, self.forgiven(&job.task))
                    .expect("one of the bots could not be started");
                let mut stderr = [Vec::new(), Vec::new()];
                let mut seats = [After::default(), After::default()];
                for (seat, bot) in Seat::BOTH.into_iter().zip([one, other]) {
                    match bot {
                        Ok(player) => {
                            seats[seat.index()].version = version(&player);
                            self.keep(job.task.seats[seat.index()], player).await;
                        }
                        Err((_, last)) => stderr[seat.index()] = last,
                    }
                }
                let course = Course { end, plies: Vec::new(), opening: 0, overruns: [0; 2], retries: [0; 2] };
                Ok(self.finish(game, course, seats, stderr))
            }
        }
    }

    /// Plays the game between two bots that sit at the board.
    async fn play_seated(
        &mut self,
        game: Played<'_>,
        mut players: [Player; 2],
    ) -> Result<GameRecord, RunError> {
        let task = &game.job.task;
        let contest = &self.shared.plan.contests[task.contest];
        let referee = contest.setup.referee(None).expect("a game's own start can be set up");
        let settings = &self.shared.settings;
        let before = players.each_ref().map(Player::usage);
        let course = game::play(
            &mut players,
            Match {
                referee,
                setups: Seat::BOTH.map(|seat| self.setup(task, seat)),
                opening: &game.job.opening,
                clocks: Seat::BOTH.map(|seat| Clock::new(self.control_of(task, seat), settings)),
                settings,
                is_forgiven: self.forgiven(task),
            },
        )
        .await
        .map_err(|rejection| RunError::Rules {
            game: task.number,
            label: contest.label.clone(),
            rejection,
        })?;
        let mut stderr = [Vec::new(), Vec::new()];
        let mut seats = [After::default(), After::default()];
        for (seat, player) in Seat::BOTH.into_iter().zip(players) {
            let i = seat.index();
            let usage = player.usage();
            seats[i] = After { version: version(&player), exit: None, used: used(before[i], usage) };
            if player.is_broken() {
                let ended = player.kill().await;
                (seats[i].exit, stderr[i]) = (ended.status, ended.stderr);
            } else {
                stderr[i] = player.stderr();
                self.keep(task.seats[i], player).await;
            }
            if course.end.fault == Some(seat) {
                seats[i].exit = course.end.exit.clone().or(seats[i].exit.take());
            }
        }
        Ok(self.finish(game, course, seats, stderr))
    }

    /// Takes a bot that waits, if there is one.
    fn take(&mut self, bot: usize) -> Option<Player> {
        let place = self.idle.iter().position(|(other, _)| *other == bot)?;
        self.idle.remove(place).map(|(_, player)| player)
    }

    /// Brings a bot to the board: the one that waited, if it is in step, or a new process.
    async fn seat(&self, job: &Job, seat: Seat, idle: Option<Player>) -> Result<Player, (Failure, Vec<u8>)> {
        let timeouts = &self.shared.settings.timeouts;
        if let Some(mut player) = idle {
            player.set_tracer(self.tracer(&job.task, seat));
            let is_kept = match player.resync(timeouts.ready).await {
                Ok(()) => true,
                Err(_) => self.shared.settings.restart == Restart::Never && !player.is_broken(),
            };
            if is_kept {
                return Ok(player);
            }
            player.kill().await;
        }
        Player::launch(
            self.shared.launcher,
            self.bot(&job.task, seat),
            timeouts,
            self.tracer(&job.task, seat),
        )
        .await
    }

    /// Keeps a bot for its next game.
    async fn keep(&mut self, bot: usize, mut player: Player) {
        player.set_tracer(None);
        if self.shared.settings.restart == Restart::Always {
            player.end(&self.shared.settings.timeouts).await;
            return;
        }
        self.idle.push_back((bot, player));
        if self.idle.len() > MOST_IDLE
            && let Some((_, player)) = self.idle.pop_front()
        {
            player.end(&self.shared.settings.timeouts).await;
        }
    }

    /// Writes the record of a game and tells of the bot that failed, if one did.
    fn finish(
        &self,
        game: Played<'_>,
        course: Course,
        after: [After; 2],
        stderr: [Vec<u8>; 2],
    ) -> GameRecord {
        let task = &game.job.task;
        let contest = &self.shared.plan.contests[task.contest];
        let mut detail = course.end.detail;
        if let Some(seat) = course.end.fault {
            let bot = &self.bot(task, seat).name;
            if course.end.reason == Termination::Stall {
                self.offenders().insert(task.seats[seat.index()]);
            }
            self.tell(Report::Failed(BotFailure {
                bot: bot.clone(),
                game: task.number,
                termination: course.end.reason,
                detail: detail.clone().unwrap_or_default(),
                stderr: last_lines(&stderr[seat.index()]),
            }));
            // The result of a game that does not count does not say whose fault it was.
            if course.end.result == record::Result::None {
                detail = detail.map(|detail| format!("`{bot}` {detail}"));
            }
        }
        let mut after = after.map(Some);
        let seats = Seat::BOTH.map(|seat| {
            let i = seat.index();
            let After { version, exit, used } = after[i].take().unwrap_or_default();
            let bot = self.bot(task, seat);
            SeatRecord {
                bot: bot.name.clone(),
                version: bot.version.clone().unwrap_or(version),
                digest: bot.digest.clone(),
                tc: self.control_of(task, seat).to_string(),
                seed: self.seed(task, seat),
                overruns: course.overruns[i],
                retries: course.retries[i],
                exit,
                cpu_ms: used.cpu.map(|cpu| cpu.as_millis().try_into().unwrap_or(u64::MAX)),
                peak_kib: used.peak_kib,
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
            start: None,
            seats,
            opening: course.opening,
            plies: course.plies,
            result: course.end.result,
            reason: course.end.reason,
            detail,
            started: format!("{:.3}", game.started),
            seconds: game.since.elapsed().as_millis() as f64 / 1000.0,
        }
    }

    /// Returns what the bot of a seat is told about a game.
    fn setup(&self, task: &Task, seat: Seat) -> GameSetup {
        let setup = &self.shared.plan.contests[task.contest].setup;
        let control = self.control_of(task, seat);
        let options = setup.options().iter();
        GameSetup {
            options: options.fold(Pairs::new(), |pairs, (key, value)| pairs.with(key, value)),
            you: Some(number(seat)),
            time_control: Some(control.pgn()),
            move_time: control.movetime(),
            opponent: Some(self.bot(task, seat.other()).name.clone()),
            seed: Some(self.seed(task, seat)),
            id: Some(task.number.to_string()),
            ..GameSetup::new(setup.game().id)
        }
    }

    fn seed(&self, task: &Task, seat: Seat) -> u64 {
        let plan = self.shared.plan;
        let names = Seat::BOTH.map(|seat| self.bot(task, seat).name.as_str());
        let label = &plan.contests[task.contest].label;
        bot_seed(plan.settings.seed, label, names, (task.round, task.leg), seat)
    }

    fn bot(&self, task: &Task, seat: Seat) -> &'a Bot {
        &self.shared.plan.bots[task.seats[seat.index()]]
    }

    fn control_of(&self, task: &Task, seat: Seat) -> &'a TimeControl {
        self.bot(task, seat).tc.as_ref().unwrap_or(&self.shared.plan.contests[task.contest].tc)
    }

    fn offenders(&self) -> std::sync::MutexGuard<'_, HashSet<usize>> {
        self.shared.offenders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn forgiven(&self, task: &Task) -> [bool; 2] {
        let offenders = self.offenders();
        task.seats.map(|bot| !offenders.contains(&bot))
    }

    fn tracer(&self, task: &Task, seat: Seat) -> Option<Tracer> {
        let reports = self.reports.clone();
        self.shared.settings.trace.then(|| Tracer {
            began: self.shared.began,
            game: task.number,
            seat: number(seat).get(),
            backlog: self.shared.backlog.clone(),
            // Nobody listens any more when the run has been given up.
            sink: Box::new(move |line| drop(reports.send(Report::Trace(line)))),
        })
    }

    fn tell(&self, report: Report) {
        // Nobody listens any more when the run has been given up.
        let _ = self.reports.send(report);
    }
}

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        self.tell(Report::Left(self.number));
    }
}

/// A game that has been begun.
struct Played<'a> {
    job: &'a Job,
    started: jiff::Timestamp,
    since: Instant,
}

/// What is known of a bot after the game.
#[derive(Default)]
struct After {
    version: String,
    exit: Option<String>,
    used: Usage,
}

fn version(player: &Player) -> String {
    player.identity().version.as_ref().map_or_else(String::new, |text| printable_capped(text, VERSION_SHOWN))
}

/// Returns what was used in between; the peak is that of the whole life of the process.
fn used(before: Usage, after: Usage) -> Usage {
    let cpu = after.cpu.zip(before.cpu).map(|(after, before)| after.saturating_sub(before));
    Usage { cpu, peak_kib: after.peak_kib }
}
