//! The workers of a run on many machines: what is shown of them, and what they are told.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use protocol::printable_capped;
use serde::{Deserialize, Serialize};

/// How much is shown of why a worker gets no pairs, in characters.
const MOST_SHOWN: usize = 200;

/// A worker as the picture shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LiveWorker {
    /// Its name.
    pub name: String,
    /// How many games it plays at once.
    pub slots: usize,
    /// Whether it gets pairs.
    pub stage: WorkerStage,
    /// Why it gets none, where nobody has ordered that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// How many pairs it plays.
    pub playing: usize,
    /// How many pairs wait there.
    pub waiting: usize,
    /// How many of its pairs count in this start.
    pub pairs: u64,
    /// How many of its results came when the run had stopped.
    pub late: u64,
    /// How many of its results were of pairs of which another attempt had been counted.
    #[serde(default)]
    pub duplicates: u64,
    /// How many of its attempts failed, stood still or did not hold.
    pub faults: u64,
    /// How long one of its slots needs for a pair, in seconds; none before the first.
    pub pair_seconds: Option<f64>,
    /// How long it has been silent, in seconds.
    pub silent_seconds: f64,
}

/// Whether a worker gets pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WorkerStage {
    /// It does.
    Playing,
    /// Not until it is resumed.
    Paused,
    /// Not any more: it ends what it plays and leaves.
    Draining,
    /// It has not been heard of for too long.
    Silent,
    /// Too much of what it did has failed.
    SetAside,
}

impl WorkerStage {
    /// Returns the word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Playing => "playing",
            Self::Paused => "paused",
            Self::Draining => "draining",
            Self::Silent => "silent",
            Self::SetAside => "set aside",
        }
    }
}

/// What a worker can be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkerOrder {
    /// Begin no further pairs until the order to resume.
    Pause,
    /// Begin pairs again, also where it was set aside.
    Resume,
    /// End what it plays, and leave.
    Drain,
}

impl WorkerOrder {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Pause => "pause",
            Self::Resume => "resume",
            Self::Drain => "drain",
        }
    }

    pub(crate) fn named(word: &str) -> Option<Self> {
        [Self::Pause, Self::Resume, Self::Drain].into_iter().find(|order| order.word() == word)
    }
}

/// What the coordinator of a run on many machines and those who watch it tell each other. Its copies are the same.
#[derive(Clone, Debug, Default)]
pub struct WorkerPanel(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    workers: Vec<LiveWorker>,
    orders: Vec<(String, WorkerOrder)>,
}

impl WorkerPanel {
    /// Shows the workers as they are now.
    pub fn show(&self, workers: Vec<LiveWorker>) {
        self.state().workers = workers;
    }

    /// Returns the orders that were given since, with the names of the workers.
    #[must_use]
    pub fn take_orders(&self) -> Vec<(String, WorkerOrder)> {
        std::mem::take(&mut self.state().orders)
    }

    pub(crate) fn workers(&self) -> Vec<LiveWorker> {
        self.state().workers.clone()
    }

    /// Takes an order and says what comes of it.
    pub(crate) fn tell(&self, name: &str, order: WorkerOrder) -> Result<String, String> {
        let mut state = self.state();
        let Some(worker) = state.workers.iter().find(|worker| worker.name == name) else {
            let names: Vec<_> = state.workers.iter().map(|worker| format!("`{}`", worker.name)).collect();
            return Err(match names.is_empty() {
                true => "no worker has joined this run".to_owned(),
                false => format!("there is no worker `{name}`, but {}", names.join(", ")),
            });
        };
        let (stage, playing) = (worker.stage, worker.playing);
        let pairs = diagnostic::output::count(playing as u64, "pair");
        let told = match (order, stage) {
            (WorkerOrder::Pause, WorkerStage::Paused) => return Ok("it is paused already".to_owned()),
            (WorkerOrder::Resume, WorkerStage::Playing) => return Ok("it is not paused".to_owned()),
            (_, WorkerStage::Draining) => return Err("it is leaving the run".to_owned()),
            (WorkerOrder::Pause, _) => format!("paused: it begins no further pairs; {pairs} in progress"),
            (WorkerOrder::Resume, _) => "resumed".to_owned(),
            (WorkerOrder::Drain, _) => format!("draining: it leaves after {pairs} in progress"),
        };
        state.orders.push((name.to_owned(), order));
        Ok(told)
    }

    /// Returns the workers in a line.
    pub(crate) fn line(&self) -> String {
        let words = |worker: &LiveWorker| {
            let LiveWorker { name, stage, playing, waiting, pairs, late, duplicates, faults, .. } = worker;
            let mut text =
                format!("{name}: {}, {pairs} pairs, {playing} in progress, {waiting} waiting", stage.word());
            if let Some(seconds) = worker.pair_seconds {
                text += &format!(", {seconds:.1} s a pair");
            }
            for (count, word) in [(late, "late"), (duplicates, "duplicate"), (faults, "failed")] {
                if *count > 0 {
                    text += &format!(", {count} {word}");
                }
            }
            if let Some(why) = &worker.why {
                text += &format!(" ({})", printable_capped(why, MOST_SHOWN));
            }
            text
        };
        let workers: Vec<_> = self.workers().iter().map(words).collect();
        match workers.is_empty() {
            true => "no worker has joined this run".to_owned(),
            false => workers.join("; "),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worker(name: &str, stage: WorkerStage) -> LiveWorker {
        LiveWorker {
            name: name.to_owned(),
            slots: 2,
            stage,
            why: None,
            playing: 1,
            waiting: 0,
            pairs: 7,
            late: 0,
            duplicates: 2,
            faults: 1,
            pair_seconds: Some(2.0),
            silent_seconds: 0.5,
        }
    }

    #[test]
    fn orders_reach_the_workers_that_are_there() {
        let panel = WorkerPanel::default();
        assert!(panel.tell("a", WorkerOrder::Pause).expect_err("nobody").contains("no worker has joined"));
        panel.show(vec![worker("a", WorkerStage::Playing), worker("b", WorkerStage::Draining)]);
        assert_eq!(panel.tell("a", WorkerOrder::Resume), Ok("it is not paused".to_owned()));
        assert!(panel.tell("b", WorkerOrder::Pause).expect_err("it leaves").contains("leaving"));
        assert!(
            panel.tell("c", WorkerOrder::Pause).expect_err("nobody").contains("no worker `c`, but `a`, `b`")
        );
        assert_eq!(panel.take_orders(), []);
        assert!(panel.clone().tell("a", WorkerOrder::Drain).is_ok());
        assert_eq!(panel.take_orders(), [("a".to_owned(), WorkerOrder::Drain)]);
        assert_eq!(panel.take_orders(), []);
        assert!(panel.line().starts_with(
            "a: playing, 7 pairs, 1 in progress, 0 waiting, 2.0 s a pair, 2 duplicate, 1 failed; b:"
        ));
    }
}
