//! The two models of a game's result, one game at a time.
//!
//! Both use the same number: d = (R1 − R2 + H) · ln 10 / 400, the strength of the first seat over the second including its
//! advantage, in natural units.

/// Natural units in an Elo point: odds of e are 400 / ln 10 ≈ 173.7 Elo.
pub(crate) const UNITS_PER_ELO: f64 = std::f64::consts::LN_10 / 400.0;

/// How results depend on strength.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Model {
    /// E\[score\] = σ(d) = 1 / (1 + e^−d); a draw counts half.
    ///
    /// The quasi-likelihood s ln σ(d) + (1 − s) ln σ(−d) has the score equation s − σ(d). The ratings are therefore consistent
    /// for any frequency of draws, but the inverse information is not their covariance.
    Logistic,
    /// Davidson (1970): win : draw : loss = e^(d/2) : ν : e^(−d/2), with η = ln ν.
    Davidson,
}

/// The contribution of one game at given d and η.
///
/// Index 0 is the derivative by d, index 1 that by η.
#[derive(Debug)]
pub(crate) struct Moments {
    /// The log-likelihood of a loss, draw and win.
    pub(crate) log: [f64; 3],
    /// Its gradient for each result.
    pub(crate) gradient: [[f64; 2]; 3],
    /// Minus its second derivatives, which do not depend on the result.
    pub(crate) information: [[f64; 2]; 2],
}

impl Model {
    pub(crate) fn moments(self, d: f64, eta: f64) -> Moments {
        match self {
            Self::Logistic => logistic(d),
            Self::Davidson => davidson(d, eta),
        }
    }
}

/// Returns ln σ(x), exact in both tails.
pub(crate) fn log_sigmoid(x: f64) -> f64 {
    x.min(0.0) - (-x.abs()).exp().ln_1p()
}

/// Returns σ(x) = 1 / (1 + e^−x), exact in both tails.
pub(crate) fn sigmoid(x: f64) -> f64 {
    if x >= 0.0 { 1.0 / (1.0 + (-x).exp()) } else { x.exp() / (1.0 + x.exp()) }
}

/// Returns the probabilities of a loss, draw and win by Davidson's model, and their logarithms.
pub(crate) fn davidson_chances(d: f64, eta: f64) -> ([f64; 3], [f64; 3]) {
    let weights = [-d / 2.0, eta, d / 2.0];
    let top = weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = weights.iter().map(|weight| (weight - top).exp()).sum();
    let log = weights.map(|weight| weight - top - sum.ln());
    (log.map(f64::exp), log)
}

fn logistic(d: f64) -> Moments {
    let (p, q) = (sigmoid(d), sigmoid(-d));
    let (win, loss) = (log_sigmoid(d), log_sigmoid(-d));
    Moments {
        log: [loss, f64::midpoint(win, loss), win],
        gradient: [[-p, 0.0], [(q - p) / 2.0, 0.0], [q, 0.0]],
        information: [[p * q, 0.0], [0.0, 0.0]],
    }
}

/// Returns the moments of an exponential family. Its statistics are t = ±½ for a decided game and the indicator of a draw.
///
/// The differences are written out so that no digits cancel if one result is almost certain.
fn davidson(d: f64, eta: f64) -> Moments {
    let ([loss, draw, win], log) = davidson_chances(d, eta);
    let variance = ((win + loss) * draw + 4.0 * win * loss) / 4.0;
    let cross = (loss - win) / 2.0 * draw;
    let gradient = [
        [-(draw + 2.0 * win) / 2.0, -draw],
        [(loss - win) / 2.0, win + loss],
        [(draw + 2.0 * loss) / 2.0, -draw],
    ];
    Moments { log, gradient, information: [[variance, cross], [cross, draw * (win + loss)]] }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the derivatives with finite differences.
    fn check(model: Model, d: f64, eta: f64) {
        let step = 1e-5;
        let here = model.moments(d, eta);
        let moved = |axis: usize, by: f64| {
            if axis == 0 { model.moments(d + by, eta) } else { model.moments(d, eta + by) }
        };
        for axis in 0..2 {
            let (up, down) = (moved(axis, step), moved(axis, -step));
            for score in 0..3 {
                let slope = (up.log[score] - down.log[score]) / (2.0 * step);
                assert!((slope - here.gradient[score][axis]).abs() < 1e-8, "{model:?} {d} {eta}");
                for other in 0..2 {
                    let bend = (up.gradient[score][other] - down.gradient[score][other]) / (2.0 * step);
                    assert!((bend + here.information[other][axis]).abs() < 1e-8, "{model:?} {d} {eta}");
                }
            }
        }
    }

    #[test]
    fn derivatives_are_those_of_the_likelihood() {
        for d in [-3.0, -0.4, 0.0, 1.7] {
            check(Model::Logistic, d, 0.0);
            for eta in [-2.0, 0.0, 1.5] {
                check(Model::Davidson, d, eta);
            }
        }
    }

    #[test]
    fn tails_do_not_overflow() {
        for d in [-1e6, 1e6] {
            for model in [Model::Logistic, Model::Davidson] {
                let moments = model.moments(d, 0.0);
                assert!(moments.log.iter().all(|x| x.is_finite()));
                assert!(moments.gradient.as_flattened().iter().all(|x| x.is_finite()));
                assert!(moments.information.as_flattened().iter().all(|x| x.is_finite()));
            }
        }
    }
}
