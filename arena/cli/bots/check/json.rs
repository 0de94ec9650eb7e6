//! What came of the tests, as one document of JSON. Its shape is described in `arena/docs/check.md`.

use conformance::{Fault, SharedCause, SuiteReport, SuiteSettings, TestReport, TestVerdict};
use serde_json::{Value, json};

/// The version of the shape.
const VERSION: u32 = 1;

/// Returns the document.
pub(super) fn document(report: &SuiteReport, settings: &SuiteSettings) -> String {
    let value = json!({
        "version": VERSION,
        "command": settings.command,
        "seed": settings.seed,
        "bot": {
            "name": report.subject.name,
            "protocol": report.subject.protocol,
            "games": report.subject.games,
        },
        "tests": report.tests.iter().map(test).collect::<Vec<_>>(),
        "causes": report.causes().iter().map(cause).collect::<Vec<_>>(),
        "stopped": report.stopped,
        "summary": summary(&report.tests),
        "conforms": report.conforms(),
    });
    format!("{value:#}\n")
}

/// Returns how many tests came to what.
pub(in crate::bots) fn summary(tests: &[TestReport]) -> Value {
    let count = |word: &str| tests.iter().filter(|test| test.word() == word).count();
    json!({
        "passed": count("ok"),
        "failed": count("failed"),
        "warnings": count("warning"),
        "skipped": count("skipped"),
    })
}

fn test(test: &TestReport) -> Value {
    let (note, faults) = match &test.verdict {
        TestVerdict::Passed(note) => (note.clone(), Vec::new()),
        TestVerdict::Skipped(why) => (Some(why.clone()), Vec::new()),
        TestVerdict::Failed(faults) => (None, faults.iter().map(fault).collect()),
    };
    json!({
        "id": format!("T{:02}", test.number),
        "clause": test.clause,
        "title": test.title,
        "level": if test.rule == conformance::Rule::Must { "must" } else { "should" },
        "status": test.word(),
        "note": note,
        "milliseconds": millis(test.took),
        "faults": faults,
    })
}

fn cause(shared: &SharedCause) -> Value {
    let tests = shared.tests.iter().map(|number| format!("T{number:02}"));
    json!({
        "kind": shared.cause.kind.word(),
        "what": shared.cause.what,
        "advice": shared.cause.advice,
        "tests": tests.collect::<Vec<_>>(),
    })
}

pub(super) fn fault(fault: &Fault) -> Value {
    json!({
        "game": fault.game,
        "what": fault.what,
        "advice": fault.advice,
        "lines": fault.lines,
        "milliseconds": millis(fault.waited),
        "exit": fault.exit,
        "stderr": fault.stderr,
        "unflushed": fault.is_unflushed,
        "cause": fault.cause.as_ref().map(|cause| cause.kind.word()),
    })
}

pub(super) fn millis(time: std::time::Duration) -> u64 {
    time.as_millis().try_into().unwrap_or(u64::MAX)
}
