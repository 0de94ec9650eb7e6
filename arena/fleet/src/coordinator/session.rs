//! A run while its games are played by workers.

mod greeting;
mod reconciling;
mod replaying;
mod steering;
mod uncounted;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use record::{GameResult, Termination, WorkerRecord};
use runner::{Control, Dispatch, GamePlan, Job, Offer, PlayCounts, RunError, RunEvent, Task};

use self::uncounted::CountedPairs;
use super::replays::Replays;
use super::storage::Cleanup;
use super::{Coordinator, failed};
use crate::broker::{BrokerError, Delivery, Receipt};
use crate::claim::Claim;
use crate::leases::{Failed, Leases, Need, REPLAY};
use crate::names::to_worker;
use crate::verify;
use crate::wire::{
    self, AttemptOutcome, AttemptTold, GameOrder, Order, PairOrder, PlayedGame, Report, Signal,
};

/// How long the coordinator waits for a message at most.
const TICK: Duration = Duration::from_millis(50);

/// How often the claim of the run is renewed, and what is lost is looked for.
const ROUND: Duration = Duration::from_secs(2);

/// How long the coordinator waits for workers until it says so.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long the workers that were started for this run may take to join: they try every bot before.
const START: Duration = Duration::from_secs(60);

/// How much of the time since the last look counts at most: in a longer one this process stood still, and heard nobody.
const LONGEST_STEP: Duration = Duration::from_secs(5);

/// How long workers may take to end what they play once the run was interrupted.
const LAST_WAIT: Duration = Duration::from_secs(3600);

/// A pair that is open.
struct PlayedPair {
    order: PairOrder,
    /// Its games, with the places under which the dispatch knows them.
    jobs: Vec<(usize, Job)>,
}

/// A run while its games are played.
pub(super) struct Session<'a, 'c> {
    coordinator: &'c Coordinator<'c>,
    plan: &'a GamePlan,
    control: &'a Control,
    games: Dispatch<'a>,
    leases: Leases,
    claim: Claim,
    /// What the broker said of files that were removed there when those of this run were sent.
    removals: Option<u64>,
    /// How long the run has been going on, without the times in which this process stood still.
    now: Duration,
    /// When that was noted.
    noted: Instant,
    /// Since when no worker can play what is left.
    stuck: Option<Duration>,
    /// When the workers were shown last.
    shown: Duration,
    /// How many places were given to games.
    places: usize,
    /// The open pairs by their numbers.
    pairs: BTreeMap<u64, PlayedPair>,
    /// A game whose pair may have another one.
    begun: Vec<(usize, Job)>,
    /// Whether the workers that were started for this run have joined, or had the time to.
    is_manned: bool,
    /// Whether the schedule has no further games, now that the open ones are handed out.
    is_exhausted: bool,
    /// Reports of pairs that the schedule has not come to again, since an earlier coordinator asked for them.
    early: HashMap<u64, (Report, Option<Receipt>)>,
    /// The numbers of the bots.
    bots: BTreeMap<String, usize>,
    /// Pairs that are played again.
    replays: Replays,
    /// Pairs that somebody else may have played too.
    counted: CountedPairs,
    /// Whether nothing more is handed out, and only what is on its way is taken.
    is_over: bool,
    /// The pairs and workers whose results came after the run was stopped.
    late: BTreeSet<(u64, String)>,
    /// What the user was told.
    told: BTreeSet<String>,
    /// Orders that could not be sent.
    unsent: Vec<(String, Order)>,
}

impl<'a, 'c> Session<'a, 'c> {
    /// Begins a run of which nothing is handed out yet.
    pub(super) fn new(
        coordinator: &'c Coordinator<'c>,
        plan: &'a GamePlan,
        games: Dispatch<'a>,
        control: &'a Control,
        claim: Claim,
        removals: Option<u64>,
    ) -> Self {
        Self {
            coordinator,
            plan,
            control,
            games,
            leases: Leases::new(coordinator.terms, claim.nonce()),
            claim,
            removals,
            now: Duration::ZERO,
            noted: Instant::now(),
            stuck: None,
            shown: Duration::ZERO,
            places: 0,
            pairs: BTreeMap::new(),
            begun: Vec::new(),
            is_manned: false,
            is_exhausted: false,
            early: HashMap::new(),
            bots: plan.bots.iter().enumerate().map(|(index, bot)| (bot.name.clone(), index)).collect(),
            replays: Replays::default(),
            counted: CountedPairs::default(),
            is_over: false,
            late: BTreeSet::new(),
            told: BTreeSet::new(),
            unsent: Vec::new(),
        }
    }

    const fn now(&self) -> Duration {
        self.now
    }

    /// Lets the time pass that has passed.
    fn advance(&mut self) {
        self.now += self.noted.elapsed().min(LONGEST_STEP);
        self.noted = Instant::now();
    }

    fn say(&mut self, text: impl Into<String>) {
        self.games.tell(RunEvent::Note(text.into()));
    }

    /// Says that what no run needs any more could not be removed from the broker, where that is so.
    pub(super) fn note_cleanup(&mut self, cleaned: Result<(), BrokerError>) {
        if let Err(error) = cleaned {
            self.say_once(format!(
                "what earlier runs have left could not be removed from the broker: {error}"
            ));
        }
    }

    /// Says what was not said before; returns whether that is so.
    fn say_once(&mut self, text: String) -> bool {
        let is_new = self.told.insert(text.clone());
        if is_new {
            self.say(text);
        }
        is_new
    }

    /// Hands out pairs and takes reports until every pair is played, or the run is ended.
    pub(super) fn run(&mut self, inbox: &Receiver<Delivery>) {
        let (mut round, mut is_told, mut finishing) = (self.now(), false, None);
        // Workers of an earlier coordinator say what they have before it is given to others.
        let settle = if self.claim.is_first() { Duration::ZERO } else { 2 * ROUND };
        loop {
            self.advance();
            if self.games.has_failed() || self.control.is_aborting() {
                return;
            }
            let is_finishing = self.control.is_finishing();
            if is_finishing && finishing.is_none() {
                finishing = Some(self.now());
                let withdrawn = self.leases.withdraw();
                self.cancel(withdrawn);
            }
            if !is_finishing && !self.control.is_paused() {
                self.fill();
            }
            self.take_early();
            let is_over =
                self.pairs.is_empty() && self.replays.is_empty() || is_finishing && self.leases.open() == 0;
            let is_late = finishing.is_some_and(|since| self.now().saturating_sub(since) > LAST_WAIT);
            if is_over && (is_finishing || self.is_exhausted) || is_late {
                return;
            }
            let now = self.now();
            if now >= settle && !self.control.is_paused() && self.is_manned() {
                for assigned in self.leases.assign(now) {
                    let order = match assigned.pair.checked_sub(REPLAY) {
                        None => Some(&self.pairs[&assigned.pair].order),
                        Some(pair) => {
                            self.replays.attempt(&assigned.attempt, pair);
                            self.replays.get(pair).map(|replay| &replay.order)
                        }
                    };
                    let order = order.map(|order| PairOrder { attempt: assigned.attempt, ..order.clone() });
                    order
                        .into_iter()
                        .for_each(|order| self.send(assigned.worker.clone(), Order::Play(order)));
                }
                let balanced = self.leases.balance();
                self.cancel(balanced);
            }
            self.receive(inbox);
            self.steer();
            if self.now().saturating_sub(round) >= ROUND {
                round = self.now();
                self.reconcile();
                if self.coordinator.own_workers.is_none()
                    && !self.leases.has_workers()
                    && self.now() >= PATIENCE
                    && !is_told
                {
                    is_told = true;
                    self.say(
                        "no worker has joined yet: `arena worker ADDRESS` on any machine plays for this run",
                    );
                }
            }
            self.games.tell(RunEvent::Tick);
        }
    }

    /// Returns whether the workers that were started for this run have joined, so that all of them play it, or had the time to.
    fn is_manned(&mut self) -> bool {
        let Some(wanted) = self.coordinator.own_workers.filter(|_| !self.is_manned) else { return true };
        let joined = self.leases.workers().count();
        self.is_manned = joined >= wanted || self.now() >= START;
        if self.is_manned && (1..wanted).contains(&joined) {
            let limit = START.as_secs();
            self.say(format!(
                "only {joined} of {wanted} workers have joined within {limit} seconds: the run begins with them"
            ));
        }
        self.is_manned
    }

    /// Opens pairs until the window is full.
    fn fill(&mut self) {
        self.is_exhausted = false;
        let most = self.leases.open() + self.leases.room();
        while self.leases.open() < most {
            let place = self.places;
            match self.games.next(place) {
                Offer::Play(job) => {
                    self.places += 1;
                    if self.begun.first().is_some_and(|(_, before)| before.task.pair != job.task.pair) {
                        let before = std::mem::take(&mut self.begun);
                        self.open(before);
                    }
                    // After the last leg of a pair nothing follows.
                    let is_last = usize::from(job.task.leg) == job.task.seats.len();
                    self.begun.push((place, job));
                    if is_last {
                        let whole = std::mem::take(&mut self.begun);
                        self.open(whole);
                    }
                }
                offer @ (Offer::Wait | Offer::Done) => {
                    self.is_exhausted = matches!(offer, Offer::Done) || self.games.is_quiet();
                    // The other games of the pair are decided by these, or recorded.
                    let before = std::mem::take(&mut self.begun);
                    self.open(before);
                    return;
                }
            }
        }
    }

    /// Opens a pair.
    fn open(&mut self, jobs: Vec<(usize, Job)>) {
        let Some((_, first)) = jobs.first() else { return };
        let (pair, needs) = (first.task.pair, self.needs(first));
        let order = |(_, job): &(usize, Job)| {
            let bots = || job.task.seats.iter().map(|bot| &self.plan.bots[*bot]);
            GameOrder {
                number: job.task.number,
                leg: job.task.leg,
                round: job.task.round,
                label: self.plan.contests[job.task.contest].label.clone(),
                bots: bots().map(|bot| bot.name.clone()).collect(),
                digests: bots().map(|bot| bot.digest.clone()).collect(),
                start: job.opening.start.clone(),
                opening: job.opening.plies.clone(),
            }
        };
        let games: Vec<_> = jobs.iter().map(order).collect();
        let coordinator = self.coordinator;
        let identity = PairOrder::identify(&coordinator.run, &coordinator.manifest, pair, &games);
        let order = PairOrder { attempt: String::new(), pair, identity, games };
        match self.pairs.get_mut(&pair) {
            // Two halves of a pair that were decided apart are played one after the other.
            Some(open) => open.jobs.extend(jobs),
            None => {
                self.pairs.insert(pair, PlayedPair { order, jobs });
                self.leases.offer(pair, needs);
            }
        }
    }

    /// Returns whether workers measure how fast they are, and scale times.
    fn scales_clocks(&self) -> bool {
        self.coordinator.packed.manifest.speed.is_some()
    }

    /// Returns what a worker needs for a game: its bots, its rules, and speed and calm for a clock.
    fn needs(&self, job: &Job) -> Vec<Need> {
        let clock = self.scales_clocks() && verify::is_timed(self.plan, job);
        let bots = job.task.seats.iter().copied().map(Need::Bot);
        bots.chain([Need::Game(job.task.contest)]).chain(clock.then_some(Need::Clock)).collect()
    }

    fn send(&mut self, worker: String, order: Order) {
        let subject = to_worker(&self.coordinator.run, &worker);
        if self.coordinator.broker.publish(&subject, &wire::write(&order)).is_err() {
            self.unsent.push((worker, order));
        }
    }

    fn cancel(&mut self, attempts: BTreeMap<String, Vec<String>>) {
        for (worker, attempts) in attempts {
            self.send(worker, Order::Cancel(attempts));
        }
    }

    /// Waits a moment for messages and takes those that are there.
    fn receive(&mut self, inbox: &Receiver<Delivery>) {
        let mut next = inbox.recv_timeout(TICK);
        // A flood of messages does not keep the rest from being done.
        for _ in 0..256 {
            match next {
                Ok(delivery) => self.take(delivery),
                Err(RecvTimeoutError::Timeout) => return,
                Err(RecvTimeoutError::Disconnected) => {
                    return self
                        .games
                        .fail(failed(BrokerError::Failed("the connection was given up".to_owned())));
                }
            }
            next = inbox.recv_timeout(Duration::ZERO);
        }
        if let Ok(delivery) = next {
            self.take(delivery);
        }
    }

    fn take(&mut self, delivery: Delivery) {
        let Delivery { sender, body, receipt } = delivery;
        if receipt.is_some() {
            match wire::read::<Report>(&body) {
                // Where the broker lets everybody speak under one name only, nobody speaks for another.
                Some(report) if report.worker == sender => self.report(report, receipt),
                Some(_) => {
                    confirm(receipt);
                    let sender = protocol::printable(&sender).into_owned();
                    self.say_once(format!(
                        "worker {sender}: reports in the name of others; they were dropped"
                    ));
                }
                None => {
                    confirm(receipt);
                    self.say_once("a report that is none was dropped".to_owned());
                }
            }
            return;
        }
        match wire::read::<Signal>(&body) {
            Some(signal) if signal.worker() != sender => {
                let sender = protocol::printable(&sender).into_owned();
                self.say_once(format!("worker {sender}: signals in the name of others; they were dropped"));
            }
            Some(Signal::Hello(_)) if self.is_over => {}
            Some(Signal::Hello(hello)) => self.hello(&hello),
            Some(Signal::Beat(beat)) => {
                let now = self.now();
                let replays = &self.replays;
                let held = beat.held.iter().map(|held| {
                    let offset = if replays.is_replay(&held.attempt) { REPLAY } else { 0 };
                    (held.attempt.as_str(), held.pair.saturating_add(offset), held.progress)
                });
                if !self.leases.heard(now, &beat.worker, held) {
                    self.send(beat.worker, Order::Introduce);
                }
            }
            Some(Signal::Leaving { worker }) => {
                let now = self.now();
                self.leases.leave(now, &worker);
                if !self.is_over {
                    self.say(format!("worker {}: leaves", protocol::printable(&worker)));
                }
            }
            // That of a newer worker: what it means is said by beats too.
            None => {}
        }
    }

    /// Takes a report. What counts is written down before the broker learns that it was taken.
    fn report(&mut self, report: Report, receipt: Option<Receipt>) {
        let now = self.now();
        let worker = protocol::printable(&report.worker).into_owned();
        if self.replays.is_replay(&report.attempt) {
            confirm(receipt);
            return self.compare(&report);
        }
        let Some(open) = self.pairs.get(&report.pair) else {
            let is_early = self.leases.is_open(report.pair) || self.is_ahead(report.pair);
            if is_early && !self.counted.has(report.pair) {
                self.early.insert(report.pair, (report, receipt));
                return;
            }
            confirm(receipt);
            return self.take_duplicate(report);
        };
        if report.identity != open.order.identity {
            // The run has changed since, or half of the pair is recorded.
            return confirm(receipt);
        }
        if self.control.is_aborting() {
            confirm(receipt);
            return self.take_late(report);
        }
        let games = match report.outcome {
            AttemptOutcome::Played(games) => games,
            AttemptOutcome::Failed(why) => {
                confirm(receipt);
                let why = protocol::printable(&why).into_owned();
                self.say_once(format!("worker {worker}: pair {} failed: {why}", report.pair));
                return self.attempt_failed(&report.worker, &report.attempt, report.pair, &why);
            }
        };
        if let Some(problem) = self.problem(&open.jobs, &games) {
            confirm(receipt);
            return self.does_not_hold(&report.worker, &report.attempt, report.pair, &problem);
        }
        let took = games.iter().map(|game| game.record.seconds.max(0.0)).sum::<f64>();
        let took = Duration::try_from_secs_f64(took).unwrap_or_default();
        let is_shared = self.leases.is_shared(report.pair) || !self.claim.is_first();
        self.leases.settle(now, &report.worker, report.pair, took);
        let Some(open) = self.pairs.remove(&report.pair) else { return };
        self.replay(&open, &report.worker, &games);
        for ((place, job), game) in open.jobs.iter().zip(games) {
            self.count(*place, &job.task, &report.worker, game);
        }
        if is_shared {
            self.counted.insert(open, report.attempt);
        }
        // What the journal did not take, the broker keeps for the next coordinator.
        if !self.games.has_failed() {
            confirm(receipt);
        }
    }

    /// Returns whether the schedule may still come to a pair.
    fn is_ahead(&self, pair: u64) -> bool {
        let last = self.pairs.keys().next_back().copied().unwrap_or(0);
        pair > last && self.games.left() != Some(0)
    }

    /// Returns what of a report does not hold.
    fn problem(&self, jobs: &[(usize, Job)], games: &[PlayedGame]) -> Option<String> {
        if games.len() != jobs.len() {
            return Some(format!("{} of {} games", games.len(), jobs.len()));
        }
        let config = &self.coordinator.packed.manifest.config;
        jobs.iter().zip(games).find_map(|((_, job), game)| {
            verify::problem(self.plan, config, &self.coordinator.catalogue, job, &game.record)
                .or_else(|| verify::factor_problem(self.plan, self.scales_clocks(), job, &game.record))
        })
    }

    /// Has the host write down a game, with all that was told of it.
    fn count(&mut self, place: usize, task: &Task, worker: &str, mut game: PlayedGame) {
        for record in game.void.iter_mut().chain([&mut game.record]) {
            let said = record.worker.take();
            let (sandbox, factor) = said.map_or((None, None), |said| (said.sandbox, said.factor));
            record.worker = Some(WorkerRecord { sandbox, factor, ..WorkerRecord::named(worker) });
        }
        let mut told = game.void_told.into_iter();
        for void in game.void {
            self.tell_of(task.number, told.next().unwrap_or_default());
            self.games.begun_again(place, task, Box::new(void));
        }
        self.tell_of(task.number, game.told);
        self.games.finished(place, Box::new(game.record));
    }

    /// Has the host learn what a worker tells of a game besides its record.
    fn tell_of(&mut self, game: u64, told: AttemptTold) {
        for failure in told.failures {
            self.games.tell(RunEvent::BotFailed(Box::new(failure.into())));
        }
        if let Some(text) = told.transcript {
            self.games.tell(RunEvent::Transcript { game, text });
        }
    }

    /// Takes a report that cannot be true as the failure of an attempt.
    fn does_not_hold(&mut self, worker: &str, attempt: &str, pair: u64, problem: &str) {
        let told = format!("what it reports of pair {} does not hold: {problem}", pair % REPLAY);
        self.say(format!("worker {}: {told}", protocol::printable(worker)));
        self.attempt_failed(worker, attempt, pair, &told);
    }

    fn attempt_failed(&mut self, worker: &str, attempt: &str, pair: u64, why: &str) {
        // Whoever gets no further pairs may invent attempts, and fill the journal with them.
        let is_heard = self.leases.worker(worker).is_none_or(|state| state.set_aside.is_none());
        let is_told = is_heard || self.leases.has_attempt(worker, attempt);
        let now = self.now();
        let job = self.job_of(pair);
        let failed = self.leases.fail(now, worker, attempt, pair);
        self.note_fault(worker, job, why, is_told);
        if failed == Failed::Poison {
            match pair.checked_sub(REPLAY) {
                Some(pair) => self.replays.drop(pair),
                None => self.abort_pair(pair, "it failed on several workers"),
            }
        }
    }

    /// Gives a pair up: its games do not count, and nobody has lost them.
    fn abort_pair(&mut self, pair: u64, why: &str) {
        let Some(open) = self.pairs.remove(&pair) else { return };
        self.say(format!(
            "pair {pair}: its games are aborted: {why}; they do not count, and no bot has lost them"
        ));
        for (place, job) in open.jobs {
            let mut record = self.plan.unplayed(&job);
            (record.result, record.reason, record.failed) = (GameResult::None, Termination::Aborted, None);
            record.detail = Some(format!("infrastructure: {why}"));
            self.games.finished(place, Box::new(record));
        }
    }

    /// Counts reports that came before their pairs were open.
    fn take_early(&mut self) {
        let open: Vec<_> = self.early.keys().filter(|pair| self.pairs.contains_key(pair)).copied().collect();
        for pair in open {
            if let Some((report, receipt)) = self.early.remove(&pair) {
                self.report(report, receipt);
            }
        }
    }

    /// Ends the run: workers learn that nothing more is to be played unless it may go on.
    pub(super) fn close(mut self, inbox: &Receiver<Delivery>) -> Result<PlayCounts, RunError> {
        let abandoned: usize = self.pairs.values().map(|open| open.jobs.len()).sum();
        self.games.abandoned(abandoned as u64);
        if matches!(self.claim.renew(self.coordinator.broker), Ok(false)) {
            // It goes on with another coordinator.
            self.tell_uncounted();
            return self.games.close();
        }
        let ended = self.coordinator.announce(true);
        self.gather(inbox);
        self.tell_uncounted();
        if ended.is_ok() {
            // What the journal did not take is still to be had.
            let cleanup = if self.games.has_failed() { Cleanup::BrokenOff } else { Cleanup::Ended };
            let cleaned = self.coordinator.clean_up(cleanup);
            self.note_cleanup(cleaned);
        }
        self.claim.release(self.coordinator.broker);
        if let Err(error) = ended {
            self.say(format!("workers could not be told that the run has ended: {error}"));
        }
        self.games.close()
    }
}

fn confirm(receipt: Option<Receipt>) {
    if let Some(receipt) = receipt {
        receipt();
    }
}
