//! Brownian motion between two absorbing bounds, which approximates the log-likelihood ratio.
//!
//! Sources: D. Siegmund, *Sequential Analysis* (1985), chapters III and IV; the series are the classical
//! solutions of the heat equation on an interval, by eigenfunctions and by images.

use std::f64::consts::{PI, TAU};

use crate::numeric::normal;

/// Below this share of the squared width, the images converge faster and the series loses digits.
const SHORT: f64 = 0.1;

/// Terms below this do not change a probability.
const NEGLIGIBLE: f64 = 1e-17;

/// Motion that starts at zero, with drift and variance per step, between `lower` < 0 < `upper`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Brownian {
    pub(crate) lower: f64,
    pub(crate) upper: f64,
    pub(crate) drift: f64,
    pub(crate) variance: f64,
}

impl Brownian {
    fn width(&self) -> f64 {
        self.upper - self.lower
    }

    fn gamma(&self) -> f64 {
        self.drift / self.variance
    }

    /// Returns the probability that the motion ends at the lower bound.
    pub(crate) fn ends_below(&self) -> f64 {
        let (gamma, to_lower, width) = (self.gamma(), -self.lower, self.width());
        if (gamma * width).abs() < 1e-9 {
            self.upper / width
        } else if gamma > 0.0 {
            // (e^(−2γ x) − e^(−2γ A)) / (1 − e^(−2γ A)), with the common factor taken out.
            (-2.0 * gamma * to_lower).exp() * (-2.0 * gamma * self.upper).exp_m1()
                / (-2.0 * gamma * width).exp_m1()
        } else {
            (2.0 * gamma * self.upper).exp_m1() / (2.0 * gamma * width).exp_m1()
        }
    }

    /// Returns the mean number of steps until the motion ends (Wald's identities).
    pub(crate) fn mean_steps(&self) -> f64 {
        if (self.gamma() * self.width()).abs() < 1e-5 {
            return -self.lower * self.upper / self.variance;
        }
        let below = self.ends_below();
        (below * self.lower + (1.0 - below) * self.upper) / self.drift
    }

    /// Returns the probability of an outcome at most as good as being at `level` after `steps`.
    ///
    /// At `lower`: that the motion has ended there by then. In between: that it has, or is still running at or below `level`.
    /// At `upper`: everything except having ended there earlier.
    pub(crate) fn probability_up_to(&self, steps: f64, level: f64) -> f64 {
        let share = self.variance * steps / self.width().powi(2);
        let probability = if share < SHORT { self.images(steps, level) } else { self.series(steps, level) };
        probability.clamp(0.0, 1.0)
    }

    /// With y from the lower bound, k = nπ/A and λ = σ² (k² + γ²) / 2, this is the probability of ever ending below, plus (2/A)
    /// e^(γ(y−x)) Σ sin(kx) (γ sin(ky) − k cos(ky)) / (k² + γ²) e^(−λt).
    ///
    /// It is the integral of the density up to y, minus the flux through the lower bound after t.
    fn series(&self, steps: f64, level: f64) -> f64 {
        let (width, gamma) = (self.width(), self.gamma());
        let (x, y) = (-self.lower, level - self.lower);
        let mut sum = 0.0;
        for n in 1..100 {
            let k = f64::from(n) * PI / width;
            let squares = k * k + gamma * gamma;
            let factor = (gamma * (y - x) - 0.5 * self.variance * squares * steps).exp();
            sum += factor * (k * x).sin() * (gamma * (k * y).sin() - k * (k * y).cos()) / squares;
            if factor * (k + gamma.abs()) / squares < NEGLIGIBLE * width {
                break;
            }
        }
        self.ends_below() + 2.0 / width * sum
    }

    /// Sums sources of weight ±e^(γz) at z = 2mA and at their mirror images 2a − z in the lower bound.
    fn images(&self, steps: f64, level: f64) -> f64 {
        let (a, width) = (self.lower, self.width());
        let mut sum = 0.0;
        for m in -4..=4 {
            let z = 2.0 * f64::from(m) * width;
            sum += self.mass(steps, z, level) - self.mass(steps, 2.0 * a - z, level);
            // The flux of an inside source and its image through the lower bound.
            if m >= 0 {
                sum += self.passage(steps, z);
            }
            if m >= 1 {
                sum -= self.passage(steps, 2.0 * a + z);
            }
        }
        sum
    }

    /// Returns the mass of the source at `z` between the lower bound and `level`.
    fn mass(&self, steps: f64, z: f64, level: f64) -> f64 {
        let deviation = (self.variance * steps).sqrt();
        let centre = z + self.drift * steps;
        let (low, high) = ((self.lower - centre) / deviation, (level - centre) / deviation);
        let below = |u| weighted_probability(self.gamma() * z, u);
        // Calculated from the side on which both are small.
        if low > 0.0 { below(-low) - below(-high) } else { below(high) - below(low) }
    }

    /// Returns the flux of the source at `z`, above the lower bound, and its image through the bound.
    fn passage(&self, steps: f64, z: f64) -> f64 {
        let deviation = (self.variance * steps).sqrt();
        let (to, moved, gamma) = (self.lower - z, self.drift * steps, self.gamma());
        weighted_probability(gamma * z, (to - moved) / deviation)
            + weighted_probability(gamma * (2.0 * self.lower - z), (to + moved) / deviation)
    }
}

/// Returns e^exponent Φ(u), even if one overflows while the other vanishes.
fn weighted_probability(exponent: f64, u: f64) -> f64 {
    if u > -6.0 {
        return exponent.exp() * normal::probability_below(u);
    }
    // Mills' ratio as a continued fraction: Φ(−v) = φ(v) / (v + 1/(v + 2/(v + 3/(v + …)))).
    let v = -u;
    let fraction = (1..=40).rev().fold(v, |tail, n| v + f64::from(n) / tail);
    (exponent - 0.5 * v * v).exp() / (TAU.sqrt() * fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn motion(drift: f64) -> Brownian {
        Brownian { lower: -2.0, upper: 3.0, drift, variance: 1.0 }
    }

    #[test]
    fn images_and_series_agree_where_both_converge() {
        for drift in [-3.0, -0.4, 0.0, 1e-7, 0.3, 2.0] {
            for steps in [1.5, 2.5, 3.5] {
                for level in [-2.0, -1.0, 0.0, 1.5, 3.0] {
                    let (a, b) = (motion(drift).images(steps, level), motion(drift).series(steps, level));
                    assert!((a - b).abs() < 1e-9, "{drift} {steps} {level}: {a} {b}");
                }
            }
        }
    }

    #[test]
    fn after_long_everything_has_ended() {
        for drift in [-1.0, -1e-12, 0.0, 0.2, 40.0] {
            let motion = motion(drift);
            for level in [-2.0, 0.5, 3.0] {
                assert!((motion.probability_up_to(1000.0, level) - motion.ends_below()).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn mirrored_motion_has_the_opposite_outcomes() {
        for (steps, level) in [(0.1, 0.3), (1.0, -2.0), (2.0, 3.0), (4.0, 1.0)] {
            let one = motion(0.7).probability_up_to(steps, level);
            let mirror = Brownian { lower: -3.0, upper: 2.0, drift: -0.7, variance: 1.0 };
            assert!((one + mirror.probability_up_to(steps, -level) - 1.0).abs() < 1e-9, "{steps} {level}");
        }
    }

    #[test]
    fn a_fair_walk_takes_the_product_of_the_distances() {
        assert!((motion(0.0).mean_steps() - 6.0).abs() < 1e-12);
        assert!((motion(1e-4).mean_steps() - 6.0).abs() < 1e-3);
        assert!((motion(0.0).ends_below() - 0.6).abs() < 1e-12);
    }

    /// If the formulas for a drift divide by almost zero, those without a drift replace them.
    #[test]
    fn small_drifts_lead_over_to_none() {
        for exponent in -1400..-400 {
            let size = 10f64.powf(f64::from(exponent) / 100.0);
            for drift in [-size, size] {
                let motion = motion(drift);
                assert!((motion.mean_steps() - 6.0).abs() < 3.0 * size + 1e-4, "{drift}");
                // To first order: 2γ ab / (a + b) times the chance of the other end, subtracted.
                assert!((motion.ends_below() - 0.6 + 1.2 * drift).abs() < 1e-3 * size + 1e-9, "{drift}");
            }
        }
    }

    #[test]
    fn enormous_drifts_stay_probabilities() {
        for drift in [-1e6, -800.0, 800.0, 1e6] {
            for steps in [1e-6, 0.01, 1.0, 100.0] {
                for level in [-2.0, 0.0, 3.0] {
                    let p = motion(drift).probability_up_to(steps, level);
                    assert!((0.0..=1.0).contains(&p), "{drift} {steps} {level}: {p}");
                }
            }
        }
    }
}
