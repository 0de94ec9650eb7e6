//! The last lines between the suite and a bot, as they are shown with a fault.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use protocol::printable_capped;

/// How many lines are kept.
const LINES: usize = 14;

/// How many characters of a line are kept.
const SHOWN: usize = 160;

/// The last lines, escaped and cut, `> ` before those to the bot and `< ` before its own.
#[derive(Clone, Debug)]
pub(crate) struct Transcript {
    lines: VecDeque<String>,
    last_sent: Instant,
}

impl Transcript {
    pub(crate) fn new() -> Self {
        Self { lines: VecDeque::with_capacity(LINES), last_sent: Instant::now() }
    }

    /// Notes what is sent now, line by line.
    pub(crate) fn sent(&mut self, text: &str) {
        self.last_sent = Instant::now();
        text.split_terminator('\n').for_each(|line| self.push("> ", line));
    }

    /// Notes a line of the bot.
    pub(crate) fn received(&mut self, line: &str) {
        self.push("< ", line);
    }

    /// Returns the lines.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.lines.iter().cloned().collect()
    }

    /// Returns how long ago something was sent.
    pub(crate) fn waited(&self) -> Duration {
        self.last_sent.elapsed()
    }

    fn push(&mut self, mark: &str, line: &str) {
        if self.lines.len() == LINES {
            self.lines.pop_front();
        }
        self.lines.push_back(format!("{mark}{}", printable_capped(line, SHOWN)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_kept_and_none_of_their_tricks() {
        let mut transcript = Transcript::new();
        transcript.sent("ugi\r\nisready\n");
        transcript.received("\u{1b}[2Jhello");
        assert_eq!(transcript.lines(), [r"> ugi\x0d", "> isready", r"< \x1b[2Jhello"]);
        (0..100).for_each(|_| transcript.received(&"x".repeat(1000)));
        let lines = transcript.lines();
        assert_eq!((lines.len(), lines[0].chars().count()), (LINES, SHOWN + 2));
    }
}
