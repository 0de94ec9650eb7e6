//! What came of the tests of a game's rules, as one document of JSON. `arena/docs/check-game.md` describes its shape.

use std::collections::BTreeMap;

use conformance::{Fault, GameReport, PlaySummary, TestReport, TestVerdict};
use serde_json::{Value, json};

use crate::bots::check::json::summary;
use crate::bots::check_game::words;

/// The version of the shape.
const VERSION: u32 = 1;

/// Returns the document.
pub(super) fn document(report: &GameReport, command: &str, seed: u64) -> String {
    let pace = &report.pace;
    let value = json!({
        "version": VERSION,
        "command": command,
        "seed": seed,
        "rules": { "name": report.name, "version": report.version },
        "tests": report.tests.iter().map(test).collect::<Vec<_>>(),
        "stopped": report.stopped,
        "games": report.play.iter().map(play).collect::<Vec<_>>(),
        "perft": report.lines.iter().map(|lines| json!({ "game": lines.game, "counts": lines.counts })).collect::<Vec<_>>(),
        "questions": {
            "count": pace.questions,
            "average_us": 1e6 * pace.average.as_secs_f64(),
            "slowest_us": 1e6 * pace.slowest.as_secs_f64(),
            "wait_us": 1e6 * pace.waited.as_secs_f64(),
            "longest_answer": pace.longest_answer,
        },
        "summary": summary(&report.tests),
        "conforms": report.conforms(),
    });
    format!("{value:#}\n")
}

fn test(test: &TestReport) -> Value {
    let (note, faults) = match &test.verdict {
        TestVerdict::Passed(note) => (note.clone(), Vec::new()),
        TestVerdict::Skipped(why) => (Some(why.clone()), Vec::new()),
        TestVerdict::Failed(faults) => (None, faults.iter().map(fault).collect()),
    };
    json!({
        "id": format!("G{:02}", test.number),
        "section": test.clause,
        "title": test.title,
        "level": if test.rule == conformance::Rule::Must { "must" } else { "should" },
        "status": test.word(),
        "note": note,
        "faults": faults,
    })
}

fn fault(fault: &Fault) -> Value {
    json!({ "game": fault.game, "what": fault.what, "advice": fault.advice, "lines": fault.lines })
}

fn play(play: &PlaySummary) -> Value {
    let mut reasons: BTreeMap<&str, u64> = BTreeMap::new();
    for ((_, reason), count) in &play.ends {
        *reasons.entry(reason).or_insert(0) += count;
    }
    let names = (1..=play.seats).map(|seat| format!("p{seat}win")).chain(["draw".to_owned()]);
    let results: BTreeMap<_, _> = names.map(|name| (name.clone(), play.results(&name))).collect();
    json!({
        "game": play.game,
        "games": play.games,
        "average_plies": words::average_plies(play),
        "longest": play.longest,
        "most_legal": play.most_legal,
        "longest_position": play.longest_position,
        "results": results,
        "reasons": reasons,
    })
}
