//! What the terminal shows of a game beside what is said of it everywhere. Whatever comes from a bot has been escaped where it
//! was read.

use std::fmt::Write as _;
use std::time::Duration;

use diagnostic::output;
use hand_play::words::{end, score, who};
use report::Look;
use rules::{End, Seat};
use runner::InteractiveGame;

/// Returns the board with who decides.
pub(super) fn board(session: &InteractiveGame, look: &Look) -> String {
    drawn(session, &session.position(), end(session).as_ref(), look, session.ending().is_none())
}

/// Returns the board of another position of the game.
pub(super) fn position(session: &InteractiveGame, position: &str, look: &Look) -> String {
    drawn(session, position, None, look, false)
}

fn drawn(
    session: &InteractiveGame,
    position: &str,
    end: Option<&End>,
    look: &Look,
    says_decider: bool,
) -> String {
    let board = report::board_text(session.setup(), position, end, look).unwrap_or_default();
    let lines = board.lines().filter(|line| says_decider || !line.contains(" decides"));
    format!("\n{}\n", lines.collect::<Vec<_>>().join("\n"))
}

/// Returns the plies so far, turn by turn as they were played.
pub(super) fn moves(session: &InteractiveGame) -> String {
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
pub(super) fn legal(session: &InteractiveGame, start: &str, width: usize) -> String {
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
pub(super) fn clocks(session: &InteractiveGame, now: Duration) -> String {
    let clock = |seat: Seat| {
        let left = session.time_left(seat, now).map_or_else(|| "no limit of time".to_owned(), time);
        format!("{seat} {}: {left}\n", who(session, seat))
    };
    Seat::all(session.setup().seats()).map(clock).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_people_write_them() {
        let times = [900, 61_000, 3_661_000].map(|millis| time(Duration::from_millis(millis)));
        assert_eq!(times, ["0.9 s", "1:01", "1:01:01"]);
    }
}
