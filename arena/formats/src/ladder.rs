//! The ladder, or king of the hill: neighbours meet, all are rated again, and so on without end.
//!
//! The first round stands in the order of the configuration, all later ones by rating from all meetings so far. In one
//! round the first meets the second, the third the fourth; in the next one the second the third, and so on, so that a bot
//! can rise from the lowest place to the highest. At tables of more seats as many neighbours meet. Bots that have not played
//! stand below all others.

use record::{PackedGames, RunConfig};
use rules::PerSeat;
use stats::{FitSettings, GameScore, RatedGame, Sample};

use crate::{FeedbackFormat, Meeting, PlayedMeeting, played, seats_of};

/// A ladder.
#[derive(Clone, Debug)]
pub struct Ladder {
    bots: usize,
    /// How many seats a table has.
    seats: usize,
    rounds: u32,
    /// The last round that was played.
    taken: u32,
    /// How many results of two it has.
    in_last: usize,
    has_played: Vec<bool>,
    sample: Sample,
}

impl Ladder {
    /// Begins the ladder of a configuration.
    #[must_use]
    pub fn of(config: &RunConfig) -> Self {
        let bots = config.bots.len();
        let (has_played, sample) = (vec![false; bots], Sample::default());
        Self {
            bots,
            seats: seats_of(config),
            rounds: config.rounds,
            taken: 0,
            in_last: 0,
            has_played,
            sample,
        }
    }

    /// Returns the ladder of a configuration after all meetings of its bots.
    #[must_use]
    pub fn after(config: &RunConfig, games: &PackedGames) -> Self {
        let mut ladder = Self::of(config);
        ladder.resume(config, games);
        ladder
    }

    /// Returns how many rounds were played.
    #[must_use]
    pub const fn rounds_taken(&self) -> u32 {
        self.taken
    }

    /// Returns whether the last round was played whole.
    #[must_use]
    pub fn is_over(&self) -> bool {
        let in_round = self.tables(self.taken.saturating_sub(1)).len() * self.seats * (self.seats - 1) / 2;
        self.taken >= self.rounds && self.in_last >= in_round
    }

    /// Returns the bots from the highest place to the lowest, and whether each has played.
    #[must_use]
    pub fn order(&self) -> Vec<(usize, bool)> {
        // Seats are swapped within each pair: the first seat is no advantage here.
        let settings = FitSettings { advantage: false, ..FitSettings::default() };
        let mut order = self.sample.fit(self.bots, 1, &settings).ranking();
        order.sort_by_key(|bot| (!self.has_played[*bot], if self.has_played[*bot] { 0 } else { *bot }));
        order.into_iter().map(|bot| (bot, self.has_played[bot])).collect()
    }

    /// Returns the first place of every table after this many rounds. By turns the highest bot sits at the first one, and the
    /// lowest at the last one; where both are so in one round, the first and the last half of a table rest in the next.
    fn tables(&self, taken: u32) -> Vec<usize> {
        let rest = self.bots % self.seats;
        let shift = match rest {
            0 if self.bots > self.seats => self.seats / 2,
            rest => rest,
        };
        let first = if taken.is_multiple_of(2) { 0 } else { shift };
        (first..).step_by(self.seats).take_while(|place| place + self.seats <= self.bots).collect()
    }
}

impl FeedbackFormat for Ladder {
    fn next(&self) -> Vec<Meeting> {
        if self.taken >= self.rounds {
            return Vec::new();
        }
        let order = self.order();
        let meeting = |place: usize| {
            let bots = PerSeat::new(self.seats, |seat| order[place + seat.index()].0);
            Meeting { bots, round: self.taken + 1 }
        };
        self.tables(self.taken).into_iter().map(meeting).collect()
    }

    fn take(&mut self, batch: &[PlayedMeeting]) {
        for played in batch {
            let ([first, second], [own, its]) = (played.bots, played.halves);
            // By points alone: as many wins and draws as give these points in as many games.
            let games = (own + its) / 2;
            for game in 0..games {
                let score = match own.saturating_sub(2 * game) {
                    0 => GameScore::Loss,
                    1 => GameScore::Draw,
                    _ => GameScore::Win,
                };
                self.sample.add(&RatedGame::new(first, second, score));
            }
            (self.has_played[first], self.has_played[second]) = (true, true);
            if played.round > self.taken {
                (self.taken, self.in_last) = (played.round, 0);
            }
            self.in_last += usize::from(played.round == self.taken);
        }
    }

    fn resume(&mut self, config: &RunConfig, games: &PackedGames) {
        self.take(&played(config, games));
        // A round that a change of the configuration cut off is not played again.
        let last = games.iter().map(|game| game.round).max().unwrap_or(0);
        if last > self.taken {
            (self.taken, self.in_last) = (last, 0);
        }
    }

    fn most_left(&self) -> u64 {
        u64::from(self.rounds.saturating_sub(self.taken)) * (self.bots / self.seats) as u64
    }

    fn stage(&self) -> String {
        format!("round {}", self.taken + 1)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn ladder(bots: usize, rounds: u32) -> Ladder {
        ladder_at(bots, 2, rounds)
    }

    fn ladder_at(bots: usize, seats: usize, rounds: u32) -> Ladder {
        let (has_played, sample) = (vec![false; bots], Sample::default());
        Ladder { bots, seats, rounds, taken: 0, in_last: 0, has_played, sample }
    }

    fn play(ladder: &mut Ladder, mut score: impl FnMut([usize; 2]) -> u32) -> Vec<Meeting> {
        let meetings = ladder.next();
        let played = |meeting: &Meeting| {
            let of_pair = |bots: [usize; 2]| {
                let own = score(bots);
                PlayedMeeting { bots, round: meeting.round, halves: [own, 4 - own] }
            };
            meeting.pairs().map(of_pair).collect::<Vec<_>>()
        };
        let batch: Vec<_> = meetings.iter().flat_map(played).collect();
        ladder.take(&batch);
        meetings
    }

    #[test]
    fn the_last_rises_to_the_top_and_stays_there() {
        let mut ladder = ladder(6, 30);
        // The later a bot stands in the configuration, the better it is, and never quite.
        for _ in 0..30 {
            play(&mut ladder, |_| 1);
        }
        assert_eq!(ladder.order().iter().map(|(bot, _)| *bot).collect::<Vec<_>>(), [5, 4, 3, 2, 1, 0]);
        assert!(ladder.is_over() && ladder.next().is_empty());
    }

    #[test]
    fn at_tables_of_four_everybody_plays_and_the_last_rises_to_the_top() {
        for bots in 4..15 {
            let mut ladder = ladder_at(bots, 4, 40);
            let mut met = BTreeSet::new();
            for round in 1..=40 {
                let meetings = play(&mut ladder, |_| 1);
                assert!(!meetings.is_empty() && meetings.len() <= bots / 4, "{bots} bots in round {round}");
                met.extend(meetings.iter().flat_map(|meeting| meeting.bots.to_vec()));
                let bots: BTreeSet<_> = meetings.iter().flat_map(|meeting| meeting.bots.to_vec()).collect();
                assert_eq!(bots.len(), 4 * meetings.len());
            }
            let order: Vec<_> = ladder.order().iter().map(|(bot, _)| *bot).collect();
            assert_eq!((met.len(), order), (bots, (0..bots).rev().collect()));
            assert!(ladder.is_over() && ladder.next().is_empty());
        }
    }

    #[test]
    fn a_newcomer_begins_at_the_bottom() {
        let mut ladder = ladder(4, 9);
        ladder.take(&[PlayedMeeting { bots: [1, 2], round: 1, halves: [0, 4] }]);
        assert_eq!(ladder.order(), [(2, true), (1, true), (0, false), (3, false)]);
    }

    proptest! {
        #[test]
        fn neighbours_meet_and_everybody_in_two_rounds(
            n in 2_usize..9,
            scores in proptest::collection::vec(0_u32..5, 50),
        ) {
            let mut ladder = ladder(n, 10);
            let mut scores = scores.into_iter().cycle();
            let mut met = BTreeSet::new();
            for round in 1..=10 {
                let order: Vec<usize> = ladder.order().iter().map(|(bot, _)| *bot).collect();
                let meetings = play(&mut ladder, |_| scores.next().unwrap());
                for meeting in &meetings {
                    let place = order.iter().position(|bot| *bot == meeting.bots[0]).unwrap();
                    prop_assert_eq!(order[place + 1], meeting.bots[1]);
                    met.extend(meeting.bots.iter().copied());
                }
                prop_assert!(meetings.iter().all(|meeting| meeting.round == round));
            }
            prop_assert_eq!(met.len(), n);
            prop_assert!(ladder.is_over());
        }
    }
}
