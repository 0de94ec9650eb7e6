//! Siegmund's correction for the overshoot beyond a bound.
//!
//! The ratio moves in jumps and ends beyond its bound, so the plain test errs less often than requested and takes longer. The
//! mean excess over a far bound is estimated from the jumps to new extremes, the ladder heights of the walk: E\[d²\] / (2
//! E\[d\]) (Siegmund, *Sequential Analysis*, corollary 8.33).

/// The ladder heights so far, on both sides.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Overshoot {
    down: Ladder,
    up: Ladder,
}

/// Jumps to new extremes on one side.
#[derive(Debug, Clone, Copy, Default)]
struct Ladder {
    /// The distance of the extreme from zero.
    extreme: f64,
    sum: f64,
    squares: f64,
}

impl Overshoot {
    /// Adds the ratio after one more pair.
    pub(crate) fn push(&mut self, llr: f64) {
        self.down.push(-llr);
        self.up.push(llr);
    }

    /// Returns by how much the lower and the upper bound move towards zero.
    pub(crate) fn corrections(&self) -> (f64, f64) {
        (self.down.excess(), self.up.excess())
    }
}

impl Ladder {
    fn push(&mut self, height: f64) {
        let jump = height - self.extreme;
        if jump > 0.0 {
            self.extreme = height;
            self.sum += jump;
            self.squares += jump * jump;
        }
    }

    fn excess(&self) -> f64 {
        if self.sum > 0.0 { self.squares / (2.0 * self.sum) } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_jumps_to_new_extremes_count() {
        let mut overshoot = Overshoot::default();
        assert_eq!(overshoot.corrections(), (0.0, 0.0));
        for llr in [1.0, -2.0, 0.5, 4.0, 3.9, -2.5] {
            overshoot.push(llr);
        }
        // Up: 1 and 3; down: 2 and ½.
        assert_eq!(overshoot.corrections(), (4.25 / 5.0, 10.0 / 8.0));
    }
}
