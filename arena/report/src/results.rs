//! The results of a run in an order of their own.

use std::collections::{BTreeMap, BTreeSet};

use record::Result;
use stats::{Game, Sample, Score};

use crate::Player;
use crate::players::Players;
use crate::tally::{Asked, Entry};

/// All games by number, with players and games numbered independently of the order of arrival.
#[derive(Clone, Debug, Default)]
pub(crate) struct Results<'a> {
    pub players: Players,
    /// The games: those of the configuration in its order, then the others by name.
    pub labels: Vec<String>,
    pub games: Vec<Entry<'a>>,
    pub configured: Configured,
    /// Whether games are still to be played: then figures must hold however often one looks.
    pub is_live: bool,
}

/// What is asked for, by the numbers of the tables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Configured {
    pub bots: Vec<usize>,
    pub labels: Vec<usize>,
    pub rounds: u32,
}

impl<'a> Results<'a> {
    /// Sorts what a tally holds. Players and labels come with the numbers under which `games` names them.
    pub(crate) fn new(
        players: &BTreeMap<Player, usize>,
        labels: &BTreeMap<String, usize>,
        mut games: Vec<Entry<'a>>,
        asked: &Asked,
    ) -> Self {
        let mut sorted: BTreeSet<Player> = players.keys().cloned().collect();
        for bot in &asked.bots {
            // A bot says its version only when it plays: the digest alone tells whether it has played.
            if !players.keys().any(|player| player.is(bot)) {
                sorted.insert(bot.clone());
            }
        }
        let sorted = Players::new(sorted.into_iter().collect());
        let mut order = asked.labels.clone();
        order.extend(labels.keys().cloned());
        let mut seen = BTreeSet::new();
        order.retain(|label| seen.insert(label.clone()));

        let player_places = places(players, |player| sorted.find(player));
        let label_places = places(labels, |label| order.iter().position(|other| other == label));
        for entry in &mut games {
            entry.seats = entry.seats.map(|seat| player_places[seat]);
            entry.label = label_places[entry.label];
        }
        games.sort_by_key(|entry| (entry.game.number, entry.game.pair, entry.label, entry.seats));
        let bots =
            (0..sorted.len()).filter(|place| asked.bots.iter().any(|bot| bot.is(&sorted.list()[*place])));
        let configured = Configured {
            bots: bots.collect(),
            labels: (0..order.len()).filter(|place| asked.labels.contains(&order[*place])).collect(),
            rounds: asked.rounds,
        };
        let is_live = asked.is_over.map_or_else(|| configured.is_short_of(&games), |is_over| !is_over);
        Self { players: sorted, labels: order, games, configured, is_live }
    }

    /// Returns the games that count, as the statistics count them.
    pub(crate) fn sample(&self) -> Sample {
        Sample::from_games(&self.games.iter().filter_map(Entry::counted).collect::<Vec<_>>())
    }

    /// Returns the games of a label, or all.
    pub(crate) fn of(&self, label: Option<usize>) -> impl Iterator<Item = &Entry<'a>> + Clone {
        self.games.iter().filter(move |entry| label.is_none_or(|label| entry.label == label))
    }

    /// Returns the labels under which games were played.
    pub(crate) fn played_labels(&self) -> Vec<usize> {
        (0..self.labels.len()).filter(|label| self.of(Some(*label)).next().is_some()).collect()
    }

    /// Returns the blocks of a table: all games together, then each game where there are several.
    pub(crate) fn blocks(&self) -> Vec<Option<usize>> {
        let labels = self.played_labels();
        let several = if labels.len() > 1 { labels } else { Vec::new() };
        std::iter::once(None).chain(several.into_iter().map(Some)).collect()
    }
}

impl Configured {
    /// Returns whether a round robin has games to play.
    fn is_short_of(&self, games: &[Entry<'_>]) -> bool {
        let bots = self.bots.len() as u64;
        let pairings = bots * bots.saturating_sub(1) / 2;
        let asked = 2 * pairings * self.labels.len() as u64 * u64::from(self.rounds);
        let is_asked = |entry: &&Entry<'_>| {
            self.labels.contains(&entry.label) && entry.seats.iter().all(|seat| self.bots.contains(seat))
        };
        (games.iter().filter(is_asked).count() as u64) < asked
    }
}

impl Entry<'_> {
    /// Returns the game as the statistics see it, if it counts: it has a result, and two players.
    pub(crate) fn counted(&self) -> Option<Game> {
        let score = match self.game.result {
            Result::P1Win => Score::Win,
            Result::P2Win => Score::Loss,
            Result::Draw => Score::Draw,
            Result::None => return None,
        };
        let [first, second] = self.seats;
        let pair = Some(self.game.pair);
        (first != second).then_some(Game { first, second, score, group: self.label, pair })
    }
}

/// Games and pairs that are copies of earlier ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Duplicates {
    /// Whole pairs.
    pub pairs: u64,
    /// Pairs whose two games, start and plies, are those of an earlier pair of the same two bots.
    pub repeated_pairs: u64,
    /// Games.
    pub games: u64,
    /// Games whose start and plies are those of an earlier game with the same bots in the same seats.
    pub repeated_games: u64,
}

impl Duplicates {
    pub(crate) fn of<'a>(entries: impl Iterator<Item = &'a Entry<'a>> + Clone) -> Self {
        let games = entries.filter(|entry| entry.counted().is_some());
        // Sorted lists: of a million games, sets of them would take several times as long.
        let hash = |entry: &Entry<'_>| entry.game.fingerprint().to_ne_bytes();
        let mut all: Vec<_> = games.clone().map(|entry| (entry.label, entry.seats, hash(entry))).collect();
        let mut legs: Vec<_> =
            games.map(|entry| ((entry.game.pair, entry.label), (entry.seats, hash(entry)))).collect();
        legs.sort_unstable();
        let pairs = legs.chunk_by(|one, other| one.0 == other.0);
        let mut pairs: Vec<_> = pairs
            .filter_map(|pair| match pair {
                [((_, label), one), (_, two)] => Some((*label, [*one, *two])),
                _ => None,
            })
            .collect();
        Self {
            pairs: pairs.len() as u64,
            repeated_pairs: repeated(&mut pairs),
            games: all.len() as u64,
            repeated_games: repeated(&mut all),
        }
    }
}

/// Returns how many things are equal to an earlier one.
fn repeated<T: Ord>(things: &mut [T]) -> u64 {
    things.sort_unstable();
    things.windows(2).filter(|two| two[0] == two[1]).count() as u64
}

/// Returns the new place of everything by its old number.
fn places<T>(items: &BTreeMap<T, usize>, place: impl Fn(&T) -> Option<usize>) -> Vec<usize> {
    let mut places = vec![0; items.len()];
    for (item, number) in items {
        places[*number] = place(item).expect("everything that was counted has a place");
    }
    places
}
