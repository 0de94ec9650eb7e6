//! Who meets at the tables of a round robin: any two bots in as many blocks as there are rounds, give or take one.
//!
//! The fewest and the most meetings of two bots differ by 2 at most, by 3 where there are fewer than twice as many bots as seats.
//! [`least_spread`] says where arithmetic allows no less. Where it does, small fields meet exactly equally often.
//!
//! A round has as many blocks as any two bots need to meet once more, rounded up over all rounds so far. They begin as
//! the best of some random sets each; then bots are exchanged, at first also where that makes things a little worse, so that
//! the search leaves what is only good nearby. A journal holds no schedule: a run goes on with the one that this search finds
//! again from its settings, so another search has to be told apart by a number in the `run` line. What counts are the meetings of all rounds so far. So a run may be cut off after
//! any round, and further rounds change nothing before them. No set of bots comes again before all have come. A pass
//! through all of them ends with any two bots having met equally often; the next one is the same with other bots.

use std::collections::HashSet;

use rules::Dice;

/// How many random sets are compared for the place of a block.
const COMPARED: usize = 30;

/// How many exchanges are tried in a round: as many for each block, at least and at most.
const TRIES_PER_BLOCK: usize = 400;
const LEAST_TRIES: usize = 20_000;
const MOST_TRIES: usize = 2_000_000;

/// By how many times more where any two bots may meet equally often, or once more: that is hard to find.
const MORE_TRIES: usize = 10;

/// Beyond how many blocks a round that meets so evenly is not found by exchanges.
const MOST_BLOCKS: usize = 60;

/// How many in a thousand exchanges are made that make things worse by one step, tenth by tenth of the search; by two steps, so
/// many of these again.
const ODDS: [usize; 10] = [220, 190, 160, 130, 100, 70, 40, 15, 3, 0];

/// How many times a round is searched while some two have met three times more often than others.
const MOST_SEARCHES: usize = 8;

/// Among how many blocks the next one of a round is chosen.
const LOOK_AHEAD: usize = 64;

/// The blocks of a round robin, round by round.
pub(crate) struct Design {
    bots: usize,
    seats: usize,
    /// How many sets of bots there are.
    sets: u64,
    /// By how much any two bots have met more often than there are rounds.
    beyond: Vec<i32>,
    /// The sets of the first pass in order, and which they are.
    pass: Vec<Vec<usize>>,
    used: HashSet<Vec<usize>>,
    dice: Dice,
}

impl Design {
    pub(crate) fn new(bots: usize, seats: usize, seed: u64) -> Self {
        let sets = if bots < seats { 0 } else { binomial(bots as u64, seats as u64) };
        let (beyond, dice) = (vec![0; bots * bots], Dice::new(seed));
        Self { bots, seats, sets, beyond, pass: Vec::new(), used: HashSet::new(), dice }
    }

    /// Returns the blocks of every round, the bots of each in ascending order.
    pub(crate) fn rounds(&mut self, rounds: u32) -> Vec<Vec<Vec<usize>>> {
        let mut made = 0;
        // The bots of a later pass in the places of the first.
        let mut names: Vec<usize> = (0..self.bots).collect();
        let mut round = |number: u32| {
            let end = if self.sets == 0 { 0 } else { blocks_until(self.bots, self.seats, number.into()) };
            let count = (end - made) as usize;
            let start = (made.checked_rem(self.sets).unwrap_or(0)) as usize;
            let is_first = made < self.sets;
            made = end;
            if is_first {
                return self.round(number, count);
            }
            if start == 0 {
                shuffle(&mut names, &mut self.dice);
            }
            let renamed = |set: &Vec<usize>| {
                let mut set: Vec<usize> = set.iter().map(|bot| names[*bot]).collect();
                set.sort_unstable();
                set
            };
            self.pass[start..start + count].iter().map(renamed).collect()
        };
        (1..=rounds).map(&mut round).collect()
    }

    /// Returns the blocks of the next round of the first pass.
    fn round(&mut self, number: u32, count: usize) -> Vec<Vec<usize>> {
        self.beyond.iter_mut().for_each(|beyond| *beyond -= 1);
        let mut blocks = self.begin(count);
        let may_be_even = count <= MOST_BLOCKS && least_spread(self.bots, self.seats, number.into()) < 2;
        let tries = (TRIES_PER_BLOCK * blocks.len()).clamp(LEAST_TRIES, MOST_TRIES);
        let tries = if may_be_even { MORE_TRIES * tries } else { tries };
        for _ in 0..MOST_SEARCHES {
            self.improve(&mut blocks, tries);
            if self.spread() <= 2 {
                break;
            }
        }
        blocks.iter_mut().for_each(|block| block.sort_unstable());
        let blocks = self.in_order(blocks);
        self.pass.extend(blocks.iter().cloned());
        blocks
    }

    /// Returns by how much the most and the fewest meetings of any two differ.
    fn spread(&self) -> i32 {
        let pairs = (0..self.bots).flat_map(|one| (0..one).map(move |other| one * self.bots + other));
        let beyond = pairs.map(|pair| self.beyond[pair]);
        beyond.clone().max().unwrap_or(0) - beyond.min().unwrap_or(0)
    }

    /// Returns blocks of sets that were not used, each the best of some random ones.
    fn begin(&mut self, count: usize) -> Vec<Vec<usize>> {
        // Where few are left, they are not found by chance.
        let is_scarce = (self.used.len() + count) as u64 * 2 > self.sets;
        let mut left = if is_scarce { self.unused() } else { Vec::new() };
        let mut blocks = Vec::with_capacity(count);
        for _ in 0..count {
            let mut best: Option<(i32, Vec<usize>, usize)> = None;
            let mut compared = 0;
            while compared < COMPARED {
                let (set, place) = if is_scarce {
                    let place = self.dice.below(left.len());
                    (left[place].clone(), place)
                } else {
                    (self.random_set(), 0)
                };
                if self.used.contains(&set) {
                    continue;
                }
                compared += 1;
                let cost = self.cost_of_adding(&set);
                if best.as_ref().is_none_or(|(least, ..)| cost < *least) {
                    best = Some((cost, set, place));
                }
            }
            let Some((_, set, place)) = best else { break };
            if is_scarce {
                left.swap_remove(place);
            }
            self.note(&set, 1);
            self.used.insert(set.clone());
            blocks.push(set);
        }
        blocks
    }

    fn random_set(&mut self) -> Vec<usize> {
        let mut set = Vec::with_capacity(self.seats);
        while set.len() < self.seats {
            let bot = self.dice.below(self.bots);
            if !set.contains(&bot) {
                set.push(bot);
            }
        }
        set.sort_unstable();
        set
    }

    /// Returns all sets that were not used, in lexical order.
    fn unused(&self) -> Vec<Vec<usize>> {
        let mut unused = Vec::new();
        let mut set: Vec<usize> = (0..self.seats).collect();
        loop {
            if !self.used.contains(&set) {
                unused.push(set.clone());
            }
            let is_free = |place: &usize| set[*place] < self.bots - self.seats + *place;
            let Some(place) = (0..self.seats).rev().find(is_free) else { return unused };
            set[place] += 1;
            for later in place + 1..self.seats {
                set[later] = set[later - 1] + 1;
            }
        }
    }

    /// Exchanges bots of a round's blocks until any two have met as evenly as can be, or there were enough tries. The
    /// best state on the way is the result.
    fn improve(&mut self, blocks: &mut Vec<Vec<usize>>, tries: usize) {
        let least = self.least_cost();
        let mut cost = self.cost();
        let mut best = (cost, blocks.clone());
        for attempt in 0..tries {
            if best.0 <= least {
                break;
            }
            let odds = ODDS[attempt * ODDS.len() / tries];
            let (block, place) = (self.dice.below(blocks.len()), self.dice.below(self.seats));
            let comes = self.dice.below(self.bots);
            if blocks[block].contains(&comes) {
                continue;
            }
            let goes = blocks[block][place];
            let others = blocks[block].iter().filter(|other| **other != goes);
            let step = |other: &usize| {
                let [parted, met] = [goes, comes].map(|bot| self.beyond[bot * self.bots + *other]);
                weight(parted - 1) - weight(parted) + weight(met + 1) - weight(met)
            };
            let more: i32 = others.map(step).sum();
            // One bot more and one fewer beside the same others: steps are even.
            if more > 0 && !(0..more / 2).all(|_| self.dice.below(1000) < odds) {
                continue;
            }
            let mut set = blocks[block].clone();
            set[place] = comes;
            set.sort_unstable();
            if !self.used.insert(set) {
                continue;
            }
            let mut before = blocks[block].clone();
            before.sort_unstable();
            self.used.remove(&before);
            self.note(&before, -1);
            blocks[block][place] = comes;
            self.note(&blocks[block], 1);
            cost += i64::from(more);
            if cost < best.0 {
                best = (cost, blocks.clone());
            }
        }
        if best.0 < cost {
            blocks.iter().for_each(|block| self.forget(block));
            *blocks = best.1;
            for block in blocks.iter_mut() {
                block.sort_unstable();
                self.note(block, 1);
                self.used.insert(block.clone());
            }
        }
    }

    fn forget(&mut self, block: &[usize]) {
        let mut set = block.to_vec();
        set.sort_unstable();
        self.note(&set, -1);
        self.used.remove(&set);
    }

    /// Notes that the bots of a set meet once more, or once less.
    fn note(&mut self, set: &[usize], times: i32) {
        for one in set {
            for other in set.iter().filter(|other| *other != one) {
                self.beyond[one * self.bots + other] += times;
            }
        }
    }

    fn cost_of_adding(&self, set: &[usize]) -> i32 {
        let pairs = set
            .iter()
            .enumerate()
            .flat_map(|(index, one)| set[..index].iter().map(move |other| (one, other)));
        pairs
            .map(|(one, other)| self.beyond[one * self.bots + other])
            .map(|beyond| weight(beyond + 1) - weight(beyond))
            .sum()
    }

    /// Returns how uneven all meetings are.
    fn cost(&self) -> i64 {
        let pairs = (0..self.bots).flat_map(|one| (0..one).map(move |other| one * self.bots + other));
        pairs.map(|pair| i64::from(weight(self.beyond[pair]))).sum()
    }

    /// Returns a bound below which no blocks of this round bring the cost: so many meetings are too many in all, and every bot has
    /// at least as many that are too many or too few as its others do not divide among tables.
    fn least_cost(&self) -> i64 {
        let too_many: i64 = {
            let pairs = (0..self.bots).flat_map(|one| (0..one).map(move |other| one * self.bots + other));
            pairs.map(|pair| i64::from(self.beyond[pair])).sum()
        };
        // What a bot has beyond the rounds is the same for any blocks, but for whole tables.
        let of_bot = |bot: usize| {
            let beyond: i64 =
                self.beyond[bot * self.bots..][..self.bots].iter().map(|beyond| i64::from(*beyond)).sum();
            // Its own place in the table of pairs is none.
            let beyond = beyond - i64::from(self.beyond[bot * self.bots + bot]);
            let rest = beyond.rem_euclid(self.seats as i64 - 1);
            rest.min(self.seats as i64 - 1 - rest)
        };
        too_many.abs().max((0..self.bots).map(of_bot).sum::<i64>().div_euclid(2))
    }

    /// Returns the blocks of a round in an order in which bots take turns.
    fn in_order(&self, mut blocks: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
        let mut sat = vec![0_u32; self.bots];
        for next in 0..blocks.len() {
            let ahead = next..blocks.len().min(next + LOOK_AHEAD);
            let busy = |block: &Vec<usize>| {
                let turns = block.iter().map(|bot| sat[*bot]);
                (turns.clone().max(), turns.sum::<u32>())
            };
            if let Some(chosen) = ahead.min_by_key(|index| busy(&blocks[*index])) {
                blocks.swap(next, chosen);
            }
            blocks[next].iter().for_each(|bot| sat[*bot] += 1);
        }
        blocks
    }
}

/// Returns how bad it is that two bots have met so many times too often, or too rarely: two times are worse than twice once.
const fn weight(beyond: i32) -> i32 {
    let square = beyond * beyond;
    if square > 1 { 5 * square - 4 } else { square }
}

/// Returns how many blocks there are when any two bots have met this many times on average, rounded up.
fn blocks_until(bots: usize, seats: usize, rounds: u64) -> u64 {
    rounds.saturating_mul(pairs(bots)).div_ceil(pairs(seats))
}

/// Returns how far apart, at the least, the fewest and the most meetings of two bots are in any schedule of this many
/// rounds: 0, 1 or 2. Where it is 2, no schedule of as many blocks is more even; where it is less, there need not be one.
///
/// A bot that sits down meets `seats - 1` others, so its meetings are a multiple of that. Where any two are to have met
/// `rounds` times or once more, those who met once more are a graph of so many edges, in which every bot has as many as make
/// up a multiple; whether there is such a graph is known from these numbers (Erdős and Gallai 1960).
pub(crate) fn least_spread(bots: usize, seats: usize, rounds: u64) -> u64 {
    let blocks = blocks_until(bots, seats, rounds);
    let edges = blocks * pairs(seats) - rounds * pairs(bots);
    if edges == 0 && (rounds * (bots as u64 - 1)).is_multiple_of(seats as u64 - 1) {
        return 0;
    }
    let (bots, others) = (bots as u64, seats as u64 - 1);
    let each = (others - rounds * (bots - 1) % others) % others;
    let Some(rest) = (2 * edges).checked_sub(each * bots).filter(|rest| rest.is_multiple_of(others)) else {
        return 2;
    };
    // As evenly as can be: if any degrees belong to a graph, these do.
    let (more, with_more) = (rest / others / bots, rest / others % bots);
    let degree = |bot: u64| each + others * (more + u64::from(bot < with_more));
    let is_graph = (1..=bots).all(|first| {
        let of_first: u64 = (0..first).map(degree).sum();
        let of_rest: u64 = (first..bots).map(|bot| degree(bot).min(first)).sum();
        of_first <= first * (first - 1) + of_rest
    });
    if is_graph { 1 } else { 2 }
}

pub(crate) fn shuffle(list: &mut [usize], dice: &mut Dice) {
    for index in (1..list.len()).rev() {
        list.swap(index, dice.below(index + 1));
    }
}

/// Returns how many pairs this many things make.
pub(crate) const fn pairs(count: usize) -> u64 {
    (count as u64) * (count.saturating_sub(1) as u64) / 2
}

/// Returns how many sets of `k` out of `n` there are; at most [`u64::MAX`].
fn binomial(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |sets: u128, index| {
        (sets * u128::from(n - index) / u128::from(index + 1)).min(u64::MAX.into())
    }) as u64
}
