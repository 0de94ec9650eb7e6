//! Simulation of whole tests: how often they err, and how long they take.

use crate::sprt::{BlockLaw, SprtVerdict, Walk};

/// Simulates a test many times between players of known strength.
#[derive(Debug, Clone)]
pub struct Simulator {
    start: Walk,
    law: BlockLaw,
}

/// How one test ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// The verdict; [`SprtVerdict::Continue`] if the limit of pairs was reached first.
    pub decision: SprtVerdict,
    /// The number of pairs.
    pub pairs: u64,
}

impl Simulator {
    /// Prepares a test that begins in the state `start`, between players whose pairs or blocks follow `law`. Both must have the
    /// same number of seats.
    #[must_use]
    pub fn new(start: Walk, law: BlockLaw) -> Self {
        Self { start, law }
    }

    /// Simulates one test. `uniform` supplies numbers between 0 and 1, one per pair.
    ///
    /// Give the test a limit of pairs: without one its length is unbounded.
    pub fn run(&self, mut uniform: impl FnMut() -> f64) -> Run {
        let mut walk = self.start.clone();
        while walk.stop().is_none() {
            walk.push(self.law.score_at(uniform()).into());
        }
        Run { decision: walk.decision(), pairs: walk.pairs() }
    }
}

/// The result of many tests.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// The number of tests.
    pub runs: usize,
    /// The share of tests that passed.
    pub pass: f64,
    /// The standard error of `pass`.
    pub pass_error: f64,
    /// The share of tests that failed.
    pub fail: f64,
    /// The mean number of pairs.
    pub mean_pairs: f64,
    /// The standard error of `mean_pairs`; 0 for a single test.
    pub mean_pairs_error: f64,
    /// The median number of pairs.
    pub median_pairs: u64,
    /// The 90 % quantile of the number of pairs.
    pub pairs90: u64,
}

impl Summary {
    /// Summarizes some tests; `None` without any.
    #[must_use]
    pub fn of(runs: &[Run]) -> Option<Self> {
        let mut pairs: Vec<u64> = runs.iter().map(|run| run.pairs).collect();
        pairs.sort_unstable();
        let n = runs.len() as f64;
        // The smallest number of pairs that this share of the tests did not exceed.
        let quantile = |share: f64| pairs.get(((share * n).ceil() as usize).saturating_sub(1)).copied();
        let share = |decision| runs.iter().filter(|run| run.decision == decision).count() as f64 / n;
        let (median_pairs, pairs90) = (quantile(0.5)?, quantile(0.9)?);
        let pass = share(SprtVerdict::H1);
        let mean_pairs = pairs.iter().map(|&pairs| pairs as f64).sum::<f64>() / n;
        let squares: f64 = pairs.iter().map(|&pairs| (pairs as f64 - mean_pairs).powi(2)).sum();
        Some(Self {
            runs: runs.len(),
            pass,
            pass_error: (pass * (1.0 - pass) / n).sqrt(),
            fail: share(SprtVerdict::H0),
            mean_pairs,
            mean_pairs_error: if runs.len() > 1 { (squares / (n - 1.0) / n).sqrt() } else { 0.0 },
            median_pairs,
            pairs90,
        })
    }
}
