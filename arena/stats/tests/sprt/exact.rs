//! The log-likelihood ratio against a slow method that shares nothing with the quick one: bisection alone, and for
//! normalized Elo a search along the standard deviation, in equal factors, for every place where a likeliest law may be.
//!
//! `ARENA_PAIRS=40` takes every count up to 40 pairs in place of the few that are taken in a moment.

use stats::Counts;
use stats::sprt::{Hypotheses, Model, log_likelihood_ratio};

use crate::points::rows;

const ZERO_LINE: &str = include_str!("../data/sprt_zero_line.tsv");

/// Into how many parts the standard deviations are divided.
const PARTS: u32 = 150;

/// Every count of so many pairs is tested, and of twice as many games.
const PAIRS: u64 = 6;

/// The bounds under test; nine in ten tests have one of them at 0.
const BOUNDS: [(f64, f64); 7] =
    [(0.0, 10.0), (-10.0, 0.0), (0.0, 20.0), (0.0, 100.0), (-50.0, 0.0), (-3.0, 1.0), (5.0, 250.0)];

fn score<const N: usize>(i: usize) -> f64 {
    i as f64 / (N - 1) as f64
}

/// The number of games of an observation with so many scores.
const fn games<const N: usize>() -> usize {
    match N {
        3 => 1,
        5 => 2,
        13 => 3,
        _ => 4,
    }
}

/// Halves an interval, at whose left end `is_left` holds, until its ends are neighbours.
fn bisect(mut left: f64, mut right: f64, is_left: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..1200 {
        let middle = f64::midpoint(left, right);
        if middle <= left || middle >= right {
            break;
        }
        if is_left(middle) { left = middle } else { right = middle }
    }
    f64::midpoint(left, right)
}

/// The logarithms of the law of greatest likelihood under the constraint that `phi` has the mean zero.
fn fitted<const N: usize>(q: &[f64; N], phi: &[f64; N]) -> Option<[f64; N]> {
    let (least, most) = phi.iter().fold((0.0f64, 0.0f64), |(a, b), v| (a.min(*v), b.max(*v)));
    if least == 0.0 || most == 0.0 {
        return None;
    }
    let x = bisect(-1.0 / most, -1.0 / least, |x| {
        q.iter().zip(phi).map(|(q, phi)| q * phi / (1.0 + x * phi)).sum::<f64>() > 0.0
    });
    Some(std::array::from_fn(|i| (q[i] / (1.0 + x * phi[i])).ln()))
}

fn log_likelihood<const N: usize>(q: &[f64; N], law: &[f64; N]) -> f64 {
    q.iter().zip(law).map(|(q, p)| q * p).sum()
}

fn greatest_log_likelihood<const N: usize>(q: &[f64; N], model: Model, elo: f64) -> f64 {
    let mean = |mean: f64| {
        let law =
            fitted(q, &std::array::from_fn(|i| score::<N>(i) - mean)).expect("a mean within the scores");
        log_likelihood(q, &law)
    };
    let distance = elo * std::f64::consts::LN_10 / 800.0 * (games::<N>() as f64).sqrt();
    match model {
        Model::Logistic => mean(1.0 / (1.0 + 10f64.powf(-elo / 400.0))),
        Model::Normalized if elo == 0.0 => mean(0.5),
        Model::Normalized => at_distance(q, distance),
    }
}

fn at_distance<const N: usize>(q: &[f64; N], t: f64) -> f64 {
    // The influence of a score on (mean − ½ − t σ) where the mean is ½ + t σ, linear in the law.
    let influence = |sigma: f64| -> [f64; N] {
        let mean = 0.5 + t * sigma;
        std::array::from_fn(|i| {
            let away = (mean - score::<N>(i)) / sigma;
            score::<N>(i) - 0.5 - t * sigma * (1.0 + away * away) / 2.0
        })
    };
    let excess = |sigma: f64| -> Option<(f64, f64)> {
        let law = fitted(q, &influence(sigma))?;
        let mean: f64 = law.iter().enumerate().map(|(i, p)| p.exp() * (score::<N>(i) - 0.5)).sum();
        Some(((mean - t * sigma) * t.signum(), log_likelihood(q, &law)))
    };
    // The law on the middle score and the next, and the law on both ends.
    let greatest = 0.5 / t.hypot(1.0);
    let least = t.abs() / (1.0 + t * t) / (N - 1) as f64;
    let at = |part: u32| least * (greatest / least).powf(f64::from(part) / f64::from(PARTS));
    let mut best = f64::NEG_INFINITY;
    let mut before = 1.0;
    for part in 1..=PARTS {
        let here = if part == PARTS { -1.0 } else { excess(at(part)).map_or(f64::NAN, |(height, _)| height) };
        if before >= 0.0 && here < 0.0 {
            let sigma = bisect(at(part - 1), at(part), |s| excess(s).is_some_and(|(height, _)| height > 0.0));
            best = best.max(excess(sigma).map_or(best, |(_, log_likelihood)| log_likelihood));
        }
        before = here;
    }
    best
}

fn check<const N: usize>(counts: [u64; N], (elo0, elo1): (f64, f64), model: Model) {
    let total: u64 = counts.iter().sum();
    if total == 0 {
        return;
    }
    let weights = counts.map(|n| if n == 0 { 1e-3 } else { n as f64 });
    let sum: f64 = weights.iter().sum();
    let q = weights.map(|weight| weight / sum);
    let [zero, one] = [elo0, elo1].map(|elo| greatest_log_likelihood(&q, model, elo));
    let expected = sum * (one - zero);
    let hypotheses = Hypotheses::new(elo0, elo1, 0.05, 0.05, model).expect("valid test data");
    let found =
        log_likelihood_ratio(&Counts::from_list(counts.to_vec()).expect("such observations"), &hypotheses);
    let tolerance = 1e-9 * (1.0 + expected.abs());
    assert!(
        (found - expected).abs() < tolerance,
        "{counts:?} {elo0} {elo1} {model}: {found}, not {expected}"
    );
}

/// All ways to divide up to `most` among the scores.
fn every<const N: usize>(most: u64, visit: &mut impl FnMut([u64; N])) {
    fn divide<const N: usize>(counts: [u64; N], at: usize, left: u64, visit: &mut impl FnMut([u64; N])) {
        if at == N {
            return visit(counts);
        }
        for n in 0..=left {
            let mut counts = counts;
            counts[at] = n;
            divide(counts, at + 1, left - n, visit);
        }
    }
    divide([0; N], 0, most, visit);
}

fn most_pairs() -> u64 {
    std::env::var("ARENA_PAIRS").ok().and_then(|most| most.parse().ok()).unwrap_or(PAIRS)
}

#[test]
fn every_count_of_pairs_has_the_exact_ratio() {
    for bounds in BOUNDS {
        every::<5>(most_pairs(), &mut |counts| check(counts, bounds, Model::Normalized));
    }
}

#[test]
fn every_count_of_pairs_has_the_exact_ratio_under_logistic_elo() {
    for bounds in BOUNDS {
        every::<5>(2 * most_pairs(), &mut |counts| check(counts, bounds, Model::Logistic));
    }
}

#[test]
fn every_count_of_games_has_the_exact_ratio() {
    for bounds in BOUNDS {
        every::<3>(2 * most_pairs(), &mut |counts| check(counts, bounds, Model::Normalized));
        every::<3>(40, &mut |counts| check(counts, bounds, Model::Logistic));
    }
}

/// Some ways to divide three blocks at tables of three among the thirteen scores, and ten times as many blocks.
#[test]
fn counts_of_blocks_at_tables_have_the_exact_ratio() {
    let mut number = 0u32;
    every::<13>(3, &mut |counts| {
        number += 1;
        if number.is_multiple_of(5) || most_pairs() > PAIRS {
            for bounds in [(0.0, 10.0), (-50.0, 0.0), (5.0, 250.0)] {
                check(counts, bounds, Model::Normalized);
                check(counts, bounds, Model::Logistic);
                check(counts.map(|n| 10 * n), bounds, Model::Normalized);
            }
        }
    });
    assert_eq!(number, 560);
    check::<25>(std::array::from_fn(|i| (i * i) as u64 % 17), (0.0, 20.0), Model::Normalized);
}

/// The counts at which Newton's first step from 0 ends at a pole, and those beside them, up to 40 pairs.
#[test]
fn counts_about_the_poles_of_a_hypothesis_of_zero_have_the_exact_ratio() {
    let mut checked = 0u32;
    every::<5>(40, &mut |counts| {
        let [n0, n1, _, n3, _] = counts;
        if n3.abs_diff(8 * n0 + 3 * n1) > 1 {
            return;
        }
        let mut mirrored = counts;
        mirrored.reverse();
        for (counts, bounds) in [(counts, (0.0, 20.0)), (mirrored, (-20.0, 0.0))] {
            check(counts, bounds, Model::Logistic);
            if checked.is_multiple_of(199) || most_pairs() > PAIRS {
                check(counts, bounds, Model::Normalized);
            }
            checked += 1;
        }
    });
    assert!(checked > 20_000, "{checked}");
}

#[test]
fn exact_ratios_of_forty_digits_are_met_on_the_line_of_zero() {
    let mut checked = 0;
    for row in rows(ZERO_LINE) {
        let counts: Vec<u64> = row[0].split(' ').map(|n| n.parse().expect("valid test data")).collect();
        let counts: [u64; 5] = counts.try_into().expect("valid test data");
        let [elo0, elo1, expected] = [1, 2, 4].map(|i| row[i].parse().expect("valid test data"));
        let model = row[3].parse().expect("valid test data");
        let hypotheses = Hypotheses::new(elo0, elo1, 0.05, 0.05, model).expect("valid test data");
        let found = log_likelihood_ratio(
            &Counts::from_list(counts.to_vec()).expect("such observations"),
            &hypotheses,
        );
        assert!((found - expected).abs() < 1e-9, "{row:?}: {found}");
        check(counts, (elo0, elo1), model);
        checked += 1;
    }
    assert_eq!(checked, 24);
}

/// Where nearly all pairs are drawn there may be two likeliest laws: one of them is the likelier.
#[test]
fn the_likelier_of_two_likeliest_laws_counts() {
    for (counts, elo1) in [
        ([0, 0, 12925, 1, 0], 10.0),
        ([3, 2, 8433, 2, 0], 10.0),
        ([0, 0, 745, 0, 0], 2.0),
        ([4, 22, 18424, 15, 1], 20.0),
        ([34, 0, 4021, 17, 0], 20.0),
        ([0, 0, 5757, 18, 12], 50.0),
        ([38, 0, 0, 19, 0], 200.0),
        ([19651, 2, 0, 9946, 0], 200.0),
    ] {
        check(counts, (0.0, elo1), Model::Normalized);
        let mut mirrored = counts;
        mirrored.reverse();
        check(mirrored, (-elo1, 0.0), Model::Normalized);
    }
}
