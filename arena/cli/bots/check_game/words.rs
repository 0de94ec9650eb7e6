//! Words that every form of the report uses.

use std::collections::BTreeSet;

use conformance::{Fault, GameReport, PlaySummary, TestReport};
use diagnostic::output;

/// Returns whether the rules conform, in a sentence.
pub(super) fn verdict(report: &GameReport) -> String {
    let (rules, do_conform, do_not) = match (&report.name, &report.version) {
        (Some(name), Some(version)) => (format!("{name} {version}"), "conforms", "does not"),
        (Some(name), None) => (name.clone(), "conforms", "does not"),
        (None, _) => ("the rules".to_owned(), "conform", "do not"),
    };
    match (report.conforms(), report.count(TestReport::is_warning)) {
        (true, 0) => format!("{rules} {do_conform} to format 2"),
        (true, _) => format!("{rules} {do_conform} to format 2; what it should do better is marked (SHOULD)"),
        (false, _) => format!("{rules} {do_not} conform"),
    }
}

/// Returns the command that shows a fault again: it asks the same questions.
pub(super) fn again(fault: &Fault, rules: &str) -> Option<String> {
    let questions: Vec<_> = fault.lines.iter().filter_map(|line| line.strip_prefix("> ")).collect();
    // What was cut or escaped cannot be pasted.
    let is_whole = |question: &&str| question.is_ascii() && !question.contains('\\');
    if questions.is_empty() || !questions.iter().all(is_whole) {
        return None;
    }
    let asked: String =
        questions.iter().map(|question| format!(" --ask {}", output::quoted(question))).collect();
    Some(format!("arena check-game{asked} {rules}"))
}

/// Returns the plies of a game on average.
pub(super) fn average_plies(play: &PlaySummary) -> f64 {
    play.plies as f64 / play.games.max(1) as f64
}

/// Returns how many seats the largest table has.
pub(super) fn most_seats(plays: &[PlaySummary]) -> usize {
    plays.iter().map(|play| play.seats).max().unwrap_or(0).max(2)
}

/// Returns the reasons for which games ended.
pub(super) fn reasons(play: &PlaySummary) -> Vec<&str> {
    let reasons: BTreeSet<_> = play.ends.keys().map(|(_, reason)| reason.as_str()).collect();
    reasons.into_iter().collect()
}
