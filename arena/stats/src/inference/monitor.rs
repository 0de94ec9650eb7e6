//! Evidence and an interval that stay valid at any time, for monitoring during play.
//!
//! A p value or a 95 % interval is valid once, at a number of games fixed in advance. A user who looks after every pair and
//! stops at will finds a difference between equals about every other time. Here the guarantee covers all times together, by
//! betting (Waudby-Smith and Ramdas 2024, arXiv 2010.09686).
//!
//! To test whether scores x in \[0, 1\] have the mean m, start with one unit of capital and stake on each score the fraction f
//! of the largest possible loss. The capital is multiplied by `1 + f (x/m − 1)` in a bet on more than m, and by `1 + f ((1 −
//! x)/(1 − m) − 1)` in a bet on less. If the mean is m, for any law and any dependence on earlier scores, this is a fair game
//! and the capital is a martingale: the probability that it ever reaches 1/α is at most α (Ville 1939). The capital is spread
//! evenly over a fixed grid of fractions (the grid Kelly bet), so the test finds small differences as well as large ones and
//! needs no knowledge of the draws.
//!
//! The capital against m falls with m in bets on more and grows in bets on less, so the means not yet refuted at level α/2 on
//! each side form an interval. The intersection of these intervals over time contains the mean at all times with probability 1
//! − α.
//!
//! The capital depends on the counts alone. The running extremes also depend on the order, which is that of play.

use std::f64::consts::FRAC_1_SQRT_2;

use crate::{GameScore, Interval};

/// Evidence about the mean of pair scores, or of the scores of single games, that is valid at any time.
///
/// Scores are those of the monitored player, added one by one in schedule order. The mean of the next score, given all earlier
/// ones, must always be the same. So use pairs, or single games whose seats are drawn by lot or do not matter, and do not mix
/// the two. Do not add a pair that repeats the plies of an earlier one: it is no new evidence. The number of scores need not be
/// planned, and the decision to continue may depend on all results.
///
/// ```
/// use stats::{Monitor, GameScore};
///
/// let mut monitor = Monitor::new(0.05);
/// for _ in 0..40 {
///     monitor.observe_pair(GameScore::Win, GameScore::Draw);
/// }
/// assert!(monitor.is_different());
/// assert!(monitor.interval().is_some_and(|mean| mean.low > 0.5 && mean.contains(0.75)));
/// ```
#[derive(Debug, Clone)]
pub struct Monitor {
    alpha: f64,
    seen: Seen,
    /// The purses against equality, betting on more and on less.
    equal: [Purse; 2],
    /// The purses against a mean just inside each end of the interval.
    ends: [Purse; 2],
    greatest: f64,
    /// Means below the first value and above the second have been refuted at some time.
    refuted: [f64; 2],
}

/// The Elo differences that the evidence has not refuted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EloRange {
    /// The lower end; `None` when it is open.
    pub low: Option<f64>,
    /// The upper end; `None` when it is open.
    pub high: Option<f64>,
}

/// The scores so far.
#[derive(Debug, Clone, Default)]
struct Seen {
    /// Scores of 0, ¼, ½, ¾ and 1.
    counts: [u64; SCORES.len()],
    /// Scores of blocks, and means of several pairs.
    means: Vec<f64>,
}

/// The direction of a bet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bet {
    More,
    Less,
}

/// The capital staked against one mean.
#[derive(Debug, Clone)]
struct Purse {
    bet: Bet,
    mean: f64,
    /// By score and fraction, the logarithm of the factor of a stake.
    gains: [[f64; FRACTIONS]; SCORES.len()],
    /// By fraction, the logarithm of capital.
    logs: [f64; FRACTIONS],
}

/// The possible scores of a pair.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The number of fractions.
const FRACTIONS: usize = 18;

/// The largest fraction. Each of the others is smaller by √2. If a fraction is best for a difference, the nearest one on the
/// grid gains at least 97 % as fast.
const LARGEST_FRACTION: f64 = 0.95;

/// The precision of the ends: a thousandth of an Elo at even strength. The error is on the safe side.
const LEAST_MOVE: f64 = 1e-6;

impl Monitor {
    /// Returns a monitor without scores, for statements that are wrong with probability `alpha` at most.
    ///
    /// # Panics
    /// When `alpha` is not between 0 and 1.
    #[must_use]
    pub fn new(alpha: f64) -> Self {
        assert!(alpha > 0.0 && alpha < 1.0, "a level of {alpha}");
        let seen = Seen::default();
        let refuted = [0.0, 1.0];
        Self {
            alpha,
            equal: [Bet::More, Bet::Less].map(|bet| Purse::new(bet, 0.5, &seen)),
            ends: [Bet::More, Bet::Less].map(|bet| Purse::new(bet, bet.inside(refuted), &seen)),
            seen,
            greatest: 1.0,
            refuted,
        }
    }

    /// Adds the next colour-swapped pair: the scores of the monitored player in its two games.
    pub fn observe_pair(&mut self, one: GameScore, two: GameScore) {
        self.observe(one.halves() + two.halves());
    }

    /// Adds a block of colour-swapped pairs at once, such as all pairs of one round against several opponents.
    ///
    /// Within a block the means may differ. Their average over the block must stay the same and, given all earlier blocks, the
    /// pairs of a block must be independent of each other. Then a block multiplies the capital by Π (1 + f (μᵢ/m − 1)) on
    /// average. If the average of the μᵢ is m, this is at most 1 by the inequality of the arithmetic and geometric means. So
    /// the capital is a supermartingale from block to block, and all guarantees hold for the average score of a block. No
    /// conclusion is drawn within a block.
    pub fn observe_block(&mut self, pairs: impl IntoIterator<Item = (GameScore, GameScore)>) {
        for (one, two) in pairs {
            self.count(one.halves() + two.halves());
        }
        self.conclude();
    }

    /// Adds the next score, 0 to 1: that of a block at a table of more than two seats, or the mean of several dependent
    /// observations.
    ///
    /// # Panics
    /// When the score is not between 0 and 1.
    pub fn observe_score(&mut self, score: f64) {
        assert!((0.0..=1.0).contains(&score), "a score of {score}");
        self.seen.means.push(score);
        for purse in self.equal.iter_mut().chain(&mut self.ends) {
            purse.observe_mean(score);
        }
        self.conclude();
    }

    /// Adds a block of colour-swapped pairs that depend on each other, such as those that share an opening. Their mean score is
    /// one observation. An empty block adds nothing.
    pub fn observe_mean(&mut self, pairs: impl IntoIterator<Item = (GameScore, GameScore)>) {
        let (mut quarters, mut count) = (0.0, 0.0);
        for (one, two) in pairs {
            quarters += f64::from(one.halves() + two.halves());
            count += 4.0;
        }
        if count > 0.0 {
            self.observe_score(quarters / count);
        }
    }

    fn observe(&mut self, quarters: u8) {
        self.count(quarters);
        self.conclude();
    }

    fn count(&mut self, quarters: u8) {
        self.seen.counts[usize::from(quarters)] += 1;
        for purse in self.equal.iter_mut().chain(&mut self.ends) {
            purse.observe(quarters);
        }
    }

    fn conclude(&mut self) {
        let most = f64::midpoint(self.equal[0].best(), self.equal[1].best());
        if most > self.greatest {
            self.greatest = self.greatest.max(self.e_value());
        }
        let enough = self.enough();
        for bet in [Bet::More, Bet::Less] {
            // If the mean just inside the end is not refuted, the end has not moved.
            while self.ends[bet as usize].has(enough) {
                self.refuted[bet as usize] = self.end(bet);
                self.ends[bet as usize] = Purse::new(bet, bet.inside(self.refuted), &self.seen);
            }
        }
    }

    /// Returns the number of scores.
    #[must_use]
    pub fn observed(&self) -> u64 {
        self.seen.counts.iter().sum::<u64>() + self.seen.means.len() as u64
    }

    /// Returns the mean score so far, 0 to 1; `None` before the first.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        let sum: f64 = self.seen.each().map(|(count, score)| count * score).sum();
        (self.observed() > 0).then(|| sum / self.observed() as f64)
    }

    /// Returns the evidence against equal strength, in either direction: capital that began as 1.
    ///
    /// Between equals it ever reaches 20 with a probability of at most 1/20.
    #[must_use]
    pub fn e_value(&self) -> f64 {
        f64::midpoint(self.e_value_stronger(), self.e_value_weaker())
    }

    /// Returns the evidence that the player is stronger, against "not stronger".
    #[must_use]
    pub fn e_value_stronger(&self) -> f64 {
        self.equal[0].capital()
    }

    /// Returns the evidence that the player is weaker, against "not weaker".
    #[must_use]
    pub fn e_value_weaker(&self) -> f64 {
        self.equal[1].capital()
    }

    /// Returns the p value of equal strength that is valid at any time: 1 over the highest evidence so far.
    #[must_use]
    pub fn p_value(&self) -> f64 {
        self.greatest.recip()
    }

    /// Returns whether equal strength has been refuted at the monitor's level, now or earlier.
    #[must_use]
    pub fn is_different(&self) -> bool {
        self.p_value() <= self.alpha
    }

    /// Returns the mean scores that were never refuted, within \[0, 1\].
    ///
    /// Returns `None` if none is left. Then the mean score changed during play.
    #[must_use]
    pub fn interval(&self) -> Option<Interval> {
        let [low, high] = self.refuted;
        (low <= high).then_some(Interval { low, high })
    }

    /// Returns the interval as Elo differences: −400 log10(1/m − 1) for a mean score m.
    #[must_use]
    pub fn elo(&self) -> Option<EloRange> {
        let elo = |mean: f64| -400.0 * (1.0 / mean - 1.0).log10();
        self.interval().map(|interval| EloRange {
            low: (interval.low > 0.0).then(|| elo(interval.low)),
            high: (interval.high < 1.0).then(|| elo(interval.high)),
        })
    }

    /// Returns the capital that refutes a mean on one side.
    fn enough(&self) -> f64 {
        2.0 / self.alpha
    }

    /// Returns a mean near the last one that bets refute now, given that they refute the one just inside the end.
    ///
    /// The logarithm of the capital is convex in the mean: each `ln(1 + f (x/m − 1)) = ln((1 − f) m + f x) − ln m` is, and sums
    /// and the logarithm of a sum of exponentials preserve convexity. So Newton's method from the refuted side comes close
    /// without ever passing.
    fn end(&self, bet: Bet) -> f64 {
        let most = self.enough().ln();
        let mut refuted = bet.inside(self.refuted);
        loop {
            let (log, slope) = log_capital(bet, refuted, &self.seen);
            let step = (most - log) / slope;
            // Rounding may have moved it past.
            if log > most && step.is_finite() {
                refuted += step;
            }
            if log <= most || step.abs() < LEAST_MOVE || !step.is_finite() {
                // On the safe side of rounding errors.
                return match bet {
                    Bet::More => refuted - LEAST_MOVE / 4.0,
                    Bet::Less => refuted + LEAST_MOVE / 4.0,
                };
            }
        }
    }
}

impl Seen {
    /// Returns every score that occurred, with its count.
    fn each(&self) -> impl Iterator<Item = (f64, f64)> {
        let quarters = self.counts.iter().zip(SCORES).filter(|(count, _)| **count > 0);
        let quarters = quarters.map(|(&count, score)| (count as f64, score));
        quarters.chain(self.means.iter().map(|&score| (1.0, score)))
    }
}

impl Bet {
    /// Returns the factor of a stake on a score against a mean, minus one, and its derivative by the mean.
    fn gain(self, score: f64, mean: f64) -> (f64, f64) {
        match self {
            Self::More => (score / mean - 1.0, -score / mean.powi(2)),
            Self::Less => ((1.0 - score) / (1.0 - mean) - 1.0, (1.0 - score) / (1.0 - mean).powi(2)),
        }
    }

    /// Returns the mean just inside the end that this bet moves.
    fn inside(self, [low, high]: [f64; 2]) -> f64 {
        match self {
            Self::More => low + LEAST_MOVE,
            Self::Less => high - LEAST_MOVE,
        }
    }
}

impl Purse {
    /// Returns a purse against `mean` after some scores.
    fn new(bet: Bet, mean: f64, seen: &Seen) -> Self {
        let gains = SCORES.map(|score| log_gains(bet, mean, score));
        let mut purse = Self { bet, mean, gains, logs: [0.0; FRACTIONS] };
        for (&count, gains) in seen.counts.iter().zip(&gains).filter(|(count, _)| **count > 0) {
            purse.logs.iter_mut().zip(gains).for_each(|(log, gain)| *log += count as f64 * gain);
        }
        seen.means.iter().for_each(|&score| purse.observe_mean(score));
        purse
    }

    fn observe_mean(&mut self, score: f64) {
        let gains = log_gains(self.bet, self.mean, score);
        self.logs.iter_mut().zip(gains).for_each(|(log, gain)| *log += gain);
    }

    fn observe(&mut self, quarters: u8) {
        for (log, gain) in self.logs.iter_mut().zip(&self.gains[usize::from(quarters)]) {
            *log += gain;
        }
    }

    /// Returns the capital of the most successful fraction, which is at least the mean.
    fn best(&self) -> f64 {
        self.logs.iter().copied().fold(f64::NEG_INFINITY, f64::max).exp()
    }

    /// Returns whether the capital is at least `enough`. It is cheap if no fraction has won as much.
    fn has(&self, enough: f64) -> bool {
        let most = enough.ln();
        self.logs.iter().any(|&log| log >= most) && self.capital() >= enough
    }

    /// Returns the mean over the fractions, capped at 1e300 so that it is finite.
    fn capital(&self) -> f64 {
        (self.logs.iter().map(|log| log.exp()).sum::<f64>() / FRACTIONS as f64).min(1e300)
    }
}

/// Returns the logarithm of the factor of each fraction's stake on a score.
fn log_gains(bet: Bet, mean: f64, score: f64) -> [f64; FRACTIONS] {
    let gain = bet.gain(score, mean).0;
    fractions().map(|fraction| (fraction * gain).ln_1p())
}

/// Returns the grid, the largest fraction first.
fn fractions() -> [f64; FRACTIONS] {
    let mut next = LARGEST_FRACTION;
    [(); FRACTIONS].map(|()| {
        let fraction = next;
        next *= FRAC_1_SQRT_2;
        fraction
    })
}

/// Returns the logarithm of the capital after all scores, bet against `mean`, and its derivative by the mean.
fn log_capital(bet: Bet, mean: f64, seen: &Seen) -> (f64, f64) {
    let stakes = fractions().map(|fraction| {
        seen.each().fold((0.0, 0.0), |(log, slope), (count, score)| {
            let (gain, change) = bet.gain(score, mean);
            let factor = fraction * gain;
            (log + count * factor.ln_1p(), slope + count * fraction * change / (1.0 + factor))
        })
    });
    let greatest = stakes.iter().map(|(log, _)| *log).fold(f64::NEG_INFINITY, f64::max);
    let parts = stakes.map(|(log, slope)| ((log - greatest).exp(), slope));
    let sum: f64 = parts.iter().map(|(part, _)| part).sum();
    let slope = parts.iter().map(|(part, slope)| part * slope).sum::<f64>() / sum;
    (greatest + (sum / FRACTIONS as f64).ln(), slope)
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Monitor {
        /// Returns the capital after all scores, bet against `mean`.
        fn capital(&self, bet: Bet, mean: f64) -> f64 {
            Purse::new(bet, mean, &self.seen).capital()
        }
    }

    fn watch(quarters: &[u8]) -> Monitor {
        let mut monitor = Monitor::new(0.05);
        for &score in quarters {
            monitor.observe(score);
        }
        monitor
    }

    /// Checks that the next score multiplies the capital by 1 on average if the mean is correct.
    fn check_fair(mean: f64, chances: [f64; 5], quarters: &[u8]) {
        let monitor = watch(quarters);
        for bet in [Bet::More, Bet::Less] {
            let expected: f64 = (0..5u8)
                .zip(chances)
                .map(|(next, chance)| {
                    let mut after = monitor.clone();
                    after.observe(next);
                    chance * after.capital(bet, mean)
                })
                .sum();
            let before = monitor.capital(bet, mean);
            assert!((expected / before - 1.0).abs() < 1e-12, "{bet:?} {expected} after {before}");
        }
    }

    #[test]
    fn the_bets_are_fair() {
        check_fair(0.5, [0.2; 5], &[]);
        check_fair(0.5, [0.0, 0.5, 0.0, 0.5, 0.0], &[2, 3, 3, 4, 0, 3, 4]);
        check_fair(0.5, [0.1, 0.0, 0.8, 0.0, 0.1], &[4, 4, 4, 4, 4, 4, 4, 4]);
        check_fair(0.75, [0.0, 0.25, 0.0, 0.25, 0.5], &[0, 1, 1, 2, 0, 0]);
    }

    #[test]
    fn one_score_is_worth_the_mean_of_the_fractions() {
        let fractions = (0..FRACTIONS).map(|i| LARGEST_FRACTION * 0.5f64.powf(i as f64 / 2.0));
        let mean = fractions.sum::<f64>() / FRACTIONS as f64;
        let monitor = watch(&[4]);
        assert!((monitor.e_value_stronger() - (1.0 + mean)).abs() < 1e-12);
        assert!((monitor.e_value_weaker() - (1.0 - mean)).abs() < 1e-12);
        assert!((monitor.e_value() - 1.0).abs() < 1e-12);
    }

    /// In a round against a strong and a weak opponent, with means whose average is ½, the capital does not grow on average.
    #[test]
    fn a_block_of_unequal_opponents_is_no_evidence_against_their_average() {
        let law = |mean: f64| [(1.0 - mean, GameScore::Loss), (mean, GameScore::Win)];
        for bet in [Bet::More, Bet::Less] {
            let mut expected = 0.0;
            for (p, one) in law(0.9) {
                for (q, two) in law(0.1) {
                    let mut monitor = watch(&[3, 4, 2]);
                    monitor.observe_block([(one, one), (two, two)]);
                    expected += p * q * monitor.capital(bet, 0.5);
                }
            }
            assert!(expected < watch(&[3, 4, 2]).capital(bet, 0.5), "{bet:?} {expected}");
        }
    }

    #[test]
    fn the_middle_of_a_block_concludes_nothing() {
        let wins = [(GameScore::Win, GameScore::Win); 60];
        let losses = [(GameScore::Loss, GameScore::Loss); 60];
        let mut whole = Monitor::new(0.05);
        whole.observe_block(wins.into_iter().chain(losses));
        assert!(!whole.is_different() && whole.interval().is_some_and(|mean| mean.contains(0.5)));
        let mut single = Monitor::new(0.05);
        wins.into_iter().chain(losses).for_each(|(one, two)| single.observe_pair(one, two));
        assert!(single.is_different());
    }

    #[test]
    fn the_ends_are_where_capital_crosses() {
        let scores: Vec<u8> = (0..200).map(|i| [2, 3, 4, 2, 1][i % 5]).collect();
        let monitor = watch(&scores);
        let Interval { low, high } = monitor.interval().expect("nothing has changed");
        assert!(low > 0.5 && low < 0.6 && high > 0.6 && high < 0.7, "{low} {high}");
        // The last score of the cycle is bad: the highest lower end was reached two scores earlier.
        let best = watch(&scores[..198]);
        assert!((best.capital(Bet::More, low) / 40.0 - 1.0).abs() < 1e-2);
        assert!(
            best.capital(Bet::More, low) >= 40.0 && best.capital(Bet::More, low + 2.0 * LEAST_MOVE) < 40.0
        );
        assert!(monitor.is_different() && monitor.e_value_stronger() > monitor.e_value_weaker());
    }

    #[test]
    fn every_end_is_where_capital_crosses() {
        let mut dice = 1_u64;
        for law in [
            [1, 1, 1, 1, 1],
            [0, 0, 1, 0, 0],
            // Near the poles of the stakes, at the means 0 and 1.
            [0, 0, 0, 0, 1],
            [1, 0, 0, 0, 0],
            [0, 0, 0, 1, 999],
            [999, 1, 0, 0, 0],
            [9, 0, 0, 0, 1],
            [0, 1, 6, 2, 1],
        ] {
            let mut monitor = Monitor::new(0.05);
            let mut before = monitor.refuted;
            for _ in 0..3000 {
                dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let mut rest = (dice >> 33) % law.iter().sum::<u64>();
                let score = law.iter().position(|weight| {
                    let is_here = rest < *weight;
                    rest = rest.saturating_sub(*weight);
                    is_here
                });
                monitor.observe(score.expect("within the weights") as u8);
                for (bet, inside) in [(Bet::More, LEAST_MOVE), (Bet::Less, -LEAST_MOVE)] {
                    let (old, new) = (before[bet as usize], monitor.refuted[bet as usize]);
                    assert!(monitor.capital(bet, new + inside) < monitor.enough(), "{law:?} {bet:?} {new}");
                    if old != new {
                        let capital = monitor.capital(bet, new);
                        assert!(
                            capital >= monitor.enough() * (1.0 - 1e-9),
                            "{law:?} {bet:?} {new} {capital}"
                        );
                        assert_eq!(new > old, bet == Bet::More);
                    }
                }
                before = monitor.refuted;
            }
        }
    }

    #[test]
    fn the_two_sides_mirror_each_other() {
        let scores: Vec<u8> = (0..90).map(|i| [4, 1, 3, 4][i % 4]).collect();
        let (one, two) = (watch(&scores), watch(&scores.iter().map(|score| 4 - score).collect::<Vec<u8>>()));
        assert!((one.e_value() / two.e_value() - 1.0).abs() < 1e-9);
        let (one, two) = (one.elo().expect("steady"), two.elo().expect("steady"));
        assert!((one.low.expect("refuted") + two.high.expect("refuted")).abs() < 0.01);
        assert!((one.high.expect("refuted") + two.low.expect("refuted")).abs() < 0.01);
    }

    #[test]
    fn nothing_is_known_at_first_and_no_score_is_infinite() {
        let nothing = Monitor::new(0.05);
        assert_eq!((nothing.mean(), nothing.e_value(), nothing.p_value()), (None, 1.0, 1.0));
        assert_eq!(nothing.elo(), Some(EloRange { low: None, high: None }));
        for score in [0, 4] {
            let monitor = watch(&[score; 3000]);
            let interval = monitor.interval().expect("steady");
            assert!(interval.contains(f64::from(score) / 4.0), "{interval:?}");
            assert!(interval.high - interval.low < 0.01 && monitor.e_value().is_finite());
            let elo = monitor.elo().expect("steady");
            assert_ne!(elo.low.is_some(), elo.high.is_some());
        }
        let drawn = watch(&[2; 3000]);
        assert_eq!(drawn.e_value(), 1.0);
        assert!(drawn.interval().expect("steady").contains(0.5));
    }

    #[test]
    fn a_mean_that_changes_empties_the_interval() {
        let mut scores = vec![4; 200];
        scores.extend([0; 2000]);
        assert_eq!(watch(&scores).interval(), None);
        assert_eq!(watch(&scores).elo(), None);
    }

    #[test]
    fn pairs_that_depend_on_each_other_are_one_observation() {
        let (mut one, mut other, mut many) = (Monitor::new(0.05), Monitor::new(0.05), Monitor::new(0.05));
        for _ in 0..30 {
            let pairs = [(GameScore::Win, GameScore::Win), (GameScore::Win, GameScore::Loss)];
            one.observe_mean(pairs);
            other.observe_pair(GameScore::Win, GameScore::Draw);
            many.observe_block(pairs);
        }
        one.observe_mean([]);
        assert_eq!((one.observed(), one.mean()), (other.observed(), other.mean()));
        assert!((one.e_value() / other.e_value() - 1.0).abs() < 1e-9);
        let (a, b) = (one.interval().expect("steady"), other.interval().expect("steady"));
        assert!((a.low - b.low).abs() < 1e-5 && (a.high - b.high).abs() < 1e-5);
        assert_eq!(many.observed(), 60);
    }
}
