//! A probability law over evenly spaced scores.

/// The probabilities of the scores 0, 1/(n−1), …, 1.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Law {
    pub(crate) probabilities: Vec<f64>,
}

impl Law {
    /// Returns the law proportional to some weights, not all of them zero.
    pub(crate) fn of(mut weights: Vec<f64>) -> Self {
        let total: f64 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight /= total);
        Self { probabilities: weights }
    }

    /// Returns the number of scores.
    pub(crate) fn len(&self) -> usize {
        self.probabilities.len()
    }

    /// Returns the score with this index, 0 for the worst.
    pub(crate) fn score(&self, index: usize) -> f64 {
        index as f64 / (self.len() - 1) as f64
    }

    /// Returns the mean score.
    pub(crate) fn mean(&self) -> f64 {
        self.expectation(|score| score)
    }

    /// Returns the variance of the score.
    pub(crate) fn variance(&self) -> f64 {
        let mean = self.mean();
        self.expectation(|score| (score - mean).powi(2))
    }

    /// Returns the mean of a function of the score.
    fn expectation(&self, value: impl Fn(f64) -> f64) -> f64 {
        self.probabilities.iter().enumerate().map(|(i, p)| p * value(self.score(i))).sum()
    }
}
