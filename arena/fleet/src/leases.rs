//! Who plays which pair: the coordinator's bookkeeping, without any clock, broker or game of its own.
//!
//! A pair is open from [`Leases::offer`] until [`Leases::settle`]. Meanwhile workers attempt it. An attempt is a lease: it ends when its
//! worker reports, when the worker is silent for [`Terms::silence`], when it no longer says that it has the attempt, or when the
//! attempt makes no progress for [`Terms::standstill`]. Then the pair is given out again. So nothing depends on what the broker
//! delivers: a message that was lost costs time, one that came twice is dropped. Every instant is one that the caller says, which is
//! how a simulation runs this very code.

mod replaying;
mod terms;
mod worker_state;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use live::WorkerStage;
use record::Uncounted;

pub use self::terms::{Assigned, Failed, Lapse, Need, Terms};
pub use self::worker_state::WorkerState;

/// Pairs whose numbers are this much higher are played again, to be compared: never by those who have played them.
pub const REPLAY: u64 = 1 << 62;

/// How many pairs may be open besides that no worker can play, while others can be played.
const MOST_UNPLAYABLE: usize = 1000;

#[derive(Clone, Debug)]
struct OpenPair {
    needs: Vec<Need>,
    attempts: BTreeSet<String>,
    /// The workers on which it has failed.
    failed: BTreeSet<String>,
    /// How often it has failed.
    failures: usize,
    /// How many attempts at it there have been.
    begun: usize,
}

impl OpenPair {
    const fn new(needs: Vec<Need>) -> Self {
        Self { needs, attempts: BTreeSet::new(), failed: BTreeSet::new(), failures: 0, begun: 0 }
    }
}

#[derive(Clone, Debug)]
struct Attempt {
    pair: u64,
    worker: String,
    sent: Duration,
    /// How far it is, and when that was new.
    progress: Option<(u64, Duration)>,
    /// Whether its worker was told not to begin it.
    is_cancelled: bool,
}

/// Which pairs are open, who attempts them, and which workers there are.
#[derive(Clone, Debug)]
pub struct Leases {
    terms: Terms,
    /// What the names of attempts begin with: those of two coordinators differ.
    prefix: String,
    last_attempt: u64,
    pairs: BTreeMap<u64, OpenPair>,
    /// The open pairs that nobody attempts.
    waiting: BTreeSet<u64>,
    attempts: BTreeMap<String, Attempt>,
    workers: BTreeMap<String, WorkerState>,
}

impl Leases {
    /// Starts without pairs and workers. `prefix` makes the names of attempts different from those of any other coordinator.
    #[must_use]
    pub fn new(terms: Terms, prefix: impl Into<String>) -> Self {
        Self {
            terms,
            prefix: prefix.into(),
            last_attempt: 0,
            pairs: BTreeMap::new(),
            waiting: BTreeSet::new(),
            attempts: BTreeMap::new(),
            workers: BTreeMap::new(),
        }
    }

    /// Takes a worker that introduces itself, with what it lacks of what pairs need.
    pub fn join(&mut self, now: Duration, worker: &str, slots: usize, lacks: BTreeSet<Need>) {
        let known = self.workers.entry(worker.to_owned()).or_insert_with(|| WorkerState::new(now));
        (known.slots, known.lacks, known.heard) = (slots.max(1), lacks, now);
        (known.is_leaving, known.is_declining, known.is_silent) = (false, false, false);
        known.waits_for = None;
    }

    /// Takes a worker that says that it begins nothing for now, and why: what it has not begun is given to others, what it plays it will
    /// still report. It comes back by introducing itself.
    pub fn hold(&mut self, now: Duration, worker: &str, slots: usize, why: &str) {
        let lacks = self.workers.get(worker).map(|known| known.lacks.clone()).unwrap_or_default();
        self.join(now, worker, slots, lacks);
        self.give_back(worker);
        if let Some(state) = self.workers.get_mut(worker) {
            state.waits_for = Some(why.to_owned());
        }
    }

    /// Takes a worker that says that it plays nothing of the run.
    pub fn decline(&mut self, now: Duration, worker: &str, slots: usize) {
        self.join(now, worker, slots, BTreeSet::new());
        self.leave(now, worker);
        if let Some(state) = self.workers.get_mut(worker) {
            (state.is_declining, state.is_leaving) = (true, false);
        }
    }

    /// Lets a worker begin no further pairs, or again. Returns the attempts that it is not to begin; their pairs wait again. One that
    /// was set aside gets another chance when it is resumed.
    pub fn pause(&mut self, worker: &str, is_paused: bool) -> Vec<String> {
        let Some(state) = self.workers.get_mut(worker) else { return Vec::new() };
        state.is_paused = is_paused;
        if !is_paused {
            (state.set_aside, state.row) = (None, 0);
            return Vec::new();
        }
        let held = state.held.clone();
        let is_waiting = |name: &String| {
            self.attempts.get(name).is_some_and(|attempt| attempt.progress.is_none() && !attempt.is_cancelled)
        };
        let waiting: Vec<_> = held.into_iter().filter(is_waiting).collect();
        for name in &waiting {
            if let Some(attempt) = self.attempts.get_mut(name) {
                attempt.is_cancelled = true;
                self.waiting.insert(attempt.pair);
            }
        }
        waiting
    }

    /// Returns how many pairs a worker plays, and how many wait there.
    #[must_use]
    pub fn load(&self, worker: &str) -> (usize, usize) {
        let held = self.workers.get(worker).map(|state| &state.held);
        let attempts = held.into_iter().flatten().filter_map(|name| self.attempts.get(name));
        let (playing, waiting): (Vec<_>, Vec<_>) = attempts.partition(|attempt| attempt.progress.is_some());
        (playing.len(), waiting.len())
    }

    /// Takes leave of a worker: what it has not begun is given to others, what it plays it will still report.
    pub fn leave(&mut self, now: Duration, worker: &str) {
        let Some(state) = self.workers.get_mut(worker) else { return };
        (state.is_leaving, state.heard) = (true, now);
        self.give_back(worker);
    }

    /// Gives to others what a worker has not begun.
    fn give_back(&mut self, worker: &str) {
        let held = self.workers.get(worker).map(|state| state.held.clone()).unwrap_or_default();
        for attempt in held {
            if self.attempts.get(&attempt).is_some_and(|attempt| attempt.progress.is_none()) {
                self.end(&attempt);
            }
        }
    }

    /// Takes the attempts that a worker says it has, with their numbers of pairs and their progress. Returns whether it is known.
    pub fn heard<'h>(
        &mut self,
        now: Duration,
        worker: &str,
        held: impl IntoIterator<Item = (&'h str, u64, u64)>,
    ) -> bool {
        let Some(state) = self.workers.get_mut(worker) else { return false };
        (state.heard, state.is_silent) = (now, false);
        let mut named = BTreeSet::new();
        for (name, pair, progress) in held {
            named.insert(name.to_owned());
            if !self.attempts.contains_key(name) {
                // An attempt of an earlier coordinator: it is as good as any.
                let Some(open) = self.pairs.get_mut(&pair) else { continue };
                open.attempts.insert(name.to_owned());
                open.begun += 1;
                self.waiting.remove(&pair);
                self.workers.entry(worker.to_owned()).and_modify(|state| {
                    state.held.insert(name.to_owned());
                });
                let attempt = Attempt {
                    pair,
                    worker: worker.to_owned(),
                    sent: now,
                    progress: None,
                    is_cancelled: false,
                };
                self.attempts.insert(name.to_owned(), attempt);
            }
            if let Some(attempt) = self.attempts.get_mut(name) {
                let is_new = attempt.progress.is_none_or(|(before, _)| before != progress);
                if progress > 0 && is_new {
                    attempt.progress = Some((progress, now));
                    // It was begun before the word that it is not wanted arrived.
                    if std::mem::take(&mut attempt.is_cancelled) {
                        self.waiting.remove(&pair);
                    }
                }
            }
        }
        // What it does not have, and was sent long ago, was lost on the way or dropped.
        for name in self.workers[worker].held.clone() {
            let is_named = named.contains(&name);
            let delivery = self.terms.delivery;
            if let Some(attempt) = self.attempts.get_mut(&name)
                && is_named
                && attempt.progress.is_none()
            {
                // It has arrived: the time of its delivery begins anew.
                attempt.sent = now;
            }
            let attempt = self.attempts.get(&name);
            let is_gone = attempt.is_none_or(|attempt| {
                !is_named && (attempt.is_cancelled || now.saturating_sub(attempt.sent) >= delivery)
            });
            if is_gone {
                self.end(&name);
            }
        }
        true
    }

    /// Opens a pair that needs this of a worker. One that is open already stays as it is.
    pub fn offer(&mut self, pair: u64, needs: Vec<Need>) {
        self.open_pair(pair, OpenPair::new(needs));
    }

    fn open_pair(&mut self, pair: u64, open: OpenPair) {
        if self.pairs.insert(pair, open).is_none() {
            self.waiting.insert(pair);
        }
    }

    /// Returns how many further pairs may be opened: so many for each slot, and a few before any worker has come. Pairs that nobody
    /// can play take no room from others.
    #[must_use]
    pub fn room(&self) -> usize {
        let slots: usize =
            self.workers.values().filter(|worker| worker.takes_pairs()).map(|worker| worker.slots).sum();
        let beside = self.unplayable().len().min(MOST_UNPLAYABLE);
        (slots.max(1) * self.terms.window + beside).saturating_sub(self.pairs.len())
    }

    /// Gives waiting pairs to workers that have room, lowest numbers first, and to each worker as many as to the others by its slots.
    pub fn assign(&mut self, now: Duration) -> Vec<Assigned> {
        let mut assigned = Vec::new();
        let mut rooms: Vec<(String, usize)> = Vec::new();
        for (name, worker) in self.workers.iter().filter(|(_, worker)| worker.takes_pairs()) {
            let is_there = now.saturating_sub(worker.heard) < self.terms.silence / 2;
            let free = worker.room(&self.terms).saturating_sub(worker.held.len());
            if is_there && free > 0 {
                rooms.push((name.clone(), free));
            }
        }
        // Replays are few, and late ones find a liar late.
        let replays = self.waiting.range(REPLAY..).chain(self.waiting.range(..REPLAY));
        for pair in replays.copied().collect::<Vec<_>>() {
            if rooms.is_empty() {
                break;
            }
            let open = &self.pairs[&pair];
            let mut takers = self.workers.iter().filter(|(_, worker)| worker.takes_pairs());
            let is_failed_everywhere = takers.all(|(name, _)| open.failed.contains(name));
            let load = |name: &str| {
                let worker = &self.workers[name];
                (worker.held.len() as f64 / worker.slots as f64, name.to_owned())
            };
            let fits = |name: &str| {
                let worker = &self.workers[name];
                (is_failed_everywhere && pair < REPLAY || !open.failed.contains(name))
                    && worker.can_play(open)
            };
            let best = rooms.iter().enumerate().filter(|(_, (name, _))| fits(name)).min_by(
                |(_, (one, _)), (_, (other, _))| load(one).partial_cmp(&load(other)).expect("numbers"),
            );
            let Some(index) = best.map(|(index, _)| index) else { continue };
            let worker = rooms[index].0.clone();
            rooms[index].1 -= 1;
            if rooms[index].1 == 0 {
                rooms.swap_remove(index);
            }
            assigned.push(self.begin(now, &worker, pair));
        }
        assigned
    }

    fn begin(&mut self, now: Duration, worker: &str, pair: u64) -> Assigned {
        self.last_attempt += 1;
        let name = format!("{}-{}", self.prefix, self.last_attempt);
        self.waiting.remove(&pair);
        self.pairs.entry(pair).and_modify(|open| {
            open.attempts.insert(name.clone());
            open.begun += 1;
        });
        self.workers.entry(worker.to_owned()).and_modify(|state| {
            state.held.insert(name.clone());
        });
        let attempt =
            Attempt { pair, worker: worker.to_owned(), sent: now, progress: None, is_cancelled: false };
        self.attempts.insert(name.clone(), attempt);
        Assigned { worker: worker.to_owned(), pair, attempt: name }
    }

    /// Takes back pairs that wait at a worker whose slots are busy, where another worker has free slots and nothing waits. Returns the
    /// attempts that are not to be begun, by worker; their pairs wait again.
    ///
    /// Only what has not begun moves: which result counts never depends on which of two attempts was faster.
    pub fn balance(&mut self) -> BTreeMap<String, Vec<String>> {
        let mut taken: BTreeMap<String, Vec<String>> = BTreeMap::new();
        if !self.waiting.is_empty() {
            return taken;
        }
        let idle: usize = self
            .workers
            .values()
            .filter(|worker| worker.takes_pairs())
            .map(|worker| worker.slots.saturating_sub(worker.held.len()))
            .sum();
        // Highest numbers first: what counts is the prefix.
        let mut surplus: Vec<(u64, String)> = Vec::new();
        for state in self.workers.values() {
            let over = state.held.len().saturating_sub(state.slots);
            let attempts = state.held.iter().filter_map(|name| Some((name, self.attempts.get(name)?)));
            let mut idle: Vec<_> = attempts
                .filter(|(_, attempt)| attempt.progress.is_none() && !attempt.is_cancelled)
                .map(|(name, attempt)| (attempt.pair, name.clone()))
                .collect();
            idle.sort_unstable_by(|one, other| other.cmp(one));
            surplus.extend(idle.into_iter().take(over));
        }
        surplus.sort_unstable_by(|one, other| other.cmp(one));
        for (pair, name) in surplus.into_iter().take(idle) {
            if let Some(attempt) = self.attempts.get_mut(&name) {
                attempt.is_cancelled = true;
                taken.entry(attempt.worker.clone()).or_default().push(name);
                self.waiting.insert(pair);
            }
        }
        taken
    }

    /// Takes back all that has not begun. Returns the attempts, by worker; their pairs are no longer open.
    pub fn withdraw(&mut self) -> BTreeMap<String, Vec<String>> {
        let mut taken: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let begun: BTreeSet<u64> = self
            .attempts
            .values()
            .filter(|attempt| attempt.progress.is_some())
            .map(|attempt| attempt.pair)
            .collect();
        for (name, attempt) in self.attempts.clone() {
            if attempt.progress.is_none() {
                taken.entry(attempt.worker).or_default().push(name.clone());
                self.end(&name);
            }
        }
        self.pairs.retain(|pair, _| begun.contains(pair));
        self.waiting.clear();
        taken
    }

    /// Closes a pair for which a worker has reported a result that holds. `took` is how long a slot needed. Returns whether it was
    /// open: then the result counts.
    pub fn settle(&mut self, now: Duration, worker: &str, pair: u64, took: Duration) -> bool {
        let is_first = self.pairs.contains_key(&pair);
        if let Some(state) = self.workers.get_mut(worker) {
            state.heard = now;
            state.pairs += u64::from(is_first);
            state.row = 0;
            state.pace = Some(state.pace.map_or(took, |pace| pace.mul_f64(0.8) + took.mul_f64(0.2)));
        }
        self.close(pair);
        is_first
    }

    /// Takes a result that holds and counts nowhere. One that has failed is one that other workers have shown to be wrong.
    pub fn uncounted(&mut self, now: Duration, worker: &str, attempt: &str, cause: Uncounted) {
        self.end_of(worker, attempt);
        let Some(state) = self.workers.get_mut(worker) else { return };
        match cause {
            Uncounted::Late => state.late += 1,
            Uncounted::Duplicate => state.duplicates += 1,
            Uncounted::Failed => {
                state.faults += 1;
                return;
            }
        }
        (state.heard, state.row) = (now, 0);
    }

    /// Closes a pair without a result.
    fn close(&mut self, pair: u64) {
        if let Some(open) = self.pairs.remove(&pair) {
            for name in open.attempts {
                self.end(&name);
            }
        }
        self.waiting.remove(&pair);
    }

    /// Takes the failure of an attempt at a pair, or a report of one that does not hold.
    pub fn fail(&mut self, now: Duration, worker: &str, attempt: &str, pair: u64) -> Failed {
        self.blame(worker, "its last pairs have all failed");
        if let Some(state) = self.workers.get_mut(worker) {
            state.heard = now;
        }
        self.end_of(worker, attempt);
        self.mark(worker, pair)
    }

    /// Marks a pair as failed on a worker.
    fn mark(&mut self, worker: &str, pair: u64) -> Failed {
        let Some(open) = self.pairs.get_mut(&pair) else { return Failed::Unknown };
        open.failed.insert(worker.to_owned());
        open.failures += 1;
        if open.failed.len() >= self.terms.poison || open.failures >= 3 * self.terms.poison {
            self.close(pair);
            return Failed::Poison;
        }
        if open.attempts.is_empty() {
            self.waiting.insert(pair);
        }
        Failed::Again
    }

    /// Counts a fault of a worker, and sets it aside after too many in a row.
    fn blame(&mut self, worker: &str, why: &str) {
        let most = self.terms.failures;
        if let Some(state) = self.workers.get_mut(worker) {
            state.faults += 1;
            state.row += 1;
            if state.row >= most && state.set_aside.is_none() {
                state.set_aside = Some(why.to_owned());
            }
        }
    }

    /// Gives a worker no further pairs, and what it has to others.
    pub fn set_aside(&mut self, worker: &str, why: &str) {
        if let Some(state) = self.workers.get_mut(worker) {
            state.set_aside.get_or_insert_with(|| why.to_owned());
            for name in state.held.clone() {
                self.end(&name);
            }
        }
    }

    /// Ends an attempt of a worker: nobody reports for another one.
    fn end_of(&mut self, worker: &str, attempt: &str) {
        if self.has_attempt(worker, attempt) {
            self.end(attempt);
        }
    }

    /// Ends an attempt: its pair waits again unless somebody else attempts it.
    fn end(&mut self, name: &str) {
        let Some(attempt) = self.attempts.remove(name) else { return };
        if let Some(state) = self.workers.get_mut(&attempt.worker) {
            state.held.remove(name);
        }
        if let Some(open) = self.pairs.get_mut(&attempt.pair) {
            open.attempts.remove(name);
            if open.attempts.is_empty() {
                self.waiting.insert(attempt.pair);
            }
        }
    }

    /// Lets time pass: ends the attempts whose time is over.
    pub fn lapse(&mut self, now: Duration) -> Vec<Lapse> {
        let mut lapsed = Vec::new();
        let silent: Vec<_> = self
            .workers
            .iter()
            .filter(|(_, worker)| now.saturating_sub(worker.heard) >= self.terms.silence)
            .map(|(name, _)| name.clone())
            .collect();
        for worker in silent {
            let held = self.workers[&worker].held.clone();
            held.iter().for_each(|name| self.end(name));
            // It is known again when it says something. What it has done so far is not forgotten.
            if let Some(state) = self.workers.get_mut(&worker)
                && !state.is_silent
                && (!state.is_gone() || !held.is_empty())
            {
                state.is_silent = true;
                lapsed.push(Lapse::Silent { worker, attempts: held.len() });
            }
        }
        for (name, attempt) in self.attempts.clone() {
            let (worker, pair) = (attempt.worker.clone(), attempt.pair);
            match attempt.progress {
                Some((_, at)) if now.saturating_sub(at) >= self.terms.standstill => {
                    self.blame(&worker, "its pairs stand still");
                    self.end(&name);
                    let end = self.mark(&worker, pair);
                    lapsed.push(Lapse::Standstill { worker, pair });
                    if end == Failed::Poison {
                        lapsed.push(Lapse::Poison { pair });
                    }
                }
                None if now.saturating_sub(attempt.sent) >= self.terms.silence => {
                    self.end(&name);
                    lapsed.push(Lapse::Lost { worker, pair });
                }
                _ => {}
            }
        }
        lapsed
    }

    /// Returns the waiting pairs that no worker can play although some have come: each lacks something, or has declined the run. One
    /// that is silent or paused for now may still play what it can.
    #[must_use]
    pub fn unplayable(&self) -> Vec<u64> {
        let workers: Vec<_> = self.workers.values().filter(|worker| !worker.is_leaving).collect();
        if workers.is_empty() || workers.iter().any(|worker| worker.can_play_all()) {
            return Vec::new();
        }
        let waiting = self.waiting.range(..REPLAY).copied();
        waiting.filter(|pair| workers.iter().all(|worker| !worker.can_play(&self.pairs[pair]))).collect()
    }

    /// Returns whether nobody attempts anything, and no worker that has come can play any of the pairs that wait.
    #[must_use]
    pub fn is_stuck(&self) -> bool {
        let waiting = self.waiting.range(..REPLAY).count();
        self.attempts.is_empty() && waiting > 0 && self.unplayable().len() == waiting
    }

    /// Returns whether a pair was given out more than once: then it may be reported more than once.
    #[must_use]
    pub fn is_shared(&self, pair: u64) -> bool {
        self.pairs.get(&pair).is_some_and(|open| open.begun > 1)
    }

    /// Returns whether a worker has an attempt.
    #[must_use]
    pub fn has_attempt(&self, worker: &str, attempt: &str) -> bool {
        self.attempts.get(attempt).is_some_and(|attempt| attempt.worker == worker)
    }

    /// Returns whether a worker that has not left, and is heard, plays something.
    #[must_use]
    pub fn is_playing(&self) -> bool {
        let is_there = |worker: &WorkerState| !worker.is_gone() && !worker.is_silent;
        let mut begun = self.attempts.values().filter(|attempt| attempt.progress.is_some());
        begun.any(|attempt| self.workers.get(&attempt.worker).is_some_and(is_there))
    }

    /// Returns how many pairs are open.
    #[must_use]
    pub fn open(&self) -> usize {
        self.pairs.len()
    }

    /// Returns whether a pair is open.
    #[must_use]
    pub fn is_open(&self, pair: u64) -> bool {
        self.pairs.contains_key(&pair)
    }

    /// Returns whether somebody plays for the run, or will again.
    #[must_use]
    pub fn has_workers(&self) -> bool {
        self.workers.values().any(|worker| worker.takes_pairs() || worker.stage() == WorkerStage::Paused)
    }

    /// Returns a worker.
    #[must_use]
    pub fn worker(&self, name: &str) -> Option<&WorkerState> {
        self.workers.get(name)
    }

    /// Returns the workers, by name.
    pub fn workers(&self) -> impl Iterator<Item = (&str, &WorkerState)> {
        self.workers.iter().map(|(name, worker)| (name.as_str(), worker))
    }
}

#[cfg(test)]
mod tests;
