//! The results of a run in an order of their own.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, OnceLock};

use record::{GameSummary, Result};
use rustc_hash::FxBuildHasher;
use stats::{Game, Sample, Score};

use crate::players::Players;
use crate::tally::{Asked, Entry};
use crate::{Player, Standings};

/// All games by number, with players and games numbered independently of the order of arrival. They stay where they are
/// summed up: what is made of them looks at one after the other, so that a table of a million games takes little memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Results<'a> {
    pub players: Players,
    /// The games: those of the configuration in its order, then the others by name.
    pub labels: Vec<String>,
    pub configured: Configured,
    /// Whether games are still to be played: then figures must hold however often one looks.
    pub is_live: bool,
    games: &'a [GameSummary],
    /// The places of the games in the order of their numbers; `None` where they stand in it.
    order: Option<Vec<u32>>,
    /// The numbers of players and labels. What games share stays at its address as long as they are there.
    numbers: Numbers,
    /// Whether rounds, and pairs, follow each other in the order of the games.
    follows: Follows,
    /// The tables that were asked for: of all games, of each label, and of a label without games.
    made: Vec<OnceLock<Standings>>,
}

/// What is asked for, by the numbers of the tables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Configured {
    pub bots: Vec<usize>,
    pub labels: Vec<usize>,
    pub rounds: u32,
}

#[derive(Clone, Debug, Default)]
struct Numbers {
    players: HashMap<usize, usize, FxBuildHasher>,
    labels: HashMap<usize, usize, FxBuildHasher>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Follows {
    rounds: bool,
    pairs: bool,
}

impl<'a> Results<'a> {
    /// Puts games in order, which may come in any.
    pub(crate) fn new(games: &'a [GameSummary], asked: &Asked) -> Self {
        let (mut seated, mut named): (HashMap<_, _, FxBuildHasher>, HashMap<_, _, FxBuildHasher>) =
            Default::default();
        for game in games {
            for seat in &game.seats {
                seated.entry(address(seat)).or_insert_with(|| Player::seated(seat));
            }
            named.entry(address(&game.ruleset)).or_insert_with(|| game.label());
        }
        let mut sorted: BTreeSet<Player> = seated.values().cloned().collect();
        for bot in &asked.bots {
            // A bot says its version only when it plays: the digest alone tells whether it has played.
            if !seated.values().any(|player| player.is(bot)) {
                sorted.insert(bot.clone());
            }
        }
        let players = Players::new(sorted.into_iter().collect());
        let mut labels = asked.labels.clone();
        labels.extend(named.values().copied().collect::<BTreeSet<_>>().into_iter().map(str::to_owned));
        let mut seen = BTreeSet::new();
        labels.retain(|label| seen.insert(label.clone()));
        let bots = (0..players.len())
            .filter(|place| asked.bots.iter().any(|bot| bot.is(&players.list()[*place])))
            .collect();
        let configured = Configured {
            bots,
            labels: (0..labels.len()).filter(|place| asked.labels.contains(&labels[*place])).collect(),
            rounds: asked.rounds,
        };
        let known = "everything that was counted has a place";
        let numbers = Numbers {
            players: seated.iter().map(|(key, item)| (*key, players.find(item).expect(known))).collect(),
            labels: named
                .iter()
                .map(|(key, item)| (*key, labels.iter().position(|other| other == item).expect(known)))
                .collect(),
        };
        let made = vec![OnceLock::new(); labels.len() + 2];
        let mut results = Self { players, labels, configured, games, numbers, made, ..Self::default() };
        results.sort();
        results.is_live = asked.is_over.map_or_else(|| results.is_short(), |is_over| !is_over);
        results
    }

    fn sort(&mut self) {
        if !self.games.is_sorted_by(|one, two| one.number < two.number) {
            let mut order: Vec<u32> = (0..self.games.len() as u32).collect();
            let rest = |game: &'a GameSummary| {
                let entry = self.entry(game);
                (game.pair, entry.label, entry.seats)
            };
            order.sort_by(|one, two| {
                let [one, two] = [one, two].map(|place| &self.games[*place as usize]);
                one.number.cmp(&two.number).then_with(|| rest(one).cmp(&rest(two)))
            });
            self.order = Some(order);
        }
        self.follows = Follows {
            rounds: self.of(None).is_sorted_by_key(|entry| entry.game.round),
            pairs: self.of(None).is_sorted_by_key(|entry| entry.game.pair),
        };
    }

    /// Returns the table of a label, or of all games together. It is made once: that takes a look at every game.
    pub(crate) fn standings(&self, label: Option<usize>) -> &Standings {
        let place = label.map_or(0, |label| 1 + label.min(self.labels.len()));
        self.made[place].get_or_init(|| Standings::of(self, label))
    }

    /// Returns whether nothing was played.
    pub(crate) const fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// Returns the games of a label, or all, by number.
    pub(crate) fn of(&self, label: Option<usize>) -> impl Iterator<Item = Entry<'a>> + Clone {
        let place = |index: usize| self.order.as_ref().map_or(index, |order| order[index] as usize);
        let games = (0..self.games.len()).map(move |index| &self.games[place(index)]);
        // Whose label it is costs less than who sat there.
        games
            .filter(move |game| label.is_none_or(|label| self.label(game) == label))
            .map(|game| self.entry(game))
    }

    /// Returns the games of each round, the rounds in order, the games by number.
    pub(crate) fn rounds(&self, label: Option<usize>) -> impl Iterator<Item = Vec<Entry<'a>>> {
        self.chunks(label, self.follows.rounds, |entry| u64::from(entry.game.round))
    }

    /// Returns the games of each pair, the pairs in order, the games by number. Pairs of several labels or players may
    /// have one number.
    pub(crate) fn pairs(&self, label: Option<usize>) -> impl Iterator<Item = Vec<Entry<'a>>> {
        self.chunks(label, self.follows.pairs, |entry| entry.game.pair)
    }

    /// Returns the games with the same key together, the keys in order; `is_sorted` says whether they come so.
    fn chunks(
        &self,
        label: Option<usize>,
        is_sorted: bool,
        key: impl Fn(&Entry<'a>) -> u64,
    ) -> impl Iterator<Item = Vec<Entry<'a>>> {
        let entries: Box<dyn Iterator<Item = Entry<'a>> + '_> = if is_sorted {
            Box::new(self.of(label))
        } else {
            let mut entries: Vec<_> = self.of(label).collect();
            entries.sort_by_key(&key);
            Box::new(entries.into_iter())
        };
        let mut entries = entries.peekable();
        std::iter::from_fn(move || {
            let first = entries.next()?;
            let mut chunk = vec![first];
            while let Some(next) = entries.next_if(|next| key(next) == key(&first)) {
                chunk.push(next);
            }
            Some(chunk)
        })
    }

    fn label(&self, game: &GameSummary) -> usize {
        self.numbers.labels[&address(&game.ruleset)]
    }

    fn entry(&self, game: &'a GameSummary) -> Entry<'a> {
        Entry {
            game,
            label: self.label(game),
            seats: game.seats.each_ref().map(|seat| self.numbers.players[&address(seat)]),
        }
    }

    /// Returns whether the games of a pair number follow each other.
    pub(crate) const fn has_pairs_in_order(&self) -> bool {
        self.follows.pairs
    }

    /// Returns the games that count, as the statistics count them.
    pub(crate) fn sample(&self, label: Option<usize>) -> Sample {
        let mut sample = Sample::default();
        for pair in self.pairs(label) {
            sample.add_games(&counted(&pair));
        }
        sample
    }

    /// Returns the labels under which games were played.
    pub(crate) fn played_labels(&self) -> Vec<usize> {
        self.numbers.labels.values().copied().collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Returns the blocks of a table: all games together, then each game where there are several.
    pub(crate) fn blocks(&self) -> Vec<Option<usize>> {
        let labels = self.played_labels();
        let several = if labels.len() > 1 { labels } else { Vec::new() };
        std::iter::once(None).chain(several.into_iter().map(Some)).collect()
    }

    /// Returns whether a round robin has games to play.
    fn is_short(&self) -> bool {
        let Configured { bots, labels, rounds } = &self.configured;
        let count = bots.len() as u64;
        let pairings = count * count.saturating_sub(1) / 2;
        let asked = 2 * pairings * labels.len() as u64 * u64::from(*rounds);
        let is_asked = |entry: &Entry<'_>| {
            labels.contains(&entry.label) && entry.seats.iter().all(|seat| bots.contains(seat))
        };
        (self.of(None).filter(is_asked).count() as u64) < asked
    }
}

/// Returns the address of what games share.
fn address<T>(shared: &Arc<T>) -> usize {
    Arc::as_ptr(shared).addr()
}

/// Returns those of some games that count.
pub(crate) fn counted(entries: &[Entry<'_>]) -> Vec<Game> {
    entries.iter().filter_map(Entry::counted).collect()
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
    pub(crate) fn of(results: &Results<'_>, label: Option<usize>) -> Self {
        let counts = |entry: &Entry<'_>| entry.counted().is_some();
        // Sorted lists of marks: sets of a million games would take several times the memory.
        let mut games: Vec<u128> = results.of(label).filter(counts).map(|entry| mark(&entry)).collect();
        let mut pairs = Vec::new();
        for mut legs in results.pairs(label) {
            legs.retain(counts);
            legs.sort_by_key(|leg| leg.label);
            for legs in legs.chunk_by(|one, two| one.label == two.label) {
                if let [one, two] = legs.iter().map(mark).collect::<Vec<_>>()[..] {
                    pairs.push(marked(one.min(two), &one.max(two).to_le_bytes()));
                }
            }
        }
        Self {
            pairs: pairs.len() as u64,
            repeated_pairs: repeated(&mut pairs),
            games: games.len() as u64,
            repeated_games: repeated(&mut games),
        }
    }
}

/// Returns what a game has in common with one that is the same ply for ply, of the same label and with the same players in
/// the same seats: different games have different ones but by a chance of 2^-128.
fn mark(entry: &Entry<'_>) -> u128 {
    let [first, second] = entry.seats;
    let numbers = [entry.label, first, second].map(|number| (number as u64).to_le_bytes());
    marked(entry.game.fingerprint(), numbers.as_flattened())
}

/// Goes on with a hash: FNV-1a of 128 bits, as that of the plies.
fn marked(hash: u128, bytes: &[u8]) -> u128 {
    let next = |hash: u128, byte: &u8| {
        (hash ^ u128::from(*byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b)
    };
    bytes.iter().fold(hash, next)
}

/// Returns how many things are equal to an earlier one.
fn repeated<T: Ord>(things: &mut [T]) -> u64 {
    things.sort_unstable();
    things.windows(2).filter(|two| two[0] == two[1]).count() as u64
}
