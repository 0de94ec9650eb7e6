//! Pairs that are played again, by workers that have not played them.

use std::time::Duration;

use super::{Leases, Need, OpenPair, REPLAY};

impl Leases {
    /// Returns which share of a worker's pairs is to be played again.
    #[must_use]
    pub fn replay_share(&self, worker: &str) -> f64 {
        let is_known = self.workers.get(worker).is_some_and(|worker| worker.pairs >= self.terms.probation);
        self.terms.replays[usize::from(is_known)]
    }

    /// Opens the replay of a pair, which these workers have played. Returns whether another one can play it.
    pub fn offer_replay(&mut self, pair: u64, needs: Vec<Need>, played_by: &[String]) -> bool {
        let failed = played_by.iter().cloned().collect();
        let open = OpenPair { failed, ..OpenPair::new(needs) };
        let has_taker = self.has_taker(&open);
        if has_taker {
            self.open_pair(pair + REPLAY, open);
        }
        has_taker
    }

    /// Returns whether a worker that has not played a pair can.
    fn has_taker(&self, open: &OpenPair) -> bool {
        let mut workers = self.workers.iter();
        workers.any(|(name, worker)| {
            worker.takes_pairs() && !open.failed.contains(name) && worker.can_play(open)
        })
    }

    /// Closes a replay that a worker has played.
    pub fn settle_replay(&mut self, now: Duration, worker: &str, pair: u64) {
        if let Some(state) = self.workers.get_mut(worker) {
            (state.heard, state.row) = (now, 0);
        }
        self.close(pair + REPLAY);
    }

    /// Closes and returns the replays that nobody can play any more.
    pub fn forsaken_replays(&mut self) -> Vec<u64> {
        let is_forsaken = |pair: &u64| !self.has_taker(&self.pairs[pair]);
        let forsaken: Vec<_> = self.waiting.range(REPLAY..).copied().filter(is_forsaken).collect();
        forsaken.iter().for_each(|pair| self.close(*pair));
        forsaken.into_iter().map(|pair| pair - REPLAY).collect()
    }
}
