//! A game that answers as it should passes every test; broken in one place, it fails the test for it.

mod candles;
mod race;

use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use candles::Candles;
use own_games::{CarrierFault, CarrierFaultKind, RulesCarrier};
use race::Race;

use crate::game_check::{GameCheckSettings, GameReport, catalogue, check_game};
use crate::{CheckError, GAME_TESTS, TestVerdict};

/// Why a request is refused: the code and a sentence.
type Refusal = (&'static str, String);

fn bad_request(what: &str) -> Refusal {
    ("bad-request", what.to_owned())
}

/// Splits what follows the options of a request: the words of the position string, none for the usual start, and the plies.
fn start_and_plies<'a, 'b>(words: &'a [&'b str]) -> Result<(Option<&'a [&'b str]>, &'a [&'b str]), Refusal> {
    let end = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
    let fen = match &words[..end] {
        ["startpos"] => None,
        ["fen", fen @ ..] => Some(fen),
        _ => return Err(bad_request("`startpos` or `fen`, then perhaps `moves`")),
    };
    Ok((fen, words.get(end + 1..).unwrap_or_default()))
}

/// Examines the game with a fault.
fn examine(fault: &'static str) -> Result<GameReport, CheckError> {
    // What is right is looked at longer, so that nothing wrong is found in it.
    let (games, counting) = match fault {
        "" => (200, 300),
        "slow" | "starved" | "endless" => (1, 0),
        _ => (24, 0),
    };
    let (time, counting) = (Duration::from_secs(20), Duration::from_millis(counting));
    let settings = GameCheckSettings { games, time, counting, seed: 7 };
    if let Some(fault) = fault.strip_prefix("table:") {
        let open = || -> Result<Arc<dyn RulesCarrier>, CarrierFault> { Ok(Arc::new(Candles { fault })) };
        let settings =
            GameCheckSettings { games: if fault.is_empty() { 120 } else { 40 }, time, counting, seed: 7 };
        return check_game(&open, &settings, &mut |_, _| ControlFlow::Continue(()));
    }
    let opened = Cell::new(0);
    let open = || -> Result<Arc<dyn RulesCarrier>, CarrierFault> {
        opened.set(opened.get() + 1);
        if fault == "unopened" {
            return Err(CarrierFault::new(CarrierFaultKind::Start, "there is no such file"));
        }
        Ok(Arc::new(Race { fault, instance: opened.get(), asked: AtomicU64::new(0) }))
    };
    check_game(&open, &settings, &mut |_, _| ControlFlow::Continue(()))
}

fn report(fault: &'static str) -> GameReport {
    examine(fault).unwrap_or_else(|error| panic!("{fault}: {error}"))
}

/// Returns the numbers of the tests that fail.
fn failing(report: &GameReport) -> Vec<u8> {
    let failed = report.tests.iter().filter(|test| matches!(test.verdict, TestVerdict::Failed(_)));
    failed.map(|test| test.number).collect()
}

#[test]
fn a_game_that_answers_as_it_should_passes_every_test() {
    let report = report("");
    for test in &report.tests {
        let is_of_tables = matches!(test.number, catalogue::OUT | catalogue::FAULTS);
        assert_eq!(matches!(test.verdict, TestVerdict::Skipped(_)), is_of_tables, "{test:?}");
    }
    assert_eq!(report.tests.len(), GAME_TESTS.len());
    assert!(report.conforms());
    assert_eq!((report.name.as_deref(), report.version.as_deref()), (Some("race"), Some("1.0")));
    assert!(report.play[0].games >= 100 && report.play[0].results("p1win") > 0, "{:?}", report.play);
    // Counted by hand: three steps each, then 9 lines of a king in the corner and 13 of one in each of two other cells.
    assert_eq!(report.lines[0].counts[..3], [3, 9, 9 + 2 * 13]);
}

/// Every fault, and the test that finds it.
const FAULTS: [(&str, u8); 65] = [
    ("mute", catalogue::ANSWERED),
    ("no-start", catalogue::ANSWERED),
    ("unopened", catalogue::ANSWERED),
    ("dies", catalogue::ANSWERED),
    ("format", catalogue::ABOUT),
    ("no-games", catalogue::GAMES),
    ("no-title", catalogue::GAMES),
    ("repetition-1", catalogue::GAMES),
    ("seats", catalogue::GAMES),
    ("default-none", catalogue::GAMES),
    ("twice-listed", catalogue::GAMES),
    ("code", catalogue::ERRORS),
    ("no-message", catalogue::ERRORS),
    ("first-only", catalogue::BATCHES),
    ("backwards", catalogue::BATCHES),
    ("batch-short", catalogue::BATCHES),
    ("narrow", catalogue::OPTIONS),
    ("wide", catalogue::OPTIONS),
    ("option-twice", catalogue::OPTIONS),
    ("other-default", catalogue::OPTIONS),
    ("not-json", catalogue::KEYS),
    ("no-seat", catalogue::KEYS),
    ("seat-3", catalogue::KEYS),
    ("fresh-text", catalogue::KEYS),
    ("other-game", catalogue::KEYS),
    ("reason-words", catalogue::KEYS),
    ("reason-arena", catalogue::KEYS),
    ("result-white", catalogue::KEYS),
    ("count-text", catalogue::KEYS),
    ("position-break", catalogue::KEYS),
    ("position-blanks", catalogue::KEYS),
    ("next-short", catalogue::KEYS),
    ("ends-strange", catalogue::KEYS),
    ("proofs", catalogue::KEYS),
    ("san", catalogue::KEYS),
    ("label", catalogue::KEYS),
    ("unsorted", catalogue::PLIES),
    ("double", catalogue::PLIES),
    ("token", catalogue::PLIES),
    ("legal-short", catalogue::LEGAL),
    ("legal-key", catalogue::LEGAL),
    ("forgetful", catalogue::ROUND_TRIP),
    ("loose", catalogue::SPELLING),
    ("permissive", catalogue::ACCEPTED),
    ("next-wrong", catalogue::NEXT),
    ("ends-none", catalogue::NEXT),
    ("ends-other", catalogue::NEXT),
    ("legal-at-end", catalogue::FINAL),
    ("nobody", catalogue::FINAL),
    ("plays-on", catalogue::FINAL),
    ("stale", catalogue::TURNS),
    ("turn-stale", catalogue::TURNS),
    ("remembers", catalogue::EQUAL),
    ("instance", catalogue::EQUAL),
    ("key-history", catalogue::REPETITION_KEY),
    ("key-rows", catalogue::REPETITION_KEY),
    ("second", catalogue::REPETITION),
    ("self-repeating", catalogue::REPETITION),
    ("count-late", catalogue::DECLARED),
    ("passes", catalogue::DECLARED),
    ("one-seat", catalogue::DECLARED),
    ("endless", catalogue::ENDS),
    ("huge", catalogue::LIMITS),
    ("slow", catalogue::SPEED),
    ("heavy", catalogue::SPEED),
];

/// Faults in what is drawn, and in sizes: they stop no other test.
const MORE_FAULTS: [(&str, u8); 9] = [
    ("long", catalogue::LIMITS),
    ("many", catalogue::LIMITS),
    ("look-option", catalogue::LOOK),
    ("look-height", catalogue::LOOK),
    ("look-width", catalogue::LOOK),
    ("look-letter", catalogue::LOOK),
    ("look-shape", catalogue::LOOK),
    ("proof-cell", catalogue::LOOK),
    ("hand", catalogue::LOOK),
];

/// Faults of a game for two to four.
const FAULTS_OF_TABLES: [(&str, u8); 28] = [
    ("table:default-most", catalogue::GAMES),
    ("table:no-players", catalogue::GAMES),
    ("table:seats-backwards", catalogue::GAMES),
    ("table:seats-beyond", catalogue::GAMES),
    ("table:too-many-seats", catalogue::GAMES),
    ("table:result-win", catalogue::KEYS),
    ("table:result-short", catalogue::KEYS),
    ("table:result-gap", catalogue::KEYS),
    ("table:places-other", catalogue::OUT),
    ("table:count-two", catalogue::KEYS),
    ("table:out-list", catalogue::KEYS),
    ("table:out-stranger", catalogue::KEYS),
    ("table:exits-list", catalogue::KEYS),
    ("table:exits-arena", catalogue::OUT),
    ("table:exits-alone", catalogue::OUT),
    ("table:proof-seat", catalogue::KEYS),
    ("table:out-decides", catalogue::OUT),
    ("table:no-exits", catalogue::OUT),
    ("table:comes-back", catalogue::OUT),
    ("table:best-place", catalogue::OUT),
    ("table:out-history", catalogue::ROUND_TRIP),
    ("table:end-forgets", catalogue::OUT),
    ("table:never-third", catalogue::DECLARED),
    ("table:fault-of-out", catalogue::FAULTS),
    ("table:fault-refused", catalogue::FAULTS),
    ("table:fault-of-decider-only", catalogue::FAULTS),
    ("table:fault-ignored", catalogue::FAULTS),
    ("table:fault-wins", catalogue::FAULTS),
];

#[test]
fn a_table_that_answers_as_it_should_passes_every_test() {
    let report = report("table:");
    assert!(
        report.conforms(),
        "{:?}",
        failing(&report).iter().map(|n| report.verdict(*n)).collect::<Vec<_>>()
    );
    for number in [catalogue::OUT, catalogue::FAULTS] {
        assert!(matches!(report.verdict(number), Some(TestVerdict::Passed(_))), "G{number}");
    }
    let seats: Vec<_> = report.play.iter().map(|play| play.seats).collect();
    assert_eq!(seats, [2, 3, 4]);
    assert!(
        report.play.iter().all(|play| play.games >= 30 && play.results("p2win") > 0),
        "{:?}",
        report.play
    );
    let faults = report.play.iter().flat_map(|play| play.ends.keys()).filter(|(_, reason)| reason == "fault");
    assert!(faults.count() > 0, "faults end some games: {:?}", report.play);
}

#[test]
fn every_fault_is_found_by_its_test() {
    for (fault, number) in FAULTS.into_iter().chain(MORE_FAULTS).chain(FAULTS_OF_TABLES) {
        let report = report(fault);
        assert!(failing(&report).contains(&number), "{fault}: {:?}", failing(&report));
        let Some(TestVerdict::Failed(faults)) = report.verdict(number) else { panic!("{fault}") };
        assert!(faults.iter().all(|fault| !fault.what.is_empty() && !fault.advice.is_empty()), "{faults:?}");
        assert!(!report.conforms() || number == catalogue::SPEED, "{fault}");
    }
}

#[test]
fn every_test_can_fail() {
    for test in GAME_TESTS {
        let is_shown = FAULTS
            .iter()
            .chain(&MORE_FAULTS)
            .chain(&FAULTS_OF_TABLES)
            .any(|(_, number)| *number == test.number);
        assert!(is_shown, "no fault is found by G{:02}", test.number);
    }
}

#[test]
fn a_fault_that_is_small_fails_its_own_test_only() {
    for (fault, tests) in [
        ("format", &[catalogue::ABOUT][..]),
        ("code", &[catalogue::ERRORS, catalogue::BATCHES]),
        ("backwards", &[catalogue::BATCHES]),
        ("option-twice", &[catalogue::OPTIONS]),
        ("legal-key", &[catalogue::LEGAL]),
        ("loose", &[catalogue::SPELLING]),
        ("instance", &[catalogue::EQUAL]),
        ("key-history", &[catalogue::REPETITION_KEY]),
        // Plies after the draw are refused, though the keys allow them.
        ("second", &[catalogue::REPETITION, catalogue::ACCEPTED]),
        ("count-late", &[catalogue::DECLARED]),
        ("look-letter", &[catalogue::LOOK]),
        ("table:no-exits", &[catalogue::OUT]),
        ("table:fault-of-out", &[catalogue::FAULTS]),
        ("table:fault-of-decider-only", &[catalogue::FAULTS]),
    ] {
        let found = failing(&report(fault));
        assert!(found.iter().all(|number| tests.contains(number)), "{fault}: {found:?}");
    }
}

#[test]
fn a_fault_shows_the_question_and_the_answer() {
    let report = report("loose");
    let Some(TestVerdict::Failed(faults)) = report.verdict(catalogue::SPELLING) else { panic!("{report:?}") };
    let [question, answer] = &faults[0].lines[..] else { panic!("{faults:?}") };
    assert!(question.starts_with("> legal race") && answer.starts_with("< {\""), "{faults:?}");
}

#[test]
fn a_cap_that_the_game_declares_is_no_fault() {
    let report = report("declared-end");
    assert!(!failing(&report).contains(&catalogue::ENDS), "{:?}", failing(&report));
    assert_eq!(report.play[0].longest, 200);
}

#[test]
fn answers_that_are_said_to_differ_are_not_compared() {
    let report = report("random");
    assert!(matches!(report.verdict(catalogue::EQUAL), Some(TestVerdict::Skipped(_))), "{report:?}");
    assert!(matches!(report.verdict(catalogue::FINAL), Some(TestVerdict::Passed(_))), "{report:?}");
}

#[test]
fn a_key_of_null_repeats_nothing() {
    let report = report("key-null");
    assert!(report.conforms(), "{:?}", failing(&report));
    assert!(report.play[0].ends.keys().all(|(_, reason)| reason != "repetition"));
}

#[test]
fn what_is_not_the_fault_of_the_rules_is_none() {
    assert!(matches!(examine("interrupted"), Err(CheckError::Interrupted)));
    assert!(matches!(examine("system"), Err(CheckError::Carrier(_))));
}

#[test]
fn rules_that_cannot_be_asked_are_told_at_once() {
    for fault in ["mute", "no-start", "unopened", "no-games"] {
        let report = report(fault);
        assert!(report.stopped.is_some(), "{fault}");
        let is_skipped = matches!(report.verdict(catalogue::FINAL), Some(TestVerdict::Skipped(_)));
        assert!(is_skipped, "{fault}");
    }
}

#[test]
fn rules_that_wait_for_a_busy_machine_are_not_slow() {
    let report = examine("starved").unwrap();
    assert_eq!(failing(&report), Vec::<u8>::new());
    let speed = report.tests.iter().find(|test| test.number == catalogue::SPEED).unwrap();
    let TestVerdict::Passed(Some(note)) = &speed.verdict else { panic!("{:?}", speed.verdict) };
    assert!(
        note.starts_with("0.002 ms on average, 0.002 ms at the most of processor time; answers came after "),
        "{note}"
    );
}
