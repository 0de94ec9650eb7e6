//! What came of the tests, in lines: close to TAP, the Test Anything Protocol.

use std::fmt::Write as _;

use conformance::{Cause, Fault, SharedCause, SuiteReport, TestReport, TestVerdict};
use diagnostic::output;

/// How many lines of a standard error are shown.
const STDERR_LINES: usize = 6;

/// Returns the lines of one test. A fault whose cause an earlier test has shown already is told in one line.
pub(super) fn test(test: &TestReport, shown: &mut Vec<(u8, Cause)>, width: usize) -> String {
    let mut text = head(test);
    let TestVerdict::Failed(faults) = &test.verdict else { return text };
    let earlier = |fault: &Fault| {
        let cause = fault.cause.as_ref()?;
        Some(shown.iter().find(|(_, known)| known.is_same(cause))?.0)
    };
    if let Some(earlier) =
        faults.iter().map(&earlier).collect::<Option<Vec<_>>>().and_then(|all| all.first().copied())
    {
        let _ = writeln!(text, "# for the same cause as test {earlier}");
        return text;
    }
    if let Some((first, others)) = faults.split_first() {
        text.push_str(&detail(first, width));
        if first.cause.is_none() {
            let _ = writeln!(text, "#   protocol-spec/PROTOCOL.md [{}]", test.clause);
        }
        let is_again = |fault: &&Fault| match (&fault.cause, &first.cause) {
            (Some(cause), Some(known)) => cause.is_same(known),
            _ => false,
        };
        let (again, others): (Vec<_>, Vec<_>) = others.iter().partition(is_again);
        let games: Vec<_> = again.iter().filter_map(|fault| fault.game.as_deref()).collect();
        if !games.is_empty() {
            say(&mut text, &format!("the same in {}", games.join(", ")), width);
        }
        for fault in others {
            say(&mut text, &format!("{}{}", place(fault), fault.what), width);
            if fault.advice != first.advice {
                say(&mut text, &format!("  advice: {}", fault.advice), width);
            }
        }
    }
    let causes = faults.iter().filter_map(|fault| fault.cause.clone());
    shown.extend(causes.map(|cause| (test.number, cause)));
    text
}

/// Returns the first line of a test: what came of it, and of a failure what to do.
pub(in crate::bots) fn head(test: &TestReport) -> String {
    let (number, title) = (test.number, test.title);
    match &test.verdict {
        TestVerdict::Passed(None) => format!("ok {number} - {title}\n"),
        TestVerdict::Passed(Some(note)) => format!("ok {number} - {title} ({note})\n"),
        TestVerdict::Skipped(why) => format!("ok {number} - {title} # SKIP {why}\n"),
        TestVerdict::Failed(faults) => {
            let grade = if test.is_warning() { " (SHOULD)" } else { "" };
            format!("not ok {number} - {title}{grade} # {}\n", advice(faults))
        }
    }
}

/// Returns what to do about the first of these faults.
fn advice(faults: &[Fault]) -> &str {
    faults.first().map_or("", |fault| fault.advice.as_str())
}

/// Returns how many tests came to what.
pub(in crate::bots) fn counts(tests: &[TestReport]) -> String {
    let count = |word: &str| tests.iter().filter(|test| test.word() == word).count();
    let warnings = output::count(count("warning") as u64, "warning");
    format!("{} passed, {} failed, {warnings}, {} skipped", count("ok"), count("failed"), count("skipped"))
}

/// Returns the last lines: what is behind the failures, the counts, and whether the bot conforms.
pub(super) fn summary(report: &SuiteReport, width: usize) -> String {
    let mut text = String::new();
    if let Some(why) = &report.stopped {
        let _ = writeln!(text, "Bail out! {why}");
    }
    for shared in report.causes() {
        let SharedCause { cause, tests, .. } = &shared;
        let fails: Vec<_> = tests.iter().map(|number| format!("T{number:02}")).collect();
        say(&mut text, &format!("cause: {}", cause.what), width);
        say(&mut text, &format!("  what to do: {}", cause.advice), width);
        say(&mut text, &format!("  fails {}", fails.join(", ")), width);
    }
    let _ = writeln!(text, "# {}", counts(&report.tests));
    let bot = report.subject.name.as_deref().unwrap_or("the bot");
    let protocol = match report.subject.protocol {
        0 => "plain UGI".to_owned(),
        version => format!("protocol {version}"),
    };
    let _ = match (report.conforms(), report.count(TestReport::is_warning)) {
        (true, 0) => writeln!(text, "# {bot} conforms to {protocol}"),
        (true, _) => {
            writeln!(text, "# {bot} conforms to {protocol}; what it should do better is marked (SHOULD)")
        }
        (false, _) => writeln!(text, "# {bot} does not conform"),
    };
    text
}

/// Returns what happened, with the last lines.
pub(super) fn detail(fault: &Fault, width: usize) -> String {
    let mut text = String::new();
    let waited = format!("{:.3} s after the last line to the bot", fault.waited.as_secs_f64());
    say(&mut text, &format!("{}{}; {waited}", place(fault), fault.what), width);
    for line in &fault.lines {
        let _ = writeln!(text, "#   {line}");
    }
    if let Some(exit) = &fault.exit {
        let _ = writeln!(text, "#   the process ended: {exit}");
    }
    let skipped = fault.stderr.len().saturating_sub(STDERR_LINES);
    for line in &fault.stderr[skipped..] {
        let _ = writeln!(text, "#   stderr: {line}");
    }
    text
}

pub(in crate::bots) fn place(fault: &Fault) -> String {
    fault.game.as_ref().map_or_else(String::new, |game| format!("{game}: "))
}

/// Adds a comment, wrapped.
pub(crate) fn say(text: &mut String, words: &str, width: usize) {
    let wrapped = output::wrap(words.split(' '), 0, width.saturating_sub(2));
    for line in wrapped.lines() {
        let _ = writeln!(text, "# {line}");
    }
}
