//! The data kept of one run.

use std::collections::{BTreeMap, BTreeSet};

use record::{GameRecord, RunRecord, Termination, ThinkingTime, short_fingerprint};
use stats::{RatedGame, Sample, TableResult};

use crate::results::copies::{Copies, CountedGame, Mark};

/// One of the two runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// The run that serves as reference.
    Before,
    /// The run that is judged.
    After,
}

/// The unit in which shares are counted.
const BILLION: f64 = 1e9;

/// The counts of one run.
#[derive(Clone, Debug, Default)]
pub(super) struct Side {
    /// The last configuration.
    pub(super) run: Option<RunRecord>,
    /// The number of every bot that has played, by name.
    numbers: BTreeMap<String, usize>,
    /// The bots, by number.
    bots: Vec<BotTotals>,
    /// The games, by label.
    games: BTreeMap<String, Sample>,
    /// The games so far of every incomplete pair, or block at a larger table.
    open: BTreeMap<u64, (String, Vec<CountedGame>)>,
    /// The number of every label.
    labels: BTreeMap<String, usize>,
    copies: Copies,
    /// Games that count, without copies.
    counted: u64,
    /// Games without a result.
    pub(super) uncounted: u64,
    /// Pairs that repeat an earlier one ply for ply. They are left out.
    pub(super) repeated: u64,
}

/// A bot in all its versions.
#[derive(Clone, Debug, Default)]
pub(super) struct BotTotals {
    pub(super) digests: BTreeSet<String>,
    pub(super) versions: BTreeSet<String>,
    pub(super) faults: FaultCount,
    pub(super) time: TimeUse,
}

/// The games that a bot lost by its own faults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FaultCount {
    /// Games that ended with a result.
    pub games: u64,
    /// The games among them that were lost by faults, in the order of [`Termination::FAULTS`].
    pub kinds: [u64; Termination::FAULTS.len()],
}

/// The thinking time of a bot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeUse {
    time: ThinkingTime,
    /// The sum of shares, and the number of decisions with a clock. Shares are counted in billionths, because a sum of integers
    /// does not depend on the order of the games.
    shares: (u64, u64),
}

impl FaultCount {
    /// Returns the games lost by faults of any kind.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.kinds.iter().sum()
    }
}

impl TimeUse {
    /// Returns the mean thinking time of a decision in milliseconds; `None` without decisions.
    #[must_use]
    pub fn mean_ms(&self) -> Option<f64> {
        self.time.mean()
    }

    /// Returns the mean share, 0 to 1, of the clock that a decision used: its time divided by the sum of its time and the clock
    /// after it. `None` if no game had a clock.
    #[must_use]
    pub fn clock_share(&self) -> Option<f64> {
        (self.shares.1 > 0).then(|| self.shares.0 as f64 / BILLION / self.shares.1 as f64)
    }

    fn add(&mut self, micros: u64, clock_ms: Option<u64>) {
        self.time.add(ThinkingTime { micros, decisions: 1 });
        if let Some(clock) = clock_ms {
            let (spent, left) = (micros as f64, 1000.0 * clock as f64);
            let share = if spent > 0.0 { spent / (spent + left) } else { 0.0 };
            self.shares.0 += (BILLION * share).round() as u64;
            self.shares.1 += 1;
        }
    }
}

impl Side {
    pub(super) fn configure(&mut self, run: &RunRecord) {
        self.run = Some(run.clone());
    }

    /// Returns the names of all bots that are configured or have played.
    pub(super) fn names(&self) -> BTreeSet<&str> {
        let configured = self.run.iter().flat_map(|run| &run.config.bots).map(|bot| bot.name.as_str());
        configured.chain(self.numbers.keys().map(String::as_str)).collect()
    }

    /// Returns how many bots have played: the number of players in [`Self::all_games`].
    pub(super) fn players(&self) -> usize {
        self.bots.len()
    }

    /// Returns the number of a bot in [`Self::all_games`]: its index by name; `None` if it has not played.
    pub(super) fn number(&self, name: &str) -> Option<usize> {
        self.numbers.keys().position(|other| other == name)
    }

    pub(super) fn player(&self, name: &str) -> Option<&BotTotals> {
        self.bots.get(*self.numbers.get(name)?)
    }

    /// Returns the digests under which a bot has played or is configured.
    pub(super) fn digests(&self, name: &str) -> BTreeSet<&str> {
        let played = self.player(name).into_iter().flat_map(|player| &player.digests).map(String::as_str);
        let bots = self.run.iter().flat_map(|run| &run.config.bots);
        played.chain(bots.filter(|bot| bot.name == name).map(|bot| bot.digest.as_str())).collect()
    }

    pub(super) fn push(&mut self, game: &GameRecord) {
        let players = game.seats.iter().map(|record| {
            let next = self.bots.len();
            let number = *self.numbers.entry(record.bot.clone()).or_insert(next);
            if number == next {
                self.bots.push(BotTotals::default());
            }
            let player = &mut self.bots[number];
            player.digests.insert(record.digest.clone());
            player.versions.insert(record.version.clone());
            number
        });
        let players: Vec<usize> = players.collect();
        for ply in &game.plies {
            let player = usize::from(ply.seat).checked_sub(1).and_then(|seat| players.get(seat));
            if let Some((player, micros)) = player.zip(ply.us) {
                self.bots[*player].time.add(micros, ply.clock);
            }
        }
        let places: Option<Vec<u8>> = game.seats.seats().map(|seat| game.result.place(seat)).collect();
        let result = places.and_then(|places| TableResult::new(players.iter().copied().zip(places)));
        let Some(result) = result else {
            self.uncounted += 1;
            return;
        };
        for player in &players {
            self.bots[*player].faults.games += 1;
        }
        for (seat, fault) in game.faults() {
            if let Some(kind) = Termination::FAULTS.iter().position(|kind| *kind == fault) {
                self.bots[players[seat.index()]].faults.kinds[kind] += 1;
            }
        }
        let (fingerprint, opening) = game.fingerprints();
        let next = self.labels.len();
        let group = *self.labels.entry(game.label.clone()).or_insert(next);
        let rated = RatedGame { result, group, pair: Some(game.pair), opening: Some(opening) };
        let fingerprint = (!game.plies.is_empty()).then(|| short_fingerprint(fingerprint));
        let mut counted = CountedGame::new(rated, fingerprint);
        // Every label has a sample of its own.
        counted.game.group = 0;
        self.count(&game.label, game.pair, counted);
    }

    fn count(&mut self, label: &str, pair: u64, leg: CountedGame) {
        let (open, legs) = self.open.entry(pair).or_insert_with(|| (label.to_owned(), Vec::new()));
        let mut games = CountedGame::games(legs);
        games.push(leg.game);
        // Another game, other players or a repeated seating begin another block.
        let is_other = open != label || (!legs.is_empty() && !Sample::default().add_block(&games));
        if is_other {
            games.pop();
            self.counted += games.len() as u64;
            self.games.entry(std::mem::replace(open, label.to_owned())).or_default().add_block(&games);
            legs.clear();
        }
        legs.push(leg);
        if legs.len() == leg.game.result.seats()
            && let Some((label, legs)) = self.open.remove(&pair)
        {
            if self.copies.is_copy(Mark::of_unit(&legs)) {
                self.repeated += 1;
            } else {
                self.counted += legs.len() as u64;
                self.games.entry(label).or_default().add_block(&CountedGame::games(&legs));
            }
        }
    }

    /// Returns the games by label, including those without a partner, with bots numbered by name. So figures do not depend on
    /// the order of the games, not even in the last digit.
    pub(super) fn all_games(&self) -> BTreeMap<&str, Sample> {
        let mut games: BTreeMap<&str, Sample> =
            self.games.iter().map(|(label, sample)| (label.as_str(), sample.clone())).collect();
        for (label, legs) in self.open.values() {
            games.entry(label).or_default().add_block(&CountedGame::games(legs));
        }
        let mut places = vec![0; self.bots.len()];
        for (place, number) in self.numbers.values().enumerate() {
            places[*number] = place;
        }
        games.into_iter().map(|(label, sample)| (label, sample.renumbered(&places, &[0]))).collect()
    }

    /// Returns the number of games in the figures.
    pub(super) fn rated(&self) -> u64 {
        self.counted + self.open.values().map(|(_, legs)| legs.len() as u64).sum::<u64>()
    }
}
