//! The host of a worker's play: where its games come from, and where their records go.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::mem;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use record::{GameRecord, WorkerRecord};
use rules::PerSeat;
use runner::{EventError, GamePlan, Host, Listener, Live, Opening, PairPlace, RunError, RunEvent, Task};

use super::delivery::Deliveries;
use super::pace::ScaledClocks;
use super::{Session, Shared, causes, tried_again};
use crate::broker::Delivery;
use crate::unpack;
use crate::wire::{
    self, AttemptOutcome, AttemptTold, GameOrder, HeldAttempt, Order, PairOrder, PlayedGame, Report,
};

/// How often the picture of what is played is made.
const LOOK: Duration = Duration::from_millis(500);

/// How often it is looked whether there is room for the files of bots, while pairs begin.
const ROOM_EVERY: Duration = Duration::from_secs(1);

/// What plays for a run on this machine asks for and tells.
pub(super) struct WorkerHost<'a> {
    plan: &'a GamePlan,
    session: &'a Session<'a>,
    /// The bots that are confined more than the run asks for.
    pub(super) raised: BTreeSet<String>,
    /// The clocks as they are written, where they are others here.
    pub(super) clocks: Option<ScaledClocks>,
    orders: &'a Receiver<Delivery>,
    shared: &'a Shared,
    deliveries: &'a Deliveries,
    live: Live,
    /// The pairs that have not begun, in the order in which they came.
    waiting: VecDeque<PairOrder>,
    /// The pairs that have begun, by their numbers.
    begun: BTreeMap<u64, BegunPair>,
    /// The openings of the games that were handed out.
    openings: BTreeMap<u64, Opening>,
    looked: Option<Instant>,
    /// When it was last looked whether there is room for the files of bots.
    has_room: Option<Instant>,
}

/// A pair while it is played.
struct BegunPair {
    order: PairOrder,
    games: BTreeMap<u64, PlayedGame>,
    /// What came before the record of a game.
    told: BTreeMap<u64, AttemptTold>,
    /// Void attempts at a game, with what came before their records.
    void: BTreeMap<u64, Vec<(GameRecord, AttemptTold)>>,
    /// Whether a bot has failed in it while there was no room for its files: then others play it.
    is_spoilt: bool,
}

impl<'a> WorkerHost<'a> {
    pub(super) fn new(
        plan: &'a GamePlan,
        session: &'a Session<'a>,
        orders: &'a Receiver<Delivery>,
        shared: &'a Shared,
        deliveries: &'a Deliveries,
    ) -> Self {
        let live = Live::default();
        let (waiting, begun, openings) = (VecDeque::new(), BTreeMap::new(), BTreeMap::new());
        Self {
            plan,
            session,
            raised: BTreeSet::new(),
            clocks: None,
            orders,
            shared,
            deliveries,
            live,
            waiting,
            begun,
            openings,
            looked: None,
            has_room: None,
        }
    }

    /// Looks whether there is room for the files of bots. Where there is none, nothing more is begun, and what waits is for others.
    fn look_for_room(&mut self) {
        self.has_room = Some(Instant::now());
        if let Err(error) = unpack::room_for_bots(self.session.directory.path()) {
            let why = format!("there is no room for the files of bots: {error}; {}", tried_again());
            self.shared.no_room.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(why);
            self.shared.introduces.store(true, Ordering::SeqCst);
            self.waiting.clear();
            self.looked = None;
        }
    }

    fn has_no_room(&self) -> bool {
        self.shared.no_room().is_some()
    }

    /// Reports every pair that was not played to its end, where play has failed, and takes leave. Where there is no room, nothing has
    /// failed, and the worker comes back.
    pub(super) fn give_up(&mut self, error: Option<&RunError>) {
        if error.is_some() {
            self.look_for_room();
        }
        if self.has_no_room() {
            return;
        }
        if let Some(error) = error {
            let why = causes(error);
            let begun = mem::take(&mut self.begun).into_values().map(|pair| pair.order);
            for order in begun.collect::<Vec<_>>() {
                self.report(&order, AttemptOutcome::Failed(why.clone()));
            }
        }
        self.waiting.clear();
        let worker = self.session.settings.name.clone();
        // Where it is lost, the silence says it.
        let _ = self.session.signal(&wire::Signal::Leaving { worker });
    }

    fn report(&self, order: &PairOrder, outcome: AttemptOutcome) {
        let report = Report {
            worker: self.session.settings.name.clone(),
            attempt: order.attempt.clone(),
            pair: order.pair,
            identity: order.identity.clone(),
            outcome,
        };
        self.deliveries.push(&self.session.notice.run, &report);
    }

    /// Takes the orders that are there.
    fn take_orders(&mut self) {
        while let Ok(delivery) = self.orders.try_recv() {
            match wire::read::<Order>(&delivery.body) {
                Some(Order::Play(order)) => self.take_pair(order),
                Some(Order::Cancel(attempts)) => {
                    self.waiting.retain(|order| !attempts.contains(&order.attempt));
                    self.looked = None;
                }
                Some(Order::Leave) => {
                    (self.session.say)("the coordinator wants this worker to end what it plays and to leave");
                    self.session.interrupts.finish();
                }
                Some(Order::Introduce) => self.shared.introduces.store(true, Ordering::SeqCst),
                // That of a newer coordinator, which offers again what is not answered.
                None => {}
            }
        }
    }

    fn take_pair(&mut self, order: PairOrder) {
        if let Some(begun) =
            self.begun.get_mut(&order.pair).filter(|begun| begun.order.identity == order.identity)
        {
            // The coordinator has lost sight of it: it goes on under the new name.
            begun.order.attempt = order.attempt;
            return;
        }
        self.waiting.retain(|other| other.pair != order.pair);
        self.waiting.push_back(order);
    }

    /// Returns the task of a game; `None` where the plan does not know its bots or rules.
    fn task(&self, pair: u64, game: &GameOrder) -> Option<Task> {
        let bot = |seat: usize| {
            let bots = self.plan.bots.iter();
            bots.enumerate()
                .find(|(_, bot)| bot.name == game.bots[seat] && game.digests.get(seat) == Some(&bot.digest))
                .map(|(index, _)| index)
        };
        Some(Task {
            number: game.number,
            pair,
            leg: game.leg,
            round: game.round,
            place: PairPlace::default(),
            contest: self.plan.contests.iter().position(|contest| contest.label == game.label)?,
            seats: {
                let seats: Option<Vec<_>> = (0..game.bots.len()).map(bot).collect();
                PerSeat::try_from(seats?).ok()?
            },
        })
    }

    /// Begins the next pair that can be played; returns its games.
    fn begin(&mut self) -> Vec<Task> {
        while let Some(order) = self.waiting.pop_front() {
            let tasks: Option<Vec<_>> = order.games.iter().map(|game| self.task(order.pair, game)).collect();
            let Some(tasks) = tasks.filter(|tasks| !tasks.is_empty()) else {
                self.report(
                    &order,
                    AttemptOutcome::Failed("it has bots or rules that the run does not have".to_owned()),
                );
                continue;
            };
            for game in &order.games {
                let opening = Opening { start: game.start.clone(), plies: game.opening.clone() };
                self.openings.insert(game.number, opening);
            }
            let pair = BegunPair {
                order,
                games: BTreeMap::new(),
                told: BTreeMap::new(),
                void: BTreeMap::new(),
                is_spoilt: false,
            };
            self.begun.insert(pair.order.pair, pair);
            return tasks;
        }
        Vec::new()
    }

    /// Returns whether no further pairs are begun.
    fn is_draining(&self) -> bool {
        let is_over = self.shared.is_over.load(Ordering::SeqCst);
        self.session.interrupts.is_finishing() || is_over || self.has_no_room()
    }

    /// Leaves a picture of what is played where beats find it.
    fn look(&mut self) {
        if self.looked.is_some_and(|at| at.elapsed() < LOOK) {
            return;
        }
        self.looked = Some(Instant::now());
        let mut progress: BTreeMap<u64, u64> = BTreeMap::new();
        for game in self.live.games() {
            *progress.entry(game.task.pair).or_default() += game.plies.len() as u64;
        }
        let begun = self.begun.iter().map(|(pair, begun)| {
            let played: usize = begun.games.values().map(|game| game.record.plies.len()).sum();
            let void: usize = begun.void.values().map(Vec::len).sum();
            let live = progress.get(pair).copied().unwrap_or(0);
            HeldAttempt {
                attempt: begun.order.attempt.clone(),
                pair: *pair,
                progress: 1 + live + (played + begun.games.len() + 1000 * void) as u64,
            }
        });
        let waiting = self.waiting.iter().map(|order| HeldAttempt {
            attempt: order.attempt.clone(),
            pair: order.pair,
            progress: 0,
        });
        let held = waiting.chain(begun).collect();
        *self.shared.held.lock().unwrap_or_else(PoisonError::into_inner) = Some((held, Instant::now()));
    }

    fn pair_of(&mut self, game: u64) -> Option<&mut BegunPair> {
        self.begun.values_mut().find(|pair| pair.order.games.iter().any(|order| order.number == game))
    }

    /// Has a record say by which time control the run plays, and how much longer times were here.
    fn name_clocks(&self, record: &mut GameRecord) {
        if let Some(clocks) = &self.clocks {
            clocks.record(&self.session.settings.name, record);
        }
    }

    fn finished(&mut self, mut record: Box<GameRecord>) {
        if record.seats.iter().any(|seat| self.raised.contains(&seat.bot)) {
            let settings = self.session.settings;
            let sandbox = Some(settings.guard.level().to_string());
            record.worker = Some(WorkerRecord { sandbox, ..WorkerRecord::named(&settings.name) });
        }
        self.name_clocks(&mut record);
        self.openings.remove(&record.number);
        let number = record.number;
        // A bot may have failed for want of room, which is no fault of its own.
        let has_failed = record.failed.is_some() || record.faults().next().is_some();
        if has_failed {
            self.look_for_room();
        }
        let is_spoilt = has_failed && self.has_no_room();
        let Some(pair) = self.pair_of(number) else { return };
        pair.is_spoilt |= is_spoilt;
        let (void, void_told) = pair.void.remove(&number).unwrap_or_default().into_iter().unzip();
        let game = PlayedGame {
            record: *record,
            told: pair.told.remove(&number).unwrap_or_default(),
            void,
            void_told,
        };
        pair.games.insert(number, game);
        if pair.games.len() == pair.order.games.len() {
            let pair = pair.order.pair;
            let ended = self.begun.remove(&pair);
            self.looked = None;
            if ended.as_ref().is_some_and(|pair| pair.is_spoilt) {
                (self.session.say)(&format!(
                    "pair {pair}: a bot has failed while there was no room for its files; others play it"
                ));
            }
            if let Some(mut pair) = ended.filter(|pair| !pair.is_spoilt) {
                let games = mem::take(&mut pair.games).into_values().collect();
                self.report(&pair.order, AttemptOutcome::Played(games));
            }
        }
    }
}

impl Listener for WorkerHost<'_> {
    fn event(&mut self, event: RunEvent<'_>) -> Result<(), EventError> {
        match event {
            RunEvent::GameFinished(record) => self.finished(record),
            RunEvent::GameVoid(mut record) => {
                self.name_clocks(&mut record);
                let number = record.number;
                if let Some(pair) = self.pair_of(number) {
                    let told = pair.told.remove(&number).unwrap_or_default();
                    pair.void.entry(number).or_default().push((*record, told));
                }
            }
            RunEvent::BotFailed(failure) => {
                let number = failure.game;
                if let Some(pair) = self.pair_of(number) {
                    pair.told.entry(number).or_default().failures.push((*failure).into());
                }
            }
            RunEvent::Transcript { game, text } => {
                if let Some(pair) = self.pair_of(game) {
                    pair.told.entry(game).or_default().transcript = Some(text);
                }
            }
            RunEvent::Tick => {
                self.take_orders();
                if self.session.interrupts.is_aborting() || self.shared.is_over.load(Ordering::SeqCst) {
                    self.shared.control.abort();
                }
            }
            _ => {}
        }
        self.look();
        Ok(())
    }
}

impl Host for WorkerHost<'_> {
    fn more(&mut self) -> Option<Vec<Task>> {
        if self.is_draining() {
            return None;
        }
        self.take_orders();
        if self.deliveries.is_full() || self.waiting.is_empty() {
            return Some(Vec::new());
        }
        if self.has_room.is_none_or(|at| at.elapsed() >= ROOM_EVERY) {
            self.look_for_room();
            if self.has_no_room() {
                return None;
            }
        }
        Some(self.begin())
    }

    fn waits(&self) -> bool {
        true
    }

    fn opening(&mut self, task: &Task) -> Option<Opening> {
        self.openings.get(&task.number).cloned()
    }

    fn live(&self) -> Option<Live> {
        Some(self.live.clone())
    }
}
