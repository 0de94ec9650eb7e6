//! What workers play or try that counts nowhere: it is written down and counted by worker, and changes nothing else.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use record::{GameResult, Termination, Uncounted, WorkerRecord};
use runner::Job;

use super::{PlayedPair, Session, TICK};
use crate::broker::Delivery;
use crate::leases::REPLAY;
use crate::wire::{AttemptOutcome, Report};

/// How many of the pairs are known that were counted and that somebody else may have played too.
const MOST_KEPT: usize = 4096;

/// How long a run that was stopped waits at most for what workers have just reported.
const LAST_CALL: Duration = Duration::from_secs(2);

/// How much of what a worker says about a failure is written down, in characters.
const MOST_CHARACTERS: usize = 500;

/// The pairs that were counted and that somebody else may have played too, the last ones.
#[derive(Default)]
pub(super) struct CountedPairs(BTreeMap<u64, CountedPair>);

struct CountedPair {
    open: PlayedPair,
    /// The attempt that counts: what it reports once more is nothing new.
    attempt: String,
    /// The workers of which another attempt was written down.
    others: BTreeSet<String>,
}

impl CountedPairs {
    pub(super) fn has(&self, pair: u64) -> bool {
        self.0.contains_key(&pair)
    }

    pub(super) fn insert(&mut self, open: PlayedPair, attempt: String) {
        self.0.insert(open.order.pair, CountedPair { open, attempt, others: BTreeSet::new() });
        if self.0.len() > MOST_KEPT {
            self.0.pop_first();
        }
    }
}

impl Session<'_, '_> {
    /// Takes a report of a pair that somebody else has played.
    pub(super) fn take_duplicate(&mut self, report: Report) {
        let Some(counted) = self.counted.0.get_mut(&report.pair) else { return };
        let is_another = counted.attempt != report.attempt && counted.open.order.identity == report.identity;
        if is_another && counted.others.insert(report.worker.clone()) {
            let jobs = counted.open.jobs.clone();
            self.take_uncounted(Uncounted::Duplicate, &jobs, report);
        }
    }

    /// Takes a report of an open pair that has come after the run was stopped.
    pub(super) fn take_late(&mut self, report: Report) {
        if let Some(open) = self.pairs.get(&report.pair)
            && self.late.insert((report.pair, report.worker.clone()))
        {
            let jobs = open.jobs.clone();
            self.take_uncounted(Uncounted::Late, &jobs, report);
        }
    }

    fn take_uncounted(&mut self, cause: Uncounted, jobs: &[(usize, Job)], report: Report) {
        let Report { worker, attempt, pair, outcome, .. } = report;
        let games = match outcome {
            AttemptOutcome::Played(games) => games,
            AttemptOutcome::Failed(why) => return self.attempt_failed(&worker, &attempt, pair, &why),
        };
        if let Some(problem) = self.problem(jobs, &games) {
            return self.does_not_hold(&worker, &attempt, pair, &problem);
        }
        let now = self.now();
        self.leases.uncounted(now, &worker, &attempt, cause);
        for mut record in games.into_iter().map(|game| game.record) {
            let said = record.worker.take().unwrap_or_else(|| WorkerRecord::named(""));
            let (name, uncounted) = (worker.clone(), Some(cause.word().to_owned()));
            record.worker = Some(WorkerRecord { name, uncounted, set_aside: None, ..said });
            self.games.uncounted(Box::new(record));
        }
    }

    /// Says where a worker gets no further pairs since an attempt has failed, and writes that failure down: with the first game of its
    /// pair, if that is known. Others are written down too if `is_told`.
    pub(super) fn note_fault(&mut self, worker: &str, job: Option<Job>, why: &str, is_told: bool) {
        let set_aside = self.leases.worker(worker).and_then(|state| state.set_aside.clone());
        let set_aside = set_aside.filter(|why| {
            self.say_once(format!("worker {}: gets no further pairs: {why}", protocol::printable(worker)))
        });
        let Some(job) = job.filter(|_| is_told || set_aside.is_some()) else { return };
        let mut record = self.plan.unplayed(&job);
        (record.result, record.reason, record.failed) = (GameResult::None, Termination::Aborted, None);
        record.detail = Some(protocol::printable_capped(why, MOST_CHARACTERS));
        let uncounted = Some(Uncounted::Failed.word().to_owned());
        record.worker = Some(WorkerRecord { uncounted, set_aside, ..WorkerRecord::named(worker) });
        self.games.uncounted(Box::new(record));
    }

    /// Returns the first game of a pair that is open, is played again, or was counted not long ago.
    pub(super) fn job_of(&self, pair: u64) -> Option<Job> {
        let jobs = match pair.checked_sub(REPLAY) {
            Some(pair) => &self.replays.get(pair)?.jobs,
            None => match self.pairs.get(&pair) {
                Some(open) => &open.jobs,
                None => &self.counted.0.get(&pair)?.open.jobs,
            },
        };
        jobs.first().map(|(_, job)| job.clone())
    }

    /// Takes what was on its way when the run ended: results that workers had played before they learnt of it.
    pub(super) fn gather(&mut self, inbox: &Receiver<Delivery>) {
        self.is_over = true;
        let (since, is_cut) = (Instant::now(), self.control.is_aborting());
        while !self.games.has_failed() && since.elapsed() < LAST_CALL {
            match inbox.recv_timeout(if is_cut { TICK } else { Duration::ZERO }) {
                Ok(delivery) => self.take(delivery),
                Err(RecvTimeoutError::Timeout) if is_cut && self.leases.is_playing() => {}
                Err(_) => return,
            }
        }
    }
}
