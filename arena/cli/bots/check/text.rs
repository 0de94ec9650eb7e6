//! What came of the tests, in lines: close to TAP, the Test Anything Protocol.

use std::fmt::Write as _;

use conformance::{Fault, Report, TestReport, Verdict};
use diagnostic::output;

/// How many lines of a standard error are shown.
const STDERR_LINES: usize = 6;

/// Returns the lines of one test.
pub(super) fn test(test: &TestReport, width: usize) -> String {
    let (number, title) = (test.number, test.title);
    match &test.verdict {
        Verdict::Passed(None) => format!("ok {number} - {title}\n"),
        Verdict::Passed(Some(note)) => format!("ok {number} - {title} ({note})\n"),
        Verdict::Skipped(why) => format!("ok {number} - {title} # SKIP {why}\n"),
        Verdict::Failed(faults) => {
            let grade = if test.is_warning() { " (SHOULD)" } else { "" };
            let advice = faults.first().map_or("", |fault| fault.advice.as_str());
            let mut text = format!("not ok {number} - {title}{grade} # {advice}\n");
            if let Some((first, others)) = faults.split_first() {
                text.push_str(&detail(first, width));
                let _ = writeln!(text, "#   protocol-spec/PROTOCOL.md [{}]", test.clause);
                for fault in others {
                    say(&mut text, &format!("{}{}", place(fault), fault.what), width);
                    if fault.advice != first.advice {
                        say(&mut text, &format!("  advice: {}", fault.advice), width);
                    }
                }
            }
            text
        }
    }
}

/// Returns what is to be said at the end.
pub(super) fn summary(report: &Report) -> String {
    let count = |word: &str| report.count(|test| test.word() == word);
    let mut text = String::new();
    if let Some(why) = &report.stopped {
        let _ = writeln!(text, "Bail out! {why}");
    }
    let _ = writeln!(
        text,
        "# {} passed, {} failed, {}, {} skipped",
        count("ok"),
        count("failed"),
        output::count(count("warning") as u64, "warning"),
        count("skipped")
    );
    let bot = report.subject.name.as_deref().unwrap_or("the bot");
    let protocol = match report.subject.protocol {
        0 => "plain UGI".to_owned(),
        version => format!("protocol {version}"),
    };
    let _ = match (report.conforms(), count("warning")) {
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

fn place(fault: &Fault) -> String {
    fault.game.as_ref().map_or_else(String::new, |game| format!("{game}: "))
}

/// Adds a comment, wrapped.
fn say(text: &mut String, words: &str, width: usize) {
    let wrapped = output::wrap(words.split(' '), 0, width.saturating_sub(2));
    for line in wrapped.lines() {
        let _ = writeln!(text, "# {line}");
    }
}
