//! Node counts that should be equal: those of the same bot in the same game of both runs.

use std::collections::{BTreeMap, HashMap};

use record::{GameRecord, PlyRecord, SeatRecord};
use rules::Fnv128;
use settings::TimeControl;

use crate::compare::side::Which;

/// The most games that wait for the same game of the other run.
const MOST_WAITING: usize = 1 << 16;

/// The games of two runs, matched as they arrive.
///
/// Two games are the same if their label, start, opening, and the names and seeds of all bots are equal. A bot should repeat a
/// decision if all plies before it are the same and the bot has the same digest and a limit without time: only nodes or depth.
///
/// The node count of a decision is that of its last `info` line. The arena may drop the last such lines of a bot that writes
/// them quickly. So counts are compared only if both lines have the same depth, or no depth.
#[derive(Clone, Debug, Default)]
pub(super) struct Twins {
    waiting: [HashMap<u128, Game>; 2],
    found: NodeCounts,
}

/// The results of decisions that should be repeated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeCounts {
    /// Games that both runs played, with a bot that should repeat its decisions.
    pub games: u64,
    /// Decisions of such bots with the same plies before them.
    pub decisions: u64,
    /// Where each bot first deviated, and in how many games. Sorted by name.
    pub deviations: BTreeMap<String, Deviation>,
    /// Games that were not matched because too many games waited.
    pub unmatched: u64,
}

/// The first deviation of a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deviation {
    /// The number of games with a deviation.
    pub games: u64,
    /// The number of the first such game in the run before, and in the run after.
    pub numbers: [u64; 2],
    /// The label of that game.
    pub label: String,
    /// The first ply that differs there, from 1, the opening included.
    pub ply: usize,
    /// The plies.
    pub plies: [String; 2],
    /// The node counts, if the bot reported them.
    pub nodes: [Option<u64>; 2],
}

/// The compared parts of a game.
#[derive(Clone, Debug)]
struct Game {
    number: u64,
    label: String,
    opening: usize,
    bots: Vec<Sitter>,
    plies: Vec<Ply>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Sitter {
    name: String,
    digest: String,
    /// The time control, if it does not limit time.
    limit: Option<TimeControl>,
}

#[derive(Clone, Debug)]
struct Ply {
    ply: Box<str>,
    seat: u8,
    is_decision: bool,
    depth: Option<u64>,
    nodes: Option<u64>,
}

impl Twins {
    pub(super) fn push(&mut self, which: Which, record: &GameRecord) {
        let sitter = |seat: &SeatRecord| Sitter {
            name: seat.bot.clone(),
            digest: seat.digest.clone(),
            limit: limit(seat.tc.known()),
        };
        let bots: Vec<Sitter> = record.seats.iter().map(sitter).collect();
        if bots.iter().all(|bot| bot.limit.is_none()) {
            return;
        }
        let key = key(record);
        let game = Game {
            number: record.number,
            label: record.label.clone(),
            opening: record.opening as usize,
            bots,
            plies: record.plies.iter().map(Ply::of).collect(),
        };
        let other = match which {
            Which::Before => Which::After,
            Which::After => Which::Before,
        };
        if let Some(twin) = self.waiting[other as usize].remove(&key) {
            match which {
                Which::Before => self.found.compare(&game, &twin),
                Which::After => self.found.compare(&twin, &game),
            }
        } else if self.waiting[which as usize].len() < MOST_WAITING {
            self.waiting[which as usize].insert(key, game);
        } else {
            self.found.unmatched += 1;
        }
    }

    pub(super) const fn found(&self) -> &NodeCounts {
        &self.found
    }
}

impl NodeCounts {
    /// Follows both games up to the first different ply.
    fn compare(&mut self, before: &Game, after: &Game) {
        let both = before.bots.iter().zip(&after.bots);
        let watched: Vec<bool> = both.map(|(one, two)| one.limit.is_some() && one == two).collect();
        if !watched.contains(&true) {
            return;
        }
        self.games += 1;
        for (index, (one, two)) in before.plies.iter().zip(&after.plies).enumerate().skip(before.opening) {
            let seat = usize::from(one.seat.saturating_sub(1));
            let is_same_ply = one.ply == two.ply;
            if watched.get(seat) == Some(&true) && one.is_decision && two.is_decision {
                self.decisions += 1;
                if !is_same_ply || one.contradicts(two) {
                    self.note([before, after], index, &before.bots[seat].name);
                    return;
                }
            }
            if !is_same_ply {
                return;
            }
        }
    }

    fn note(&mut self, [before, after]: [&Game; 2], index: usize, bot: &str) {
        let deviation = |games: u64| Deviation {
            games,
            numbers: [before.number, after.number],
            label: before.label.clone(),
            ply: index + 1,
            plies: [before, after].map(|game| game.plies[index].ply.to_string()),
            nodes: [before, after].map(|game| game.plies[index].nodes),
        };
        match self.deviations.get_mut(bot) {
            None => {
                self.deviations.insert(bot.to_owned(), deviation(1));
            }
            Some(known) if known.numbers > [before.number, after.number] => {
                *known = deviation(known.games + 1);
            }
            Some(known) => known.games += 1,
        }
    }
}

impl Ply {
    /// Returns whether the node counts of two decisions contradict each other.
    fn contradicts(&self, other: &Self) -> bool {
        self.depth == other.depth && self.nodes.zip(other.nodes).is_some_and(|(one, two)| one != two)
    }

    fn of(record: &PlyRecord) -> Self {
        Self {
            ply: record.ply.as_str().into(),
            seat: record.seat,
            is_decision: record.us.is_some(),
            depth: record.info.as_ref().and_then(|info| info.depth),
            nodes: record.info.as_ref().and_then(|info| info.nodes),
        }
    }
}

/// Returns the time control if it does not limit time.
fn limit(tc: Option<&TimeControl>) -> Option<TimeControl> {
    tc.filter(|tc| !tc.limits_time()).cloned()
}

/// Returns the hash that the same game has in both runs.
fn key(record: &GameRecord) -> u128 {
    let mut hash = Fnv128::default();
    let mut feed = |text: &str| hash.feed(text.bytes().chain([0]));
    feed(&record.label);
    feed(record.start.as_deref().unwrap_or_default());
    for seat in &record.seats {
        feed(&seat.bot);
        feed(&seat.seed.to_string());
    }
    for ply in record.plies.iter().take(record.opening as usize) {
        feed(&ply.ply);
    }
    hash.value()
}

#[cfg(test)]
mod tests {
    use record::SeatControl;

    use super::*;

    #[test]
    fn counts_of_different_depths_are_no_contradiction() {
        let ply = |depth: Option<u64>, nodes: Option<u64>| Ply {
            ply: "a1".into(),
            seat: 1,
            is_decision: true,
            depth,
            nodes,
        };
        let told = ply(Some(4), Some(154));
        assert!(told.contradicts(&ply(Some(4), Some(155))));
        assert!(!told.contradicts(&ply(Some(2), Some(16))) && !told.contradicts(&ply(Some(4), None)));
        assert!(ply(None, Some(1)).contradicts(&ply(None, Some(2))));
    }

    #[test]
    fn a_limit_without_time_ought_to_be_repeated() {
        for (tc, is_limit) in [
            ("nodes 100", true),
            ("depth 6", true),
            ("nodes 100, depth 6", true),
            ("60+0.5", false),
            ("movetime 100ms", false),
            ("nodes 100, 60+0.5", false),
            ("", false),
        ] {
            let control = SeatControl::from(tc.to_owned());
            assert_eq!(limit(control.known()).is_some(), is_limit, "{tc}");
        }
    }
}
