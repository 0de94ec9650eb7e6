//! What is said of a game by hand. Whatever comes from a bot has been escaped where it was read.

use std::fmt::Write as _;
use std::time::Duration;

use record::{GameResult, InfoRecord, Termination};
use rules::{End, Reason, Seat, Verdict};
use runner::{Ending, InteractiveGame, PartnerFailure, PartnerReport};

/// How many lines of a bot's standard error are shown.
const STDERR_LINES: usize = 10;

/// How many plies of a best line are shown.
const LINE: usize = 8;

/// Returns the name of who sits at a seat, fit to be shown.
pub fn who(session: &InteractiveGame, seat: Seat) -> String {
    protocol::printable_capped(&session.sitter(seat).name, 60)
}

/// Says how the game ended.
pub fn ending(session: &InteractiveGame, ending: &Ending) -> String {
    let winner = match ending.result {
        GameResult::P1Win => format!("p1 ({}) wins", who(session, Seat::P1)),
        GameResult::P2Win => format!("p2 ({}) wins", who(session, Seat::P2)),
        GameResult::Draw => "the game is a draw".to_owned(),
        GameResult::None => "the game has no result".to_owned(),
        GameResult::Places(places) => {
            let names = |wanted: u8| {
                let seats = places.iter().filter(move |(_, place)| *place == wanted);
                seats.map(|(seat, _)| format!("{seat} ({})", who(session, seat))).collect::<Vec<_>>()
            };
            let all = (1..=places.seats() as u8).map(|place| (place, names(place)));
            let all = all.filter(|(_, names)| !names.is_empty());
            all.map(|(place, names)| format!("{place}. {}", names.join(" and ")))
                .collect::<Vec<_>>()
                .join(", ")
        }
    };
    format!("{winner}: {}\n", ending.reason)
}

/// Returns the end of a game that its rules have ended, with what shows it on the board.
pub fn end(session: &InteractiveGame) -> Option<End> {
    let Termination::Rules(reason) = session.ending()?.reason else { return None };
    let repeated = Verdict::draw(reason);
    match reason {
        // The position alone does not tell it.
        Reason::Repetition => Some(End::plain(repeated)),
        _ => session.setup().referee(Some(&session.position())).ok()?.end(),
    }
}

/// Says what a bot played and thought.
pub fn played(name: &str, plies: &[String], report: &PartnerReport, spent: Duration) -> String {
    let thought = thought(&report.info);
    let gap = if thought.is_empty() { "" } else { ", " };
    format!("{name} plays {} ({thought}{gap}{:.1} s)\n", plies.join(" "), spent.as_secs_f64())
}

/// Says what a bot thinks of the position.
pub fn report(name: &str, report: &PartnerReport) -> String {
    let thoughts = thoughts(report);
    format!("{name}: {}\n", if thoughts.is_empty() { "says nothing" } else { &thoughts })
}

/// Returns what a bot thinks: score, depth and nodes, best line, words; empty where it says nothing.
pub fn thoughts(report: &PartnerReport) -> String {
    let mut parts = vec![thought(&report.info)];
    if !report.line.is_empty() {
        parts.push(report.line.iter().take(LINE).map(String::as_str).collect::<Vec<_>>().join(" "));
    }
    parts.extend(report.text.clone());
    parts.retain(|part| !part.is_empty());
    parts.join("; ")
}

/// Says how a bot failed.
pub fn failure(name: &str, failure: &PartnerFailure) -> String {
    let mut text = format!("{name} failed: {}\n", failure.fault);
    let last = failure.stderr.len().saturating_sub(STDERR_LINES);
    for line in &failure.stderr[last..] {
        let _ = writeln!(text, "  stderr: {line}");
    }
    text
}

/// Returns score, depth and nodes, those that the bot reports.
fn thought(info: &InfoRecord) -> String {
    let parts = [
        Some(score(info)).filter(|score| !score.is_empty()),
        info.depth.map(|depth| format!("depth {depth}")),
        info.nodes.map(|nodes| format!("{nodes} nodes")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Returns a score, from the point of view of the seat that decides.
pub fn score(info: &InfoRecord) -> String {
    match (info.mate, info.cp) {
        (Some(turns @ 0..), _) => format!("win in {turns}"),
        (Some(turns), _) => format!("loss in {}", turns.unsigned_abs()),
        (None, Some(cp)) => {
            let sign = if cp < 0 { '-' } else { '+' };
            format!("{sign}{}.{:02}", cp.unsigned_abs() / 100, cp.unsigned_abs() % 100)
        }
        (None, None) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_written_as_people_write_them() {
        let info = |cp, mate| InfoRecord { cp, mate, ..InfoRecord::default() };
        assert_eq!(score(&info(Some(-5), None)), "-0.05");
        assert_eq!(score(&info(Some(123), Some(-2))), "loss in 2");
        assert_eq!(score(&info(None, None)), "");
    }
}
