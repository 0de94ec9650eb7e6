//! The Swiss system: in every round bots with like scores meet, and no two bots meet again while others are left.
//!
//! The pairing follows the Dutch system of FIDE (Handbook C.04.3), simplified: score groups from the top, in each group
//! the upper half against the lower half, those who find no opponent there against the best of the next groups, and every
//! choice only where the rest can still be paired (C.04.3, the completion criterion). Colours need no rule, since two
//! bots that meet swap seats. The bye follows C.04.1: to the lowest score, nobody twice while others had none, with the
//! full score of a meeting. Tie-breaks are Buchholz and Sonneborn-Berger (Handbook C.07), a bye counted as a meeting with
//! a bot of the same final score.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use petgraph::algo::maximum_matching;
use petgraph::graph::UnGraph;
use record::RunConfig;
use rules::PerSeat;

use crate::swiss_tables::TableDraw;
use crate::{FeedbackFormat, Meeting, PlayedMeeting, meeting_halves, seats_of};

/// A Swiss tournament.
#[derive(Clone, Debug)]
pub struct Swiss {
    rounds: u32,
    /// How many seats a table has.
    seats: usize,
    /// The half points that two bots share in a meeting.
    worth: u32,
    /// The half points of a bye.
    bye: u32,
    /// How many rounds were taken.
    taken: u32,
    bots: Vec<Entrant>,
    /// How often two bots have met; with [`Swiss::nobody`], how often a bot rested. The lower index first.
    met: BTreeMap<(usize, usize), u32>,
}

/// A bot of a Swiss tournament.
#[derive(Clone, Debug, Default)]
struct Entrant {
    halves: u32,
    byes: u32,
    /// The opponents, and the half points against each.
    meetings: Vec<(usize, u32)>,
}

/// A line of the table of a Swiss tournament.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SwissStanding {
    /// The place, from 1; bots that nothing tells apart share one.
    pub place: usize,
    /// The bot.
    pub bot: usize,
    /// Its half points, those of byes included.
    pub halves: u32,
    /// The sum of its opponents' half points; for a bye its own.
    pub buchholz: u32,
    /// The sum over its opponents of their points times the share of its own in their meeting.
    pub sonneborn: f64,
    /// How many meetings it had.
    pub meetings: usize,
    /// How many rounds it rested.
    pub byes: u32,
}

impl Swiss {
    /// Begins a tournament. A meeting, and so a bye, is worth at most `bye` half points.
    #[must_use]
    pub fn new(bots: usize, rounds: u32, bye: u32) -> Self {
        Self::at_tables(bots, rounds, 2, bye)
    }

    /// Begins a tournament at tables of more seats, in a meeting at which any two bots share `worth` half points. A bye is worth
    /// half of what a table gives its winner: what a bot of this table has on average.
    #[must_use]
    pub fn at_tables(bots: usize, rounds: u32, seats: usize, worth: u32) -> Self {
        let bots = vec![Entrant::default(); bots];
        let bye = if seats == 2 { worth } else { worth * (seats as u32 - 1) / 2 };
        Self { rounds, seats, worth, bye, taken: 0, bots, met: BTreeMap::new() }
    }

    /// Returns the half points of a bye.
    #[must_use]
    pub const fn bye(&self) -> u32 {
        self.bye
    }

    /// Begins the tournament of a configuration.
    #[must_use]
    pub fn of(config: &RunConfig) -> Self {
        Self::at_tables(config.bots.len(), config.rounds, seats_of(config), meeting_halves(config))
    }

    /// Returns how many rounds were taken.
    #[must_use]
    pub const fn rounds_taken(&self) -> u32 {
        self.taken
    }

    /// Returns the table: by points, then Buchholz, then Sonneborn-Berger, then the order of the configuration.
    #[must_use]
    pub fn table(&self) -> Vec<SwissStanding> {
        let place = |(bot, entrant): (usize, &Entrant)| {
            // A bye stands for as many opponents as a table has.
            let own = entrant.byes * entrant.halves;
            let opponents = self.seats as u32 - 1;
            let buchholz: u32 = entrant.meetings.iter().map(|&(other, _)| self.bots[other].halves).sum();
            let products: u32 =
                entrant.meetings.iter().map(|&(other, halves)| self.bots[other].halves * halves).sum();
            SwissStanding {
                place: 0,
                bot,
                halves: entrant.halves,
                buchholz: buchholz + own * opponents,
                sonneborn: f64::from(products + own * self.bye) / f64::from(2 * self.worth.max(1)),
                meetings: entrant.meetings.len() / (self.seats - 1),
                byes: entrant.byes,
            }
        };
        let mut places: Vec<_> = self.bots.iter().enumerate().map(place).collect();
        places.sort_by(|one, other| {
            let key = |place: &SwissStanding| (place.halves, place.buchholz);
            key(other).cmp(&key(one)).then(other.sonneborn.total_cmp(&one.sonneborn))
        });
        for index in 0..places.len() {
            let is_shared = index > 0 && {
                let (one, other) = (places[index - 1], places[index]);
                (one.halves, one.buchholz) == (other.halves, other.buchholz)
                    && one.sonneborn == other.sonneborn
            };
            places[index].place = if is_shared { places[index - 1].place } else { index + 1 };
        }
        places
    }

    /// The number that stands for no opponent.
    const fn nobody(&self) -> usize {
        self.bots.len()
    }

    fn times_met(&self, one: usize, other: usize) -> u32 {
        self.met.get(&(one.min(other), one.max(other))).copied().unwrap_or(0)
    }

    /// Returns the pairs of the next round.
    fn pairs(&self) -> Vec<[usize; 2]> {
        let mut order: Vec<usize> = (0..self.bots.len()).collect();
        order.sort_by_key(|&bot| Reverse(self.bots[bot].halves));
        let mut all = order.clone();
        if order.len() % 2 == 1 {
            all.push(self.nobody());
        }
        // Rematches only as often as there must be. As often as any two met, everything can be paired.
        let most = self.met.values().copied().max().unwrap_or(0);
        let level = (0..most).find(|level| self.can_pair(&all, *level)).unwrap_or(most);
        if all.len() > order.len() {
            let mut resting: Vec<usize> = order.iter().rev().copied().collect();
            resting.sort_by_key(|&bot| self.bots[bot].byes);
            let rests = resting.into_iter().find(|&bot| {
                let rest: Vec<usize> = order.iter().copied().filter(|other| *other != bot).collect();
                self.times_met(bot, self.nobody()) <= level && self.can_pair(&rest, level)
            });
            order.retain(|bot| Some(*bot) != rests);
        }
        let mut pairs = Vec::new();
        while let Some((&top, rest)) = order.split_first() {
            let candidates = self.candidates(top, rest);
            let chosen = candidates.iter().copied().find(|&other| {
                let left: Vec<usize> = rest.iter().copied().filter(|bot| *bot != other).collect();
                self.times_met(top, other) <= level && self.can_pair(&left, level)
            });
            let Some(chosen) = chosen.or_else(|| candidates.first().copied()) else { break };
            pairs.push([top, chosen]);
            order.retain(|bot| ![top, chosen].contains(bot));
        }
        pairs
    }

    /// Returns the tables of the next round, where a table has more than two seats.
    fn tables(&self) -> Vec<Vec<usize>> {
        let mut order: Vec<usize> = (0..self.bots.len()).collect();
        order.sort_by_key(|&bot| Reverse(self.bots[bot].halves));
        // The lowest of those that rested least.
        let mut resting: Vec<usize> = order.iter().rev().copied().collect();
        resting.sort_by_key(|&bot| self.bots[bot].byes);
        resting.truncate(order.len() % self.seats);
        order.retain(|bot| !resting.contains(bot));
        let halves = |bot: usize| self.bots[bot].halves;
        let met = |one: usize, other: usize| self.times_met(one, other);
        TableDraw { seats: self.seats, round: self.taken + 1, halves: &halves, met: &met }.tables(&order)
    }

    /// Returns the opponents of the best bot that is not paired, best choice first, among the others in their order:
    /// those whom it met least; the lower half of its score group from the middle down, the upper half from the middle
    /// up, then the next groups from above.
    fn candidates(&self, top: usize, rest: &[usize]) -> Vec<usize> {
        let group = rest.iter().take_while(|bot| self.bots[**bot].halves == self.bots[top].halves).count();
        // Where `top` itself counts, the lower half begins at the place (group + 1) / 2, which is one less without it.
        let middle = group.div_ceil(2).saturating_sub(1);
        let (same, lower) = rest.split_at(group);
        let (upper_half, lower_half) = same.split_at(middle);
        let choices = lower_half.iter().chain(upper_half.iter().rev()).chain(lower);
        let mut choices: Vec<usize> = choices.copied().collect();
        choices.sort_by_key(|&other| self.times_met(top, other));
        choices
    }

    /// Returns whether all these can be paired so that nobody meets another one who was met more often than `level`.
    fn can_pair(&self, bots: &[usize], level: u32) -> bool {
        let may_meet = |one: usize, other: usize| self.times_met(bots[one], bots[other]) <= level;
        let free = |one: usize| (0..bots.len()).filter(|&other| other != one && may_meet(one, other)).count();
        // By Dirac's theorem (1952) there is a cycle through all where each has half of them as neighbours.
        if (0..bots.len()).all(|one| 2 * free(one) >= bots.len()) {
            return bots.len().is_multiple_of(2);
        }
        let mut graph = UnGraph::<(), ()>::with_capacity(bots.len(), 0);
        let nodes: Vec<_> = bots.iter().map(|_| graph.add_node(())).collect();
        for one in 0..bots.len() {
            for other in one + 1..bots.len() {
                if may_meet(one, other) {
                    graph.add_edge(nodes[one], nodes[other], ());
                }
            }
        }
        maximum_matching(&graph).is_perfect()
    }
}

impl FeedbackFormat for Swiss {
    fn next(&self) -> Vec<Meeting> {
        if self.taken >= self.rounds || self.bots.len() < self.seats {
            return Vec::new();
        }
        let round = self.taken + 1;
        if self.seats > 2 {
            let tables = self.tables().into_iter().filter_map(|bots| PerSeat::try_from(bots).ok());
            return tables.map(|bots| Meeting { bots, round }).collect();
        }
        self.pairs().into_iter().map(|bots| Meeting::of_two(bots, round)).collect()
    }

    fn take(&mut self, batch: &[PlayedMeeting]) {
        let nobody = self.nobody();
        let mut rests = vec![true; self.bots.len()];
        for played in batch {
            let ([one, other], [own, its]) = (played.bots, played.halves);
            *self.met.entry((one.min(other), one.max(other))).or_default() += 1;
            for (bot, opponent, halves) in [(one, other, own), (other, one, its)] {
                rests[bot] = false;
                self.bots[bot].halves += halves;
                self.bots[bot].meetings.push((opponent, halves));
            }
        }
        for bot in (0..self.bots.len()).filter(|bot| rests[*bot]) {
            self.bots[bot].byes += 1;
            self.bots[bot].halves += self.bye;
            *self.met.entry((bot, nobody)).or_default() += 1;
        }
        self.taken += 1;
    }

    fn most_left(&self) -> u64 {
        u64::from(self.rounds.saturating_sub(self.taken)) * (self.bots.len() / self.seats) as u64
    }

    fn stage(&self) -> String {
        format!("round {} of {}", (self.taken + 1).min(self.rounds), self.rounds)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    /// Plays a round: what bot `i` scores against a bot `j > i` says `score`, of 4 half points.
    fn play(swiss: &mut Swiss, mut score: impl FnMut([usize; 2]) -> u32) -> Vec<Meeting> {
        let meetings = swiss.next();
        let played = |meeting: &Meeting| {
            let of_pair = |bots: [usize; 2]| {
                let own = score(bots);
                PlayedMeeting { bots, round: meeting.round, halves: [own, 4 - own] }
            };
            meeting.pairs().map(of_pair).collect::<Vec<_>>()
        };
        let batch: Vec<_> = meetings.iter().flat_map(played).collect();
        swiss.take(&batch);
        meetings
    }

    /// Returns whether all bots can be paired with nobody met before; an odd one rests that never did.
    fn has_fresh_pairing(swiss: &Swiss, left: &[usize]) -> bool {
        let Some((&one, rest)) = left.split_first() else { return true };
        (0..rest.len()).any(|index| {
            let mut others = rest.to_vec();
            let other = others.remove(index);
            swiss.times_met(one, other) == 0 && has_fresh_pairing(swiss, &others)
        })
    }

    proptest! {
        #[test]
        fn nobody_meets_again_or_rests_twice_until_there_is_no_other_way(
            n in 2_usize..10,
            rounds in 1_u32..12,
            scores in proptest::collection::vec(0_u32..5, 60),
        ) {
            let mut swiss = Swiss::new(n, rounds, 4);
            let mut scores = scores.into_iter().cycle();
            for round in 1..=rounds {
                let all: Vec<usize> = (0..n + n % 2).collect();
                let before = swiss.clone();
                let meetings = play(&mut swiss, |_| scores.next().unwrap());
                prop_assert_eq!(meetings.len(), n / 2);
                let bots: BTreeSet<_> = meetings.iter().flat_map(|meeting| meeting.bots.to_vec()).collect();
                prop_assert_eq!(bots.len(), n / 2 * 2);
                prop_assert!(meetings.iter().all(|meeting| meeting.round == round));
                let rests = (0..n).find(|bot| !bots.contains(bot));
                let is_fresh = meetings.iter().all(|meeting| before.times_met(meeting.bots[0], meeting.bots[1]) == 0)
                    && rests.is_none_or(|bot| before.bots[bot].byes == 0);
                prop_assert_eq!(is_fresh, has_fresh_pairing(&before, &all), "round {}", round);
            }
            prop_assert!(swiss.next().is_empty());
            let table = swiss.table();
            let total: u32 = table.iter().map(|place| place.halves).sum();
            prop_assert_eq!(total, rounds * 4 * n.div_ceil(2) as u32);
        }

        #[test]
        fn the_same_results_lead_to_the_same_pairs(n in 2_usize..14, outcome in any::<u64>()) {
            let run = || {
                let mut swiss = Swiss::new(n, 6, 4);
                let score = |[one, other]: [usize; 2]| (outcome.rotate_left((one * 7 + other) as u32) % 5) as u32;
                (0..6).map(|_| play(&mut swiss, score)).collect::<Vec<_>>()
            };
            prop_assert_eq!(run(), run());
        }
    }

    #[test]
    fn the_first_round_is_upper_half_against_lower_half() {
        let bots: Vec<_> = Swiss::new(8, 3, 4).next().iter().map(|meeting| meeting.bots.to_vec()).collect();
        assert_eq!(bots, [[0, 4], [1, 5], [2, 6], [3, 7]]);
        let bots: Vec<_> = Swiss::new(7, 3, 4).next().iter().map(|meeting| meeting.bots.to_vec()).collect();
        assert_eq!(bots, [[0, 3], [1, 4], [2, 5]]);
    }

    #[test]
    fn winners_meet_winners() {
        let mut swiss = Swiss::new(8, 3, 4);
        play(&mut swiss, |_| 4);
        let bots: Vec<_> = swiss.next().iter().map(|meeting| meeting.bots.to_vec()).collect();
        assert_eq!(bots, [[0, 2], [1, 3], [4, 6], [5, 7]]);
    }

    #[test]
    fn a_strong_field_is_found_among_many() {
        let mut swiss = Swiss::new(80, 7, 4);
        for _ in 0..7 {
            play(&mut swiss, |_| 4);
        }
        assert_eq!(swiss.table()[0].bot, 0);
        assert_eq!((swiss.table()[0].halves, swiss.table()[0].place), (28, 1));
    }

    #[test]
    fn points_and_tie_breaks_are_those_of_the_handbook() {
        let mut swiss = Swiss::new(3, 2, 4);
        // Round 1: bot 0 beats bot 1 by 3 to 1, bot 2 rests. Round 2: bot 2 and bot 0 draw, bot 1 rests.
        assert_eq!(play(&mut swiss, |_| 3), [Meeting::of_two([0, 1], 1)]);
        assert_eq!(play(&mut swiss, |_| 2), [Meeting::of_two([2, 0], 2)]);
        let table: Vec<_> = swiss
            .table()
            .iter()
            .map(|place| (place.place, place.bot, place.halves, place.buchholz, place.sonneborn, place.byes))
            .collect();
        // Bot 2: 4 for the bye, 2 for the draw; its opponents have 5, and for the bye 6, its own.
        assert_eq!(
            table,
            [
                (1, 2, 6, 11, (5.0 * 2.0 + 6.0 * 4.0) / 8.0, 1),
                (2, 0, 5, 11, (5.0 * 3.0 + 6.0 * 2.0) / 8.0, 0),
                (3, 1, 5, 10, (5.0 * 1.0 + 5.0 * 4.0) / 8.0, 1),
            ]
        );
    }
}
