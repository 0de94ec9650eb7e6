//! An interval of figures.

/// The range between two finite ends, both included.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// Returns the interval of half the width `half` around `middle`.
    pub(crate) fn about(middle: f64, half: f64) -> Self {
        Self { low: middle - half, high: middle + half }
    }

    /// Returns whether a figure lies within the interval.
    #[must_use]
    pub fn contains(&self, figure: f64) -> bool {
        self.low <= figure && figure <= self.high
    }
}
