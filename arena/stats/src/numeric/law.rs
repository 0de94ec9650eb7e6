//! A probability law over evenly spaced scores.

/// The probabilities of the scores 0, 1/(N−1), …, 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Law<const N: usize> {
    pub(crate) probabilities: [f64; N],
}

impl<const N: usize> Law<N> {
    /// The law proportional to some weights, not all of them zero.
    pub(crate) fn of(weights: [f64; N]) -> Self {
        let total: f64 = weights.iter().sum();
        Self { probabilities: weights.map(|weight| weight / total) }
    }

    /// The score with this number, 0 for the worst.
    pub(crate) fn score(index: usize) -> f64 {
        index as f64 / (N - 1) as f64
    }

    /// The mean score.
    pub(crate) fn mean(&self) -> f64 {
        self.expectation(|score| score)
    }

    /// The variance of the score.
    pub(crate) fn variance(&self) -> f64 {
        let mean = self.mean();
        self.expectation(|score| (score - mean).powi(2))
    }

    /// The mean of a function of the score.
    fn expectation(&self, value: impl Fn(f64) -> f64) -> f64 {
        self.probabilities.iter().enumerate().map(|(i, p)| p * value(Self::score(i))).sum()
    }
}
