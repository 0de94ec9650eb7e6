//! The lines between the arena and one bot in one game: the last of them always, all of them on request.
//!
//! The last lines are kept so that a fault can be explained. They are few and each has a bound, and their
//! memory is used again, so that a game without a fault pays for a copy of each line and nothing else.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt::Write as _;
use std::rc::Rc;
use std::time::Duration;

use protocol::printable;
use tokio::time::Instant;

use crate::Direction;
use crate::trace::Tracer;

/// How many lines are kept.
const KEPT: usize = 200;

/// How many bytes of a line are kept from its start; the end of a long line tells what is new in it.
const HEAD: usize = 1500;

/// How many bytes of a long line are kept from its end.
const TAIL: usize = 500;

/// How many bytes the transcript of one game may have.
const MOST_WRITTEN: usize = 16 * 1024 * 1024;

/// The last lines that the arena and a bot exchanged in a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spoken {
    /// The lines, oldest first: at most 200.
    pub lines: VecDeque<SpokenLine>,
    /// How many lines came before them.
    pub left_out: u64,
}

/// A line that the arena and a bot exchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpokenLine {
    /// When, since the game began.
    pub at: Duration,
    /// The direction.
    pub direction: Direction,
    /// The line as it was, a long one without its middle: not fit to be shown.
    pub text: String,
    /// How many bytes are left out of its middle.
    pub left_out: usize,
}

impl Spoken {
    fn push(&mut self, direction: Direction, at: Duration, line: &str) {
        let mut text = String::new();
        if self.lines.len() == KEPT {
            self.left_out += 1;
            text = self.lines.pop_front().map(|line| line.text).unwrap_or_default();
            text.clear();
        }
        let mut left_out = 0;
        if line.len() <= HEAD + TAIL {
            text.push_str(line);
        } else {
            let head = boundary(line, HEAD);
            let tail = boundary(line, line.len() - TAIL);
            text.push_str(&line[..head]);
            text.push_str(" \u{2026} ");
            text.push_str(&line[tail..]);
            left_out = tail - head;
        }
        self.lines.push_back(SpokenLine { at, direction, text, left_out });
    }
}

/// Returns the last place up to `at` where a character begins.
fn boundary(line: &str, at: usize) -> usize {
    (0..=at).rev().find(|at| line.is_char_boundary(*at)).unwrap_or(0)
}

/// All lines of a game, shared by the two bots that play it: a line each, fit to be shown.
#[derive(Clone, Debug, Default)]
pub(crate) struct Transcript(Rc<RefCell<String>>);

impl Transcript {
    /// Returns what was written.
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
            .expect("a string can always be written to");
        if text.len() >= MOST_WRITTEN {
            text.push_str(CUT);
        }
    }
}

/// What is kept and handed on of the lines of one bot in one game.
pub(crate) struct Watch {
    began: Instant,
    spoken: Spoken,
    tracer: Option<Tracer>,
    transcript: Option<(u8, Transcript)>,
}

impl Watch {
    /// Returns a watch over lines from here on.
    pub(crate) fn new(began: Instant) -> Self {
        Self { began, spoken: Spoken::default(), tracer: None, transcript: None }
    }

    /// Hands lines on.
    pub(crate) fn with_tracer(mut self, tracer: Option<Tracer>) -> Self {
        self.tracer = tracer;
        self
    }

    /// Writes lines into a transcript, as those of this seat: 1 or 2.
    pub(crate) fn with_transcript(mut self, seat: u8, transcript: Option<Transcript>) -> Self {
        self.transcript = transcript.map(|transcript| (seat, transcript));
        self
    }

    /// Takes a line, which passed at this instant.
    pub(crate) fn note(&mut self, direction: Direction, at: Instant, line: &str) {
        let since = at.saturating_duration_since(self.began);
        self.spoken.push(direction, since, line);
        if let Some((seat, transcript)) = &self.transcript {
            transcript.push(*seat, direction, since, line);
        }
        if let Some(tracer) = &self.tracer {
            tracer.send(direction, line);
        }
    }

    /// Returns the last lines.
    pub(crate) fn into_spoken(self) -> Spoken {
        self.spoken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_kept() {
        let mut watch = Watch::new(Instant::now());
        for n in 0..KEPT + 7 {
            watch.note(Direction::ToBot, Instant::now(), &n.to_string());
        }
        let spoken = watch.into_spoken();
        assert_eq!((spoken.lines.len(), spoken.left_out), (KEPT, 7));
        assert_eq!((spoken.lines[0].text.as_str(), spoken.lines[KEPT - 1].text.as_str()), ("7", "206"));
    }

    #[test]
    fn a_long_line_keeps_its_start_and_its_end() {
        let mut spoken = Spoken::default();
        let line = format!("position {} end", "\u{e9}".repeat(100_000));
        spoken.push(Direction::ToBot, Duration::ZERO, &line);
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
