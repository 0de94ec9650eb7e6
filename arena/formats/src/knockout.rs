//! Knockouts: who loses a match is out, or with a second life plays on among the losers.
//!
//! The bracket has as many places as the next power of two; bots stand in it by their order in the configuration, so that
//! the first two can meet in the final only, and the first ones have the byes. In a double knockout the losers of each
//! round meet the winners among the losers before them, the rounds dropping in from alternating ends; the winner of the
//! winners' side must be beaten twice in the final.
//!
//! A match is as many meetings as there are rounds, and more of them, one at a time, while it is level: at most
//! [`MOST_EXTRA`]. Then the bot that stands earlier in the configuration advances.

use std::collections::BTreeMap;

use record::RunConfig;

use crate::{FeedbackFormat, Meeting, PlayedMeeting};

/// How many meetings are added to a match that stays level.
pub const MOST_EXTRA: u32 = 3;

/// A knockout.
#[derive(Clone, Debug)]
pub struct Knockout {
    bots: usize,
    /// How many meetings a match has at least.
    meetings: u32,
    /// In an order in which a match stands after those that it depends on.
    matches: Vec<Match>,
    /// The last round that was played.
    round: u32,
}

/// A match of the bracket.
#[derive(Clone, Debug)]
struct Match {
    stage: Stage,
    sources: [Source; 2],
    meetings: u32,
    halves: BTreeMap<usize, u32>,
}

/// Which part of a bracket a match belongs to; who is out later has the better place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    /// The round with this many matches, with nothing to fall back to: fewer matches come later.
    Single(std::cmp::Reverse<usize>),
    /// A round of the winners' side, from 1.
    Winners(u32),
    /// A round of the losers' side, from 1.
    Losers(u32),
    Final,
    /// Played when the final was won by the bot that had lost before.
    SecondFinal,
}

/// Where a bot of a match comes from.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// A place of the bracket: nobody where there are fewer bots.
    Seed(usize),
    WinnerOf(usize),
    LoserOf(usize),
    /// The loser of the final, where it has not lost before.
    SecondLifeOf(usize),
}

/// What is known of a match.
#[derive(Clone, Copy, Debug, Default)]
struct State {
    /// Both bots; outside `None` while it is not known, inside `None` for nobody.
    bots: [Option<Option<usize>>; 2],
    winner: Option<Option<usize>>,
    loser: Option<Option<usize>>,
    is_by_order: bool,
}

/// A match between two bots, as a report shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bout {
    /// The part of the bracket: `quarter-finals`, `losers' round 2`.
    pub stage: String,
    /// Both bots.
    pub bots: [usize; 2],
    /// Their half points.
    pub halves: [u32; 2],
    /// How many meetings were played.
    pub meetings: u32,
    /// Who advances, once it is decided.
    pub winner: Option<usize>,
    /// Whether it stayed level, so that the order in the configuration decided.
    pub is_by_order: bool,
}

impl Knockout {
    /// Begins the knockout of a configuration.
    #[must_use]
    pub fn of(config: &RunConfig) -> Self {
        Self::new(config.bots.len(), config.rounds, config.format != settings::Format::Knockout)
    }

    /// Begins a knockout with this many meetings a match, or a double one.
    #[must_use]
    pub fn new(bots: usize, meetings: u32, is_double: bool) -> Self {
        let mut knockout = Self { bots, meetings, matches: Vec::new(), round: 0 };
        if bots >= 2 {
            knockout.build(is_double);
        }
        knockout
    }

    /// Returns the matches between two bots that are known so far, in the order of the bracket.
    #[must_use]
    pub fn bouts(&self) -> Vec<Bout> {
        let states = self.states();
        let bout = |(one, state): (&Match, &State)| {
            let [Some(Some(first)), Some(Some(second))] = state.bots else { return None };
            Some(Bout {
                stage: one.stage.name(),
                bots: [first, second],
                halves: [first, second].map(|bot| one.halves.get(&bot).copied().unwrap_or(0)),
                meetings: one.meetings,
                winner: state.winner.flatten(),
                is_by_order: state.is_by_order,
            })
        };
        self.matches.iter().zip(&states).filter_map(bout).collect()
    }

    /// Returns the place, from 1, and the bot of everybody who is out, and of the winner; the best place first. Who lost
    /// in the same round shares a place.
    #[must_use]
    pub fn places(&self) -> Vec<(usize, usize)> {
        let states = self.states();
        let mut out: BTreeMap<usize, Stage> = BTreeMap::new();
        for (index, (one, state)) in self.matches.iter().zip(&states).enumerate() {
            let (Some(Some(loser)), Some(_)) = (state.loser, state.winner.flatten()) else { continue };
            let lives_on = matches!(one.stage, Stage::Winners(_))
                || (one.stage == Stage::Final && states.get(index + 1).is_some_and(is_match));
            if !lives_on {
                out.insert(loser, one.stage);
            }
        }
        let mut losers: Vec<_> = out.into_iter().map(|(bot, stage)| (stage, bot)).collect();
        losers.sort_by(|one, other| other.0.cmp(&one.0).then(one.1.cmp(&other.1)));
        let champion = states.last().and_then(|state| state.winner.flatten());
        let mut places: Vec<_> = champion.map(|bot| (1, bot)).into_iter().collect();
        let mut last = None;
        let before = self.bots - losers.len();
        for (index, (stage, bot)) in losers.into_iter().enumerate() {
            let place = match last {
                Some((same, place)) if same == stage => place,
                _ => before + index + 1,
            };
            last = Some((stage, place));
            places.push((place, bot));
        }
        places
    }

    /// Builds the bracket.
    fn build(&mut self, is_double: bool) {
        let size = self.bots.next_power_of_two();
        let mut side: Vec<Source> = places(size).into_iter().map(Source::Seed).collect();
        let mut losers: Vec<Source> = Vec::new();
        let (mut round, mut losers_round) = (0, 0);
        while side.len() > 1 {
            round += 1;
            let count = side.len() / 2;
            let stage =
                if is_double { Stage::Winners(round) } else { Stage::Single(std::cmp::Reverse(count)) };
            let first = self.pair(&side, stage);
            side = (first..first + count).map(Source::WinnerOf).collect();
            let mut dropped: Vec<_> = (first..first + count).map(Source::LoserOf).collect();
            if !is_double {
                continue;
            }
            if round > 1 {
                // From alternating ends, so that bots that have just met do not meet at once again.
                if round.is_multiple_of(2) {
                    dropped.reverse();
                }
                losers_round += 1;
                let both: Vec<_> =
                    losers.iter().zip(&dropped).flat_map(|(one, other)| [*one, *other]).collect();
                dropped = self.winners(&both, losers_round);
            }
            losers = if dropped.len() > 1 {
                losers_round += 1;
                self.winners(&dropped, losers_round)
            } else {
                dropped
            };
        }
        if is_double {
            let last = self.pair(&[side[0], losers[0]], Stage::Final);
            self.pair(&[Source::WinnerOf(last), Source::SecondLifeOf(last)], Stage::SecondFinal);
        }
    }

    /// Adds a round of the losers' side and returns who advances.
    fn winners(&mut self, bots: &[Source], round: u32) -> Vec<Source> {
        let first = self.pair(bots, Stage::Losers(round));
        (first..self.matches.len()).map(Source::WinnerOf).collect()
    }

    /// Adds matches of neighbours and returns the index of the first.
    fn pair(&mut self, bots: &[Source], stage: Stage) -> usize {
        let first = self.matches.len();
        self.matches.extend(bots.chunks_exact(2).map(|pair| Match {
            stage,
            sources: [pair[0], pair[1]],
            meetings: 0,
            halves: BTreeMap::new(),
        }));
        first
    }

    /// Returns what is known of every match.
    fn states(&self) -> Vec<State> {
        let mut states: Vec<State> = Vec::with_capacity(self.matches.len());
        for one in &self.matches {
            let bot =
                |source: &Source| match *source {
                    Source::Seed(place) => Some((place < self.bots).then_some(place)),
                    Source::WinnerOf(index) => states[index].winner,
                    Source::LoserOf(index) => states[index].loser,
                    Source::SecondLifeOf(index) => {
                        let state: &State = &states[index];
                        // The second bot of the final comes from the losers' side.
                        state.winner.map(|winner| {
                            if Some(winner) == state.bots[1] { state.loser.flatten() } else { None }
                        })
                    }
                };
            let bots = one.sources.each_ref().map(bot);
            let mut state = State { bots, ..State::default() };
            match bots {
                [Some(Some(first)), Some(Some(second))] => {
                    let [own, its] = [first, second].map(|bot| one.halves.get(&bot).copied().unwrap_or(0));
                    let is_level = own == its;
                    let is_over = one.meetings >= self.meetings + if is_level { MOST_EXTRA } else { 0 };
                    if is_over {
                        let is_first = if is_level { first < second } else { own > its };
                        let (winner, loser) = if is_first { (first, second) } else { (second, first) };
                        (state.winner, state.loser) = (Some(Some(winner)), Some(Some(loser)));
                        state.is_by_order = is_level;
                    }
                }
                [Some(one), Some(other)] => (state.winner, state.loser) = (Some(one.or(other)), Some(None)),
                _ => {}
            }
            states.push(state);
        }
        states
    }

    /// Returns the matches that two bots are to play on, with these bots.
    fn open(&self) -> Vec<(usize, [usize; 2])> {
        let open = |(index, state): (usize, &State)| match state.bots {
            [Some(Some(one)), Some(Some(other))] if state.winner.is_none() => Some((index, [one, other])),
            _ => None,
        };
        self.states().iter().enumerate().filter_map(open).collect()
    }
}

/// Returns whether two bots meet in a match.
fn is_match(state: &State) -> bool {
    matches!(state.bots, [Some(Some(_)), Some(Some(_))])
}

impl Stage {
    fn name(self) -> String {
        match self {
            Self::Single(std::cmp::Reverse(1)) | Self::Final => "final".to_owned(),
            Self::Single(std::cmp::Reverse(2)) => "semi-finals".to_owned(),
            Self::Single(std::cmp::Reverse(4)) => "quarter-finals".to_owned(),
            Self::Single(std::cmp::Reverse(count)) => format!("round of {}", 2 * count),
            Self::Winners(round) => format!("winners' round {round}"),
            Self::Losers(round) => format!("losers' round {round}"),
            Self::SecondFinal => "second final".to_owned(),
        }
    }
}

/// Returns the places of a bracket from top to bottom: in each round the best place that is left meets the worst.
fn places(size: usize) -> Vec<usize> {
    let mut places = vec![0];
    while places.len() < size {
        let sum = 2 * places.len() - 1;
        places = places.iter().flat_map(|&place| [place, sum - place]).collect();
    }
    places
}

impl FeedbackFormat for Knockout {
    fn next(&self) -> Vec<Meeting> {
        let meetings = |(index, bots): (usize, [usize; 2])| {
            let count = if self.matches[index].meetings == 0 { self.meetings.max(1) } else { 1 };
            (1..=count).map(move |number| Meeting::of_two(bots, self.round + number))
        };
        self.open().into_iter().flat_map(meetings).collect()
    }

    fn take(&mut self, batch: &[PlayedMeeting]) {
        let open = self.open();
        for played in batch {
            let is_it = |(_, bots): &&(usize, [usize; 2])| bots.iter().all(|bot| played.bots.contains(bot));
            let Some(&(index, _)) = open.iter().find(is_it) else { continue };
            let one = &mut self.matches[index];
            one.meetings += 1;
            for (bot, halves) in played.bots.into_iter().zip(played.halves) {
                *one.halves.entry(bot).or_default() += halves;
            }
            self.round = self.round.max(played.round);
        }
    }

    fn most_left(&self) -> u64 {
        let states = self.states();
        let is_left = |state: &&State| state.winner.is_none() && !state.bots.contains(&Some(None));
        let left = |(one, state): (&Match, &State)| match Some(state).filter(is_left) {
            Some(_) => u64::from((self.meetings.max(1) + MOST_EXTRA).saturating_sub(one.meetings)),
            None => 0,
        };
        self.matches.iter().zip(&states).map(left).sum()
    }

    fn stage(&self) -> String {
        let stages = self.open().into_iter().map(|(index, _)| self.matches[index].stage);
        stages.min().map_or_else(|| "decided".to_owned(), Stage::name)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    /// Plays a knockout to its end: what the bot of lower index scores says `score`, of 4. Returns the batches.
    fn play(knockout: &mut Knockout, mut score: impl FnMut([usize; 2]) -> u32) -> Vec<Vec<Meeting>> {
        let mut batches = Vec::new();
        loop {
            let meetings = knockout.next();
            if meetings.is_empty() {
                return batches;
            }
            assert!(batches.len() < 1000, "it never ends");
            let most = knockout.most_left();
            let played = |meeting: &Meeting| {
                let bots = meeting.sorted();
                let own = score(bots);
                PlayedMeeting { bots, round: meeting.round, halves: [own, 4 - own] }
            };
            let batch: Vec<_> = meetings.iter().map(played).collect();
            knockout.take(&batch);
            assert!(knockout.most_left() + batch.len() as u64 <= most);
            batches.push(meetings);
        }
    }

    #[test]
    fn the_first_two_meet_in_the_final_only() {
        assert_eq!(places(8), [0, 7, 3, 4, 1, 6, 2, 5]);
        let mut knockout = Knockout::new(8, 1, false);
        let batches = play(&mut knockout, |_| 4);
        let bots =
            |batch: &Vec<Meeting>| batch.iter().map(|meeting| meeting.bots.to_vec()).collect::<Vec<_>>();
        assert_eq!(bots(&batches[0]), [[0, 7], [3, 4], [1, 6], [2, 5]]);
        assert_eq!(bots(&batches[2]), [[0, 1]]);
        assert_eq!(knockout.places(), [(1, 0), (2, 1), (3, 2), (3, 3), (5, 4), (5, 5), (5, 6), (5, 7)]);
        let stages: Vec<_> = knockout.bouts().into_iter().map(|bout| bout.stage).collect();
        assert_eq!((&*stages[0], &*stages[5], &*stages[6]), ("quarter-finals", "semi-finals", "final"));
    }

    #[test]
    fn the_first_bots_have_the_byes() {
        let knockout = Knockout::new(5, 1, false);
        assert_eq!(
            knockout.next().iter().map(|meeting| meeting.bots.to_vec()).collect::<Vec<_>>(),
            [[3, 4], [1, 2]]
        );
    }

    #[test]
    fn a_level_match_goes_on_and_the_order_decides_at_last() {
        let mut knockout = Knockout::new(2, 2, false);
        let batches = play(&mut knockout, |_| 2);
        let rounds: Vec<Vec<u32>> =
            batches.iter().map(|batch| batch.iter().map(|meeting| meeting.round).collect()).collect();
        assert_eq!(rounds, [vec![1, 2], vec![3], vec![4], vec![5]]);
        let bout = &knockout.bouts()[0];
        assert_eq!((bout.winner, bout.is_by_order, bout.meetings, bout.halves), (Some(0), true, 5, [10, 10]));
    }

    #[test]
    fn who_had_not_lost_has_a_second_final() {
        let mut knockout = Knockout::new(2, 1, true);
        let mut results = [4, 0, 0].into_iter();
        assert_eq!(play(&mut knockout, |_| results.next().unwrap()).len(), 3);
        assert_eq!(knockout.places(), [(1, 1), (2, 0)]);
        let mut knockout = Knockout::new(2, 1, true);
        assert_eq!(play(&mut knockout, |_| 4).len(), 2);
        assert_eq!(knockout.places(), [(1, 0), (2, 1)]);
    }

    proptest! {
        #[test]
        fn everybody_but_the_winner_loses_once_or_twice(
            n in 2_usize..20,
            is_double in any::<bool>(),
            meetings in 1_u32..4,
            scores in proptest::collection::vec(0_u32..5, 97),
        ) {
            let mut knockout = Knockout::new(n, meetings, is_double);
            let mut scores = scores.into_iter().cycle();
            let batches = play(&mut knockout, |_| scores.next().unwrap());
            for batch in &batches {
                let meetings: BTreeSet<_> = batch.iter().map(|meeting| (meeting.round, meeting.sorted())).collect();
                prop_assert_eq!(meetings.len(), batch.len());
            }
            let rounds: BTreeSet<_> =
                batches.iter().flatten().map(|meeting| (meeting.round, meeting.sorted())).collect();
            prop_assert_eq!(rounds.len(), batches.iter().map(Vec::len).sum::<usize>(), "no round comes again");
            let mut lost = vec![0; n];
            for bout in knockout.bouts() {
                let winner = bout.winner.expect("all is decided");
                lost[if winner == bout.bots[0] { bout.bots[1] } else { bout.bots[0] }] += 1;
            }
            let places = knockout.places();
            prop_assert_eq!(places.len(), n);
            prop_assert_eq!(places.iter().map(|(_, bot)| bot).collect::<BTreeSet<_>>().len(), n);
            let champion = places[0].1;
            let lives = if is_double { 2 } else { 1 };
            for (bot, lost) in lost.into_iter().enumerate() {
                prop_assert!(if bot == champion { lost < lives } else { lost == lives }, "bot {} lost {}", bot, lost);
            }
            prop_assert_eq!(knockout.most_left(), 0);
        }

        #[test]
        fn the_best_bot_wins_and_the_second_is_second_with_two_lives(n in 2_usize..20, is_double in any::<bool>()) {
            let mut knockout = Knockout::new(n, 1, is_double);
            play(&mut knockout, |_| 4);
            let places = knockout.places();
            prop_assert_eq!((places[0], places[1]), ((1, 0), (2, 1)));
        }
    }
}
