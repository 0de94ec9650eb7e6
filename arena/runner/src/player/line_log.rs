//! The lines between the arena and one bot in one game: always the last ones, and all of them on request.
//!
//! The last lines explain a fault. They are few, each has a bound, and later games reuse their memory, so a game without a
//! fault only pays for a copy of each line.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt::Write as _;
use std::rc::Rc;
use std::time::Duration;

use protocol::printable;
use tokio::time::Instant;

use crate::Direction;
use crate::player::trace::Tracer;

/// The number of lines kept.
const KEPT: usize = 200;

/// The bytes kept from the start of a long line.
const HEAD: usize = 1500;

/// The bytes kept from the end of a long line, which shows what is new in it.
const TAIL: usize = 500;

/// The most bytes in the transcript of one game.
const MOST_WRITTEN: usize = 16 * 1024 * 1024;

/// The last lines that the arena and a bot exchanged in a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spoken {
    /// The lines, oldest first: at most 200.
    pub lines: VecDeque<SpokenLine>,
    /// The number of earlier lines.
    pub left_out: u64,
}

/// A line that the arena and a bot exchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpokenLine {
    /// The time since the game began.
    pub at: Duration,
    /// The direction.
    pub direction: Direction,
    /// The line, without the middle if it is long. Escape it before showing it.
    pub text: String,
    /// The number of bytes left out of its middle.
    pub left_out: usize,
}

/// The last lines, in one text, so that a line needs no allocation of its own.
#[derive(Debug, Default)]
struct Kept {
    text: String,
    pieces: Vec<Piece>,
    /// The number of earlier lines.
    left_out: u64,
}

/// Lines that were sent together.
#[derive(Clone, Copy, Debug)]
struct Piece {
    at: Duration,
    direction: Direction,
    /// Its end in the text.
    end: usize,
    /// The number of bytes left out of its middle, if it is one long line.
    left_out: usize,
}

impl Kept {
    /// Adds lines that were sent together: those to a bot each with a line feed, one from a bot without.
    fn push(&mut self, direction: Direction, at: Duration, lines: &str) {
        if lines.len() <= HEAD + TAIL {
            self.text.push_str(lines);
            return self.end_piece(direction, at, 0);
        }
        for line in lines_of(direction, lines) {
            let mut left_out = 0;
            if line.len() <= HEAD + TAIL {
                self.text.push_str(line);
            } else {
                let head = boundary(line, HEAD);
                let tail = boundary(line, line.len() - TAIL);
                for part in [&line[..head], " \u{2026} ", &line[tail..]] {
                    self.text.push_str(part);
                }
                left_out = tail - head;
            }
            self.end_piece(direction, at, left_out);
        }
    }

    fn end_piece(&mut self, direction: Direction, at: Duration, left_out: usize) {
        // Every piece has a line, so the last ones contain all kept lines.
        if self.pieces.len() >= 2 * KEPT {
            self.left_out += self.lines().take_while(|(piece, _)| *piece < KEPT).count() as u64;
            let end = self.pieces[KEPT - 1].end;
            self.text.drain(..end);
            self.pieces.drain(..KEPT);
            self.pieces.iter_mut().for_each(|piece| piece.end -= end);
        }
        self.pieces.push(Piece { at, direction, end: self.text.len(), left_out });
    }

    /// Returns the lines, each with the number of its piece.
    fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        let begins = std::iter::once(0).chain(self.pieces.iter().map(|piece| piece.end));
        self.pieces.iter().zip(begins).enumerate().flat_map(|(number, (piece, begin))| {
            lines_of(piece.direction, &self.text[begin..piece.end]).map(move |line| (number, line))
        })
    }

    fn spoken(&self) -> Spoken {
        let count = self.lines().count();
        let skipped = count.saturating_sub(KEPT);
        let line = |(number, text): (usize, &str)| {
            let Piece { at, direction, left_out, .. } = self.pieces[number];
            SpokenLine { at, direction, text: text.to_owned(), left_out }
        };
        Spoken {
            lines: self.lines().skip(skipped).map(line).collect(),
            left_out: self.left_out + skipped as u64,
        }
    }
}

/// Returns the lines of a piece. Several lines to a bot end with line feeds.
fn lines_of(direction: Direction, text: &str) -> impl Iterator<Item = &str> {
    match direction {
        Direction::ToBot => text.strip_suffix('\n').unwrap_or(text).split('\n'),
        // A single line without a line feed.
        Direction::FromBot => text.split('\n'),
    }
}

/// Returns the last character boundary up to `at`.
fn boundary(line: &str, at: usize) -> usize {
    (0..=at).rev().find(|at| line.is_char_boundary(*at)).unwrap_or(0)
}

/// All lines of a game, escaped, shared by the bots that play it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Transcript(Rc<RefCell<String>>);

impl Transcript {
    /// Returns the text so far.
    pub(crate) fn text(&self) -> String {
        self.0.borrow().clone()
    }

    fn push(&self, seat: u8, direction: Direction, at: Duration, line: &str) {
        const CUT: &str = "# lines are left out from here on: the transcript is full\n";
        let mut text = self.0.borrow_mut();
        if text.len() >= MOST_WRITTEN {
            return;
        }
        let millis = at.as_micros() as f64 / 1000.0;
        writeln!(text, "{millis:>10.3} p{seat} {} {}", direction.sign(), printable(line))
            .expect("writing to a string cannot fail");
        if text.len() >= MOST_WRITTEN {
            text.push_str(CUT);
        }
    }
}

/// Stores and forwards the lines of one bot in one game.
pub(crate) struct LineLog {
    began: Instant,
    kept: Kept,
    tracer: Option<Tracer>,
    transcript: Option<(u8, Transcript)>,
}

impl LineLog {
    /// Returns a log that begins now.
    pub(crate) fn new(began: Instant) -> Self {
        Self { began, kept: Kept::default(), tracer: None, transcript: None }
    }

    /// Forwards lines to a tracer.
    pub(crate) fn with_tracer(mut self, tracer: Option<Tracer>) -> Self {
        self.tracer = tracer;
        self
    }

    /// Writes lines into a transcript, as those of this seat, from 1.
    pub(crate) fn with_transcript(mut self, seat: u8, transcript: Option<Transcript>) -> Self {
        self.transcript = transcript.map(|transcript| (seat, transcript));
        self
    }

    /// Reuses the memory of another log that is no longer needed.
    pub(crate) fn with_room_of(mut self, other: Self) -> Self {
        if self.kept.pieces.is_empty() {
            self.kept = other.kept;
            self.kept.text.clear();
            self.kept.pieces.clear();
            self.kept.left_out = 0;
        }
        self
    }

    /// Adds lines that were sent together at this instant: to a bot several, each with its line feed; from a bot one.
    pub(crate) fn note(&mut self, direction: Direction, at: Instant, lines: &str) {
        let since = at.saturating_duration_since(self.began);
        self.kept.push(direction, since, lines);
        if self.transcript.is_none() && self.tracer.is_none() {
            return;
        }
        for line in lines_of(direction, lines) {
            if let Some((seat, transcript)) = &self.transcript {
                transcript.push(*seat, direction, since, line);
            }
            if let Some(tracer) = &self.tracer {
                tracer.send(direction, line);
            }
        }
    }

    /// Returns the last lines.
    pub(crate) fn spoken(&self) -> Spoken {
        self.kept.spoken()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_kept() {
        let mut log = LineLog::new(Instant::now());
        for n in 0..KEPT + 7 {
            log.note(Direction::FromBot, Instant::now(), &n.to_string());
        }
        let check = |log: &LineLog, left_out: usize| {
            let spoken = log.spoken();
            assert_eq!((spoken.lines.len(), spoken.left_out), (KEPT, left_out as u64));
            let texts = [&spoken.lines[0], &spoken.lines[KEPT - 1]].map(|line| line.text.as_str());
            assert_eq!(texts, [left_out.to_string(), (left_out + KEPT - 1).to_string()]);
        };
        check(&log, 7);
        // Several at once, and much longer than the kept part.
        for n in (KEPT + 7..7 * KEPT + 1).step_by(3) {
            log.note(Direction::ToBot, Instant::now(), &format!("{n}\n{}\n{}\n", n + 1, n + 2));
        }
        check(&log, 6 * KEPT + 1);
        assert!(log.kept.pieces.len() <= 2 * KEPT && log.kept.text.len() < 10_000, "{:?}", log.kept);
        let empty = LineLog::new(Instant::now()).with_room_of(log);
        assert_eq!(empty.spoken(), Spoken::default());
    }

    #[test]
    fn an_empty_line_of_a_bot_is_a_line() {
        let mut log = LineLog::new(Instant::now());
        log.note(Direction::ToBot, Instant::now(), "isready\n");
        log.note(Direction::FromBot, Instant::now(), "");
        log.note(Direction::FromBot, Instant::now(), "readyok");
        let texts: Vec<_> = log.spoken().lines.into_iter().map(|line| line.text).collect();
        assert_eq!(texts, ["isready", "", "readyok"]);
    }

    #[test]
    fn a_long_line_keeps_its_start_and_its_end() {
        let mut kept = Kept::default();
        let line = format!("position {} end", "\u{e9}".repeat(100_000));
        kept.push(Direction::ToBot, Duration::ZERO, &format!("{line}\ngo\n"));
        let spoken = kept.spoken();
        assert_eq!((spoken.lines.len(), spoken.lines[1].text.as_str()), (2, "go"));
        let kept = &spoken.lines[0];
        assert!(kept.text.starts_with("position ") && kept.text.ends_with(" end"), "{}", kept.text);
        assert!(kept.text.len() <= HEAD + TAIL + 8);
        assert_eq!(kept.text.len() - " \u{2026} ".len() + kept.left_out, line.len());
    }

    #[test]
    fn a_transcript_has_a_bound_and_no_tricks() {
        let transcript = Transcript::default();
        transcript.push(1, Direction::FromBot, Duration::from_micros(1500), "\x1b[2J");
        assert_eq!(transcript.text(), "     1.500 p1 < \\x1b[2J\n");
        let line = "x".repeat(1024 * 1024);
        for _ in 0..20 {
            transcript.push(2, Direction::ToBot, Duration::ZERO, &line);
        }
        let text = transcript.text();
        assert!(text.len() < MOST_WRITTEN + 2 * 1024 * 1024, "{}", text.len());
        assert!(text.ends_with("the transcript is full\n"));
    }
}
