//! What came of the tests of a game's rules, in lines: close to TAP, the Test Anything Protocol.

use std::fmt::Write as _;

use conformance::{Fault, GameReport, PlaySummary, TestReport, TestVerdict};

use crate::bots::check::text::{counts, head, place, say};
use crate::bots::check_game::words;

/// Returns all lines. `rules` is how the rules are named on a command line.
pub(super) fn report(report: &GameReport, rules: &str, width: usize) -> String {
    let mut text: String = report.tests.iter().map(|test| lines(test, rules, width)).collect();
    if let Some(why) = &report.stopped {
        let _ = writeln!(text, "Bail out! {why}");
    }
    text.push_str(&plays(&report.play));
    for lines in &report.lines {
        let counts = lines.counts.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        say(&mut text, &format!("perft {} from 1 ply on: {counts}", lines.game), width);
    }
    let _ = writeln!(text, "# {}", counts(&report.tests));
    let _ = writeln!(text, "# {}", words::verdict(report));
    text
}

fn lines(test: &TestReport, rules: &str, width: usize) -> String {
    let mut text = head(test);
    let TestVerdict::Failed(faults) = &test.verdict else { return text };
    for (index, fault) in faults.iter().enumerate() {
        say(&mut text, &format!("{}{}", place(fault), fault.what), width);
        if index > 0 && fault.advice != faults[0].advice {
            say(&mut text, &format!("  what to do: {}", fault.advice), width);
        }
        text.push_str(&shown(fault, rules));
    }
    let _ = writeln!(text, "#   protocol-spec/own-games.md#{}", test.clause);
    text
}

/// Returns the questions and answers that show a fault, and how to see them again.
fn shown(fault: &Fault, rules: &str) -> String {
    let mut text: String = fault.lines.iter().map(|line| format!("#   {line}\n")).collect();
    if let Some(again) = words::again(fault, rules) {
        let _ = writeln!(text, "#   again: {again}");
    }
    text
}

/// Returns a table of the random games, with their results.
fn plays(plays: &[PlaySummary]) -> String {
    let name = plays.iter().map(|play| play.game.chars().count()).max().unwrap_or(0).max(4);
    let seats = words::most_seats(plays);
    let mut text = String::new();
    if !plays.is_empty() {
        let seats: String = (1..=seats).map(|seat| format!(" {:>6}", format!("p{seat}"))).collect();
        let _ = writeln!(
            text,
            "# {:<name$} {:>7} {:>7} {:>7}{seats} {:>6}  reasons",
            "game", "games", "plies", "longest", "draws"
        );
    }
    for play in plays {
        let share = |result: &str| match play.games {
            0 => "-".to_owned(),
            games => format!("{:.0}%", 100.0 * play.results(result) as f64 / games as f64),
        };
        let won = |seat: usize| match seat <= play.seats {
            true => format!(" {:>6}", share(&format!("p{seat}win"))),
            false => " ".repeat(7),
        };
        let won: String = (1..=seats).map(won).collect();
        let _ = writeln!(
            text,
            "# {:<name$} {:>7} {:>7.1} {:>7}{won} {:>6}  {}",
            play.game,
            play.games,
            words::average_plies(play),
            play.longest,
            share("draw"),
            words::reasons(play).join(", ")
        );
    }
    text
}
