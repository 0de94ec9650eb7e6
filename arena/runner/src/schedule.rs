//! Which games a run has, and their numbers.
//!
//! The numbers are a pure function of the configurations that the run was started with, in order: a run can
//! grow by rounds, bots, versions of bots and games, and no game that has a number ever gets another one.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::sync::Arc;

use record::{BotId, Numbers, RunConfig};

/// A game of the schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// The number of the game, from 1.
    pub number: u64,
    /// The number of its pair, from 1.
    pub pair: u64,
    /// Which game of its pair it is: 1 or 2.
    pub leg: u8,
    /// The round, from 1.
    pub round: u32,
    /// Where its pair stands among those of its game.
    pub place: PairPlace,
    /// The game's label, which all fixtures of the game share.
    pub label: Arc<str>,
    /// Who sits where: `p1`, then `p2`.
    pub seats: [Arc<BotId>; 2],
}

/// Where a pair stands among those of its game, from which it has its opening. It does not change as a run grows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairPlace {
    /// How many pairs of the game have lower numbers.
    pub ordinal: u64,
    /// The number of its two bots among all that may meet, from 0.
    pub pairing: u64,
}

impl PairPlace {
    /// Returns the place of a pair of two bots, by their numbers.
    fn new(ordinal: u64, one: usize, other: usize) -> Self {
        let (low, high) = (one.min(other) as u64, one.max(other) as u64);
        // All pairings of lower bots come first, so that new bots change nothing.
        Self { ordinal, pairing: high * high.saturating_sub(1) / 2 + low }
    }
}

/// The games of a run in the order of their numbers, each made when it is asked for: a schedule takes the same memory
/// whatever the number of rounds.
#[derive(Clone, Debug)]
pub struct Fixtures {
    pairs: Pairs,
    second: Option<Fixture>,
}

/// The games of a run that are still to be played, made like those of a [`Fixtures`].
#[derive(Clone, Debug)]
pub struct Pending {
    pairs: Pairs,
    second: Option<Fixture>,
    finished: Arc<Numbers>,
}

/// Numbers every game of a run from its configurations in order.
///
/// Each configuration adds the pairs that no earlier one has: round by round, in each round game by game, in
/// each game the pairings of its format in an order in which a tournament that is interrupted has met evenly
/// ([`formats::pairings`]). Where results decide, there are none.
#[must_use]
pub fn schedule(history: &[&RunConfig]) -> Fixtures {
    Fixtures { pairs: Pairs::of(history), second: None }
}

/// Returns the games that the last configuration asks for and whose numbers are not among those of the finished ones, in
/// order.
#[must_use]
pub fn pending(history: &[&RunConfig], finished: impl IntoIterator<Item = u64>) -> Pending {
    Pending { pairs: Pairs::of(history), second: None, finished: Arc::new(finished.into_iter().collect()) }
}

impl Iterator for Fixtures {
    type Item = Fixture;

    fn next(&mut self) -> Option<Fixture> {
        if let Some(second) = self.second.take() {
            return Some(second);
        }
        let [first, second] = self.pairs.next()?.fixtures();
        self.second = Some(second);
        Some(first)
    }
}

impl Iterator for Pending {
    type Item = Fixture;

    fn next(&mut self) -> Option<Fixture> {
        if let Some(second) = self.second.take() {
            return Some(second);
        }
        loop {
            let pair = self.pairs.next()?;
            let is_missing = [1, 2].map(|leg| !self.finished.contains(pair.game(leg)));
            if is_missing == [false; 2] || !self.pairs.is_asked(&pair) {
                continue;
            }
            let [first, second] = pair.fixtures();
            match is_missing {
                [true, true] => self.second = Some(second),
                [true, false] => {}
                [false, _] => return Some(second),
            }
            return Some(first);
        }
    }
}

/// The pairs of a run in the order of their numbers.
#[derive(Clone, Debug)]
struct Pairs {
    stages: Arc<[Stage]>,
    /// What comes next: the stage, the round in it, and the places in its lists of games and pairings.
    next: (usize, u32, usize, usize),
    /// How many there were.
    count: u64,
    /// How many there were of each game, by its number.
    of_game: Vec<u64>,
}

/// What one configuration asks for. Games and bots have numbers of their own, the same in all stages.
#[derive(Debug)]
struct Stage {
    rounds: u32,
    games: Vec<(u32, Arc<str>)>,
    pairings: Vec<([u32; 2], [Arc<BotId>; 2])>,
    /// The numbers of the games and of the bots that meet, the lower one first.
    labels: HashSet<u32>,
    meetings: HashSet<[u32; 2]>,
}

/// A pair of games.
struct Pair {
    number: u64,
    round: u32,
    place: PairPlace,
    game: (u32, Arc<str>),
    numbers: [u32; 2],
    seats: [Arc<BotId>; 2],
}

impl Pairs {
    fn of(history: &[&RunConfig]) -> Self {
        let (mut labels, mut identities) = (Numbering::new(), Numbering::new());
        let stages = history.iter().map(|config| Stage::of(config, &mut labels, &mut identities)).collect();
        Self { stages, next: (0, 1, 0, 0), count: 0, of_game: vec![0; labels.numbers.len()] }
    }

    /// Returns whether the last configuration asks for a pair.
    fn is_asked(&self, pair: &Pair) -> bool {
        self.stages.last().is_some_and(|stage| stage.has(pair.game.0, pair.numbers, pair.round))
    }
}

impl Iterator for Pairs {
    type Item = Pair;

    fn next(&mut self) -> Option<Pair> {
        loop {
            let (number, round, game, pairing) = self.next;
            let stage = self.stages.get(number)?;
            self.next = match (pairing + 1 < stage.pairings.len(), game + 1 < stage.games.len()) {
                _ if stage.is_empty() => (number + 1, 1, 0, 0),
                (true, _) => (number, round, game, pairing + 1),
                (false, true) => (number, round, game + 1, 0),
                (false, false) if round < stage.rounds => (number, round + 1, 0, 0),
                (false, false) => (number + 1, 1, 0, 0),
            };
            if stage.is_empty() {
                continue;
            }
            let (game, (numbers, seats)) = (&stage.games[game], &stage.pairings[pairing]);
            if self.stages[..number].iter().any(|earlier| earlier.has(game.0, *numbers, round)) {
                continue;
            }
            self.count += 1;
            let [one, other] = numbers.map(|number| number as usize);
            let before = &mut self.of_game[game.0 as usize];
            let place = PairPlace::new(*before, one, other);
            *before += 1;
            let (game, seats) = (game.clone(), seats.clone());
            return Some(Pair { number: self.count, round, place, game, numbers: *numbers, seats });
        }
    }
}

impl Stage {
    fn of(config: &RunConfig, labels: &mut Numbering<str>, identities: &mut Numbering<BotId>) -> Self {
        let bots: Vec<_> = config.bots.iter().map(|bot| Arc::new(bot.identity())).collect();
        let numbers: Vec<_> = bots.iter().map(|bot| identities.number(bot)).collect();
        let games = config.games.iter().map(|game| Arc::from(game.label.as_str()));
        let mut games: Vec<_> = games.map(|game| (labels.number(&game), game)).collect();
        let mut labels = HashSet::new();
        games.retain(|(label, _)| labels.insert(*label));
        let mut meetings = HashSet::new();
        // What results decide has its numbers from [`meeting`].
        let pairings = formats::pairings(config).unwrap_or_default().into_iter();
        let mut pairings: Vec<_> = pairings
            .map(|(first, second)| {
                let (one, two) = (numbers[first], numbers[second]);
                ([one.min(two), one.max(two)], [first, second].map(|bot| Arc::clone(&bots[bot])))
            })
            .collect();
        pairings.retain(|(numbers, _)| meetings.insert(*numbers));
        Self { rounds: config.rounds, games, pairings, labels, meetings }
    }

    fn is_empty(&self) -> bool {
        self.rounds == 0 || self.games.is_empty() || self.pairings.is_empty()
    }

    /// Returns whether it asks for a pair of these numbers.
    fn has(&self, label: u32, meeting: [u32; 2], round: u32) -> bool {
        round <= self.rounds && self.labels.contains(&label) && self.meetings.contains(&meeting)
    }
}

impl Pair {
    /// Returns the number of one of its games: 1 or 2.
    const fn game(&self, leg: u64) -> u64 {
        2 * (self.number - 1) + leg
    }

    fn fixtures(self) -> [Fixture; 2] {
        pair(self.number, self.round, self.place, &self.game.1, self.seats)
    }
}

/// Returns the games of a meeting that is decided during a run: two bots of the configuration, one pair in
/// each of its games, the pairs numbered from `first_pair` on.
///
/// # Panics
/// When the configuration has no such bots.
#[must_use]
pub fn meeting(config: &RunConfig, bots: [usize; 2], round: u32, first_pair: u64) -> Vec<Fixture> {
    let seats = bots.map(|bot| Arc::new(config.bots[bot].identity()));
    // Every meeting has a pair in each game.
    let ordinal = first_pair.saturating_sub(1) / (config.games.len() as u64).max(1);
    let place = PairPlace::new(ordinal, bots[0], bots[1]);
    let games = (first_pair..).zip(&config.games);
    games
        .flat_map(|(number, game)| pair(number, round, place, &Arc::from(game.label.as_str()), seats.clone()))
        .collect()
}

/// Returns both games of a pair, the seats swapped in the second.
fn pair(number: u64, round: u32, place: PairPlace, label: &Arc<str>, seats: [Arc<BotId>; 2]) -> [Fixture; 2] {
    let swapped = [Arc::clone(&seats[1]), Arc::clone(&seats[0])];
    [(1, seats), (2, swapped)].map(|(leg, seats)| {
        let label = Arc::clone(label);
        let number = 2 * (number - 1) + u64::from(leg);
        Fixture { number, pair: number.div_ceil(2), leg, round, place, label, seats }
    })
}

/// Numbers for things, equal for equal ones.
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
                            let seats = [one, other].map(|bot| Arc::new(bot.identity()));
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
        let fixtures = meeting(&config, [2, 0], 7, 5);
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
