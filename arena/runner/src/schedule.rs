//! The games of a run, and their numbers.
//!
//! The numbers are a pure function of the configurations with which the run was started, in order. A run can grow by rounds,
//! bots, versions of bots and games, and the number of a game never changes.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::Hash;
use std::sync::Arc;

use formats::Lineups;
use record::{BotId, GameConfig, Numbers, RunConfig};
use rules::PerSeat;

/// A game of the schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// The number of the game, from 1.
    pub number: u64,
    /// The number of its block, from 1. With two seats a block is a pair.
    pub pair: u64,
    /// The position of the game in its block, from 1.
    pub leg: u8,
    /// The round, from 1.
    pub round: u32,
    /// The place of its block among those of its game.
    pub place: PairPlace,
    /// The game's label, which all fixtures of the game share.
    pub label: Arc<str>,
    /// The bots, by seat.
    pub seats: PerSeat<Arc<BotId>>,
}

/// The place of a block among those of its game, which determines its opening. It does not change when a run grows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairPlace {
    /// The number of the game's blocks with lower numbers.
    pub ordinal: u64,
    /// The index of the set of its bots among all sets that may meet, from 0.
    pub pairing: u64,
}

impl PairPlace {
    /// Returns the place of a block of bots, given by their numbers in ascending order.
    fn new(ordinal: u64, bots: &[u32]) -> Self {
        // All sets of lower bots come first, so new bots change nothing: the combinatorial number system.
        let part = |(index, bot): (u64, &u32)| binomial((*bot).into(), index + 1);
        Self { ordinal, pairing: (0..).zip(bots).map(part).fold(0, u64::saturating_add) }
    }
}

/// Returns the number of sets of `k` out of `n`, capped at [`u64::MAX`].
fn binomial(n: u64, k: u64) -> u64 {
    let mut sets = 1_u128;
    for index in 0..k.min(n + 1) {
        sets = (sets * u128::from(n - index) / u128::from(index + 1)).min(u64::MAX.into());
        if sets == 0 {
            break;
        }
    }
    if k > n { 0 } else { sets as u64 }
}

/// The games of a run in the order of their numbers, each made on demand. A schedule needs the same memory for any number of
/// rounds.
#[derive(Clone, Debug)]
pub struct Fixtures {
    blocks: Blocks,
    /// The remaining games of the last block.
    rest: std::vec::IntoIter<Fixture>,
}

/// The unplayed games of a run, made on demand like those of a [`Fixtures`].
#[derive(Clone, Debug)]
pub struct Pending {
    blocks: Blocks,
    rest: std::vec::IntoIter<Fixture>,
    finished: Arc<Numbers>,
}

/// Numbers every game of a run, from its configurations in order.
///
/// Each configuration adds the blocks that no earlier one has: round by round, then game by game. The blocks of a game follow
/// its format in an order that keeps the numbers of meetings even if the tournament is interrupted ([`formats::Lineups`]). If
/// results decide, there are none.
#[must_use]
pub fn schedule(history: &[&RunConfig]) -> Fixtures {
    Fixtures { blocks: Blocks::of(history), rest: Vec::new().into_iter() }
}

/// Returns the games of the last configuration whose numbers are not in `finished`, in order.
#[must_use]
pub fn pending(history: &[&RunConfig], finished: impl IntoIterator<Item = u64>) -> Pending {
    let finished = Arc::new(finished.into_iter().collect());
    Pending { blocks: Blocks::of(history), rest: Vec::new().into_iter(), finished }
}

impl Iterator for Fixtures {
    type Item = Fixture;

    fn next(&mut self) -> Option<Fixture> {
        loop {
            if let Some(fixture) = self.rest.next() {
                return Some(fixture);
            }
            self.rest = self.blocks.next()?.fixtures().into_iter();
        }
    }
}

impl Iterator for Pending {
    type Item = Fixture;

    fn next(&mut self) -> Option<Fixture> {
        loop {
            if let Some(fixture) = self.rest.next() {
                return Some(fixture);
            }
            let block = self.blocks.next()?;
            let is_missing = |number: &u64| !self.finished.contains(*number);
            if !block.games().any(|number| is_missing(&number)) || !self.blocks.is_asked(&block) {
                continue;
            }
            let mut fixtures = block.fixtures();
            fixtures.retain(|fixture| is_missing(&fixture.number));
            self.rest = fixtures.into_iter();
        }
    }
}

/// The blocks of a run in the order of their numbers.
#[derive(Clone, Debug)]
struct Blocks {
    stages: Arc<[Stage]>,
    /// The next block: the stage, its round, and the indices in its lists of games and blocks.
    next: (usize, u32, usize, usize),
    /// The number of blocks so far, and of their games.
    count: u64,
    games: u64,
    /// The number of blocks so far of each game, by its number.
    of_game: Vec<u64>,
}

/// The games and bots of one configuration. Both have numbers that are the same in all stages.
#[derive(Debug)]
struct Stage {
    rounds: u32,
    bots: Vec<Arc<BotId>>,
    /// The numbers of the bots.
    numbers: Vec<u32>,
    games: Vec<StageGame>,
    /// The meetings, by the number of seats.
    meetings: BTreeMap<u8, Meetings>,
    /// The numbers of the games, with their number of seats.
    labels: HashMap<u32, u8>,
}

#[derive(Clone, Debug)]
struct StageGame {
    number: u32,
    label: Arc<str>,
    seats: u8,
}

/// The meetings at tables of one size.
#[derive(Debug)]
struct Meetings {
    lineups: Lineups,
    /// The numbers of the bots of each block in ascending order, with its round; round 0 if the set is the same in every round.
    sets: HashSet<(u32, Box<[u32]>)>,
    is_same: bool,
    /// The indices of blocks whose set occurs earlier in the same list. They are not played.
    again: HashSet<usize>,
}

/// A block of games.
struct Block {
    number: u64,
    /// The number of games with lower numbers.
    before: u64,
    round: u32,
    place: PairPlace,
    game: StageGame,
    /// The numbers of its bots, in ascending order.
    numbers: Box<[u32]>,
    seats: PerSeat<Arc<BotId>>,
}

impl Blocks {
    fn of(history: &[&RunConfig]) -> Self {
        let (mut labels, mut identities) = (Numbering::new(), Numbering::new());
        let stages = history.iter().map(|config| Stage::of(config, &mut labels, &mut identities)).collect();
        let of_game = vec![0; labels.numbers.len()];
        Self { stages, next: (0, 1, 0, 0), count: 0, games: 0, of_game }
    }

    /// Returns whether the last configuration includes a block.
    fn is_asked(&self, block: &Block) -> bool {
        self.stages.last().is_some_and(|stage| stage.has(block.game.number, &block.numbers, block.round))
    }
}

impl Iterator for Blocks {
    type Item = Block;

    fn next(&mut self) -> Option<Block> {
        loop {
            let (number, round, game, index) = self.next;
            let stage = self.stages.get(number)?;
            if round > stage.rounds || stage.games.is_empty() {
                self.next = (number + 1, 1, 0, 0);
                continue;
            }
            let Some(played) = stage.games.get(game) else {
                self.next = (number, round + 1, 0, 0);
                continue;
            };
            let Some(lineup) = stage.block(played.seats, round, index) else {
                self.next = (number, round, game + 1, 0);
                continue;
            };
            self.next = (number, round, game, index + 1);
            let numbers = stage.sorted(lineup);
            let is_again = stage.meetings[&played.seats].again.contains(&index);
            if is_again
                || self.stages[..number].iter().any(|earlier| earlier.has(played.number, &numbers, round))
            {
                continue;
            }
            self.count += 1;
            let first = self.games;
            self.games += u64::from(played.seats);
            let before = &mut self.of_game[played.number as usize];
            let place = PairPlace::new(*before, &numbers);
            *before += 1;
            let seats = lineup.iter().map(|bot| Arc::clone(&stage.bots[*bot])).collect::<Vec<_>>();
            let Ok(seats) = PerSeat::try_from(seats) else { continue };
            let game = played.clone();
            return Some(Block { number: self.count, before: first, round, place, game, numbers, seats });
        }
    }
}

impl Stage {
    fn of(config: &RunConfig, labels: &mut Numbering<str>, identities: &mut Numbering<BotId>) -> Self {
        let bots: Vec<_> = config.bots.iter().map(|bot| Arc::new(bot.identity())).collect();
        let numbers: Vec<_> = bots.iter().map(|bot| identities.number(bot)).collect();
        let mut games: Vec<StageGame> = Vec::new();
        for game in &config.games {
            let label: Arc<str> = Arc::from(game.label.as_str());
            let number = labels.number(&label);
            if games.iter().all(|known| known.number != number) {
                games.push(StageGame { number, label, seats: game.seats });
            }
        }
        let labels = games.iter().map(|game| (game.number, game.seats)).collect();
        let mut stage =
            Self { rounds: config.rounds, bots, numbers, games, meetings: BTreeMap::new(), labels };
        for seats in stage.labels.values().copied().collect::<BTreeSet<_>>() {
            // Meetings that results decide get their numbers from [`meeting`].
            let Some(lineups) = Lineups::of(config, seats.into()) else { continue };
            let is_same = lineups.is_same();
            let (mut sets, mut again) = (HashSet::new(), HashSet::new());
            for round in if is_same { 1..=1 } else { 1..=config.rounds } {
                let key = if is_same { 0 } else { round };
                for (index, block) in lineups.of_round(round).iter().enumerate() {
                    if !sets.insert((key, stage.sorted(block))) && is_same {
                        again.insert(index);
                    }
                }
            }
            stage.meetings.insert(seats, Meetings { lineups, sets, is_same, again });
        }
        stage
    }

    /// Returns a block of a round at tables of this size.
    fn block(&self, seats: u8, round: u32, index: usize) -> Option<&Vec<usize>> {
        self.meetings.get(&seats)?.lineups.of_round(round).get(index)
    }

    /// Returns the numbers of bots, in ascending order.
    fn sorted(&self, bots: &[usize]) -> Box<[u32]> {
        let mut numbers: Vec<_> = bots.iter().map(|bot| self.numbers[*bot]).collect();
        numbers.sort_unstable();
        numbers.into()
    }

    /// Returns whether the stage includes a block of these numbers.
    fn has(&self, label: u32, bots: &[u32], round: u32) -> bool {
        let meetings = self.labels.get(&label).and_then(|seats| self.meetings.get(seats));
        round <= self.rounds
            && meetings.is_some_and(|meetings| {
                meetings.sets.contains(&(if meetings.is_same { 0 } else { round }, bots.into()))
            })
    }
}

impl Block {
    /// Returns the numbers of its games.
    fn games(&self) -> impl Iterator<Item = u64> + use<> {
        let before = self.before;
        (1..=u64::from(self.game.seats)).map(move |leg| before + leg)
    }

    fn fixtures(self) -> Vec<Fixture> {
        rotations(self.number, self.before, self.round, self.place, &self.game.label, &self.seats)
    }
}

/// Returns the games of a meeting that is decided during a run: bots of the configuration, one block in each of its games, all
/// of which have the same number of seats. The blocks are numbered from `first_pair` on.
///
/// # Panics
/// When the configuration does not have these bots.
#[must_use]
pub fn meeting(config: &RunConfig, bots: &PerSeat<usize>, round: u32, first_pair: u64) -> Vec<Fixture> {
    let seats = bots.each_ref().map(|bot| Arc::new(config.bots[*bot].identity()));
    // Every meeting has a block in each game.
    let ordinal = first_pair.saturating_sub(1) / (config.games.len() as u64).max(1);
    let mut numbers: Vec<_> = bots.iter().map(|bot| *bot as u32).collect();
    numbers.sort_unstable();
    let place = PairPlace::new(ordinal, &numbers);
    let games = (first_pair..).zip(&config.games);
    let block = |(number, game): (u64, &GameConfig)| {
        let before = (number - 1) * bots.len() as u64;
        rotations(number, before, round, place, &Arc::from(game.label.as_str()), &seats)
    };
    games.flat_map(block).collect()
}

/// Returns the games of a block: the cyclic rotations of its seats. `before` games have lower numbers.
fn rotations(
    pair: u64,
    before: u64,
    round: u32,
    place: PairPlace,
    label: &Arc<str>,
    seats: &PerSeat<Arc<BotId>>,
) -> Vec<Fixture> {
    let game = |leg: u8| {
        let label = Arc::clone(label);
        let first = usize::from(leg) - 1;
        let seats =
            PerSeat::new(seats.len(), |seat| Arc::clone(&seats[(seat.index() + first) % seats.len()]));
        Fixture { number: before + u64::from(leg), pair, leg, round, place, label, seats }
    };
    (1..=seats.len() as u8).map(game).collect()
}

/// Numbers for values; equal values have equal numbers.
struct Numbering<T: ?Sized> {
    numbers: HashMap<Arc<T>, u32>,
}

impl<T: ?Sized + Eq + Hash> Numbering<T> {
    fn new() -> Self {
        Self { numbers: HashMap::new() }
    }

    fn number(&mut self, thing: &Arc<T>) -> u32 {
        let next = self.numbers.len() as u32;
        *self.numbers.entry(Arc::clone(thing)).or_insert(next)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, HashMap};

    use proptest::prelude::*;
    use record::{BotConfig, GameConfig, OpeningConfig};
    use settings::Conditions;

    use super::*;

    fn config(rounds: u32, bots: &[usize], games: &[usize]) -> RunConfig {
        let bot = |number: &usize| BotConfig {
            name: format!("bot-{}", number / 2),
            version: None,
            command: Vec::new(),
            options: BTreeMap::new(),
            tc: None,
            sandbox: None,
            granted: record::Grants::default(),
            limits: settings::RecordedQuota::default(),
            cgroups: None,
            start: record::StartConfig::default(),
            digest: format!("digest-{}", number % 2),
        };
        let game = |number: &usize| GameConfig {
            game: "game".to_owned(),
            options: BTreeMap::new(),
            label: format!("game size={number}"),
            seats: 2,
            tc: settings::Recorded::Known("nodes 1".parse().unwrap()),
            openings: OpeningConfig::of_plies(0),
            rules: None,
        };
        RunConfig {
            name: "cup".to_owned(),
            format: settings::Format::RoundRobin.into(),
            sprt: None,
            schedule: None,
            pairing: None,
            rounds,
            seed: 1,
            games: games.iter().map(game).collect(),
            bots: bots.iter().map(bot).collect(),
            adjudicate: settings::Adjudication::default(),
            settings: Conditions::default(),
        }
    }

    fn configs() -> impl Strategy<Value = Vec<RunConfig>> {
        let bots = proptest::sample::subsequence((0..12).collect::<Vec<_>>(), 0..8);
        let games = proptest::sample::subsequence((0..4).collect::<Vec<_>>(), 0..4);
        let config = (0_u32..4, bots, games).prop_map(|(rounds, bots, games)| config(rounds, &bots, &games));
        proptest::collection::vec(config, 1..5)
    }

    proptest! {
        #[test]
        fn numbers_never_change_when_a_run_grows(configs in configs()) {
            let history: Vec<_> = configs.iter().collect();
            let whole: Vec<_> = schedule(&history).collect();
            for length in 0..history.len() {
                let before: Vec<_> = schedule(&history[..length]).collect();
                prop_assert_eq!(&before[..], &whole[..before.len()]);
            }
            for (i, fixture) in whole.iter().enumerate() {
                prop_assert_eq!(fixture.number, i as u64 + 1);
                prop_assert_eq!(u64::from(fixture.leg), 2 - fixture.number % 2);
                prop_assert_eq!(fixture.pair, fixture.number.div_ceil(2));
            }
        }

        #[test]
        fn the_current_configuration_meets_exactly_once_a_round(configs in configs()) {
            let history: Vec<_> = configs.iter().collect();
            let current = history[history.len() - 1];
            let mut met = HashMap::new();
            for fixture in pending(&history, []) {
                *met.entry((fixture.label, fixture.seats, fixture.round)).or_insert(0) += 1;
            }
            for round in 1..=current.rounds {
                for game in &current.games {
                    for one in &current.bots {
                        for other in &current.bots {
                            let label = Arc::from(game.label.as_str());
                            let seats = PerSeat::from([one, other].map(|bot| Arc::new(bot.identity())));
                            let key = (label, seats, round);
                            prop_assert_eq!(met.remove(&key).unwrap_or(0), i32::from(one != other));
                        }
                    }
                }
            }
            prop_assert!(met.is_empty());
        }
    }

    #[test]
    fn finished_games_are_not_pending() {
        let config = config(1, &[0, 2, 4], &[0]);
        let numbers = |fixtures: Pending| fixtures.map(|fixture| fixture.number).collect::<Vec<_>>();
        assert_eq!(numbers(pending(&[&config], [])), [1, 2, 3, 4, 5, 6]);
        assert_eq!(numbers(pending(&[&config], [2, 3])), [1, 4, 5, 6]);
        assert_eq!(pending(&[], []).count(), 0);
    }

    #[test]
    fn a_meeting_is_a_pair_in_every_game() {
        let config = config(1, &[0, 2, 4], &[0, 1]);
        let fixtures = meeting(&config, &[2, 0].into(), 7, 5);
        let numbers: Vec<_> =
            fixtures.iter().map(|fixture| (fixture.number, fixture.pair, fixture.leg)).collect();
        assert_eq!(numbers, [(9, 5, 1), (10, 5, 2), (11, 6, 1), (12, 6, 2)]);
        assert!(fixtures.iter().all(|fixture| fixture.round == 7));
        let labels: Vec<_> = fixtures.iter().map(|fixture| &*fixture.label).collect();
        assert_eq!(labels, ["game size=0", "game size=0", "game size=1", "game size=1"]);
        assert_eq!(fixtures[0].seats[0].name, "bot-2");
        assert_eq!(fixtures[1].seats[1].name, "bot-2");
    }

    #[test]
    fn a_new_version_meets_everybody_and_the_old_one_nobody_else() {
        let before = config(1, &[0, 2, 4], &[0]);
        let after = config(1, &[1, 2, 4], &[0]);
        let fixtures = pending(&[&before, &after], []);
        let new = BotId { name: "bot-0".to_owned(), digest: "digest-1".to_owned() };
        let (fresh, old): (Vec<_>, Vec<_>) = fixtures.partition(|fixture| fixture.number > 6);
        assert_eq!((fresh.len(), old.len()), (4, 2));
        assert!(fresh.iter().all(|fixture| fixture.seats.iter().any(|seat| **seat == new)));
    }
}
