//! Who meets at tables of more than two seats, in formats that are known before the first game.
//!
//! A block is as many games of one opening as a table has seats, in which every bot sits in every seat once. What is decided here is
//! which bots a block has, and their order, of which its games are the cyclic rotations.

use record::RunConfig;
use rules::{Dice, Fnv64};
use settings::Format;

use crate::design::{Design, least_spread, shuffle};

/// Returns how many seats the tables of a configuration have, all of whose games have tables of one size: where results decide,
/// there are no others.
#[must_use]
pub fn seats_of(config: &RunConfig) -> usize {
    config.games.first().map_or(2, |game| usize::from(game.seats).max(2))
}

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
    /// meet in as many blocks as there are rounds, give or take one: no set of bots comes again before all have come, so that
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

    /// Returns by how much the fewest and the most blocks in which two of a round robin's bots sit differ at the least, in any
    /// schedule of as many blocks; where it is less than 2, there need not be one.
    #[must_use]
    pub fn least_spread(bots: usize, seats: usize, rounds: u32) -> u64 {
        least_spread(bots, seats, rounds.into())
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

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;
    use crate::design::pairs;

    /// Bots, seats and rounds.
    const SMALL: [(usize, usize, u32); 10] = [
        (4, 3, 12),
        (5, 3, 9),
        (6, 3, 12),
        (8, 3, 12),
        (5, 4, 6),
        (6, 4, 12),
        // Steiner systems.
        (7, 3, 2),
        (9, 3, 5),
        (13, 3, 4),
        (13, 4, 5),
    ];

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
    fn small_fields_meet_as_evenly_as_arithmetic_allows() {
        for (bots, seats, rounds) in SMALL {
            let lineups = design(bots, seats, rounds);
            for round in 1..=rounds {
                let Evenness { fewest, most } = lineups.evenness(bots, round);
                let least = least_spread(bots, seats, round.into());
                assert_eq!(most - fewest, least, "{bots} bots at {seats} seats in {round} rounds");
            }
        }
    }

    #[test]
    fn a_recorded_run_goes_on_with_the_schedule_that_it_began_with() {
        let check = |bots: usize, seats: usize, rounds: u32, expected: u64| {
            let mut lineups = design(bots, seats, rounds);
            lineups.shuffle(7);
            let mut hash = Fnv64::default();
            for block in (1..=rounds).flat_map(|round| lineups.of_round(round)) {
                block.iter().for_each(|bot| hash.feed((*bot as u64).to_le_bytes()));
            }
            assert_eq!(hash.value(), expected, "{bots} bots at {seats} seats in {rounds} rounds");
        };
        check(6, 4, 9, 0x0e0f_a645_c924_4607);
        check(13, 3, 4, 0x6d44_8b8b_f57a_ec65);
        check(20, 4, 3, 0xcf59_1a80_0eb7_e9ce);
        check(30, 8, 2, 0x2846_4b53_b605_9a7b);
    }

    #[test]
    fn a_long_schedule_takes_no_longer_than_its_first_pass() {
        let lineups = design(5, 3, 100_000);
        assert_eq!(lineups.blocks(99_999), 333_330);
        assert_eq!(lineups.evenness(5, 99_999), Evenness { fewest: 99_999, most: 99_999 });
        assert_ne!(lineups.of_round(1), lineups.of_round(4));
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

    /// As `formats.md` promises.
    #[test]
    fn any_two_meet_equally_often_give_or_take_one() {
        const ROUNDS: u32 = 5;
        for (bots, seats) in
            (4_usize..41).flat_map(|bots| (3..bots.min(8) + 1).map(move |seats| (bots, seats)))
        {
            let lineups = design(bots, seats, ROUNDS);
            let bound = if bots < 2 * seats { 3 } else { 2 };
            let all = (0..seats).fold(1, |sets, index| sets * (bots - index) / (index + 1));
            let mut sets = HashSet::new();
            for round in 1..=ROUNDS {
                let (case, asked) =
                    (format!("{bots} bots at {seats} seats in {round} rounds"), u64::from(round));
                let Evenness { fewest, most } = lineups.evenness(bots, round);
                // In one of all these schedules two bots meet three times more than there are rounds.
                let most_asked = asked + if (bots, seats, round) == (10, 8, 5) { 3 } else { 2 };
                let is_even = fewest + 2 >= asked && most <= most_asked && most - fewest <= bound;
                assert!(is_even, "{case}: {fewest} to {most}");
                assert!(most - fewest >= least_spread(bots, seats, asked), "{case}");
                let blocks = lineups.blocks(round) as usize;
                assert_eq!(blocks, (asked * pairs(bots)).div_ceil(pairs(seats)) as usize, "{case}");
                sets.extend(lineups.of_round(round));
                assert_eq!(sets.len(), blocks.min(all), "{case}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

        #[test]
        fn more_rounds_change_nothing_before(bots in 4_usize..40, seats in 3_usize..6, rounds in 1_u32..5) {
            let (fewer, more) = (design(bots, seats, rounds), design(bots, seats, rounds + 2));
            for round in 1..=rounds {
                prop_assert_eq!(fewer.of_round(round), more.of_round(round));
            }
        }
    }
}
