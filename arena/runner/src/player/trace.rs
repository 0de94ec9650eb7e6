//! All lines between the arena and bots, for a listener.
//!
//! Lines are forwarded without waiting, so a slow listener never delays a clock. The waiting lines have a bound; beyond it
//! lines are left out, and a line says so.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use protocol::printable;
use tokio::time::Instant;

/// A line between the arena and a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceLine {
    /// The number of the game for which the bot was asked.
    pub game: u64,
    /// The seat of the bot in it, from 1.
    pub seat: u8,
    /// The direction.
    pub direction: Direction,
    /// The time since the run began.
    pub at: Duration,
    /// The line, escaped.
    pub text: String,
}

/// The direction of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the arena to the bot, written `>`.
    ToBot,
    /// From the bot to the arena, written `<`.
    FromBot,
}

impl Direction {
    /// Returns the sign before such a line in a transcript.
    #[must_use]
    pub const fn sign(self) -> char {
        match self {
            Self::ToBot => '>',
            Self::FromBot => '<',
        }
    }
}

/// The most bytes of lines that may wait for the listener.
const MOST_WAITING: usize = 64 * 1024 * 1024;

/// The memory of a line besides its text, in bytes.
const OVERHEAD: usize = 2 * size_of::<TraceLine>();

/// The bytes of lines that wait for the listener.
#[derive(Clone, Debug, Default)]
pub(crate) struct Backlog {
    bytes: Arc<AtomicUsize>,
    is_cut: Arc<AtomicBool>,
}

impl Backlog {
    /// Admits a line to the backlog; returns the line, a note that lines are left out from here on, or nothing.
    fn admit(&self, text: String) -> Option<String> {
        let is_full = self.bytes.load(Ordering::Relaxed) + text.len() + OVERHEAD > MOST_WAITING;
        let text = match (is_full, self.is_cut.swap(is_full, Ordering::Relaxed)) {
            (false, _) => text,
            (true, false) => "# lines are left out here: they came faster than they were read".to_owned(),
            (true, true) => return None,
        };
        self.bytes.fetch_add(text.len() + OVERHEAD, Ordering::Relaxed);
        Some(text)
    }

    /// Removes a line from the backlog.
    pub(crate) fn taken(&self, line: &TraceLine) {
        let less = |bytes: usize| Some(bytes.saturating_sub(line.text.len() + OVERHEAD));
        let _ = self.bytes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
    }
}

/// Forwards the lines of one bot in one game.
pub(crate) struct Tracer {
    /// When the run began.
    pub(crate) began: Instant,
    /// The number of the game.
    pub(crate) game: u64,
    /// The bot's seat, from 1.
    pub(crate) seat: u8,
    /// The waiting lines.
    pub(crate) backlog: Backlog,
    /// The destination of lines.
    pub(crate) sink: Box<dyn Fn(TraceLine)>,
}

impl Tracer {
    /// Forwards a line.
    pub(crate) fn send(&self, direction: Direction, line: &str) {
        if let Some(text) = self.backlog.admit(printable(line).into_owned()) {
            let at = self.began.elapsed();
            (self.sink)(TraceLine { game: self.game, seat: self.seat, direction, at, text });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use super::*;

    #[test]
    fn what_waits_has_a_bound_however_short_the_lines_are() {
        for text in ["", "x", "a longer line"] {
            let backlog = Backlog::default();
            let mut waiting = VecDeque::new();
            // The listener reads one line for every three that come.
            for i in 0..2_000_000 {
                waiting.extend(backlog.admit(text.to_owned()));
                if i % 3 == 0 {
                    let text = waiting.pop_front().unwrap();
                    let (direction, at) = (Direction::FromBot, std::time::Duration::ZERO);
                    backlog.taken(&TraceLine { game: 1, seat: 1, direction, at, text });
                }
            }
            let most = MOST_WAITING / size_of::<TraceLine>();
            assert!(waiting.len() < most, "{} of {most}", waiting.len());
            assert!(waiting.iter().any(|line| line.starts_with("# lines are left out")));
        }
    }
}
