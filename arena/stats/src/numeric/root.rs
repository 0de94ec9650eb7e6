//! The root of a continuous function between two points of opposite signs.

/// More steps than any bracket takes: bisection alone needs about 1100 for one of doubles.
const MOST_STEPS: usize = 2000;

/// An end of the bracket: a point and the function's value there.
type End = (f64, f64);

/// Finds a root of `f` between two points at which the signs of `f` differ.
///
/// The root always stays between two points of opposite signs. The search ends when these are neighbours apart from rounding,
/// or when `f` is zero, but never because of a short step. Each step is inverse quadratic interpolation if that is safe,
/// otherwise bisection (T. R. Chandrupatla, *A new hybrid quadratic/bisection algorithm for finding the zero of a nonlinear
/// function without using derivatives*, Advances in Engineering Software 28, 1997).
///
/// If rounding hides that the signs differ, the end with the smaller `|f|` is the root.
pub(crate) fn between(mut f: impl FnMut(f64) -> f64, one: End, other: End) -> f64 {
    let (mut last, mut opposite) = (one, other);
    let nearer = |a: End, b: End| if a.1.abs() < b.1.abs() { a } else { b };
    if one.1 == 0.0 || other.1 == 0.0 || (one.1 > 0.0) == (other.1 > 0.0) {
        return nearer(one, other).0;
    }
    let mut share = 0.5;
    for _ in 0..MOST_STEPS {
        let x = last.0 + share * (opposite.0 - last.0);
        let here = (x, f(x));
        // The point that leaves the bracket still shows the curvature of the function.
        let left =
            if (here.1 > 0.0) == (last.1 > 0.0) { last } else { std::mem::replace(&mut opposite, last) };
        last = here;
        let best = nearer(last, opposite);
        let width = (opposite.0 - last.0).abs();
        let least = (2.0 * f64::EPSILON * best.0.abs() + f64::MIN_POSITIVE) / width;
        if best.1 == 0.0 || least > 0.5 {
            return best.0;
        }
        share = interpolated(last, opposite, left).unwrap_or(0.5).clamp(least, 1.0 - least);
    }
    nearer(last, opposite).0
}

/// Returns the root of the inverse parabola through three points, as a share of the distance from the first to the second;
/// `None` if the parabola is not monotonic between them.
fn interpolated(last: End, opposite: End, left: End) -> Option<f64> {
    let [(x1, f1), (x2, f2), (x3, f3)] = [last, opposite, left];
    let xi = (x1 - x2) / (x3 - x2);
    let phi = (f1 - f2) / (f3 - f2);
    (phi * phi < xi && (1.0 - phi).powi(2) < 1.0 - xi)
        .then(|| f1 / (f2 - f1) * f3 / (f2 - f3) + (x3 - x1) / (x2 - x1) * f1 / (f3 - f1) * f2 / (f3 - f2))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(f: impl Fn(f64) -> f64, low: f64, high: f64, expected: f64) {
        let mut calls = 0;
        let found = between(
            |x| {
                calls += 1;
                f(x)
            },
            (low, f(low)),
            (high, f(high)),
        );
        assert!((found - expected).abs() <= 1e-14 * expected.abs(), "{found}, not {expected}");
        assert!(calls < 130, "{calls}");
    }

    #[test]
    fn roots_are_found_however_the_function_bends() {
        check(|x| x * x - 2.0, 0.0, 2.0, 2f64.sqrt());
        check(|x| (x - 0.3).powi(9), -4.0, 4.0, 0.3);
        check(|x| 1.0 - 1e-9 / x, 1e-30, 1.0, 1e-9);
        check(|x| if x < 1e-12 { -1.0 } else { 1.0 }, 0.0, 1.0, 1e-12);
        check(|x| (x * 1e12).atan() - 1.0, -1.0, 1.0, 1f64.tan() / 1e12);
    }

    #[test]
    fn a_step_onto_a_pole_is_no_root() {
        // The case of issue 17: Newton's first step from 0 lands within an ulp of the pole at 2.
        let q = [1.0, 11.0, 18.0, 1.0, 1.0];
        let f = |x: f64| -> f64 {
            (0..5).map(|i| (f64::from(i) - 2.0) / 4.0).zip(q).map(|(u, q)| q * u / (1.0 + x * u)).sum()
        };
        let root = between(f, (-2.0 + 1e-12, 1.0), (2.0 - 1e-12, -1.0));
        assert!(f(root).abs() < 1e-10, "{root}");
    }

    #[test]
    fn an_end_may_be_the_root() {
        check(|x| x - 1.0, 1.0, 3.0, 1.0);
        check(|x| x - 3.0, 1.0, 3.0, 3.0);
        // Rounding puts both ends on one side.
        assert_eq!(between(|x| x, (1e-17, 1e-17), (1.0, 1.0)), 1e-17);
    }
}
