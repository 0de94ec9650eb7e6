//! Playing many games: the coordinator, which hands them out in order and takes the records.

use std::collections::VecDeque;
use std::error::Error;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, Scope, ScopedJoinHandle};
use std::time::{Duration, Instant};

use rules::Rejection;
use thiserror::Error;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::group::reserve_descriptors;
use crate::process::reap_fallen;
use crate::slot::{Job, MOST_DESCRIPTORS, Report, Shared, Slot};
use crate::trace::Backlog;
use crate::{Control, Direct, Launcher, NoOpening, Observer, Openings, Plan, Task};

/// How often the observer's clock ticks at least.
const TICK: Duration = Duration::from_millis(100);

/// How many descriptors are left to everything but the games.
pub(crate) const SPARE_DESCRIPTORS: usize = 128;

/// Returns how many descriptors so many games at once may take.
#[must_use]
pub const fn descriptors(games: usize) -> u64 {
    (SPARE_DESCRIPTORS + games * MOST_DESCRIPTORS) as u64
}

/// What came of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The games that were played and recorded.
    pub played: u64,
    /// The games that were abandoned and not recorded.
    pub abandoned: u64,
    /// The games that were not begun.
    pub left: u64,
}

/// Why a run cannot go on.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RunError {
    /// The observer could not keep a record.
    #[error("the record of game {game} could not be kept")]
    Observer {
        /// The number of the game.
        game: u64,
        /// Why.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// A game has no opening of the length asked for.
    #[error(transparent)]
    Opening(#[from] NoOpening),
    /// The rules contradict themselves: a fault of the arena.
    #[error("the rules of {label} contradict themselves in game {game}")]
    Rules {
        /// The number of the game.
        game: u64,
        /// The label of what was played.
        label: String,
        /// What the rules said.
        #[source]
        rejection: Rejection,
    },
    /// The system does not provide what playing needs.
    #[error("the system has no room for another game at once")]
    System(#[from] io::Error),
}

/// Plays games, as many at once as the settings say, and tells the observer what happens.
///
/// Games are begun in the order in which they stand. What happens in a game depends on the plan and its
/// [`Task`] only, never on the others. Returns when every game has ended or the run was ended, and every
/// process of every bot is gone. Further games may be decided while these are played ([`Observer::more`]).
///
/// # Errors
/// When a record could not be kept or the arena itself fails; whatever a bot does is no error.
///
/// # Panics
/// When a task points outside the plan.
pub fn play(
    plan: &Plan,
    tasks: Vec<Task>,
    control: &Control,
    observer: &mut dyn Observer,
) -> Result<Summary, RunError> {
    play_with(&Direct, plan, tasks, control, observer)
}

/// Plays games like [`play`], with processes started by `launcher`.
///
/// # Errors
/// As [`play`].
///
/// # Panics
/// As [`play`].
pub fn play_with(
    launcher: &dyn Launcher,
    plan: &Plan,
    tasks: Vec<Task>,
    control: &Control,
    observer: &mut dyn Observer,
) -> Result<Summary, RunError> {
    let stop = Stop(Control::new());
    let shared = Shared {
        plan,
        settings: plan.settings.effective(),
        launcher,
        controls: [control.clone(), stop.0.clone()],
        offenders: Mutex::default(),
        backlog: Backlog::default(),
        began: tokio::time::Instant::now(),
    };
    let openings = plan
        .contests
        .iter()
        .map(|contest| Openings::new(&contest.setup, contest.opening_plies, plan.settings.seed));
    let mut tasks = VecDeque::from(tasks);
    let more = observer.more();
    let has_more = more.is_some();
    tasks.extend(more.into_iter().flatten());
    let count = plan.settings.concurrency.get();
    let count = if has_more { count } else { count.min(tasks.len()) };
    reserve_descriptors(descriptors(count));
    thread::scope(|scope| {
        let (reports, inbox) = channel();
        let mut run = Coordinator {
            control,
            // Declared within the scope: when the observer panics, the games are abandoned before the wait
            // for their threads.
            stop,
            openings: openings.collect(),
            tasks,
            has_more,
            running: 0,
            idle: Vec::new(),
            observer,
            slots: Vec::new(),
            summary: Summary::default(),
            error: None,
        };
        for number in 0..count {
            run.slots.push(Place::open(scope, &shared, number, reports.clone())?);
        }
        drop(reports);
        run.coordinate(&inbox, &shared.backlog);
        run.close()
    })
}

/// Ends the games when it is dropped.
struct Stop(Control);

impl Drop for Stop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// A slot, as the coordinator sees it.
struct Place<'scope> {
    /// Gone once there is nothing more to play.
    jobs: Option<UnboundedSender<Job>>,
    thread: ScopedJoinHandle<'scope, ()>,
}

impl<'scope> Place<'scope> {
    fn open<'env>(
        scope: &'scope Scope<'scope, 'env>,
        shared: &'env Shared<'env>,
        number: usize,
        reports: Sender<Report>,
    ) -> io::Result<Self> {
        // Made here, where a failure can be told.
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (jobs, queue) = unbounded_channel();
        let play = move |queue: UnboundedReceiver<Job>| {
            let slot = Slot::new(shared, number, reports);
            let end = catch_unwind(AssertUnwindSafe(|| runtime.block_on(slot.run(queue))));
            // Games that were abandoned and panics alike have left killed processes behind.
            runtime.block_on(reap_fallen());
            if let Err(panic) = end {
                resume_unwind(panic);
            }
        };
        let thread =
            thread::Builder::new().name(format!("slot-{number}")).spawn_scoped(scope, || play(queue))?;
        Ok(Self { jobs: Some(jobs), thread })
    }
}

struct Coordinator<'scope, 'a> {
    control: &'a Control,
    stop: Stop,
    openings: Vec<Openings>,
    tasks: VecDeque<Task>,
    /// Whether the observer may have more of them.
    has_more: bool,
    /// How many games are being played.
    running: usize,
    /// The slots that wait for more games.
    idle: Vec<usize>,
    observer: &'a mut dyn Observer,
    slots: Vec<Place<'scope>>,
    summary: Summary,
    error: Option<RunError>,
}

impl Coordinator<'_, '_> {
    /// Hands out games and takes reports until every slot has left.
    fn coordinate(&mut self, inbox: &Receiver<Report>, backlog: &Backlog) {
        for slot in 0..self.slots.len() {
            self.hand_out(slot);
        }
        self.send_home();
        let mut ticked = Instant::now();
        loop {
            match inbox.recv_timeout(TICK.saturating_sub(ticked.elapsed())) {
                Ok(Report::Trace(line)) => {
                    backlog.taken(&line);
                    self.observer.trace(line);
                }
                Ok(Report::Failed(failure)) => self.observer.bot_failed(*failure),
                Ok(Report::Transcript(game, text)) => self.observer.transcript(game, text),
                Ok(Report::Finished(slot, game)) => {
                    self.running -= 1;
                    let number = game.number;
                    match self.observer.game_finished(*game) {
                        Ok(()) => self.summary.played += 1,
                        Err(source) => self.fail(RunError::Observer { game: number, source }),
                    }
                    // What it told may have decided games that others wait for.
                    for slot in std::mem::take(&mut self.idle).into_iter().chain([slot]) {
                        self.hand_out(slot);
                    }
                    self.send_home();
                }
                Ok(Report::Abandoned) => self.summary.abandoned += 1,
                Ok(Report::Broken(error)) => self.fail(error),
                Ok(Report::Left(slot)) => {
                    // A slot that leaves in the middle of a run has panicked: the run ends with its panic.
                    if self.slots[slot].jobs.take().is_some() {
                        self.stop.0.abort();
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            if ticked.elapsed() >= TICK {
                self.observer.tick();
                ticked = Instant::now();
            }
        }
    }

    /// Gives a slot its next game, lets it wait for one, or sends it home.
    fn hand_out(&mut self, slot: usize) {
        let may_go_on = self.error.is_none() && !self.control.is_finishing();
        if may_go_on && self.has_more && self.tasks.is_empty() {
            let more = self.observer.more();
            self.has_more = more.is_some();
            self.tasks.extend(more.into_iter().flatten());
        }
        if may_go_on && self.has_more && self.tasks.is_empty() {
            return self.idle.push(slot);
        }
        let Some(task) = self.tasks.front().copied().filter(|_| may_go_on) else {
            self.slots[slot].jobs = None;
            return;
        };
        let opening = match self.openings[task.contest].get(task.round) {
            Ok(opening) => opening.to_vec(),
            Err(error) => {
                self.slots[slot].jobs = None;
                return self.fail(error.into());
            }
        };
        self.tasks.pop_front();
        self.observer.game_started(&task, slot);
        if let Some(jobs) = &self.slots[slot].jobs {
            // It fails only when the slot has left, which is noticed elsewhere.
            let _ = jobs.send(Job { task, opening });
            self.running += 1;
        }
    }

    /// Sends the slots home that wait for games which nothing can decide any more.
    fn send_home(&mut self) {
        if self.running == 0 {
            for slot in self.idle.drain(..) {
                self.slots[slot].jobs = None;
            }
        }
    }

    /// Stops the run: the first error counts.
    fn fail(&mut self, error: RunError) {
        self.error.get_or_insert(error);
        self.stop.0.abort();
    }

    fn close(mut self) -> Result<Summary, RunError> {
        for slot in self.slots.drain(..) {
            if let Err(panic) = slot.thread.join() {
                resume_unwind(panic);
            }
        }
        self.summary.left = self.tasks.len() as u64;
        match self.error {
            Some(error) => Err(error),
            None => Ok(self.summary),
        }
    }
}
