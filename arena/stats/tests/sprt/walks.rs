//! When a test stops, and what it counts.

use std::num::NonZeroU64;

use stats::GameScore;
use stats::sprt::{
    BlockLaw, BlockLawError, BlockScore, Draws, GameBlock, Hypotheses, IDENTICAL_PAIRS, Model, Players,
    Plies, SprtEnd, SprtVerdict, Summary, Walk, log_likelihood_ratio,
};

fn walk() -> Walk {
    Walk::new(Hypotheses::new(0.0, 5.0, 0.05, 0.05, Model::Normalized).expect("valid test data"))
}

fn even(fingerprint: u64, are_same: bool) -> GameBlock {
    let score = BlockScore::of_pair(GameScore::Win, GameScore::Loss);
    GameBlock { score, plies: Some(Plies { fingerprint, are_same }) }
}

fn number(n: u64) -> NonZeroU64 {
    NonZeroU64::new(n).expect("valid test data")
}

#[test]
fn a_copy_adds_nothing() {
    let mut walk = walk();
    walk.push(even(1, false));
    let once = walk.llr();
    walk.push(even(1, false));
    assert_eq!((walk.llr(), walk.pairs(), walk.copies()), (once, 2, 1));
    walk.push(even(2, false));
    assert_eq!((walk.counts().total(), walk.pairs()), (2, 3));
    assert_eq!(walk.llr(), log_likelihood_ratio(walk.counts(), walk.hypotheses()));
}

#[test]
fn identical_versions_are_found_out() {
    let mut walk = walk();
    for i in 1..=IDENTICAL_PAIRS {
        assert_eq!(walk.stop(), None, "{i}");
        walk.push(even(i, true));
    }
    assert_eq!((walk.stop(), walk.decision()), (Some(SprtEnd::Identical), SprtVerdict::Continue));
}

#[test]
fn one_pair_that_differs_shows_that_versions_do() {
    let mut walk = walk();
    for i in 0..3 * IDENTICAL_PAIRS {
        walk.push(even(i, i != 7));
    }
    assert_eq!(walk.stop(), None);
}

#[test]
fn a_test_that_is_over_takes_no_more() {
    let mut walk = walk().with_max_pairs(number(2));
    for i in 0..5 {
        walk.push(even(i, false));
    }
    assert_eq!((walk.pairs(), walk.stop()), (2, Some(SprtEnd::MaxPairs)));
}

#[test]
fn corrected_bounds_are_nearer() {
    let mut plain = walk();
    let mut corrected = walk().with_overshoot();
    for walk in [&mut plain, &mut corrected] {
        walk.push(BlockScore::OF_PAIRS[4].into());
        walk.push(BlockScore::OF_PAIRS[0].into());
        walk.push(BlockScore::OF_PAIRS[0].into());
    }
    assert_eq!(plain.bounds(), (plain.hypotheses().lower(), plain.hypotheses().upper()));
    assert!(corrected.bounds().0 > plain.bounds().0 && corrected.bounds().1 < plain.bounds().1);
}

#[test]
fn draw_rates_are_those_between_equals() {
    let players = Players { draws: Draws::Rate(0.4), first_seat: 0.0 };
    let law = BlockLaw::new(&players, Model::Logistic, 0.0).expect("valid test data");
    let (worst, worse) = (law.probabilities()[0], law.probabilities()[1]);
    assert!((worst - 0.09).abs() < 1e-9 && (worse - 0.24).abs() < 1e-9);
    let law = BlockLaw::new(&players, Model::Logistic, 70.0).expect("valid test data");
    assert!((law.mean() - 1.0 / (1.0 + 10f64.powf(-70.0 / 400.0))).abs() < 1e-9);
    assert_eq!([0.0, 0.9999999].map(|uniform| law.score_at(uniform).index()), [0, 4]);
}

#[test]
fn players_that_cannot_be_are_refused() {
    let refused = |draws, first_seat, elo| {
        BlockLaw::new(&Players { draws, first_seat }, Model::Normalized, elo).unwrap_err()
    };
    assert!(matches!(refused(Draws::Rate(1.0), 0.0, 0.0), BlockLawError::DrawRate { .. }));
    assert!(matches!(refused(Draws::Rate(f64::NAN), 0.0, 0.0), BlockLawError::DrawRate { .. }));
    assert!(matches!(refused(Draws::Elo(-1.0), 0.0, 0.0), BlockLawError::DrawElo { .. }));
    assert!(matches!(refused(Draws::Elo(f64::NAN), 0.0, 0.0), BlockLawError::Elo { .. }));
    assert!(matches!(refused(Draws::Elo(10.0), f64::INFINITY, 0.0), BlockLawError::Elo { .. }));
    assert!(matches!(refused(Draws::Elo(10.0), 0.0, 1e9), BlockLawError::Elo { .. }));
}

#[test]
fn no_runs_have_no_summary() {
    assert_eq!(Summary::of(&[]), None);
}
