//! Games, counted one at a time.

use std::collections::BTreeMap;

use record::{Contents, GameRecord, PlyRecord, Result, RunRecord, Termination};
use rules::Seat;

use crate::results::{Asked, Results};
use crate::{Player, Standings, Trial};

/// The games of a run as far as tables need them. It takes games one at a time and in any order: equal games
/// give equal tables.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    players: Numbering<Player>,
    labels: Numbering<String>,
    games: Vec<Entry>,
    /// What the last configuration asks for.
    asked: Asked,
}

/// What tables need of a game.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub number: u64,
    pub pair: u64,
    pub round: u32,
    pub label: usize,
    pub seats: [usize; 2],
    pub result: Result,
    /// The fault of a bot that ended the game, and its seat.
    pub fault: Option<(Seat, Termination)>,
    pub plies: u64,
    pub seconds: f64,
    /// Thinking time of each seat.
    pub time: [ThinkingTime; 2],
    /// The same for games with the same start and plies.
    pub fingerprint: u128,
}

/// How long a bot thought in all, and how often.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ThinkingTime {
    pub micros: u64,
    pub decisions: u64,
}

impl ThinkingTime {
    /// Returns the times of both seats.
    pub(crate) fn of(plies: &[PlyRecord]) -> [Self; 2] {
        let mut times = [Self::default(); 2];
        for ply in plies {
            if let Some(micros) = ply.us {
                times[usize::from(ply.seat == 2)].add(Self { micros, decisions: 1 });
            }
        }
        times
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.micros = self.micros.saturating_add(other.micros);
        self.decisions += other.decisions;
    }

    /// Returns the mean in milliseconds.
    pub(crate) fn mean(self) -> Option<f64> {
        (self.decisions > 0).then(|| self.micros as f64 / self.decisions as f64 / 1000.0)
    }
}

impl Tally {
    /// Counts the games of a journal.
    #[must_use]
    pub fn of(contents: &Contents) -> Self {
        let mut tally = Self::default();
        if let Some(run) = contents.runs.last() {
            tally.configure(run);
        }
        for game in &contents.games {
            tally.push(game);
        }
        tally.asked.is_over = match Trial::of(contents) {
            Some(trial) => Some(trial.stop().is_some()),
            None => contents.runs.last().and_then(|run| formats::is_over(&run.config, &contents.games)),
        };
        tally
    }

    /// Takes the configuration: its bots are shown before they have played, and its games in its order.
    pub fn configure(&mut self, run: &RunRecord) {
        self.asked = Asked {
            labels: run.config.games.iter().map(|game| game.label.clone()).collect(),
            bots: run.config.bots.iter().map(Player::configured).collect(),
            rounds: run.config.rounds,
            is_over: None,
        };
    }

    /// Takes a finished game.
    pub fn push(&mut self, game: &GameRecord) {
        let [white, black] = &game.seats;
        self.games.push(Entry {
            number: game.number,
            pair: game.pair,
            round: game.round,
            label: self.labels.number(game.label.clone()),
            seats: [self.players.number(Player::seated(white)), self.players.number(Player::seated(black))],
            result: game.result,
            fault: game.fault().map(|seat| (seat, game.reason)),
            plies: game.plies.len() as u64,
            seconds: game.seconds,
            time: ThinkingTime::of(&game.plies),
            fingerprint: fingerprint(game),
        });
    }

    /// Returns the number of games taken, those without a result included.
    #[must_use]
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// Returns the table of a game (by its label), or of all games together.
    #[must_use]
    pub fn standings(&self, label: Option<&str>) -> Standings {
        let results = self.results();
        match label {
            None => Standings::of(&results, None),
            Some(label) => {
                let number = results.labels.iter().position(|other| other == label);
                // A game that was never played has a table in which nobody has played.
                Standings::of(&results, Some(number.unwrap_or(results.labels.len())))
            }
        }
    }

    /// Puts everything in an order that does not depend on the order of arrival.
    pub(crate) fn results(&self) -> Results {
        Results::new(&self.players.items(), &self.labels.items(), &self.games, &self.asked)
    }
}

/// Numbers things in the order of their first appearance.
#[derive(Clone, Debug)]
struct Numbering<T> {
    numbers: BTreeMap<T, usize>,
}

impl<T> Default for Numbering<T> {
    fn default() -> Self {
        Self { numbers: BTreeMap::new() }
    }
}

impl<T: Ord + Clone> Numbering<T> {
    fn number(&mut self, item: T) -> usize {
        let next = self.numbers.len();
        *self.numbers.entry(item).or_insert(next)
    }

    /// Returns the things in order, each with its number.
    fn items(&self) -> Vec<(T, usize)> {
        self.numbers.iter().map(|(item, number)| (item.clone(), *number)).collect()
    }
}

/// FNV-1a of 128 bits over the start and the plies.
pub(crate) fn fingerprint(game: &GameRecord) -> u128 {
    let mut hash: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    let mut feed = |text: &str| {
        for byte in text.bytes().chain([b'\n']) {
            hash = (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
    };
    feed(game.start.as_deref().unwrap_or_default());
    for ply in &game.plies {
        feed(&ply.ply);
    }
    hash
}
