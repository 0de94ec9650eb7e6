//! The sequential test against values computed by independent programs: see `../data/README.md`.

use stats::Counts;
use stats::sprt::{Figures, Hypotheses, Length};

use crate::points::{Point, rows};

const FIGURES: &str = include_str!("../data/sprt.tsv");

/// Where a row of the file says `nan` there is no figure.
fn number(text: &str) -> Option<f64> {
    Some(text.parse::<f64>().expect("valid test data")).filter(|number| !number.is_nan())
}

fn counts(text: &str) -> Counts {
    Counts::from_list(text.split(' ').map(|n| n.parse().expect("valid test data")).collect())
        .expect("valid test data")
}

fn check(row: &[&str]) {
    let [elo0, elo1, alpha, beta] = [5, 6, 7, 8].map(|i| row[i].parse().expect("valid test data"));
    let hypotheses = Hypotheses::new(elo0, elo1, alpha, beta, row[4].parse().expect("valid test data"))
        .expect("valid test data");
    let counts = counts(row[2]);
    assert_eq!(counts.games(), if row[1] == "penta" { 2 } else { 1 });
    let figures = Figures::of(&counts, &hypotheses).expect("valid test data");
    let close = |name: &str, found: Option<f64>, expected: &str, share: f64, fixed: f64| {
        let expected = number(expected);
        assert_eq!(found.is_some(), expected.is_some(), "{} {name}: {found:?}", row[0]);
        let (found, expected) = (found.unwrap_or(0.0), expected.unwrap_or(0.0));
        let tolerance = share * expected.abs() + fixed;
        assert!((found - expected).abs() <= tolerance, "{} {name}: {found}, not {expected}", row[0]);
    };
    assert_eq!(figures.decision.to_string(), row[12], "{}", row[0]);
    close("lower", Some(figures.lower), row[9], 0.0, 1e-10);
    close("upper", Some(figures.upper), row[10], 0.0, 1e-10);
    close("LLR", Some(figures.llr), row[11], 0.0, 1e-9);
    close("score", Some(figures.score), row[13], 0.0, 1e-10);
    close("nElo", figures.nelo, row[14], 1e-9, 1e-9);
    close("nElo error", figures.nelo_error, row[15], 1e-9, 1e-9);
    // The normal law is good to eleven digits near its middle, and absolutely everywhere.
    close("LOS", Some(figures.los), row[16], 1e-9, 1e-30);
    close("Elo", Some(figures.elo), row[17], 1e-9, 1e-9);
    close("Elo error", Some(figures.elo_error), row[18], 1e-9, 1e-9);
    close("unbiased Elo", Some(figures.unbiased.elo), row[19], 0.01, 0.05);
    close("its low end", Some(figures.unbiased.low), row[20], 0.01, 0.05);
    close("its high end", Some(figures.unbiased.high), row[21], 0.01, 0.05);
}

#[test]
fn figures_agree_with_exact_ones() {
    let all: Vec<_> = rows(FIGURES).collect();
    assert_eq!(all.len(), 21);
    for row in &all {
        check(row);
    }
}

#[test]
fn wide_bounds_with_weak_bots_have_a_ratio() {
    let hypotheses =
        Hypotheses::new(-300.0, -100.0, 0.05, 0.05, stats::sprt::Model::Normalized).expect("valid test data");
    let llr = stats::sprt::log_likelihood_ratio(&Counts::of_pairs([10, 20, 5, 0, 0]), &hypotheses);
    assert!((llr + 5.831_246).abs() < 1e-6, "{llr}");
}

#[test]
fn no_results_have_no_figures() {
    let hypotheses =
        Hypotheses::new(0.0, 5.0, 0.05, 0.05, stats::sprt::Model::Normalized).expect("valid test data");
    assert_eq!(Figures::of(&Counts::of_games([0; 3]), &hypotheses), None);
}

#[test]
fn pairs_of_known_players_have_these_scores() {
    for point in Point::all() {
        let law = point.law();
        for (found, expected) in law.probabilities().into_iter().zip(point.probabilities) {
            assert!((found - expected).abs() < 1e-9, "{point:?}: {law:?}");
        }
        let length = Length::of(&point.hypotheses, point.elo, law.deviation());
        assert!((length.pass - point.brownian_pass).abs() < 1e-5, "{point:?}: {length:?}");
        assert!((length.pairs - point.brownian_pairs).abs() < 0.051, "{point:?}: {length:?}");
    }
}
