//! What is written while a game is played. Whatever comes from a bot has been escaped where it was read.

use std::fmt::Write as _;
use std::time::Duration;

use diagnostic::output;
use record::{InfoRecord, Result as GameResult, Termination};
use report::Look;
use rules::{End, Reason, Seat, Verdict};
use runner::{Ending, PartnerFailure, PartnerReport, Session};

/// How many lines of a bot's standard error are shown.
const STDERR_LINES: usize = 10;

/// How many plies of a best line are shown.
const LINE: usize = 8;

/// Returns the board with who decides.
pub(super) fn board(session: &Session, look: &Look) -> String {
    drawn(session, &session.position(), end(session).as_ref(), look, session.ending().is_none())
}

/// Returns the board of another position of the game.
pub(super) fn position(session: &Session, position: &str, look: &Look) -> String {
    drawn(session, position, None, look, false)
}

fn drawn(session: &Session, position: &str, end: Option<&End>, look: &Look, says_decider: bool) -> String {
    let board = report::board_text(session.setup().game().id, position, end, look).unwrap_or_default();
    let lines = board.lines().filter(|line| says_decider || !line.contains(" decides"));
    format!("\n{}\n", lines.collect::<Vec<_>>().join("\n"))
}

/// Returns the plies so far, turn by turn as they were played.
pub(super) fn moves(session: &Session) -> String {
    if session.is_empty() {
        return "no ply was played\n".to_owned();
    }
    let mut text = String::new();
    for (index, (ply, _)) in session.plies().enumerate() {
        let notes = session.notes(index).iter().map(|note| format!("{}: {}", note.by, score(&note.info)));
        let notes: Vec<_> = notes.collect();
        let gap = if notes.is_empty() { "" } else { "  " };
        let _ = writeln!(text, "{:>4}  {ply}{gap}{}", index + 1, notes.join(", "));
    }
    text
}

/// Returns the legal plies that begin so.
pub(super) fn legal(session: &Session, start: &str, width: usize) -> String {
    let legal = session.legal();
    let plies: Vec<_> = legal.iter().filter(|ply| ply.starts_with(start)).map(String::as_str).collect();
    match (plies.len(), legal.len()) {
        (_, 0) => "the game is over\n".to_owned(),
        (0, all) => format!(
            "no legal ply begins with `{}`; {} in all\n",
            protocol::printable_capped(start, 40),
            count(all)
        ),
        (found, _) => format!("{}\n  {}\n", count(found), output::wrap(plies, 2, width)),
    }
}

fn count(plies: usize) -> String {
    if plies == 1 { "1 legal ply".to_owned() } else { format!("{plies} legal plies") }
}

/// Returns what is left of the time.
pub(super) fn clocks(session: &Session, now: Duration) -> String {
    let clock = |seat: Seat| {
        let left = session.time_left(seat, now).map_or_else(|| "no limit of time".to_owned(), time);
        format!("{seat} {}: {left}\n", who(session, seat))
    };
    Seat::BOTH.map(clock).concat()
}

/// Returns a time as a clock shows it.
fn time(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..60 => format!("{seconds}.{} s", time.subsec_millis() / 100),
        60..3600 => format!("{}:{:02}", seconds / 60, seconds % 60),
        _ => format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60),
    }
}

/// Returns the name of who sits at a seat, fit to be shown.
pub(super) fn who(session: &Session, seat: Seat) -> String {
    protocol::printable_capped(&session.sitter(seat).name, 60)
}

/// Says how the game ended.
pub(crate) fn ending(session: &Session, ending: &Ending) -> String {
    let winner = match ending.result {
        GameResult::P1Win => format!("p1 ({}) wins", who(session, Seat::P1)),
        GameResult::P2Win => format!("p2 ({}) wins", who(session, Seat::P2)),
        GameResult::Draw => "the game is a draw".to_owned(),
        GameResult::None => "the game has no result".to_owned(),
    };
    format!("{winner}: {}\n", ending.reason)
}

/// Returns the end of a game that its rules have ended, with what shows it on the board.
pub(crate) fn end(session: &Session) -> Option<End> {
    let Termination::Rules(reason) = session.ending()?.reason else { return None };
    let repeated = Verdict::draw(reason);
    match reason {
        // The position alone does not tell it.
        Reason::Repetition => Some(End { verdict: repeated, proofs: Vec::new() }),
        _ => session.setup().referee(Some(&session.position())).ok()?.end(),
    }
}

/// Says what a bot played and thought.
pub(crate) fn played(name: &str, plies: &[String], report: &PartnerReport, spent: Duration) -> String {
    let thought = thought(&report.info);
    let gap = if thought.is_empty() { "" } else { ", " };
    format!("{name} plays {} ({thought}{gap}{:.1} s)\n", plies.join(" "), spent.as_secs_f64())
}

/// Says what a bot thinks of the position.
pub(crate) fn report(name: &str, report: &PartnerReport) -> String {
    let thoughts = thoughts(report);
    format!("{name}: {}\n", if thoughts.is_empty() { "says nothing" } else { &thoughts })
}

/// Returns what a bot thinks: score, depth and nodes, best line, words; empty where it says nothing.
pub(crate) fn thoughts(report: &PartnerReport) -> String {
    let mut parts = vec![thought(&report.info)];
    if !report.line.is_empty() {
        parts.push(report.line.iter().take(LINE).map(String::as_str).collect::<Vec<_>>().join(" "));
    }
    parts.extend(report.text.clone());
    parts.retain(|part| !part.is_empty());
    parts.join("; ")
}

/// Says how a bot failed.
pub(crate) fn failure(name: &str, failure: &PartnerFailure) -> String {
    let mut text = format!("{name} failed: {}\n", failure.fault);
    let last = failure.stderr.len().saturating_sub(STDERR_LINES);
    for line in &failure.stderr[last..] {
        let _ = writeln!(text, "  stderr: {line}");
    }
    text
}

/// Returns score, depth and nodes, as far as they are told.
fn thought(info: &InfoRecord) -> String {
    let parts = [
        Some(score(info)).filter(|score| !score.is_empty()),
        info.depth.map(|depth| format!("depth {depth}")),
        info.nodes.map(|nodes| format!("{nodes} nodes")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Returns a score, from the point of view of the seat that decides.
pub(crate) fn score(info: &InfoRecord) -> String {
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
    fn scores_and_times_are_written_as_people_write_them() {
        let info = |cp, mate| InfoRecord { cp, mate, ..InfoRecord::default() };
        assert_eq!(score(&info(Some(-5), None)), "-0.05");
        assert_eq!(score(&info(Some(123), Some(-2))), "loss in 2");
        assert_eq!(score(&info(None, None)), "");
        let times = [900, 61_000, 3_661_000].map(|millis| time(Duration::from_millis(millis)));
        assert_eq!(times, ["0.9 s", "1:01", "1:01:01"]);
    }
}
