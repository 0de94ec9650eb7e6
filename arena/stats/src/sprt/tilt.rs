//! The law nearest to the observed one under a hypothesis.
//!
//! Under each hypothesis the law of the score is fitted to the counts by maximum likelihood, under one constraint. The fitted
//! law is `q / (1 + x φ)`, where `q` are the observed shares, `φ` must have the mean zero, and `x` achieves that (Owen,
//! *Empirical Likelihood*; Van den Bergh, *Comments on normalized Elo*). The functions return the factors `1 + x φ`.

use crate::numeric::law::Law;
use crate::numeric::root;

/// Returns into how many parts the range between the smallest and the largest possible deviation is divided to look for maxima.
/// The parts are equal factors. With more scores than those of pairs, the range is larger and the curve may bend more often.
const fn parts(scores: usize) -> usize {
    if scores <= 5 { 16 } else { 32 }
}

/// How often the minimum distance of a curve from zero is narrowed, by two thirds each time, to see whether it crosses.
const NARROWINGS: usize = 40;

/// Returns the factors that give `law` this mean, which lies strictly between 0 and 1.
pub(super) fn to_mean(law: &Law, mean: f64) -> Vec<f64> {
    let phi: Vec<f64> = (0..law.len()).map(|i| law.score(i) - mean).collect();
    factors(law, &phi).unwrap_or_else(|| vec![1.0; law.len()])
}

/// Returns the factors that put the mean of `law` this many standard deviations above ½.
///
/// With u for the score minus ½, t for the distance and τ = t / √(1 + t²), the constraint is E\[u\] = τ √E\[u²\]. It is not
/// linear. But a law of maximum likelihood under it is also one under the constraint's tangent at a deviation r = √E\[u²\],
/// which is linear: E\[u − τ (r + u²/r) / 2\] = 0. So the search is for an r at which the law fitted under the tangent has
/// E\[u\] = τ r, which implies E\[u²\] = r².
///
/// For τ > 0 such an r lies between τ d, where d is the step from one score to the next, and ½. At r = τ d the tangent implies
/// E\[u\] = τ² d / 2 + E\[u²\] / (2 d); since u² ≥ u d for all scores, E\[u\] ≥ τ r. At r = ½ it implies E\[u\] = τ / 4 + τ
/// E\[u²\] ≤ τ r, since u² ≤ ¼.
///
/// There may be several: if nearly all results are draws, both a law with more draws and one with fewer may be local maxima of
/// the likelihood. The likelier of them counts.
pub(super) fn to_distance(law: &Law, distance: f64) -> Vec<f64> {
    if distance == 0.0 {
        return to_mean(law, 0.5);
    }
    if distance < 0.0 {
        let mut mirrored = law.clone();
        mirrored.probabilities.reverse();
        let mut factors = to_distance(&mirrored, -distance);
        factors.reverse();
        return factors;
    }
    let curve = Curve { law, tau: distance / distance.hypot(1.0) };
    let mut best = (vec![1.0; law.len()], f64::NEG_INFINITY);
    for (one, other) in curve.crossings() {
        let r = root::between(|r| curve.excess(r), one, other);
        let Some(factors) = curve.fitted(r) else { continue };
        let log_likelihood = -law.probabilities.iter().zip(&factors).map(|(q, f)| q * f.ln()).sum::<f64>();
        if log_likelihood > best.1 {
            best = (factors, log_likelihood);
        }
    }
    best.0
}

/// The residual of the constraint on the mean, along the tangents of [`to_distance`].
struct Curve<'a> {
    law: &'a Law,
    tau: f64,
}

/// Two points between which a curve falls through zero, with its values there.
type Crossing = ((f64, f64), (f64, f64));

impl Curve<'_> {
    /// Returns a score minus ½.
    fn centred(&self, index: usize) -> f64 {
        let scores = self.law.len();
        (index as f64 - (scores / 2) as f64) / (scores - 1) as f64
    }

    fn tangent(&self, r: f64) -> Vec<f64> {
        let phi = |i| self.centred(i) - self.tau / 2.0 * (r + self.centred(i).powi(2) / r);
        (0..self.law.len()).map(phi).collect()
    }

    /// Returns the factors of the law fitted under the tangent at `r`; `None` if no law satisfies it.
    fn fitted(&self, r: f64) -> Option<Vec<f64>> {
        factors(self.law, &self.tangent(r))
    }

    /// Returns E\[u\] − τ r of the law fitted under the tangent at `r`.
    ///
    /// If no law satisfies the tangent, it returns the limit, in which the score that comes nearest has probability 1.
    fn excess(&self, r: f64) -> f64 {
        let mean = match self.fitted(r) {
            Some(factors) => {
                let probabilities = self.law.probabilities.iter().zip(factors).map(|(q, factor)| q / factor);
                probabilities.enumerate().map(|(i, p)| p * self.centred(i)).sum()
            }
            None => {
                let tangent = self.tangent(r);
                let nearest =
                    (1..tangent.len()).fold(0, |best, i| if tangent[i] > tangent[best] { i } else { best });
                self.centred(nearest)
            }
        };
        mean - self.tau * r
    }

    /// Returns where the excess falls through zero from left to right: at least once, see [`to_distance`].
    fn crossings(&self) -> Vec<Crossing> {
        let (low, high) = (self.tau / (self.law.len() - 1) as f64, 0.5f64);
        let parts = parts(self.law.len());
        let at = |part: usize| low * (high / low).powf(part as f64 / parts as f64);
        let mut points: Vec<(f64, f64)> = (0..=parts).map(at).map(|r| (r, self.excess(r))).collect();
        // The proof for the ends holds in spite of rounding.
        points[0].1 = points[0].1.max(f64::MIN_POSITIVE);
        points[parts] = (high, self.excess(high).min(-f64::MIN_POSITIVE));
        let mut found: Vec<Crossing> = points
            .windows(2)
            .filter(|pair| pair[0].1 >= 0.0 && pair[1].1 < 0.0)
            .map(|pair| (pair[0], pair[1]))
            .collect();
        // Two crossings close together appear as a value that approaches zero and moves away again.
        for three in points.windows(3) {
            let [before, middle, after] = [three[0], three[1], three[2]];
            let side = middle.1.signum();
            let is_near = before.1 * side >= middle.1 * side && after.1 * side >= middle.1 * side;
            if let Some(beyond) = is_near.then(|| self.dip(before.0, after.0, side)).flatten() {
                found.push(if side > 0.0 { (before, beyond) } else { (beyond, after) });
            }
        }
        found
    }

    /// Returns a point between two of the same side at which the excess is on the other side; `None` if it only comes near.
    fn dip(&self, mut low: f64, mut high: f64, side: f64) -> Option<(f64, f64)> {
        for _ in 0..NARROWINGS {
            let third = (high - low) / 3.0;
            let (one, two) = (low + third, high - third);
            let (at_one, at_two) = (self.excess(one), self.excess(two));
            for (r, excess) in [(one, at_one), (two, at_two)] {
                if excess * side < 0.0 {
                    return Some((r, excess));
                }
            }
            if at_one * side < at_two * side { high = two } else { low = one }
        }
        None
    }
}

/// Returns `1 + x φ` with the `x` at which `q φ / (1 + x φ)` sums to zero; `None` if the `φ` are not on both sides of zero.
///
/// The sum falls with `x` from +∞ to −∞ between the poles that bound the positive laws, −1/max φ and −1/min φ. Its sign at x =
/// 0 shows on which side the root lies. Towards that pole, with ρ = φ / φ of the pole (at most 1) and x = (z − 1) / φ of the
/// pole, the factors are (1 − ρ) + z ρ, and the sum times z is continuous: it is positive at z = 0, where it is the share of
/// the pole's own score, and negative or zero at z = 1. No digits are lost near the pole.
fn factors(law: &Law, phi: &[f64]) -> Option<Vec<f64>> {
    let (least, most) = phi.iter().fold((0.0f64, 0.0f64), |(a, b), &v| (a.min(v), b.max(v)));
    if !(least < 0.0 && most > 0.0 && least.is_finite() && most.is_finite()) {
        return None;
    }
    let mean: f64 = law.probabilities.iter().zip(phi).map(|(q, phi)| q * phi).sum();
    let pole = if mean > 0.0 { least } else { most };
    let rho: Vec<f64> = phi.iter().map(|phi| phi / pole).collect();
    let sum = |z: f64| -> f64 {
        let terms = law.probabilities.iter().zip(&rho);
        terms.map(|(q, &rho)| if rho == 1.0 { *q } else { q * z * rho / ((1.0 - rho) + z * rho) }).sum()
    };
    // No probability exceeds 1, so the factor of the pole's score is at least that score's share.
    let shares = law.probabilities.iter().zip(&rho).filter(|(_, rho)| **rho == 1.0);
    let low = shares.map(|(q, _)| *q).fold(f64::MIN_POSITIVE, f64::max);
    let z = root::between(sum, (low, sum(low)), (1.0, mean / pole));
    Some(rho.iter().map(|rho| (1.0 - rho) + z * rho).collect())
}
