//! The report for pull requests and for build servers.

use std::fmt::Write as _;

use conformance::{GameReport, TestReport, TestVerdict};
use protocol::printable;
use quick_xml::escape::escape;

use crate::bots::check::text::counts;
use crate::bots::check_game::words;

/// Returns the report as Markdown: the verdict, what failed, the random games, the counts of lines.
pub(super) fn markdown(report: &GameReport, rules: &str) -> String {
    let mut text = format!("**{}**\n\n{}\n", words::verdict(report), counts(&report.tests));
    if let Some(why) = &report.stopped {
        let _ = writeln!(text, "\nStopped: {why}");
    }
    for test in report.tests.iter().filter(|test| matches!(test.verdict, TestVerdict::Failed(_))) {
        let TestVerdict::Failed(faults) = &test.verdict else { continue };
        let grade = if test.is_warning() { " (SHOULD)" } else { "" };
        let _ = writeln!(text, "\n### {}: {}{grade}\n", id(test), test.title);
        for fault in faults {
            let place = fault.game.as_ref().map_or_else(String::new, |game| format!("{}: ", code(game)));
            let _ = writeln!(text, "* {place}{}. {}.", sentence(&fault.what), sentence(&fault.advice));
            for line in &fault.lines {
                let _ = writeln!(text, "  {}  ", code(line));
            }
            if let Some(again) = words::again(fault, rules) {
                let _ = writeln!(text, "  again: {}", code(&again));
            }
        }
    }
    let seats = words::most_seats(&report.play);
    if !report.play.is_empty() {
        let heads: String = (1..=seats).map(|seat| format!(" p{seat} |")).collect();
        let _ = writeln!(text, "\n| game | games | plies | longest |{heads} draws | reasons |");
        let _ = writeln!(text, "|---|---:|---:|---:|{}---:|---|", "---:|".repeat(seats));
    }
    for play in &report.play {
        let won = |seat: usize| match seat <= play.seats {
            true => format!(" {} |", play.results(&format!("p{seat}win"))),
            false => " |".to_owned(),
        };
        let _ = writeln!(
            text,
            "| {} | {} | {:.1} | {} |{} {} | {} |",
            play.game,
            play.games,
            words::average_plies(play),
            play.longest,
            (1..=seats).map(won).collect::<String>(),
            play.results("draw"),
            words::reasons(play).join(", ")
        );
    }
    for lines in &report.lines {
        let _ = writeln!(text, "\n| perft of {} | lines |\n|---:|---:|", lines.game);
        for (depth, count) in (1..).zip(&lines.counts) {
            let _ = writeln!(text, "| {depth} | {count} |");
        }
    }
    text
}

/// Returns the report as one suite of JUnit, with a case for each test.
pub(super) fn junit(report: &GameReport) -> String {
    let failures = report.count(TestReport::is_failure);
    let skipped = report.count(|test| matches!(test.verdict, TestVerdict::Skipped(_)));
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuite name=\"arena check-game\" tests=\"{}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\">\n",
        report.tests.len()
    );
    for test in &report.tests {
        let _ = writeln!(
            text,
            "  <testcase classname=\"check-game\" name=\"{}: {}\">",
            id(test),
            safe(test.title)
        );
        match &test.verdict {
            TestVerdict::Passed(None) => {}
            TestVerdict::Passed(Some(note)) => {
                let _ = writeln!(text, "    <system-out>{}</system-out>", safe(note));
            }
            TestVerdict::Skipped(why) => {
                let _ = writeln!(text, "    <skipped message=\"{}\"/>", safe(why));
            }
            TestVerdict::Failed(faults) => {
                let told: String = faults
                    .iter()
                    .flat_map(|fault| {
                        let place = fault.game.as_ref().map_or_else(String::new, |game| format!("{game}: "));
                        let lines = fault.lines.iter().map(|line| format!("  {line}"));
                        [format!("{place}{}", fault.what), fault.advice.clone()].into_iter().chain(lines)
                    })
                    .map(|line| safe(&line) + "\n")
                    .collect();
                let message = safe(faults.first().map_or("", |fault| fault.what.as_str()));
                let _ = if test.is_failure() {
                    writeln!(text, "    <failure message=\"{message}\">{told}</failure>")
                } else {
                    writeln!(text, "    <system-out>{told}</system-out>")
                };
            }
        }
        text.push_str("  </testcase>\n");
    }
    text + "</testsuite>\n"
}

fn id(test: &TestReport) -> String {
    format!("G{:02}", test.number)
}

fn safe(text: &str) -> String {
    escape(printable(text).as_ref()).into_owned()
}

/// Returns text as code of Markdown, whatever it holds.
fn code(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let marks = "`".repeat(longest + 1);
    let pad = if longest > 0 { " " } else { "" };
    format!("{marks}{pad}{text}{pad}{marks}")
}

/// Returns a fragment with a capital letter in front, as a sentence has it.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_may_hold_marks_of_code() {
        assert_eq!(code("a1"), "`a1`");
        assert_eq!(code("say ``a1``"), "``` say ``a1`` ```");
    }
}
