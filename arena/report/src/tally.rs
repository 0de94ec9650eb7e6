//! Games, counted one at a time.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use record::{GameSummary, Result, Ruleset, RunRecord, RunSummary, Sitter, Termination, ThinkingTime};
use rules::Seat;

use crate::results::{Asked, Results};
use crate::{Player, Standings, Trial};

/// The games of a run as far as tables need them. It takes games one at a time and in any order: equal games
/// give equal tables.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    players: Numbering<Sitter, Player>,
    labels: Numbering<Ruleset, String>,
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
    pub plies: u32,
    pub seconds: f64,
    /// Thinking time of each seat.
    pub time: [ThinkingTime; 2],
    /// The same for games with the same start and plies.
    pub fingerprint: u128,
}

impl Tally {
    /// Counts the games of a journal.
    #[must_use]
    pub fn of(contents: &RunSummary) -> Self {
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
    pub fn push(&mut self, game: &GameSummary) {
        self.games.push(Entry {
            number: game.number,
            pair: game.pair,
            round: game.round,
            label: self.labels.number(&game.ruleset, |ruleset| ruleset.label.clone()),
            seats: game.seats.each_ref().map(|seat| self.players.number(seat, Player::seated)),
            result: game.result,
            fault: game.fault().map(|seat| (seat, game.reason)),
            plies: game.plies,
            seconds: game.seconds,
            time: game.thinking,
            fingerprint: game.fingerprint(),
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

    /// Returns the table of all games together for somebody who may look again: as of a run that is not over.
    #[must_use]
    pub fn live_standings(&self) -> Standings {
        Standings::of(&Results { is_live: true, ..self.results() }, None)
    }

    /// Puts everything in an order that does not depend on the order of arrival.
    pub(crate) fn results(&self) -> Results {
        Results::new(&self.players.items(), &self.labels.items(), &self.games, &self.asked)
    }
}

/// Numbers things in the order of their first appearance.
#[derive(Clone, Debug)]
struct Numbering<S, T> {
    numbers: BTreeMap<T, usize>,
    /// The numbers of what games share, by its address: it is kept, so that nothing else comes to stand there.
    shared: HashMap<usize, (Arc<S>, usize)>,
}

impl<S, T> Default for Numbering<S, T> {
    fn default() -> Self {
        Self { numbers: BTreeMap::new(), shared: HashMap::new() }
    }
}

impl<S, T: Ord + Clone> Numbering<S, T> {
    /// Returns the number of what `item` makes of something.
    fn number(&mut self, shared: &Arc<S>, item: impl Fn(&S) -> T) -> usize {
        let address = Arc::as_ptr(shared).addr();
        if let Some((_, number)) = self.shared.get(&address) {
            return *number;
        }
        let next = self.numbers.len();
        let number = *self.numbers.entry(item(shared)).or_insert(next);
        self.shared.insert(address, (Arc::clone(shared), number));
        number
    }

    /// Returns the things in order, each with its number.
    fn items(&self) -> Vec<(T, usize)> {
        self.numbers.iter().map(|(item, number)| (item.clone(), *number)).collect()
    }
}
