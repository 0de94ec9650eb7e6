//! What is seen of the workers of a run, and what the user orders them.

use std::collections::BTreeMap;
use std::time::Duration;

use diagnostic::output::count;
use live::{LiveWorker, WorkerOrder, WorkerStage};

use super::Session;
use crate::leases::WorkerState;
use crate::wire::Order;

/// How often what is seen of the workers is made, and orders to them are taken.
const SHOWN_EVERY: Duration = Duration::from_millis(200);

impl Session<'_, '_> {
    /// Says of each worker how much of what it did counts for nothing.
    pub(super) fn tell_uncounted(&mut self) {
        let uncounted = |(name, state): (&str, &WorkerState)| {
            let late = count(state.late, "result");
            let duplicates = count(state.duplicates, "result");
            let failed = count(state.faults, "attempt");
            let told: Vec<_> = [
                (state.late, format!("{late} came after the end and did not count")),
                (state.duplicates, format!("{duplicates} of pairs that were played already did not count")),
                (state.faults, format!("{failed} failed")),
            ]
            .into_iter()
            .filter_map(|(count, text)| (count > 0).then_some(text))
            .collect();
            (!told.is_empty()).then(|| format!("worker {}: {}", protocol::printable(name), told.join(", ")))
        };
        let told: Vec<_> = self.leases.workers().filter_map(uncounted).collect();
        told.into_iter().for_each(|text| self.say(text));
        self.show_workers();
    }

    /// Shows the workers, and passes on what the user orders.
    pub(super) fn steer(&mut self) {
        let now = self.now();
        if now.saturating_sub(self.shown) < SHOWN_EVERY {
            return;
        }
        self.shown = now;
        for (worker, order) in self.coordinator.panel.take_orders() {
            let told = match order {
                WorkerOrder::Pause => {
                    let waiting = self.leases.pause(&worker, true);
                    self.cancel(BTreeMap::from([(worker.clone(), waiting)]));
                    "paused"
                }
                WorkerOrder::Resume => {
                    self.leases.pause(&worker, false);
                    self.told.retain(|text| !text.starts_with(&format!("worker {worker}: gets no further")));
                    "resumed"
                }
                WorkerOrder::Drain => {
                    let waiting = self.leases.pause(&worker, true);
                    self.cancel(BTreeMap::from([(worker.clone(), waiting)]));
                    self.leases.leave(now, &worker);
                    self.send(worker.clone(), Order::Leave);
                    "ends what it plays, and leaves"
                }
            };
            self.say(format!("worker {}: {told}", protocol::printable(&worker)));
        }
        self.show_workers();
    }

    pub(super) fn show_workers(&self) {
        let now = self.now();
        let seconds = |time: Duration| (time.as_secs_f64() * 1000.0).round() / 1000.0;
        let show = |(name, state): (&str, &WorkerState)| {
            let (playing, waiting) = self.leases.load(name);
            LiveWorker {
                name: name.to_owned(),
                slots: state.slots,
                stage: state.stage(),
                why: match state.stage() {
                    WorkerStage::SetAside => state.set_aside.clone(),
                    WorkerStage::Paused => state.waits_for.clone(),
                    _ => None,
                },
                playing,
                waiting,
                pairs: state.pairs,
                late: state.late,
                duplicates: state.duplicates,
                faults: state.faults,
                pair_seconds: state.pace().map(seconds),
                silent_seconds: seconds(now.saturating_sub(state.heard())),
            }
        };
        let workers: Vec<_> = self.leases.workers().map(show).collect();
        self.coordinator.panel.show(workers);
    }
}
