//! The sequential test of a journal.

use record::{Contents, GameResult, SprtConfig, Termination};
use report::{EarlierVerdict, Look, RunReport, SequentialTest, report_text, trial_text};
use stats::sprt::{SprtEnd, SprtVerdict};

use crate::sample::{Sample, summary};

/// A test of `new` against `base` in which pairs had these results, `new` being `p1` first.
fn contents(results: &[[GameResult; 2]], rounds: u32) -> Contents {
    let mut sample = Sample::new(&["new", "base"], &["farook"]);
    for (round, results) in (1..).zip(results) {
        sample.pair("farook", "new", "base", *results);
        let games = &mut sample.contents.games;
        let count = games.len();
        games[count - 2..].iter_mut().for_each(|game| game.round = round);
    }
    let config = &mut sample.contents.runs[0].config;
    config.format = settings::Format::Sprt.into();
    config.rounds = rounds;
    config.sprt = Some(SprtConfig {
        model: stats::sprt::Model::Normalized.into(),
        elo0: 0.0,
        elo1: 150.0,
        alpha: 0.05,
        beta: 0.05,
        overshoot: false,
    });
    sample.contents
}

const WON: [GameResult; 2] = [GameResult::P1Win, GameResult::P2Win];
const SPLIT: [GameResult; 2] = [GameResult::P1Win, GameResult::P1Win];
const LOST: [GameResult; 2] = [GameResult::P2Win, GameResult::P1Win];

#[test]
fn enough_wins_pass_and_enough_losses_fail() {
    let won = SequentialTest::of(&summary(&contents(&[WON; 60], 100))).expect("a test");
    assert_eq!((won.decision(), won.stop()), (SprtVerdict::H1, Some(SprtEnd::Bound)));
    let lost = SequentialTest::of(&summary(&contents(&[LOST; 60], 100))).expect("a test");
    assert_eq!((lost.decision(), lost.stop()), (SprtVerdict::H0, Some(SprtEnd::Bound)));
    assert!(won.walk().pairs() < 60 && lost.walk().pairs() < 60, "pairs after the verdict count for nothing");
}

#[test]
fn all_pairs_without_a_bound_are_no_verdict() {
    let trial = SequentialTest::of(&summary(&contents(&[WON, LOST, SPLIT], 3))).expect("a test");
    assert_eq!((trial.decision(), trial.stop()), (SprtVerdict::Continue, Some(SprtEnd::MaxPairs)));
    let more = SequentialTest::of(&summary(&contents(&[WON, LOST, SPLIT], 4))).expect("a test");
    assert_eq!(more.stop(), None);
}

#[test]
fn the_order_in_which_games_end_makes_no_difference() {
    let whole = contents(&[WON, SPLIT, LOST, WON, WON, SPLIT], 50);
    let look = Look::plain(100);
    let expected = trial_text(&SequentialTest::of(&summary(&whole)).expect("a test"), &look);
    for turn in 1..whole.games.len() {
        let mut other = whole.clone();
        other.games.rotate_left(turn);
        other.games.swap(0, turn / 2);
        assert_eq!(trial_text(&SequentialTest::of(&summary(&other)).expect("a test"), &look), expected);
    }
}

#[test]
fn pairs_after_a_gap_wait() {
    let mut contents = contents(&[WON, SPLIT, LOST, WON], 50);
    contents.games.remove(2);
    let trial = SequentialTest::of(&summary(&contents)).expect("a test");
    assert_eq!(trial.walk().pairs(), 1);
}

#[test]
fn games_that_do_not_count_take_their_pair_with_them() {
    let mut contents = contents(&[WON, SPLIT, LOST], 50);
    (contents.games[3].result, contents.games[3].reason) = (GameResult::None, Termination::SpawnFailed);
    let trial = SequentialTest::of(&summary(&contents)).expect("a test");
    assert_eq!(trial.walk().counts().counts(), [1, 0, 0, 0, 1]);
}

#[test]
fn a_pair_that_repeats_an_earlier_one_adds_nothing() {
    let mut contents = contents(&[WON, SPLIT, LOST], 50);
    for leg in 0..2 {
        let plies = contents.games[leg].plies.clone();
        contents.games[4 + leg].plies = plies;
    }
    let trial = SequentialTest::of(&summary(&contents)).expect("a test");
    assert_eq!((trial.walk().pairs(), trial.walk().copies()), (3, 1));
    assert_eq!(trial.walk().counts().counts(), [0, 0, 1, 0, 1]);
}

#[test]
fn bots_that_play_the_same_are_found_out() {
    let mut contents = contents(&[SPLIT; 60], 100);
    let config = &mut contents.runs[0].config;
    config.sprt.as_mut().expect("a test").elo1 = 5.0;
    for pair in contents.games.chunks_mut(2) {
        let plies = pair[0].plies.clone();
        pair[1].plies = plies;
    }
    let trial = SequentialTest::of(&summary(&contents)).expect("a test");
    assert_eq!((trial.stop(), trial.walk().pairs()), (Some(SprtEnd::Identical), 50));
}

#[test]
fn other_versions_of_the_bots_have_no_say() {
    let mut contents = contents(&[WON; 10], 50);
    contents.games[0].seats[0].digest = "another".to_owned();
    let trial = SequentialTest::of(&summary(&contents)).expect("a test");
    assert_eq!(trial.walk().pairs(), 0);
}

#[test]
fn the_text_names_faults_and_both_estimates() {
    let mut results = [WON; 60];
    results[0] = SPLIT;
    let mut contents = contents(&results, 100);
    contents.games[3].reason = Termination::Timeout;
    let text = trial_text(&SequentialTest::of(&summary(&contents)).expect("a test"), &Look::plain(100));
    for part in ["Yes: the test is passed", "base 1 (1 on time)", "Elo, naive", "Elo, unbiased", "LLR"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn results_that_are_all_the_same_have_a_bound_and_no_error() {
    let trial = SequentialTest::of(&summary(&contents(&[WON; 60], 100))).expect("a test");
    let text = trial_text(&trial, &Look::plain(100));
    assert!(text.contains("(95%): all results are the same"), "{text}");
    assert!(!text.contains("naive") && !text.contains("unbiased"), "{text}");
}

/// The report of a test, as a file holds it, and the test.
fn reported(results: &[[GameResult; 2]]) -> (String, SequentialTest) {
    let summary = summary(&contents(results, 100));
    (report_text(&RunReport::of(&summary), &Look::plain(100)), SequentialTest::of(&summary).expect("a test"))
}

#[test]
fn an_earlier_verdict_is_held_against_the_one_of_the_journal() {
    let [won, lost, open] = [&[WON; 60][..], &[LOST; 60], &[WON, LOST, SPLIT]].map(reported);
    for (text, trial) in [&won, &lost, &open] {
        let earlier = EarlierVerdict::read(text).expect("a verdict");
        assert_eq!(earlier.difference(trial), None, "{text}");
    }
    let passed = EarlierVerdict::read(&won.0).expect("a verdict");
    let told = passed.difference(&lost.1).expect("another verdict");
    assert!(told.contains("said that the test is passed") && told.contains("the test has failed"), "{told}");
    assert!(passed.difference(&open.1).is_some_and(|told| told.contains("no verdict after 3 pairs")));
    // Pairs that were played since may bring a verdict, or none; pairs are never lost.
    let none = EarlierVerdict::read(&open.0).expect("a verdict");
    assert_eq!(none.difference(&won.1), None);
    assert!(none.difference(&reported(&[WON]).1).is_some());
    assert_eq!(EarlierVerdict::read("cup\nround-robin, 2 bots\n"), None);
}
