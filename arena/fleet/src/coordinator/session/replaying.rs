//! Pairs that are played again on other workers.

use record::Uncounted;

use super::super::replays::{Comparison, Replay, is_reproducible};
use super::{PlayedPair, Session};
use crate::leases::REPLAY;
use crate::wire::{AttemptOutcome, PlayedGame, Report};

impl Session<'_, '_> {
    /// Has a pair that was played and counts played again on another worker, where it is among those that are chosen.
    pub(super) fn replay(&mut self, open: &PlayedPair, worker: &str, games: &[PlayedGame]) {
        let is_said = self.plan.settings.conditions.reproducible;
        let is_chosen = u32::from_str_radix(&open.order.identity[..8], 16)
            .is_ok_and(|lot| f64::from(lot) < self.leases.replay_share(worker) * f64::from(u32::MAX));
        let is_fit = is_chosen
            && self.coordinator.own_workers.is_none()
            && games.iter().all(|game| game.void.is_empty() && is_reproducible(&game.record, is_said));
        let needs = open.jobs.first().map(|(_, job)| self.needs(job)).filter(|_| is_fit);
        let Some(needs) = needs else { return };
        if self.leases.offer_replay(open.order.pair, needs, &[worker.to_owned()]) {
            self.replays.begin(open.order.clone(), open.jobs.clone(), worker, games);
        }
    }

    /// Compares what a worker reports of a replay with what others have played.
    pub(super) fn compare(&mut self, report: &Report) {
        let now = self.now();
        let pair = report.pair;
        let Some(replay) = self.replays.get(pair) else { return };
        let games = match &report.outcome {
            AttemptOutcome::Played(games) => games,
            AttemptOutcome::Failed(why) => {
                return self.attempt_failed(&report.worker, &report.attempt, pair + REPLAY, why);
            }
        };
        if let Some(problem) = self.problem(&replay.jobs, games) {
            return self.does_not_hold(&report.worker, &report.attempt, pair + REPLAY, &problem);
        }
        let (first, needs) = (replay.jobs[0].1.clone(), self.needs(&replay.jobs[0].1));
        self.leases.settle_replay(now, &report.worker, pair);
        match self.replays.compare(pair, &report.worker, games) {
            Comparison::Same => {}
            Comparison::Open => {
                let before = self.replays.get(pair).map(Replay::players).unwrap_or_default();
                if !self.leases.offer_replay(pair, needs, &before) {
                    self.replays.drop(pair);
                    let names: Vec<_> = before.iter().map(|name| protocol::printable(name).into_owned()).collect();
                    self.say(format!(
                        "pair {pair} went differently on {}: one of them, or a bot, is not what it should be, and no third worker can tell",
                        names.join(" and ")
                    ));
                }
            }
            Comparison::Unlike => self.say(format!(
                "pair {pair} went differently on three workers: its bots do not decide the same again, which `arena verify` shows in detail"
            )),
            Comparison::Odd { worker, told, is_too_often } => {
                let name = protocol::printable(&worker).into_owned();
                self.say(format!("worker {name}: {}; its results stay in the journal", protocol::printable(&told)));
                self.leases.uncounted(now, &worker, "", Uncounted::Failed);
                if is_too_often {
                    self.leases.set_aside(&worker, "its games went other ways than on others");
                }
                self.note_fault(&worker, Some(first), &told, true);
            }
        }
    }
}
