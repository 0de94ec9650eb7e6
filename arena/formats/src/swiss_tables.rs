//! The tables of a Swiss round where a table has more than two seats.
//!
//! Bots stand in the order of their points, and as many neighbours as a table has seats sit together. Tables whose bots all have
//! the same points are dealt anew, so that in the first round every table has one of the favourites. Then bots of different tables
//! change places as long as fewer of them meet again, or, where as many do, those at a table have more nearly the same points. A search
//! that ends while some meet again is repeated from places changed at random; the best of all searches is the round. The same points and
//! meetings always give the same tables.

use rules::Dice;

use crate::design::shuffle;

/// How many further searches there are at most while some bots meet again.
const MOST_SEARCHES: usize = 60;

/// How many places change at random before a further search.
const CHANGES: usize = 6;

/// What the tables of a round depend on.
pub(crate) struct TableDraw<'a> {
    pub(crate) seats: usize,
    pub(crate) round: u32,
    /// The half points of a bot.
    pub(crate) halves: &'a dyn Fn(usize) -> u32,
    /// In how many rounds two bots have met.
    pub(crate) met: &'a dyn Fn(usize, usize) -> u32,
}

/// How bad tables are: how many meet again, and how far apart points are. Less is better.
type Cost = (u64, u64);

impl TableDraw<'_> {
    /// Returns the tables for bots in the order of their points, a multiple of the seats.
    pub(crate) fn tables(&self, order: &[usize]) -> Vec<Vec<usize>> {
        let mut dice = Dice::new(self.round.into());
        let mut tables = self.by_points(order);
        let mut cost = self.improve(&mut tables);
        for _ in 0..MOST_SEARCHES {
            if cost.0 == 0 || tables.len() < 2 {
                break;
            }
            let mut others = tables.clone();
            for _ in 0..CHANGES {
                let [one, other] = [dice.below(others.len()), dice.below(others.len())];
                let places = [dice.below(self.seats), dice.below(self.seats)];
                let bots = [others[one][places[0]], others[other][places[1]]];
                (others[one][places[0]], others[other][places[1]]) = (bots[1], bots[0]);
            }
            let its = self.improve(&mut others);
            if its < cost {
                (tables, cost) = (others, its);
            }
        }
        tables.iter_mut().for_each(|table| shuffle(table, &mut dice));
        tables
    }

    /// Returns neighbours at tables; tables of bots with the same points have each one of the first, one of the second, and so on.
    fn by_points(&self, order: &[usize]) -> Vec<Vec<usize>> {
        let halves = self.halves;
        let neighbours: Vec<&[usize]> = order.chunks_exact(self.seats).collect();
        let is_level = |table: &&[usize]| halves(table[0]) == halves(table[self.seats - 1]);
        let alike = neighbours
            .chunk_by(|one, other| is_level(one) && is_level(other) && halves(one[0]) == halves(other[0]));
        let dealt = |tables: &[&[usize]]| {
            let bots = tables.concat();
            let table = |first: usize| bots.iter().skip(first).step_by(tables.len()).copied().collect();
            (0..tables.len()).map(table).collect::<Vec<Vec<usize>>>()
        };
        alike.flat_map(dealt).collect()
    }

    /// Changes places, each time the two that help most, while that makes tables better; returns how bad they are then.
    fn improve(&self, tables: &mut [Vec<usize>]) -> Cost {
        while let Some([one, place, other, its]) = self.best_exchange(tables) {
            let bots = [tables[one][place], tables[other][its]];
            (tables[one][place], tables[other][its]) = (bots[1], bots[0]);
        }
        let mut cost = (0, 0);
        for table in tables.iter() {
            for place in 0..self.seats {
                let (again, apart) = self.among(table[place], &table[..place], place);
                cost = (cost.0 + again, cost.1 + apart);
            }
        }
        cost
    }

    /// Returns the two tables and places whose exchange helps most; `None` where none helps.
    fn best_exchange(&self, tables: &[Vec<usize>]) -> Option<[usize; 4]> {
        let mut best: Option<([usize; 4], i128)> = None;
        for one in 1..tables.len() {
            for other in 0..one {
                for place in 0..self.seats {
                    let own = tables[one][place];
                    let stays = weighted(self.among(own, &tables[one], place));
                    for its in 0..self.seats {
                        let comes = tables[other][its];
                        let before = stays + weighted(self.among(comes, &tables[other], its));
                        let after = weighted(self.among(comes, &tables[one], place))
                            + weighted(self.among(own, &tables[other], its));
                        let gain = before - after;
                        if gain > best.map_or(0, |(_, most)| most) {
                            best = Some(([one, place, other, its], gain));
                        }
                    }
                }
            }
        }
        best.map(|(exchange, _)| exchange)
    }

    /// Returns how bad it is that a bot sits among those of a table, whoever has this place there aside.
    fn among(&self, bot: usize, table: &[usize], place: usize) -> Cost {
        let others = table.iter().enumerate().filter(|(its, _)| *its != place).map(|(_, other)| *other);
        others.fold((0, 0), |(again, apart), other| {
            // Squares: two who have met often are kept apart before several who have met once.
            let met = u64::from((self.met)(bot, other)).pow(2);
            let between = u64::from((self.halves)(bot).abs_diff((self.halves)(other))).pow(2);
            (again + met, apart + between)
        })
    }
}

/// Returns a cost as one number: no difference of points makes up for bots that meet again.
fn weighted((again, apart): Cost) -> i128 {
    (i128::from(again) << 64) + i128::from(apart)
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use crate::{FeedbackFormat as _, Meeting, PlayedMeeting, Swiss};

    /// Plays rounds at tables of `seats`, the bot of lower number mostly winning.
    fn play(bots: usize, seats: usize, rounds: u32, luck: &[u32]) -> (Swiss, Vec<Vec<Meeting>>) {
        let worth = 2 * seats as u32;
        let mut swiss = Swiss::at_tables(bots, rounds, seats, worth);
        let mut luck = luck.iter().copied().cycle();
        let mut all = Vec::new();
        for _ in 0..rounds {
            let meetings = swiss.next();
            let mut batch = Vec::new();
            for meeting in &meetings {
                for bots in meeting.pairs() {
                    let own = luck.next().unwrap_or(worth).min(worth);
                    batch.push(PlayedMeeting { bots, round: meeting.round, halves: [own, worth - own] });
                }
            }
            swiss.take(&batch);
            all.push(meetings);
        }
        (swiss, all)
    }

    fn times_met(rounds: &[Vec<Meeting>]) -> BTreeMap<[usize; 2], usize> {
        let mut met = BTreeMap::new();
        for pair in rounds.iter().flatten().flat_map(|meeting| meeting.pairs().collect::<Vec<_>>()) {
            *met.entry(pair).or_default() += 1;
        }
        met
    }

    #[test]
    fn the_first_round_deals_the_favourites_out_and_later_ones_seat_like_scores() {
        let (_, rounds) = play(12, 3, 1, &[6]);
        let firsts: BTreeSet<BTreeSet<usize>> =
            rounds[0].iter().map(|meeting| meeting.bots.iter().copied().collect()).collect();
        let dealt = (0..4).map(|first| [first, first + 4, first + 8].into());
        assert_eq!(firsts, dealt.collect());
        // The winners of four tables of four meet at one, if the better always wins.
        let (swiss, rounds) = play(16, 4, 2, &[8]);
        let top: BTreeSet<usize> = rounds[1][0].bots.iter().copied().collect();
        assert_eq!((top, swiss.table()[0].bot), ([0, 1, 2, 3].into(), 0));
    }

    #[test]
    fn nobody_meets_again_while_there_is_room() {
        for (bots, seats, rounds) in [(9, 3, 3), (15, 3, 4), (16, 4, 3), (24, 4, 4), (40, 4, 6), (30, 5, 3)] {
            let (_, played) = play(bots, seats, rounds, &[6, 2, 5, 1, 3, 0, 4]);
            let most = times_met(&played).values().copied().max();
            assert_eq!(most, Some(1), "{bots} bots at tables of {seats} in {rounds} rounds");
        }
    }

    proptest! {
        #[test]
        fn every_round_fills_the_tables_and_rests_are_shared(
            (seats, bots) in (3_usize..6).prop_flat_map(|seats| (Just(seats), seats..20)),
            luck in proptest::collection::vec(0_u32..13, 40),
        ) {
            let (swiss, rounds) = play(bots, seats, 6, &luck);
            for meetings in &rounds {
                let sitting: BTreeSet<_> = meetings.iter().flat_map(|meeting| meeting.bots.to_vec()).collect();
                prop_assert_eq!(meetings.len(), bots / seats);
                prop_assert_eq!(sitting.len(), bots / seats * seats);
            }
            let byes: Vec<_> = swiss.table().iter().map(|place| place.byes).collect();
            prop_assert!(byes.iter().max().unwrap() - byes.iter().min().unwrap() <= 1, "{byes:?}");
            let tables = 6 * (bots / seats) as u32 * (seats * (seats - 1) / 2) as u32 * 2 * seats as u32;
            let total: u32 = swiss.table().iter().map(|place| place.halves).sum();
            prop_assert_eq!(total, tables + byes.iter().sum::<u32>() * swiss.bye());
            prop_assert_eq!(play(bots, seats, 6, &luck).1, rounds);
        }
    }
}
