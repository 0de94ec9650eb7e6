//! Looking every few seconds for what is lost: attempts, workers, the run itself.

use std::collections::BTreeSet;

use super::super::{stopped, storage};
use super::{START, Session};
use crate::broker::BrokerError;
use crate::leases::{Lapse, REPLAY};
use crate::names::run_key;
use crate::wire;

impl Session<'_, '_> {
    /// Looks for what is lost, and says that the run is still this coordinator's.
    pub(super) fn reconcile(&mut self) {
        let now = self.now();
        for lapse in self.leases.lapse(now) {
            let text = match lapse {
                Lapse::Poison { pair } if pair >= REPLAY => {
                    self.replays.drop(pair - REPLAY);
                    continue;
                }
                Lapse::Poison { pair } => {
                    self.abort_pair(pair, "it stood still or failed on several workers");
                    continue;
                }
                Lapse::Silent { worker, attempts } => format!(
                    "worker {}: silent; its {attempts} pairs are given to others",
                    protocol::printable(&worker)
                ),
                Lapse::Standstill { worker, pair } => {
                    let why = format!("pair {} stands still", pair % REPLAY);
                    self.note_fault(&worker, self.job_of(pair), &why, true);
                    format!("worker {}: {why} and is given to others", protocol::printable(&worker))
                }
                Lapse::Lost { worker, pair } => {
                    format!(
                        "worker {}: pair {} did not arrive; it is given out again",
                        protocol::printable(&worker),
                        pair % REPLAY
                    )
                }
            };
            self.say(text);
        }
        if self.coordinator.own_workers.is_some() && self.is_manned && !self.leases.has_workers() {
            let why = match self.leases.workers().next() {
                Some(_) => "no worker is left that plays".to_owned(),
                None => format!("no worker has joined within {} seconds", START.as_secs()),
            };
            return self.games.fail(stopped(why));
        }
        let unplayable = self.leases.unplayable();
        if !unplayable.is_empty() {
            let why = "no worker can play some of the games";
            if self.coordinator.own_workers.is_some() {
                return self.games.fail(stopped(why));
            }
            self.say_once(format!("{why}: they wait for one that can"));
        }
        self.stuck = if self.leases.is_stuck() { self.stuck.or(Some(now)) } else { None };
        let patience = self.coordinator.terms.patience;
        if self.stuck.is_some_and(|since| now.saturating_sub(since) >= patience) {
            return self.games.fail(stopped(format!(
                "no worker that has come can play the games that are left ({}), and none that can has come for {}: install what each \
                 lacks, as said above, or start a worker that has it",
                self.labels(&unplayable),
                diagnostic::output::span(patience.as_secs_f64())
            )));
        }
        for pair in self.leases.forsaken_replays() {
            self.replays.drop(pair);
        }
        for (worker, order) in std::mem::take(&mut self.unsent) {
            self.send(worker, order);
        }
        let coordinator = self.coordinator;
        match self.claim.renew(coordinator.broker) {
            Ok(true) => {}
            Ok(false) => {
                let why = "another coordinator has taken this run over: only one at a time may play it";
                return self.games.fail(stopped(why));
            }
            Err(error) => return self.try_on(&error),
        }
        // A broker that came back empty knows neither the run nor its files; another coordinator may have taken this one for dead.
        let notice = wire::write(&coordinator.notice(false));
        let known = coordinator.broker.read(&run_key(&coordinator.run));
        let is_lost = known.is_ok_and(|entry| entry.is_none_or(|entry| entry.value != notice));
        let Ok(removals) = storage::removals(coordinator.broker) else { return };
        if !is_lost && removals == self.removals {
            return;
        }
        let again = coordinator.send_files().and_then(|()| match is_lost {
            true => coordinator.announce(false),
            false => Ok(()),
        });
        match again {
            Ok(()) => self.removals = removals,
            Err(error) => return self.try_on(&error),
        }
        if is_lost {
            self.say("the broker had lost the run: it was sent again");
        }
    }

    /// Says that the broker did not do what it was to do, and that it is asked again.
    fn try_on(&mut self, error: &BrokerError) {
        self.say_once(format!("{error}; trying on"));
    }

    /// Returns what is played in these pairs.
    fn labels(&self, pairs: &[u64]) -> String {
        let jobs = pairs.iter().filter_map(|pair| self.pairs.get(pair)?.jobs.first());
        let labels: BTreeSet<_> =
            jobs.map(|(_, job)| format!("`{}`", self.plan.contests[job.task.contest].label)).collect();
        labels.into_iter().collect::<Vec<_>>().join(", ")
    }
}
