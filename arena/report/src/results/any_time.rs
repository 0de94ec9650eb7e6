//! The figures of an unfinished run that are valid at any time: scores with their intervals.
//!
//! A round in which a bot has met every other bot in every game is one block of pairs. Its average expected score is the same
//! in every round, so a [`Monitor`] can observe the rounds one by one. The rounds of a bot are read in order up to the first
//! gap.
//!
//! The conclusions require blocks that do not depend on each other. So a round is left out if one of its games has no result,
//! repeats an earlier one ply for ply, or has the opening of an earlier round. If pairs of a round share an opening, their mean
//! is a single observation. If all pairs of a game have the same opening, that start does not count as a shared opening.

use std::collections::{BTreeSet, HashMap, HashSet};

use rustc_hash::FxBuildHasher;
use stats::{GameScore, Interval, Monitor};

use crate::results::Results;
use crate::results::copies::{KnownCopies, Mark};
use crate::results::entry::Entry;

/// The probability that an interval ever misses the truth.
const LEVEL: f64 = 0.05;

/// A pair of a round: label, player of lower and of higher number.
type Key = (usize, usize, usize);

/// The pairs of a round, as far as played: the game in which the player of lower number is `p1`, then the other one.
type Round = HashMap<Key, [Option<Leg>; 2], FxBuildHasher>;

/// Openings, each with the label of its games.
type Openings = HashSet<(usize, u64), FxBuildHasher>;

/// The relevant facts of a game.
#[derive(Clone, Copy)]
struct Leg {
    /// The score of the player of lower number; `None` if the game has no result or is a copy.
    score: Option<GameScore>,
    opening: u64,
}

/// Returns for every player the mean scores, 0 to 1, that were never refuted; `None` before its first whole round, or if its
/// score changed over time.
///
/// At tables of more than two seats the opponents differ from round to round, so no mean is constant and all are `None`.
///
/// `copies` are those among the games of the label.
pub(crate) fn scores(
    results: &Results<'_>,
    label: Option<usize>,
    mut copies: KnownCopies,
) -> Vec<Option<Interval>> {
    if results.most_seats(label) > 2 {
        return vec![None; results.players.len()];
    }
    let labels: Vec<usize> = match label {
        Some(label) => vec![label],
        None => results.configured.labels.clone(),
    };
    let (varied, repeated) = openings(results, label);
    let mut watches: Vec<_> =
        (0..results.players.len()).map(|player| Watch::of(player, &results.configured.bots)).collect();
    let rounds = results.rounds(label, |entry| Played::of(&entry));
    for (expected, (round, games)) in
        (1..=results.configured.rounds).zip(rounds.skip_while(|(round, _)| *round == 0))
    {
        if round != expected || watches.iter().all(|watch| watch.has_gap) {
            break;
        }
        let pairs = pairs(games, &mut copies);
        watches.iter_mut().for_each(|watch| watch.take(&pairs, &labels, &varied, &repeated));
    }
    watches.iter().map(Watch::interval).collect()
}

/// Returns the games whose pairs do not all have the same opening, and the openings that occur in several rounds, with their
/// games.
fn openings(results: &Results<'_>, label: Option<usize>) -> (BTreeSet<usize>, Openings) {
    let places = || {
        let all = results.of(label).map(|entry| (entry.game.opening, entry.label as u32, entry.game.round));
        let mut last = None;
        all.filter(move |place| last.replace(*place) != Some(*place))
    };
    let mut first = vec![None; results.labels.len()];
    let mut varied = BTreeSet::new();
    // Most openings occur once. Their hashes alone tell which do not, in half the memory of all places.
    let mut openings: Vec<u64> = Vec::new();
    for (opening, label, _) in places() {
        let label = label as usize;
        if *first[label].get_or_insert(opening) != opening {
            varied.insert(label);
        }
        openings.push(opening);
    }
    openings.sort_unstable();
    let equal = openings.chunk_by(|one, two| one == two).filter(|equal| equal.len() > 1);
    let several: HashSet<u64, FxBuildHasher> = equal.map(|equal| equal[0]).collect();
    drop(openings);
    if several.is_empty() {
        return (varied, Openings::default());
    }
    let mut places: Vec<_> = places().filter(|(opening, ..)| several.contains(opening)).collect();
    places.sort_unstable();
    places.dedup();
    let several = places.windows(2).filter(|two| (two[0].0, two[0].1) == (two[1].0, two[1].1));
    (varied, several.map(|two| (two[0].1 as usize, two[0].0)).collect())
}

/// A game of a round.
struct Played {
    key: Key,
    /// The place of the leg in its pair.
    place: usize,
    leg: Leg,
    mark: Option<Mark>,
}

impl Played {
    /// Returns a game of two; its leg may be a copy.
    fn of(entry: &Entry<'_>) -> Option<Self> {
        let [first, second] = entry.seats.pair()?;
        let counted = entry.counted();
        let score = counted.map(|counted| counted.game.result.score(0, 1));
        let (place, score) = if first < second { (0, score) } else { (1, score.map(GameScore::opposite)) };
        Some(Self {
            key: (entry.label, first.min(second), first.max(second)),
            place,
            leg: Leg { score, opening: entry.game.opening },
            mark: counted.and_then(|counted| counted.mark),
        })
    }
}

/// Sorts the games of a round.
fn pairs(games: Vec<Played>, copies: &mut KnownCopies) -> Round {
    let mut pairs = Round::with_capacity_and_hasher(games.len().div_ceil(2), FxBuildHasher);
    for Played { key, place, mut leg, mark } in games {
        if copies.is_copy(mark) {
            leg.score = None;
        }
        pairs.entry(key).or_default()[place] = Some(leg);
    }
    pairs
}

/// The rounds of one player.
struct Watch {
    player: usize,
    /// The opponents; `None` for a player that is not a bot of the configuration.
    opponents: Vec<usize>,
    monitor: Monitor,
    /// The openings of earlier rounds that occur in several rounds, by game.
    openings: Openings,
    /// Whether a round was incomplete. Later rounds are then ignored.
    has_gap: bool,
}

impl Watch {
    fn of(player: usize, bots: &[usize]) -> Self {
        let is_asked = bots.contains(&player);
        let opponents: Vec<_> = bots.iter().copied().filter(|bot| is_asked && *bot != player).collect();
        let (monitor, openings) = (Monitor::new(LEVEL), Openings::default());
        Self { player, has_gap: opponents.is_empty(), opponents, monitor, openings }
    }

    /// Adds the next round, if it is complete. `varied` and `repeated` are those of [`openings`].
    fn take(&mut self, round: &Round, labels: &[usize], varied: &BTreeSet<usize>, repeated: &Openings) {
        if self.has_gap {
            return;
        }
        let player = self.player;
        let (mut block, mut openings, mut are_distinct) = (Vec::new(), Openings::default(), true);
        for label in labels {
            for opponent in &self.opponents {
                let key = (*label, player.min(*opponent), player.max(*opponent));
                let Some([Some(one), Some(two)]) = round.get(&key) else {
                    self.has_gap = true;
                    return;
                };
                let own = |score: GameScore| if player < *opponent { score } else { score.opposite() };
                block.push(one.score.zip(two.score).map(|(one, two)| (own(one), own(two))));
                if varied.contains(label) {
                    are_distinct &= openings.insert((*label, one.opening));
                    openings.insert((*label, two.opening));
                }
            }
        }
        let is_new = self.openings.is_disjoint(&openings);
        self.openings.extend(openings.intersection(repeated));
        if let Some(block) = block.into_iter().collect::<Option<Vec<_>>>().filter(|_| is_new) {
            match are_distinct {
                true => self.monitor.observe_block(block),
                false => self.monitor.observe_mean(block),
            }
        }
    }

    fn interval(&self) -> Option<Interval> {
        (self.monitor.observed() > 0).then(|| self.monitor.interval()).flatten()
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;
    use std::sync::Arc;

    use record::{GameContext, GameResult, GameSummary, Lineup, PackedGames, SeatedBot, Summarizer};

    use super::*;
    use crate::{Asked, ContestantId};

    /// Three bots with scores of 0.8, 0.65 and 0.7 against each other, in that order of pairings.
    const SCORES: [((usize, usize), f64); 3] = [((0, 1), 0.8), ((0, 2), 0.65), ((1, 2), 0.7)];

    /// A game in which only the fields that the tests set matter.
    fn any_game() -> GameSummary<'static> {
        let seat = r#"{"bot":"a","version":"","digest":"","tc":"","seed":1}"#;
        let text = format!(
            r#"{{"number":1,"pair":1,"leg":1,"round":1,"game":"farook","options":{{}},"label":"farook","seats":[{seat},{seat}],
            "opening":0,"result":"draw","reason":"line","started":"","seconds":1.0,"plies":[]}}"#
        );
        Summarizer::default().push(&serde_json::from_str(&text).expect("a game"), 0)
    }

    fn games(seed: u64, rounds: u32) -> PackedGames {
        let mut state = seed;
        let mut luck = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let mut games = PackedGames::default();
        let any = any_game();
        let bots = ["a", "b", "c"]
            .map(|bot| Arc::new(SeatedBot { bot: bot.to_owned(), ..SeatedBot::clone(&any.seats()[0]) }));
        for round in 1..=rounds {
            for ((one, two), score) in SCORES {
                for seats in [[one, two], [two, one]] {
                    // The first seat is worth a tenth of a point.
                    let expected = if seats[0] == one { score + 0.1 } else { 1.0 - score + 0.1 };
                    let number = games.len() as u64 + 1;
                    let result = if luck() < expected { GameResult::P1Win } else { GameResult::P2Win };
                    let mut game = any.clone();
                    (game.number, game.pair, game.round) = (number, number.div_ceil(2), round);
                    game.result = result;
                    let seats = seats.map(|seat| Arc::clone(&bots[seat]));
                    let (seats, ruleset) = (seats.into(), Arc::clone(&any.context.lineup.ruleset));
                    let lineup = Arc::new(Lineup { seats, ruleset, worker: None });
                    game.context = Cow::Owned(GameContext::new(lineup));
                    games.push(&game);
                }
            }
        }
        games
    }

    /// Returns a configuration with one round more than was played.
    fn asked(rounds: u32) -> Asked {
        let player = |name: &str| ContestantId {
            name: name.to_owned(),
            version: String::new(),
            digest: String::new(),
        };
        Asked {
            labels: vec!["farook".to_owned()],
            bots: ["a", "b", "c"].map(player).to_vec(),
            rounds: rounds + 1,
            is_over: Some(false),
        }
    }

    /// A refuted mean stays refuted, so the last interval shows whether the truth was ever missed.
    #[test]
    fn intervals_hold_at_all_times_with_unequal_opponents() {
        let truth = [(0.8 + 0.65) / 2.0, (0.2 + 0.7) / 2.0, (0.35 + 0.3) / 2.0];
        let (runs, asked) = (300, asked(150));
        let mut missed = 0;
        let mut width = 0.0;
        for seed in 0..runs {
            let games = games(seed, 150);
            let tally = asked.tally(&games);
            let results = tally.results();
            let (_, _, copies) = results.sample_and_copies(None);
            for (interval, truth) in scores(results, None, copies).iter().zip(truth) {
                missed += usize::from(interval.as_ref().is_none_or(|interval| !interval.contains(truth)));
                width += interval.as_ref().map_or(1.0, |interval| interval.high - interval.low);
            }
        }
        let (all, width) = ((3 * runs) as f64, width / (3 * runs) as f64);
        println!("ever missed: {:.1} %, mean width {width:.3}", 100.0 * missed as f64 / all);
        // The three intervals of a run depend on each other: the tolerance is three standard errors of as many runs.
        assert!(
            (missed as f64) < all * (LEVEL + 3.0 * (LEVEL * (1.0 - LEVEL) / runs as f64).sqrt()),
            "{missed}"
        );
        assert!(width < 0.25, "{width}");
    }
}
