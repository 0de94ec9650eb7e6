//! The results of a run in canonical order.

mod any_time;
pub(crate) mod asked;
pub(crate) mod copies;
pub(crate) mod course;
pub(crate) mod entry;
pub(crate) mod format_table;
pub(crate) mod ladders;
pub(crate) mod players;
pub(crate) mod standings;
pub(crate) mod tally;

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use record::{GameSummary, Lineup, PackedGames};
use rustc_hash::FxBuildHasher;
use stats::Sample;

use crate::results::copies::{CountedGame, KnownCopies, Mark};
use crate::results::entry::{Entry, Seating};
use crate::results::ladders::Ladders;
use crate::results::players::Players;
use crate::{Asked, ContestantId, Standings};

/// All games by number. The numbers of players and games do not depend on the order of arrival. The games stay in their
/// summaries and every table reads them one after the other, so a table of a million games needs little memory.
#[derive(Clone, Debug)]
pub(crate) struct Results<'a> {
    pub players: Players,
    /// The games: those of the configuration in its order, then the others by name.
    pub labels: Vec<String>,
    pub configured: Configured,
    /// Whether games remain to be played. Figures must then be valid at any time.
    pub is_live: bool,
    games: &'a PackedGames,
    /// The indices of the games in the order of their numbers; `None` if they are already in that order.
    order: Option<Vec<u32>>,
    /// The numbers of label and players, by the address of the shared data, which stays valid as long as the games exist.
    numbers: HashMap<usize, Numbers, FxBuildHasher>,
    /// Whether rounds, and pairs, are consecutive in the order of the games.
    follows: Follows,
    /// The places of the games in which a bot failed or made a false claim, in the order of the games.
    incidents: Vec<u32>,
    /// The tables made so far: of all games, of each label, and of a label without games.
    tables: Vec<LabelTables>,
}

/// The tables of a label, each of which is made once, because that reads every game.
#[derive(Clone, Debug, Default)]
struct LabelTables {
    standings: OnceLock<Standings>,
    ladders: OnceLock<Ladders>,
}

/// The configured entries, by the numbers of the tables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Configured {
    pub bots: Vec<usize>,
    pub labels: Vec<usize>,
    pub rounds: u32,
}

/// The numbers of a game's label and players.
#[derive(Clone, Copy, Debug)]
struct Numbers {
    label: usize,
    seats: Seating,
    /// Whether label and players are those of the configuration.
    is_asked: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Follows {
    rounds: bool,
    pairs: bool,
}

/// What all games together tell.
struct Survey {
    follows: Follows,
    /// Where in their order games with the same number are.
    equal: Vec<Range<usize>>,
    /// How many games are those of the configuration.
    asked: u64,
    incidents: Vec<u32>,
}

impl<'a> Results<'a> {
    /// Sorts the games, which may come in any order.
    pub(crate) fn new(games: &'a PackedGames, asked: &Asked) -> Self {
        let lineups: HashMap<usize, &Lineup, FxBuildHasher> =
            games.lineups().map(|lineup| (address(lineup), &**lineup)).collect();
        let seats = lineups.values().flat_map(|lineup| &lineup.seats);
        let mut seated = seats.map(|seat| (address(seat), ContestantId::seated(seat))).collect();
        name_silent(&mut seated);
        let named: BTreeSet<&str> = lineups.values().map(|lineup| lineup.ruleset.label.as_str()).collect();
        let mut sorted: BTreeSet<ContestantId> = seated.values().cloned().collect();
        for bot in &asked.bots {
            // A bot reports its version only when it plays: the digest alone shows whether it has played.
            if !seated.values().any(|player| player.is(bot)) {
                sorted.insert(bot.clone());
            }
        }
        let players = Players::new(sorted.into_iter().collect());
        let mut labels = asked.labels.clone();
        labels.extend(named.into_iter().map(str::to_owned));
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
        let known = "every counted item has an index";
        let numbered = |lineup: &Lineup| {
            let label = labels.iter().position(|label| *label == lineup.ruleset.label).expect(known);
            let seats = Seating::new(
                lineup.seats.iter().map(|seat| players.find(&seated[&address(seat)]).expect(known)),
            );
            let is_asked = configured.labels.contains(&label)
                && seats.players().all(|player| configured.bots.contains(&player));
            Numbers { label, seats, is_asked }
        };
        let numbers = lineups.iter().map(|(key, lineup)| (*key, numbered(lineup))).collect();
        let tables = vec![LabelTables::default(); labels.len() + 2];
        let order = games.order_by_number();
        let (is_live, follows, incidents) = (false, Follows::default(), Vec::new());
        let mut results =
            Self { players, labels, configured, is_live, games, order, numbers, follows, incidents, tables };
        let survey = results.sort();
        results.is_live = asked.is_over.map_or_else(|| results.is_short(survey.asked), |is_over| !is_over);
        (results.follows, results.incidents) = (survey.follows, survey.incidents);
        results
    }

    /// Sorts games with the same number, and looks through all games in this order.
    fn sort(&mut self) -> Survey {
        let survey = self.look_through();
        if survey.equal.is_empty() {
            return survey;
        }
        // A list in which a number comes twice is out of order.
        let mut order = self.order.take().unwrap_or_default();
        for places in survey.equal {
            order[places].sort_by_cached_key(|place| {
                let game = self.games.get(*place as usize).expect("it is a place of the list");
                let entry = self.entry(game);
                (entry.game.pair, entry.label, entry.seats)
            });
        }
        self.order = Some(order);
        self.look_through()
    }

    fn look_through(&self) -> Survey {
        let mut follows = Follows { rounds: true, pairs: true };
        let (mut equal, mut asked, mut incidents) = (Vec::<Range<usize>>::new(), 0, Vec::new());
        let mut last: Option<(u64, u32, u64)> = None;
        let order = self.order.as_deref();
        for (place, game) in self.games.in_order(order).enumerate() {
            if let Some((number, round, pair)) = last {
                follows.rounds &= round <= game.round;
                follows.pairs &= pair <= game.pair;
                match equal.last_mut().filter(|known| known.end == place) {
                    Some(known) if number == game.number => known.end += 1,
                    _ if number == game.number => equal.push(place - 1..place + 1),
                    _ => {}
                }
            }
            last = Some((game.number, game.round, game.pair));
            asked += u64::from(self.numbers_of(&game).is_asked);
            if game.is_incident() {
                incidents.push(order.map_or(place as u32, |order| order[place]));
            }
        }
        Survey { follows, equal, asked, incidents }
    }

    /// Returns the table of a label, or of all games together.
    pub(crate) fn standings(&self, label: Option<usize>) -> &Standings {
        self.tables(label).standings.get_or_init(|| match label {
            Some(only) if self.has_all_games(only) => self.standings(None).named(self.labels[only].clone()),
            _ => Standings::of(self, label),
        })
    }

    /// Returns the ladder ratings after the games of a label, or after all games.
    pub(crate) fn ladders(&self, label: Option<usize>) -> &Ladders {
        match label {
            Some(only) if self.has_all_games(only) => self.ladders(None),
            _ => self.tables(label).ladders.get_or_init(|| Ladders::of(self, label)),
        }
    }

    fn tables(&self, label: Option<usize>) -> &LabelTables {
        &self.tables[label.map_or(0, |label| 1 + label.min(self.labels.len()))]
    }

    /// Returns whether this label is the only one, so that its games are all games. It must be configured: figures that are valid
    /// at any time are those of the configured labels.
    fn has_all_games(&self, label: usize) -> bool {
        label == 0 && self.labels.len() == 1 && self.configured.labels == [0]
    }

    /// Returns whether no game was played.
    pub(crate) const fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// Returns the games of a label, or all games, by number.
    pub(crate) fn of(&self, label: Option<usize>) -> impl Iterator<Item = Entry<'a>> {
        self.in_order(self.order.as_deref(), label)
    }

    /// Returns the games of a label, or all games, in an order of their places.
    fn in_order<O: AsRef<[u32]>>(
        &self,
        order: Option<O>,
        label: Option<usize>,
    ) -> impl Iterator<Item = Entry<'a>> {
        let all = self.games.in_order(order).map(|game| self.entry(game));
        all.filter(move |entry| label.is_none_or(|label| entry.label == label))
    }

    /// Returns each round with what `take` makes of its games, in the order of rounds and numbers.
    pub(crate) fn rounds<T>(
        &self,
        label: Option<usize>,
        take: impl Fn(Entry<'a>) -> Option<T>,
    ) -> impl Iterator<Item = (u32, Vec<T>)> {
        let mut entries = self.sorted_by(label, self.follows.rounds, |game| game.round.into());
        let mut next = entries.next();
        std::iter::from_fn(move || {
            let round = next.as_ref()?.game.round;
            let mut games = Vec::new();
            while let Some(entry) = next.take_if(|entry| entry.game.round == round) {
                games.extend(take(entry));
                next = entries.next();
            }
            Some((round, games))
        })
    }

    /// Returns the games in the order of a key, those of one key by number. `is_sorted` says whether they already have it.
    fn sorted_by(
        &self,
        label: Option<usize>,
        is_sorted: bool,
        key: impl Fn(&GameSummary<'a>) -> u64,
    ) -> Box<dyn Iterator<Item = Entry<'a>> + '_> {
        if is_sorted {
            return Box::new(self.of(label));
        }
        let places = self.order.clone().unwrap_or_else(|| (0..self.games.len() as u32).collect());
        let mut keys: Vec<_> = self.of(None).map(|entry| key(&entry.game)).zip(places).collect();
        keys.sort_by_key(|(key, _)| *key);
        let order: Vec<u32> = keys.into_iter().map(|(_, place)| place).collect();
        Box::new(self.in_order(Some(order), label))
    }

    fn entry(&self, game: GameSummary<'a>) -> Entry<'a> {
        let Numbers { label, seats, .. } = *self.numbers_of(&game);
        Entry { game, label, seats }
    }

    fn numbers_of(&self, game: &GameSummary<'_>) -> &Numbers {
        &self.numbers[&address(&game.context.lineup)]
    }

    /// Returns the games in which a bot failed or made a false claim, by number.
    pub(crate) fn incidents(&self) -> impl Iterator<Item = GameSummary<'a>> {
        self.games.in_order(Some(&self.incidents))
    }

    /// Returns whether the games of each pair number are consecutive.
    pub(crate) const fn has_pairs_in_order(&self) -> bool {
        self.follows.pairs
    }

    /// Returns the games that count, in the form of the statistics. Copies of earlier ones count once.
    pub(crate) fn sample(&self, label: Option<usize>) -> Sample {
        self.sample_and_copies(label).0
    }

    /// Returns the sample, the numbers of duplicates, and the copies among single games.
    fn sample_and_copies(&self, label: Option<usize>) -> (Sample, Duplicates, KnownCopies) {
        let games = KnownCopies::among(self.of(label).filter_map(|entry| entry.counted()?.mark).collect());
        let mut marks = Vec::new();
        // Where no game is a copy, no pair is one.
        if games.count() > 0 {
            self.each_unit(label, |unit| marks.extend(Mark::of_unit(unit)));
        }
        let mut copies = KnownCopies::among(marks);
        let mut sample = Sample::default();
        let mut duplicates = Duplicates { repeated_games: games.count(), ..Duplicates::default() };
        self.each_unit(label, |unit| {
            let (is_copy, games) = (copies.is_copy(Mark::of_unit(unit)), unit.len() as u64);
            duplicates.games += games;
            if games > 1 {
                duplicates.pairs += 1;
                duplicates.repeated_pairs += u64::from(is_copy);
            }
            if !is_copy {
                sample.add_games(&CountedGame::games(unit));
            }
        });
        sample.sort();
        (sample, duplicates, games)
    }

    /// Passes the pairs that count (blocks, at larger tables) and the games without a partner to `take`, in order. Pairs of
    /// several labels or players may have the same number.
    fn each_unit(&self, label: Option<usize>, mut take: impl FnMut(&[CountedGame])) {
        let mut entries = self.sorted_by(label, self.follows.pairs, |game| game.pair);
        let mut games: Vec<CountedGame> = Vec::new();
        loop {
            let next = entries.find_map(|entry| entry.counted());
            let pair = |counted: &CountedGame| counted.game.pair;
            if next.as_ref().map(pair) != games.first().map(pair) {
                let key = |counted: &CountedGame| (counted.game.group, counted.game.result.sorted_players());
                games.sort_by_key(key);
                for games in games.chunk_by(|one, two| key(one) == key(two)) {
                    // Every bot has a different seat each time.
                    let is_new = |(at, game): (usize, &CountedGame)| {
                        games[..at].iter().all(|other| !players(other).eq(players(game)))
                    };
                    let is_block = games.iter().enumerate().all(is_new);
                    games.chunks(if is_block { games.len() } else { 1 }).for_each(&mut take);
                }
                games.clear();
            }
            let Some(next) = next else { return };
            games.push(next);
        }
    }

    /// Returns the number of seats at the largest table of a label, or of all; 0 without games.
    pub(crate) fn most_seats(&self, label: Option<usize>) -> usize {
        let numbers =
            self.numbers.values().filter(|numbers| label.is_none_or(|label| numbers.label == label));
        numbers.map(|numbers| numbers.seats.len()).max().unwrap_or(0)
    }

    /// Returns the labels with games.
    pub(crate) fn played_labels(&self) -> Vec<usize> {
        self.numbers.values().map(|numbers| numbers.label).collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Returns the blocks of a table: all games together, then each game if there are several.
    pub(crate) fn blocks(&self) -> Vec<Option<usize>> {
        let labels = self.played_labels();
        let several = if labels.len() > 1 { labels } else { Vec::new() };
        std::iter::once(None).chain(several.into_iter().map(Some)).collect()
    }

    /// Returns whether a round robin of which so many games are played has games left.
    fn is_short(&self, played: u64) -> bool {
        let Configured { bots, labels, rounds } = &self.configured;
        let count = bots.len() as u64;
        let pairings = count * count.saturating_sub(1) / 2;
        let asked = 2 * pairings * labels.len() as u64 * u64::from(*rounds);
        played < asked
    }
}

/// Gives bots that failed before they reported a version the one that they report in other games, because they are the same
/// bots.
fn name_silent(seated: &mut HashMap<usize, ContestantId, FxBuildHasher>) {
    let known: BTreeSet<ContestantId> =
        seated.values().filter(|player| !player.version.is_empty()).cloned().collect();
    for player in seated.values_mut().filter(|player| player.version.is_empty()) {
        let is_same = |other: &&ContestantId| other.name == player.name && other.digest == player.digest;
        if let Some(other) = known.iter().find(is_same) {
            *player = other.clone();
        }
    }
}

/// Returns the players in the order of the seats.
fn players(counted: &CountedGame) -> impl Iterator<Item = usize> + '_ {
    counted.game.result.players()
}

/// Returns the address of the data that games share.
fn address<T>(shared: &Arc<T>) -> usize {
    Arc::as_ptr(shared).addr()
}

/// The numbers of games and pairs that are copies of earlier ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Duplicates {
    /// Pairs, or blocks at larger tables.
    pub pairs: u64,
    /// Those whose games have the start and plies of an earlier pair of the same bots.
    pub repeated_pairs: u64,
    /// Games.
    pub games: u64,
    /// Games with the start and plies of an earlier game with the same bots in the same seats.
    pub repeated_games: u64,
}
