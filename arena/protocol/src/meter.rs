//! How much a bot wrote while one ply was decided.

use crate::{MAX_LINES_PER_PLY, MAX_OUTPUT_PER_PLY};

/// Counts the output of a bot during a decision to detect a flood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutputMeter {
    bytes: u64,
    lines: u64,
    most_bytes: u64,
    most_lines: u64,
}

/// The limit that a bot exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Excess {
    /// More than [`MAX_OUTPUT_PER_PLY`].
    Bytes,
    /// More than [`MAX_LINES_PER_PLY`].
    Lines,
}

impl OutputMeter {
    /// Returns a meter with the limits of the specification.
    #[must_use]
    pub const fn new() -> Self {
        Self::with_limits(MAX_OUTPUT_PER_PLY, MAX_LINES_PER_PLY)
    }

    /// Returns a meter with other limits.
    #[must_use]
    pub const fn with_limits(most_bytes: u64, most_lines: u64) -> Self {
        Self { bytes: 0, lines: 0, most_bytes, most_lines }
    }

    /// Starts a decision: earlier output no longer counts.
    pub const fn start_ply(&mut self) {
        (self.bytes, self.lines) = (0, 0);
    }

    /// Counts the bytes read and the lines that end in them.
    pub fn charge(&mut self, bytes: &[u8]) {
        let lines = bytes.iter().filter(|byte| **byte == b'\n').count();
        self.bytes = self.bytes.saturating_add(bytes.len() as u64);
        self.lines = self.lines.saturating_add(lines as u64);
    }

    /// Returns the limit that the output of this decision exceeds, if any.
    #[must_use]
    pub const fn excess(&self) -> Option<Excess> {
        if self.bytes > self.most_bytes {
            Some(Excess::Bytes)
        } else if self.lines > self.most_lines {
            Some(Excess::Lines)
        } else {
            None
        }
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
    fn the_limits_themselves_are_no_flood() {
        let mut meter = OutputMeter::with_limits(10, 2);
        meter.charge(b"12345678\n\n");
        assert_eq!(meter.excess(), None);
        meter.charge(b"x");
        assert_eq!(meter.excess(), Some(Excess::Bytes));
        meter.start_ply();
        assert_eq!(meter.excess(), None);
        meter.charge(b"\n\n\n");
        assert_eq!(meter.excess(), Some(Excess::Lines));
    }
}
