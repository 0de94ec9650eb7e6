//! How many bytes a bot wrote while one ply was decided.

use crate::MAX_OUTPUT_PER_PLY;

/// Counts the output of a bot against the limit of a ply, so that a flood can be judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutputMeter {
    spent: u64,
    limit: u64,
}

impl OutputMeter {
    /// Returns a meter with the limit of the specification.
    #[must_use]
    pub const fn new() -> Self {
        Self::with_limit(MAX_OUTPUT_PER_PLY)
    }

    /// Returns a meter with another limit, in bytes.
    #[must_use]
    pub const fn with_limit(limit: u64) -> Self {
        Self { spent: 0, limit }
    }

    /// Starts a ply: what was written before no longer counts.
    pub const fn start_ply(&mut self) {
        self.spent = 0;
    }

    /// Counts `bytes` and returns whether the limit still holds.
    pub fn charge(&mut self, bytes: usize) -> bool {
        self.spent = self.spent.saturating_add(bytes as u64);
        !self.has_flooded()
    }

    /// Returns whether more was written in this ply than is allowed.
    #[must_use]
    pub const fn has_flooded(&self) -> bool {
        self.spent > self.limit
    }

    /// Returns the bytes written in this ply.
    #[must_use]
    pub const fn spent(&self) -> u64 {
        self.spent
    }
}

impl Default for OutputMeter {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_itself_is_no_flood() {
        let mut meter = OutputMeter::with_limit(10);
        assert!(meter.charge(10));
        assert!(!meter.charge(1));
        meter.start_ply();
        assert!(!meter.has_flooded());
        assert_eq!(meter.spent(), 0);
    }

    #[test]
    fn the_count_does_not_wrap() {
        let mut meter = OutputMeter::with_limit(u64::MAX);
        assert!(meter.charge(usize::MAX));
        assert!(meter.charge(usize::MAX));
    }
}
