//! The sequential test of a run: the pairs so far, and the verdict.

pub(crate) mod earlier_verdict;
pub(crate) mod markdown;
pub(crate) mod question;
pub(crate) mod several;
pub(crate) mod text;

use std::collections::BTreeMap;
use std::num::NonZeroU64;

use protocol::printable;
use record::{BotId, GameSummary, RunConfig, RunSummary, Termination};
use rules::Seat;
use stats::sprt::{
    BlockScore, Figures, GameBlock, Hypotheses, HypothesesError, Plies, SprtEnd, SprtVerdict, Walk,
};
use stats::{Counts, GameScore, Monitor};

/// The test of a run of format `sprt`. At tables of more than two seats a block takes the place of a pair: the new bot sits in
/// every seat once, and copies of the base fill the others.
///
/// Games may be added one at a time in any order. The test evaluates pairs in the order of the schedule up to the first gap, so
/// the verdict does not depend on which games are quick.
///
/// A pair is no evidence if one of its games does not count, or if its plies repeat an earlier pair.
#[derive(Clone, Debug)]
pub struct SequentialTest {
    new: BotId,
    base: BotId,
    labels: Vec<String>,
    walk: Walk,
    monitor: Monitor,
    waiting: BTreeMap<u64, Vec<Option<Leg>>>,
    /// The number of pairs evaluated, in the order of the schedule.
    taken: u64,
    tallies: [Tallies; 2],
    /// The pairs of every game by score, without copies, in the order of `labels`.
    by_game: Vec<Vec<u64>>,
    /// The same by opening: the number of pairs that count and the sum of their [`BlockScore::index`].
    by_opening: Vec<BTreeMap<u64, [u64; 2]>>,
    skipped: u64,
}

/// The facts of a game that the test uses.
#[derive(Clone, Debug)]
struct Leg {
    /// The scores of the new bot against each seat of the base; `None` if the game does not count.
    scores: Option<Vec<GameScore>>,
    fingerprint: u64,
    opening: u64,
    /// The bots that lost, or went out, by a fault, with the fault; 0 is the new bot.
    faults: Vec<(usize, Termination)>,
}

/// The games of one bot within the pairs of a test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tallies {
    /// Games won. At tables of more than two seats, seats of the other bot that it beat.
    pub wins: u64,
    /// Games drawn. At tables of more than two seats, seats of the other bot with the same place.
    pub draws: u64,
    /// Games lost on time.
    pub timeouts: u64,
    /// Games lost by any fault, including those on time.
    pub faults: u64,
}

impl SequentialTest {
    /// Returns the test of a configuration; `None` if it has none.
    ///
    /// # Errors
    /// When the hypotheses are invalid. A tournament file with such hypotheses is refused.
    pub fn new(config: &RunConfig) -> Option<Result<Self, HypothesesError>> {
        let (Some(test), [new, base]) = (&config.sprt, &config.bots[..]) else { return None };
        let seats = config.games.first().map_or(2, |game| usize::from(game.seats));
        let walk = || -> Result<Walk, HypothesesError> {
            let unknown = || HypothesesError::Model { text: test.model.to_string() };
            let model = *test.model.known().ok_or_else(unknown)?;
            let hypotheses = Hypotheses::new(test.elo0, test.elo1, test.alpha, test.beta, model)?;
            let walk = Walk::at_tables(hypotheses, seats);
            let walk = if test.overshoot { walk.with_overshoot() } else { walk };
            let most = u64::from(config.rounds).saturating_mul(config.games.len() as u64);
            Ok(NonZeroU64::new(most).map_or_else(|| walk.clone(), |most| walk.clone().with_max_pairs(most)))
        };
        Some(walk().map(|walk| Self {
            new: new.identity(),
            base: base.identity(),
            labels: config.games.iter().map(|game| game.label.clone()).collect(),
            by_game: vec![vec![0; Counts::scores_at(seats)]; config.games.len()],
            by_opening: vec![BTreeMap::new(); config.games.len()],
            walk,
            monitor: Monitor::new(test.alpha.min(test.beta).min(0.05)),
            waiting: BTreeMap::new(),
            taken: 0,
            tallies: [Tallies::default(); 2],
            skipped: 0,
        }))
    }

    /// Returns the test of a journal's last configuration with all games of the journal; `None` if it has no valid one.
    #[must_use]
    pub fn of(contents: &RunSummary) -> Option<Self> {
        let mut trial = Self::new(&contents.runs.last()?.config)?.ok()?;
        for game in &contents.games {
            trial.push(&game);
        }
        Some(trial)
    }

    /// Adds a finished game. Games of other bots and versions are ignored.
    pub fn push(&mut self, game: &GameSummary<'_>) {
        let Some((index, leg)) = self.place(game) else { return };
        let seats = self.walk.counts().games();
        let legs = self.waiting.entry(index).or_insert_with(|| vec![None; seats]);
        let place = usize::from(game.leg).checked_sub(1).and_then(|number| legs.get_mut(number));
        let Some(place) = place else { return };
        *place = Some(leg);
        while let Some(legs) =
            self.waiting.get(&self.taken).and_then(|legs| legs.iter().cloned().collect::<Option<Vec<Leg>>>())
        {
            self.waiting.remove(&self.taken);
            let label = (self.taken % self.labels.len() as u64) as usize;
            self.taken += 1;
            self.weigh(label, &legs);
        }
    }

    /// Returns the index of a game in the schedule, and its facts. At a table of more than two seats the new bot has one seat
    /// and the base has all others.
    fn place(&self, game: &GameSummary<'_>) -> Option<(u64, Leg)> {
        let label = self.labels.iter().position(|label| *label == game.label())?;
        let index = u64::from(game.round.checked_sub(1)?) * self.labels.len() as u64 + label as u64;
        let is = |seat: Seat, bot: &BotId| {
            game.seats()[seat].bot == bot.name && game.seats()[seat].digest == bot.digest
        };
        let own = game.seats().seats().find(|seat| is(*seat, &self.new))?;
        let mut others = game.seats().seats().filter(|seat| *seat != own);
        if game.seats().len() != self.walk.counts().games()
            || !others.clone().all(|seat| is(seat, &self.base))
        {
            return None;
        }
        let scores = others.try_fold(Vec::new(), |mut scores, other| {
            scores.push(match game.result.pair_score(own, other)? {
                points if points > 0.75 => GameScore::Win,
                points if points < 0.25 => GameScore::Loss,
                _ => GameScore::Draw,
            });
            Some(scores)
        });
        let faults = game.faults().map(|(seat, fault)| (usize::from(seat != own), fault)).collect();
        Some((index, Leg { scores, fingerprint: game.fingerprint, opening: game.opening, faults }))
    }

    /// Evaluates the games of a pair, or of a block at a larger table.
    fn weigh(&mut self, label: usize, legs: &[Leg]) {
        if self.walk.stop().is_some() {
            return;
        }
        let scores: Option<Vec<&Vec<GameScore>>> = legs.iter().map(|leg| leg.scores.as_ref()).collect();
        let Some(scores) = scores else {
            self.skipped += 1;
            return;
        };
        for score in scores.iter().copied().flatten() {
            match score {
                GameScore::Win => self.tallies[0].wins += 1,
                GameScore::Loss => self.tallies[1].wins += 1,
                GameScore::Draw => self.tallies.iter_mut().for_each(|tally| tally.draws += 1),
            }
        }
        for (loser, reason) in legs.iter().flat_map(|leg| &leg.faults) {
            self.tallies[*loser].faults += 1;
            self.tallies[*loser].timeouts += u64::from(*reason == Termination::Timeout);
        }
        let copies = self.walk.copies();
        let turned = (0..).map(|leg| 1 + 31 * leg);
        let plies = Plies {
            fingerprint: legs
                .iter()
                .zip(turned)
                .fold(0, |all, (leg, by)| all ^ leg.fingerprint.rotate_left(by)),
            are_same: legs.iter().all(|leg| leg.fingerprint == legs[0].fingerprint),
        };
        let halves = scores.iter().map(|scores| scores.iter().copied().map(GameScore::halves).sum::<u8>());
        let score = BlockScore::of_table(halves);
        self.walk.push(GameBlock { score, plies: Some(plies) });
        if self.walk.copies() == copies {
            match scores[..] {
                [first, second] if first.len() == 1 => self.monitor.observe_pair(first[0], second[0]),
                _ => {
                    let best = Counts::scores_at(legs.len()) - 1;
                    self.monitor.observe_score(score.index() as f64 / best as f64);
                }
            }
            self.by_game[label][score.index()] += 1;
            let [pairs, sum] = self.by_opening[label].entry(legs[0].opening).or_default();
            (*pairs, *sum) = (*pairs + 1, *sum + score.index() as u64);
        }
    }

    /// Returns why the test is over; `None` while it continues.
    #[must_use]
    pub const fn stop(&self) -> Option<SprtEnd> {
        self.walk.stop()
    }

    /// Returns the verdict so far.
    #[must_use]
    pub const fn decision(&self) -> SprtVerdict {
        self.walk.decision()
    }

    /// Returns the test itself.
    #[must_use]
    pub const fn walk(&self) -> &Walk {
        &self.walk
    }

    /// Returns the figures of the pairs that count, with the actual bounds and verdict of the test; `None` before the first
    /// pair.
    #[must_use]
    pub fn figures(&self) -> Option<Figures> {
        let figures = Figures::of(self.walk.counts(), self.walk.hypotheses())?;
        let (lower, upper) = self.walk.bounds();
        Some(Figures { lower, upper, decision: self.walk.decision(), ..figures })
    }

    /// Returns the names of the new bot and the base, escaped.
    #[must_use]
    pub fn names(&self) -> [String; 2] {
        [&self.new, &self.base].map(|bot| printable(&bot.name).into_owned())
    }

    /// Returns the names of the new bot and the base, as written.
    pub(crate) fn names_as_written(&self) -> [String; 2] {
        [self.new.name.clone(), self.base.name.clone()]
    }

    /// Returns for each game the variance of its mean score with dependence between pairs that share an opening, relative to
    /// that of independent pairs. It is 1 if every opening was played once, or if there is only one.
    pub(crate) fn dependence(&self) -> impl Iterator<Item = f64> {
        self.by_game.iter().zip(&self.by_opening).map(|(counts, openings)| dependence(counts, openings))
    }

    /// Returns the pairs of each game that count, without copies.
    pub(crate) fn by_game(&self) -> impl Iterator<Item = (&str, Counts)> {
        let counts = self.by_game.iter().map(|counts| {
            Counts::from_list(counts.clone()).expect("the length is that of blocks at a table")
        });
        self.labels.iter().map(String::as_str).zip(counts)
    }

    /// Returns the evidence that is valid at any time.
    pub(crate) const fn monitor(&self) -> &Monitor {
        &self.monitor
    }

    /// Returns the games of the new bot and of the base.
    #[must_use]
    pub const fn tallies(&self) -> [Tallies; 2] {
        self.tallies
    }

    /// Returns how many pairs were left out because one of their games does not count.
    #[must_use]
    pub const fn skipped(&self) -> u64 {
        self.skipped
    }
}

/// Returns the variance of the mean by openings relative to that by pairs.
fn dependence(counts: &[u64], openings: &BTreeMap<u64, [u64; 2]>) -> f64 {
    let (clusters, pairs) = (openings.len() as f64, counts.iter().sum::<u64>() as f64);
    if openings.len() < 2 || clusters == pairs {
        return 1.0;
    }
    let quarters = || (0..).map(f64::from).zip(counts).map(|(score, count): (f64, _)| (score, *count as f64));
    let mean = quarters().map(|(score, count)| score * count).sum::<f64>() / pairs;
    let plain: f64 = quarters().map(|(score, count)| count * (score - mean).powi(2)).sum();
    let sums = openings.values().map(|[count, sum]| (*sum as f64 - *count as f64 * mean).powi(2));
    let clustered = sums.sum::<f64>() * clusters / (clusters - 1.0);
    if plain > 0.0 { clustered / plain } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_of_one_opening_count_as_much_as_they_say_together() {
        let check = |scores: &[(u64, u64)]| {
            let (mut counts, mut openings) = ([0; 5], BTreeMap::new());
            for (opening, quarters) in scores {
                counts[*quarters as usize] += 1;
                let own: &mut [u64; 2] = openings.entry(*opening).or_default();
                *own = [own[0] + 1, own[1] + quarters];
            }
            dependence(&counts, &openings)
        };
        let once: Vec<(u64, u64)> = (0..10).map(|i| (i, i % 5)).collect();
        assert_eq!(check(&once), 1.0);
        assert_eq!(check(&once.iter().map(|(_, score)| (7, *score)).collect::<Vec<_>>()), 1.0);
        // Each opening twice with the same score: equivalent to half as many pairs.
        let twice: Vec<(u64, u64)> = once.iter().chain(&once).copied().collect();
        assert!((check(&twice) - 2.0 * 10.0 / 9.0).abs() < 1e-12);
        // Scores that balance each other are more precise.
        let balanced: Vec<(u64, u64)> = (0..20).map(|i| (i / 2, if i % 2 == 0 { 1 } else { 3 })).collect();
        assert_eq!(check(&balanced), 0.0);
    }
}
