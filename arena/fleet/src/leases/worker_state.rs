//! What the coordinator knows of one worker.

use std::collections::BTreeSet;
use std::time::Duration;

use live::WorkerStage;

use super::{Need, OpenPair, Terms};

/// How a worker stands.
#[derive(Clone, Debug)]
pub struct WorkerState {
    /// How many games it plays at once.
    pub slots: usize,
    /// How many of its pairs count.
    pub pairs: u64,
    /// How many of its results came when the run had stopped.
    pub late: u64,
    /// How many of its results were of pairs of which another attempt had been counted.
    pub duplicates: u64,
    /// How many of its attempts failed, stood still or did not hold.
    pub faults: u64,
    /// Why it gets no further pairs, where that is so.
    pub set_aside: Option<String>,
    /// Why it begins nothing for now, where it said so.
    pub waits_for: Option<String>,
    /// The attempts that it has.
    pub(super) held: BTreeSet<String>,
    /// What it lacks of what pairs need.
    pub(super) lacks: BTreeSet<Need>,
    /// Whether it said that it plays nothing of the run.
    pub(super) is_declining: bool,
    pub(super) heard: Duration,
    /// Failures since its last success.
    pub(super) row: u32,
    /// How long a slot of it needs for a pair.
    pub(super) pace: Option<Duration>,
    /// Whether it said that it plays no further pairs.
    pub(super) is_leaving: bool,
    /// Whether it was not heard for too long.
    pub(super) is_silent: bool,
    /// Whether the user wants it to begin no further pairs for now.
    pub(super) is_paused: bool,
}

impl WorkerState {
    /// Returns a worker that has just come.
    pub(super) fn new(now: Duration) -> Self {
        Self {
            slots: 1,
            pairs: 0,
            late: 0,
            duplicates: 0,
            faults: 0,
            set_aside: None,
            waits_for: None,
            held: BTreeSet::new(),
            lacks: BTreeSet::new(),
            is_declining: false,
            heard: now,
            row: 0,
            pace: None,
            is_leaving: false,
            is_silent: false,
            is_paused: false,
        }
    }

    pub(super) fn takes_pairs(&self) -> bool {
        self.stage() == WorkerStage::Playing
    }

    /// Returns whether it said that it plays no further pairs, or none at all.
    #[must_use]
    pub const fn is_gone(&self) -> bool {
        self.is_leaving || self.is_declining
    }

    pub(super) fn can_play_all(&self) -> bool {
        !self.is_declining && self.lacks.is_empty()
    }

    pub(super) fn can_play(&self, pair: &OpenPair) -> bool {
        !self.is_declining && pair.needs.iter().all(|need| !self.lacks.contains(need))
    }

    /// Returns whether it begins no further pairs, or only not now, and for which reason.
    #[must_use]
    pub const fn stage(&self) -> WorkerStage {
        match () {
            () if self.set_aside.is_some() => WorkerStage::SetAside,
            () if self.is_silent => WorkerStage::Silent,
            () if self.is_gone() => WorkerStage::Draining,
            () if self.is_paused || self.waits_for.is_some() => WorkerStage::Paused,
            () => WorkerStage::Playing,
        }
    }

    /// Returns how long a slot of it needs for a pair.
    #[must_use]
    pub const fn pace(&self) -> Option<Duration> {
        self.pace
    }

    /// Returns when it was last heard of.
    #[must_use]
    pub const fn heard(&self) -> Duration {
        self.heard
    }

    /// Returns how many pairs it may have: one for every slot, and some that wait for a slot where pairs are short.
    pub(super) fn room(&self, terms: &Terms) -> usize {
        let spare = match self.pace {
            // Nothing is known of it: a pair for each slot, and one that shows how fast it is.
            None => 1,
            Some(pace) => {
                let pairs = terms.ahead.as_secs_f64() / pace.as_secs_f64().max(1e-6);
                (self.slots as f64 * pairs.min((terms.window.max(1) - 1) as f64)).ceil() as usize
            }
        };
        self.slots + spare
    }
}
