//! The verdict in an earlier report of a run, for comparison with the current one.

use stats::sprt::SprtVerdict;

use crate::SequentialTest;
use crate::sequential_test::question::{FAILED, NONE, PASSED};
use crate::sequential_test::text::observation;
use crate::writing::number::{count_of, signed};

/// The verdict in a `report.txt`.
///
/// The journal holds games and no verdict, so each report calculates it again. Only the earlier report file shows whether an
/// earlier arena reached a different one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EarlierVerdict {
    decision: SprtVerdict,
    pairs: u64,
}

impl EarlierVerdict {
    /// Reads the verdict from the text of a report; `None` if it contains no test.
    #[must_use]
    pub fn read(report: &str) -> Option<Self> {
        let decision = report.lines().find_map(|line| {
            let decisions =
                [(PASSED, SprtVerdict::H1), (FAILED, SprtVerdict::H0), (NONE, SprtVerdict::Continue)];
            decisions.into_iter().find_map(|(words, decision)| line.starts_with(words).then_some(decision))
        })?;
        let pairs =
            report.lines().find_map(|line| match line.split_whitespace().collect::<Vec<_>>()[..] {
                ["pairs" | "blocks", number, "played,", ..] => number.parse().ok(),
                _ => None,
            })?;
        Some(Self { decision, pairs })
    }

    /// Returns in words how the verdict of the run's test differs from this one; `None` if it does not, or if later pairs
    /// explain the difference.
    #[must_use]
    pub fn difference(&self, trial: &SequentialTest) -> Option<String> {
        let (decision, pairs) = (trial.decision(), trial.walk().pairs());
        // A decided test accepts no more pairs, and no test loses any.
        let is_same = match self.decision {
            SprtVerdict::Continue => pairs >= self.pairs,
            decided => decided == decision && pairs == self.pairs,
        };
        let unit = observation(trial.walk().counts());
        (!is_same).then(|| {
            format!(
                "the verdict of this run changes: its last report said that {} after {}, but {} after {}, with an LLR of {}",
                words(self.decision),
                count_of(self.pairs, unit),
                words(decision),
                count_of(pairs, unit),
                signed(trial.walk().llr(), 2),
            )
        })
    }
}

fn words(decision: SprtVerdict) -> &'static str {
    match decision {
        SprtVerdict::H1 => "the test is passed",
        SprtVerdict::H0 => "the test has failed",
        SprtVerdict::Continue => "the test has no verdict",
    }
}
