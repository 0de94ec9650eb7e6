//! Pairs of reproducible bots that are played again on another worker, and compared ply for ply.
//!
//! What no rule can tell, whether the plies are those of the bots, a second worker can. Where two differ, a third one decides.

use std::collections::{BTreeMap, HashMap};

use record::{GameRecord, GameResult};
use runner::Job;

use crate::wire::{PairOrder, PlayedGame};

/// How many games of a worker may go another way than on two others until it gets no further pairs.
const MOST_DISPUTED: u32 = 3;

/// What can be compared of a pair: the plies and the result of every game.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Course(Vec<(u64, Vec<String>, GameResult)>);

/// A pair that is played again.
#[derive(Debug)]
pub(super) struct Replay {
    pub order: PairOrder,
    pub jobs: Vec<(usize, Job)>,
    /// Who has played it, and how it went.
    courses: Vec<(String, Course)>,
}

/// What a comparison has shown.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    /// The same.
    Same,
    /// Another worker is to decide.
    Open,
    /// A worker is the only one for whom it went this way.
    Odd { worker: String, told: String, is_too_often: bool },
    /// Everybody has played it differently.
    Unlike,
}

/// The pairs that are played again, by the numbers of their pairs.
#[derive(Debug, Default)]
pub(super) struct Replays {
    open: BTreeMap<u64, Replay>,
    /// The pairs of the attempts that are replays.
    attempts: HashMap<String, u64>,
    /// How often a worker was the odd one out.
    disputed: BTreeMap<String, u32>,
}

impl Replays {
    /// Takes a pair that a worker has played.
    pub(super) fn begin(
        &mut self,
        order: PairOrder,
        jobs: Vec<(usize, Job)>,
        worker: &str,
        games: &[PlayedGame],
    ) {
        let courses = vec![(worker.to_owned(), Course::of(games))];
        self.open.insert(order.pair, Replay { order, jobs, courses });
    }

    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    pub(super) fn get(&self, pair: u64) -> Option<&Replay> {
        self.open.get(&pair)
    }

    /// Notes that an attempt is one at the replay of a pair.
    pub(super) fn attempt(&mut self, attempt: &str, pair: u64) {
        self.attempts.insert(attempt.to_owned(), pair);
    }

    /// Returns whether an attempt is one at a replay.
    pub(super) fn is_replay(&self, attempt: &str) -> bool {
        self.attempts.contains_key(attempt)
    }

    /// Gives a replay up.
    pub(super) fn drop(&mut self, pair: u64) {
        self.open.remove(&pair);
    }

    /// Compares what a worker has played with what was played before. Where another one is to decide, the replay stays open.
    pub(super) fn compare(&mut self, pair: u64, worker: &str, games: &[PlayedGame]) -> Comparison {
        let Some(replay) = self.open.get_mut(&pair) else { return Comparison::Same };
        let course = Course::of(games);
        replay.courses.push((worker.to_owned(), course.clone()));
        let same: Vec<_> = replay.courses.iter().filter(|(_, other)| *other == course).collect();
        let other = replay.courses.iter().find(|(_, other)| *other != course);
        let Some((other, their)) = other else {
            self.open.remove(&pair);
            return Comparison::Same;
        };
        match (replay.courses.len(), same.len()) {
            (2, _) => Comparison::Open,
            (_, 1) => {
                // Either the first two were the same, which ends a replay, or all differ.
                self.open.remove(&pair);
                Comparison::Unlike
            }
            _ => {
                let agreeing: Vec<_> = same.iter().map(|(name, _)| format!("`{name}`")).collect();
                let told = format!("{} there than on {}", their.difference(&course), agreeing.join(" and "));
                let odd = other.clone();
                self.open.remove(&pair);
                let count = self.disputed.entry(odd.clone()).or_default();
                *count += 1;
                Comparison::Odd { worker: odd, told, is_too_often: *count >= MOST_DISPUTED }
            }
        }
    }
}

impl Replay {
    /// Returns who has played it.
    pub(super) fn players(&self) -> Vec<String> {
        self.courses.iter().map(|(worker, _)| worker.clone()).collect()
    }
}

impl Course {
    fn of(games: &[PlayedGame]) -> Self {
        let mut games: Vec<_> = games
            .iter()
            .map(|game| {
                let plies = game.record.plies.iter().map(|ply| ply.ply.clone()).collect();
                (game.record.number, plies, game.record.result)
            })
            .collect();
        games.sort_unstable_by_key(|(number, ..)| *number);
        Self(games)
    }

    /// Says where this one first differs from another.
    fn difference(&self, other: &Self) -> String {
        for ((number, plies, _), (_, others, _)) in self.0.iter().zip(&other.0) {
            let ply = plies.iter().zip(others).position(|(one, other)| one != other);
            let ply = ply.or((plies.len() != others.len()).then(|| plies.len().min(others.len())));
            if let Some(ply) = ply {
                return format!("game {number} went another way from ply {} on", ply + 1);
            }
        }
        "the result is another one".to_owned()
    }
}

/// Returns whether a game would be played the same again: by bots that no clock limits, or that the user calls reproducible, to an
/// end that they have decided.
pub(super) fn is_reproducible(record: &GameRecord, is_said: bool) -> bool {
    record.reason.is_decided() && (is_said || record.seats.iter().all(|seat| seat.tc.is_untimed()))
}
