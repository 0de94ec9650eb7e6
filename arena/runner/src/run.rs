//! Playing many games on this machine: the coordinator gives them to slots in order and collects the records.

mod control;
pub(crate) mod dispatch;
mod events;
mod executor;
pub(crate) mod gathering;
pub(crate) mod join_all;
mod queue;
mod rules_interrupter;
pub(crate) mod slot;
pub(crate) mod stagger;
mod withdrawal;

use std::io;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, Scope, ScopedJoinHandle};
use std::time::{Duration, Instant};

use processes::{Launcher, count_ending_thread, reap_dropped, reserve_descriptors};
use rules::Rejection;
use thiserror::Error;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

pub use self::control::Control;
pub use self::dispatch::{Dispatch, Offer};
pub use self::events::{BotFailure, EventError, Host, Listener, RunEvent};
pub use self::executor::{Executor, ThisMachine};
use crate::player::trace::Backlog;
use crate::run::gathering::MeetingPlaces;
use crate::run::rules_interrupter::RulesInterrupter;
use crate::run::slot::{Shared, Slot, SlotReport, most_descriptors};
use crate::run::stagger::Stagger;
use crate::{GamePlan, Job, NoOpening, Tasks, Unpinned};

/// The longest time between two ticks.
const TICK: Duration = Duration::from_millis(100);

/// How often the host is asked for games while slots wait for them.
const AWAITED: Duration = Duration::from_millis(5);

/// How many descriptors are reserved for everything except the games.
pub(crate) const SPARE_DESCRIPTORS: usize = 128;

/// Returns the most descriptors that `games` games at once need, at tables of up to `seats` seats.
#[must_use]
pub const fn descriptors(games: usize, seats: usize) -> u64 {
    (SPARE_DESCRIPTORS + games * most_descriptors(seats)) as u64
}

/// The numbers of games of a run, by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayCounts {
    /// The games that were played and recorded.
    pub played: u64,
    /// The games that were void and restarted.
    pub void: u64,
    /// The games that were recorded without play, because one of their bots is withdrawn.
    pub withdrawn: u64,
    /// The games that were abandoned and not recorded.
    pub abandoned: u64,
    /// The games that were not begun.
    pub left: u64,
}

/// Why a run cannot continue.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RunError {
    /// The host could not store a record.
    #[error("cannot store the record of game {game}")]
    Record {
        /// The number of the game.
        game: u64,
        /// The cause.
        #[source]
        source: EventError,
    },
    /// The host could not handle another event.
    #[error("cannot handle an event of the run")]
    Event {
        /// The cause.
        #[source]
        source: EventError,
    },
    /// A game has no opening of the required length.
    #[error(transparent)]
    Opening(#[from] NoOpening),
    /// The rules of a game failed, or contradict themselves. No bot is to blame.
    #[error("game {game} of {label} cannot go on")]
    Rules {
        /// The number of the game.
        game: u64,
        /// The label of the game.
        label: String,
        /// The message of the rules.
        #[source]
        rejection: Rejection,
    },
    /// The cores of a game are no longer available.
    #[error(transparent)]
    Pin(#[from] Unpinned),
    /// The system does not provide the resources for playing.
    #[error("the system lacks the resources for another game at once")]
    System(#[from] io::Error),
    /// The machines that play the games cannot be reached, or cannot continue.
    #[error(transparent)]
    Executor(EventError),
}

/// Plays games, as many at once as the settings say, with processes started by `launcher`, and reports to the host.
///
/// Games begin in the given order, which is that of their numbers. A game that must wait for its bots
/// ([`PlannedBot::at_once`](crate::PlannedBot::at_once), [`PlaySettings::max_faults`](settings::Conditions::max_faults)) lets
/// later ones pass. A game depends on the plan and its [`Task`](crate::plan::Task) only, never on other games. `play` returns
/// when every game has ended or the run was ended, and every process of every bot is gone. The host may add games during the
/// run ([`Host::more`]).
///
/// # Errors
/// When the host cannot handle an event or the arena itself fails. Nothing that a bot does is an error.
///
/// # Panics
/// When a task points outside the plan.
pub fn play<'a>(
    launcher: &dyn Launcher,
    plan: &'a GamePlan,
    tasks: impl Into<Tasks<'a>>,
    control: &Control,
    host: &mut dyn Host,
) -> Result<PlayCounts, RunError> {
    control.limit_slots(plan.settings.pins.most().and_then(NonZeroUsize::new));
    let stop = Control::new();
    let shared = Shared {
        plan,
        settings: plan.settings.effective(),
        launcher,
        stagger: Stagger::new(plan.settings.conditions.stagger),
        controls: [control.clone(), stop.clone()],
        offenders: Mutex::default(),
        backlog: Backlog::default(),
        began: tokio::time::Instant::now(),
        live: host.live(),
        places: MeetingPlaces::new(&plan.settings),
    };
    let games = Dispatch::new(plan, tasks.into(), control, stop, host);
    thread::scope(|scope| {
        let _rules = RulesInterrupter::open(scope, plan, control)?;
        let (reports, inbox) = channel();
        let mut run = Coordinator {
            scope,
            shared: &shared,
            reports,
            control,
            // Declared within the scope, so that a panic of the host abandons the games before their threads are joined.
            games,
            idle: Vec::new(),
            is_held: false,
            slots: Vec::new(),
            living: 0,
        };
        run.widen();
        if !run.games.has_failed() {
            run.coordinate(&inbox);
        }
        run.close()
    })
}

/// A slot, from the coordinator's view.
struct SlotThread<'scope> {
    /// The channel to the slot; `None` when there is nothing more to play.
    jobs: Option<UnboundedSender<Job>>,
    /// Whether the slot may still report.
    is_alive: bool,
    thread: ScopedJoinHandle<'scope, ()>,
}

impl<'scope> SlotThread<'scope> {
    fn open<'env>(
        scope: &'scope Scope<'scope, 'env>,
        shared: &'env Shared<'env>,
        number: usize,
        reports: Sender<SlotReport>,
    ) -> io::Result<Self> {
        // Created here, where a failure can be reported.
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (jobs, queue) = unbounded_channel();
        let play = move |queue: UnboundedReceiver<Job>| {
            let slot = Slot::new(shared, number, reports);
            let end = catch_unwind(AssertUnwindSafe(|| runtime.block_on(slot.run(queue))));
            // Abandoned games and panics leave killed processes behind.
            runtime.block_on(reap_dropped());
            count_ending_thread();
            if let Err(panic) = end {
                resume_unwind(panic);
            }
        };
        let thread =
            thread::Builder::new().name(format!("slot-{number}")).spawn_scoped(scope, || play(queue))?;
        Ok(Self { jobs: Some(jobs), is_alive: true, thread })
    }
}

struct Coordinator<'scope, 'env, 'a> {
    scope: &'scope Scope<'scope, 'env>,
    shared: &'env Shared<'env>,
    /// The channel for the reports of slots.
    reports: Sender<SlotReport>,
    control: &'a Control,
    /// The games, including those in slots.
    games: Dispatch<'a>,
    /// The slots that wait for games.
    idle: Vec<usize>,
    /// Whether some of them wait because the run is paused.
    is_held: bool,
    slots: Vec<SlotThread<'scope>>,
    /// How many slots may still report.
    living: usize,
}

impl Coordinator<'_, '_, '_> {
    /// Hands out games and handles reports until every slot has left.
    fn coordinate(&mut self, inbox: &Receiver<SlotReport>) {
        for slot in 0..self.slots.len() {
            self.hand_out(slot);
        }
        self.send_home();
        let mut ticked = Instant::now();
        while self.living > 0 {
            let wait = if self.is_awaited() { AWAITED } else { TICK };
            match inbox.recv_timeout(wait.min(TICK.saturating_sub(ticked.elapsed()))) {
                Ok(SlotReport::Trace(line)) => {
                    self.shared.backlog.taken(&line);
                    self.games.tell(RunEvent::Trace(line));
                }
                Ok(SlotReport::Failed(failure)) => self.games.tell(RunEvent::BotFailed(failure)),
                Ok(SlotReport::Transcript(game, text)) => {
                    self.games.tell(RunEvent::Transcript { game, text });
                }
                Ok(SlotReport::Doubtful(slot, game)) if self.games.may_replay(&game) => {
                    self.games.replay(slot, game);
                    self.go_on(slot);
                }
                Ok(SlotReport::Finished(slot, game) | SlotReport::Doubtful(slot, game)) => {
                    self.games.finished(slot, game);
                    self.go_on(slot);
                }
                Ok(SlotReport::Abandoned) => self.games.abandoned(1),
                Ok(SlotReport::Broken(error)) => self.games.fail(error),
                Ok(SlotReport::Left(slot)) => {
                    self.living -= 1;
                    self.slots[slot].is_alive = false;
                    // A slot that leaves during a run has panicked. The run ends with its panic.
                    if self.slots[slot].jobs.take().is_some() {
                        self.games.stop();
                    }
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
            }
            if self.is_awaited() {
                self.release();
            }
            if ticked.elapsed() >= TICK {
                self.games.tell(RunEvent::Tick);
                ticked = Instant::now();
                self.resize();
                self.release();
            }
        }
    }

    /// Gives games to a slot whose game has ended, and to waiting slots.
    fn go_on(&mut self, slot: usize) {
        // The end of a game may have decided about others.
        let idle = std::mem::take(&mut self.idle);
        // The slot of the game comes first, because its bots are already there.
        for slot in [slot].into_iter().chain(idle) {
            self.hand_out(slot);
        }
        self.send_home();
    }

    /// Returns the target number of games at once.
    fn wanted(&self) -> usize {
        let settings = &self.shared.settings;
        let wanted = self.control.slots().unwrap_or(settings.concurrency).get();
        // Further games wait, because a game without its own cores would disturb the others.
        settings.pins.most().map_or(wanted, |most| wanted.min(most))
    }

    /// Returns how many slots take games.
    fn open_slots(&self) -> usize {
        self.slots.iter().filter(|place| place.jobs.is_some()).count()
    }

    /// Opens as many slots as are wanted and needed, and returns them.
    fn widen(&mut self) -> Vec<usize> {
        let open = self.open_slots();
        // Running games already have a slot each.
        let needed = self.games.left().map_or(usize::MAX, |left| open.saturating_add(left));
        let wanted = self.wanted().min(needed);
        if wanted <= open {
            return Vec::new();
        }
        reserve_descriptors(descriptors(wanted, self.shared.plan.most_seats()));
        let mut opened = Vec::new();
        for _ in open..wanted {
            let free = self.slots.iter().position(|place| !place.is_alive);
            let number = free.unwrap_or(self.slots.len());
            match SlotThread::open(self.scope, self.shared, number, self.reports.clone()) {
                Ok(place) if number < self.slots.len() => {
                    let before = std::mem::replace(&mut self.slots[number], place);
                    join(before);
                }
                Ok(place) => self.slots.push(place),
                Err(error) => {
                    self.games.fail(error.into());
                    break;
                }
            }
            self.living += 1;
            opened.push(number);
        }
        opened
    }

    /// Applies a new number of games at once.
    fn resize(&mut self) {
        if self.control.slots().is_none() || !self.games.may_go_on() {
            return;
        }
        // Idle slots leave first; busy ones leave after their games.
        while self.open_slots() > self.wanted() {
            let Some(slot) = self.idle.pop() else { break };
            self.slots[slot].jobs = None;
        }
        for slot in self.widen() {
            self.hand_out(slot);
        }
        self.send_home();
    }

    /// Returns whether slots wait for games that the host may supply at any moment.
    fn is_awaited(&self) -> bool {
        !self.idle.is_empty() && !self.control.is_paused() && self.games.host_waits()
    }

    /// Gives games to slots that a pause held back, once it is over, and to slots for which the host may now have some.
    fn release(&mut self) {
        let is_over = self.is_held && (!self.control.is_paused() || !self.games.may_go_on());
        if is_over || self.games.host_waits() {
            self.is_held = false;
            for slot in std::mem::take(&mut self.idle) {
                self.hand_out(slot);
            }
            self.send_home();
        }
    }

    /// Gives a slot its next game, lets it wait for one, or dismisses it.
    fn hand_out(&mut self, slot: usize) {
        if self.games.may_go_on() && self.open_slots() <= self.wanted() {
            if self.control.is_paused() {
                self.is_held = true;
                return self.idle.push(slot);
            }
            match self.games.next(slot) {
                Offer::Wait => return self.idle.push(slot),
                Offer::Play(job) => {
                    if let Some(jobs) = &self.slots[slot].jobs {
                        // Sending fails only if the slot has left, which is noticed elsewhere.
                        let _ = jobs.send(job);
                    }
                    return;
                }
                Offer::Done => {}
            }
        }
        self.slots[slot].jobs = None;
    }

    /// Dismisses waiting slots that can get no more games.
    fn send_home(&mut self) {
        if self.games.is_quiet() && !self.is_held {
            for slot in self.idle.drain(..) {
                self.slots[slot].jobs = None;
            }
        }
    }

    fn close(mut self) -> Result<PlayCounts, RunError> {
        self.slots.drain(..).for_each(join);
        self.games.close()
    }
}

/// Waits for the end of a slot's thread, and continues with its panic if it panicked.
fn join(place: SlotThread<'_>) {
    if let Err(panic) = place.thread.join() {
        resume_unwind(panic);
    }
}
