//! Who meets at tables of more than two seats, in formats that are known before the first game.
//!
//! A block is as many games of one opening as a table has seats, in which every bot sits in every seat once. What is decided here is
//! which bots a block has, and their order, of which its games are the cyclic rotations.

use std::collections::HashSet;

use record::RunConfig;
use rules::{Dice, Fnv64};
use settings::Format;

/// Up to how many sets of bots all of them are compared for the next block. Beyond, a good one is built bot by bot.
const MOST_COMPARED: u64 = 3000;

/// Up to how many blocks a design looks for sets that it has not used.
const MOST_TRIES: usize = 200;

/// The blocks of a format by round, each with its bots in the order of the seats of its first game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lineups {
    rounds: Rounds,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Rounds {
    /// The same in every round.
    Same(Vec<Vec<usize>>),
    /// Others in every round.
    Each(Vec<Vec<Vec<usize>>>),
}

/// How evenly bots meet: in how many blocks two of them sit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evenness {
    /// The fewest blocks of any two.
    pub fewest: u64,
    /// The most blocks of any two.
    pub most: u64,
}

impl Lineups {
    /// Returns the blocks of a configuration at tables of this many seats; `None` where results decide.
    ///
    /// At tables of two, two bots meet in every round as [`pairings`](crate::pairings()) has it. At larger ones any two bots of a round robin
    /// meet in nearly as many blocks as there are rounds (`arena plan` says how nearly): no set of bots comes again before all have come, so that
    /// enough rounds play every one of them equally often.
    #[must_use]
    pub fn of(config: &RunConfig, seats: usize) -> Option<Self> {
        if seats == 2 {
            let pairings = crate::pairings(config)?.into_iter().map(|(one, other)| vec![one, other]);
            return Some(Self { rounds: Rounds::Same(pairings.collect()) });
        }
        let (bots, rounds) = (config.bots.len(), config.rounds);
        let find = |name: &String| config.bots.iter().position(|bot| bot.name == *name);
        let pairing = config.pairing.as_ref();
        let rounds = match config.format.known()? {
            Format::RoundRobin => Rounds::Each(Design::new(bots, seats, config.seed).rounds(rounds)),
            Format::Gauntlet => {
                let named = pairing.into_iter().flat_map(|pairing| &pairing.seeds);
                let seeds: Vec<_> = named.filter_map(find).collect();
                Rounds::Each(gauntlet(config.seed, &seeds, bots, seats, rounds))
            }
            Format::List => {
                let matches = pairing.into_iter().flat_map(|pairing| &pairing.matches);
                let matches = matches.filter(|bots| bots.len() == seats);
                Rounds::Same(matches.filter_map(|bots| bots.iter().map(find).collect()).collect())
            }
            // The new bot, and as many copies of the base as there are other seats.
            Format::Sprt => Rounds::Same(if bots < 2 { Vec::new() } else { vec![sprt_table(seats)] }),
            Format::Swiss | Format::Knockout | Format::DoubleKnockout | Format::Ladder => return None,
        };
        let mut lineups = Self { rounds };
        if config.format != Format::Sprt {
            lineups.shuffle(config.seed);
        }
        Some(lineups)
    }

    /// Returns the blocks of a round, from 1, in the order of play.
    #[must_use]
    pub fn of_round(&self, round: u32) -> &[Vec<usize>] {
        match &self.rounds {
            Rounds::Same(blocks) => blocks,
            Rounds::Each(rounds) => {
                let index = (round as usize).checked_sub(1);
                index.and_then(|index| rounds.get(index)).map_or(&[], Vec::as_slice)
            }
        }
    }

    /// Returns whether the blocks are the same in every round.
    #[must_use]
    pub const fn is_same(&self) -> bool {
        matches!(self.rounds, Rounds::Same(_))
    }

    /// Returns how many blocks this many rounds have.
    #[must_use]
    pub fn blocks(&self, rounds: u32) -> u64 {
        match &self.rounds {
            Rounds::Same(blocks) => (blocks.len() as u64).saturating_mul(rounds.into()),
            Rounds::Each(all) => all.iter().take(rounds as usize).map(|blocks| blocks.len() as u64).sum(),
        }
    }

    /// Returns how evenly the bots of a configuration meet in this many rounds.
    #[must_use]
    pub fn evenness(&self, bots: usize, rounds: u32) -> Evenness {
        let mut met = Met::new(bots);
        for round in 1..=rounds {
            self.of_round(round).iter().for_each(|block| met.note(block));
        }
        let all = || (0..bots).flat_map(|one| (0..one).map(move |other| (one, other)));
        let times = |(one, other): (usize, usize)| u64::from(met.times(one, other));
        Evenness { fewest: all().map(times).min().unwrap_or(0), most: all().map(times).max().unwrap_or(0) }
    }

    /// Gives every block an order that depends on its bots and its round.
    fn shuffle(&mut self, seed: u64) {
        let shuffled = |round: usize, block: &mut Vec<usize>| {
            let mut hash = Fnv64::default();
            hash.feed(seed.to_le_bytes());
            hash.feed((round as u64).to_le_bytes());
            block.sort_unstable();
            block.iter().for_each(|bot| hash.feed((*bot as u64).to_le_bytes()));
            shuffle(block, &mut Dice::new(hash.value()));
        };
        match &mut self.rounds {
            // As the user wrote them, or as the circle has them.
            Rounds::Same(_) => {}
            Rounds::Each(rounds) => {
                for (round, blocks) in rounds.iter_mut().enumerate() {
                    blocks.iter_mut().for_each(|block| shuffled(round, block));
                }
            }
        }
    }
}

/// Returns the table of a test: the new bot, then copies of the base.
fn sprt_table(seats: usize) -> Vec<usize> {
    (0..seats).map(|seat| usize::from(seat > 0)).collect()
}

fn shuffle(list: &mut [usize], dice: &mut Dice) {
    for index in (1..list.len()).rev() {
        list.swap(index, dice.below(index + 1));
    }
}

/// In how many blocks two bots sat, and each of them.
struct Met {
    bots: usize,
    pairs: Vec<u32>,
    blocks: Vec<u32>,
}

impl Met {
    fn new(bots: usize) -> Self {
        Self { bots, pairs: vec![0; bots * bots], blocks: vec![0; bots] }
    }

    fn times(&self, one: usize, other: usize) -> u32 {
        self.pairs[one * self.bots + other]
    }

    fn note(&mut self, block: &[usize]) {
        for &one in block {
            self.blocks[one] += 1;
            for &other in block.iter().filter(|other| **other != one) {
                self.pairs[one * self.bots + other] += 1;
            }
        }
    }

    /// Returns how uneven the bots of a set have made meetings, of which a further one makes more: less is better.
    fn cost(&self, block: &[usize]) -> (u64, u32) {
        let mut pairs = 0;
        for (index, one) in block.iter().enumerate() {
            for other in &block[..index] {
                // Squares: two who meet too often are worse than several who meet once more.
                pairs += u64::from(self.times(*one, *other)).pow(2);
            }
        }
        (pairs, block.iter().map(|bot| self.blocks[*bot]).sum())
    }
}

/// Blocks one after the other, so that any two bots have met equally often, give or take little, wherever it is cut off.
struct Design {
    bots: usize,
    seats: usize,
    /// How many sets of bots there are.
    sets: u64,
    met: Met,
    /// The sets of this pass through all of them.
    used: HashSet<Vec<usize>>,
    made: u64,
    dice: Dice,
}

impl Design {
    fn new(bots: usize, seats: usize, seed: u64) -> Self {
        let sets = if bots < seats { 0 } else { binomial(bots as u64, seats as u64) };
        let (met, dice) = (Met::new(bots), Dice::new(seed));
        Self { bots, seats, sets, met, used: HashSet::new(), made: 0, dice }
    }

    /// Returns the blocks of every round.
    fn rounds(&mut self, rounds: u32) -> Vec<Vec<Vec<usize>>> {
        let (all, in_block) = (pairs(self.bots), pairs(self.seats));
        let until = |round: u32| if self.sets == 0 { 0 } else { (u64::from(round) * all).div_ceil(in_block) };
        let ends: Vec<u64> = (1..=rounds).map(until).collect();
        ends.into_iter().map(|end| (self.made..end).map(|_| self.next()).collect()).collect()
    }

    fn next(&mut self) -> Vec<usize> {
        if self.used.len() as u64 == self.sets {
            self.used.clear();
        }
        let set = if self.sets <= MOST_COMPARED { self.best_of_all() } else { self.built() };
        self.met.note(&set);
        self.used.insert(set.clone());
        self.made += 1;
        set
    }

    /// Returns the best of all sets that were not used; of equal ones a random one.
    fn best_of_all(&mut self) -> Vec<usize> {
        let (mut best, mut equals) = (None, 0);
        let mut set: Vec<usize> = (0..self.seats).collect();
        loop {
            if !self.used.contains(&set) {
                let cost = self.met.cost(&set);
                match &best {
                    Some((least, _)) if cost > *least => {}
                    Some((least, _)) if cost == *least => {
                        equals += 1;
                        if self.dice.below(equals) == 0 {
                            best = Some((cost, set.clone()));
                        }
                    }
                    _ => (best, equals) = (Some((cost, set.clone())), 1),
                }
            }
            // The next set in lexical order.
            let free = |place: &usize| set[*place] < self.bots - self.seats + *place;
            let Some(place) = (0..self.seats).rev().find(free) else { break };
            set[place] += 1;
            for later in place + 1..self.seats {
                set[later] = set[later - 1] + 1;
            }
        }
        best.map_or_else(|| (0..self.seats).collect(), |(_, set)| set)
    }

    /// Returns a set that is built bot by bot: each time one of those who have met the others least.
    fn built(&mut self) -> Vec<usize> {
        for _ in 0..MOST_TRIES {
            let mut set: Vec<usize> = Vec::with_capacity(self.seats);
            while set.len() < self.seats {
                let (mut best, mut equals) = (None, 0);
                for bot in (0..self.bots).filter(|bot| !set.contains(bot)) {
                    let met = set.iter().map(|other| self.met.times(bot, *other)).sum::<u32>();
                    let worst = set.iter().map(|other| self.met.times(bot, *other)).max().unwrap_or(0);
                    let cost = (worst, met, self.met.blocks[bot]);
                    match &best {
                        Some((least, _)) if cost > *least => {}
                        Some((least, _)) if cost == *least => {
                            equals += 1;
                            if self.dice.below(equals) == 0 {
                                best = Some((cost, bot));
                            }
                        }
                        _ => (best, equals) = (Some((cost, bot)), 1),
                    }
                }
                set.extend(best.map(|(_, bot)| bot));
            }
            set.sort_unstable();
            if !self.used.contains(&set) {
                return set;
            }
        }
        // All good ones are used: any other one will do.
        loop {
            let mut set: Vec<usize> = (0..self.bots).collect();
            shuffle(&mut set, &mut self.dice);
            set.truncate(self.seats);
            set.sort_unstable();
            if !self.used.contains(&set) {
                return set;
            }
        }
    }
}

/// Returns the blocks of a gauntlet: in every round every seed meets every other bot in a block, where they can be shared out;
/// where not, the last block is filled up with those who have met the seed least.
fn gauntlet(seed: u64, seeds: &[usize], bots: usize, seats: usize, rounds: u32) -> Vec<Vec<Vec<usize>>> {
    let others: Vec<usize> = (0..bots).filter(|bot| !seeds.contains(bot)).collect();
    let beside = seats - 1;
    if others.len() < beside {
        return Vec::new();
    }
    let (mut met, mut dice) = (Met::new(bots), Dice::new(seed));
    let mut round = || {
        let mut blocks = Vec::new();
        for _ in 0..others.len().div_ceil(beside) {
            for &own in seeds {
                let mut block = vec![own];
                while block.len() < seats {
                    let free = others.iter().copied().filter(|other| !block.contains(other));
                    let cost = |other: &usize| {
                        let among: u32 = block[1..].iter().map(|one| met.times(*one, *other)).sum();
                        (met.times(own, *other), among, met.blocks[*other])
                    };
                    let least = free.clone().map(|other| cost(&other)).min();
                    let best: Vec<usize> = free.filter(|other| Some(cost(other)) == least).collect();
                    block.push(best[dice.below(best.len())]);
                }
                met.note(&block);
                blocks.push(block);
            }
        }
        blocks
    };
    (0..rounds).map(|_| round()).collect()
}

/// Returns how many pairs this many things make.
const fn pairs(count: usize) -> u64 {
    (count as u64) * (count.saturating_sub(1) as u64) / 2
}

/// Returns how many sets of `k` out of `n` there are; at most [`u64::MAX`].
fn binomial(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |sets: u128, index| {
        (sets * u128::from(n - index) / u128::from(index + 1)).min(u64::MAX.into())
    }) as u64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn design(bots: usize, seats: usize, rounds: u32) -> Lineups {
        Lineups { rounds: Rounds::Each(Design::new(bots, seats, 7).rounds(rounds)) }
    }

    #[test]
    fn enough_rounds_play_every_set_equally_often() {
        // Two bots of six share a table of four with two of the other four: six sets.
        let lineups = design(6, 4, 6);
        let sets: HashSet<_> = (1..=6).flat_map(|round| lineups.of_round(round).to_vec()).collect();
        assert_eq!((lineups.blocks(6), sets.len()), (15, 15));
        assert_eq!(lineups.evenness(6, 6), Evenness { fewest: 6, most: 6 });
    }

    #[test]
    fn a_gauntlet_meets_every_other_bot_in_every_round() {
        let rounds = gauntlet(3, &[0], 7, 4, 5);
        for blocks in &rounds {
            let met: HashSet<_> = blocks.iter().flat_map(|block| block[1..].to_vec()).collect();
            assert_eq!((blocks.len(), met.len()), (2, 6));
            assert!(blocks.iter().all(|block| block[0] == 0));
        }
        assert!(gauntlet(3, &[0, 1], 4, 4, 1).is_empty());
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

        #[test]
        fn any_two_meet_nearly_equally_often(bots in 4_usize..13, seats in 3_usize..5, rounds in 1_u32..8) {
            let lineups = design(bots, seats, rounds);
            let even = lineups.evenness(bots, rounds);
            prop_assert!(even.most - even.fewest <= 3, "{bots} bots at {seats} seats in {rounds} rounds: {even:?}");
            for round in 1..=rounds {
                let blocks = lineups.of_round(round);
                let sets: HashSet<_> = blocks.iter().collect();
                prop_assert_eq!(sets.len(), blocks.len());
            }
        }

        #[test]
        fn more_rounds_change_nothing_before(bots in 4_usize..40, seats in 3_usize..6, rounds in 1_u32..5) {
            let (fewer, more) = (design(bots, seats, rounds), design(bots, seats, rounds + 2));
            for round in 1..=rounds {
                prop_assert_eq!(fewer.of_round(round), more.of_round(round));
            }
        }
    }
}
