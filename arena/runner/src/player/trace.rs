//! Every line on its way, for those who want to see it.
//!
//! Lines are handed over without waiting, so that a listener that takes its time never stalls a clock. What
//! it has not taken yet has a bound; beyond it lines are left out, and a line says so.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use protocol::printable;
use tokio::time::Instant;

/// A line on its way between the arena and a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceLine {
    /// The number of the game for which the bot was asked.
    pub game: u64,
    /// The seat of the bot in it: 1 or 2.
    pub seat: u8,
    /// The direction.
    pub direction: Direction,
    /// When, since the run began.
    pub at: Duration,
    /// The line, fit to be shown.
    pub text: String,
}

/// Which way a line goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the arena to the bot, written `>`.
    ToBot,
    /// From the bot to the arena, written `<`.
    FromBot,
}

impl Direction {
    /// Returns the sign that stands before such a line in a transcript.
    #[must_use]
    pub const fn sign(self) -> char {
        match self {
            Self::ToBot => '>',
            Self::FromBot => '<',
        }
    }
}

/// How many bytes of lines may wait for the listener.
const MOST_WAITING: usize = 64 * 1024 * 1024;

/// What a line takes besides its text, however short it is.
const OVERHEAD: usize = 2 * size_of::<TraceLine>();

/// How many bytes of lines wait for the listener.
#[derive(Clone, Debug, Default)]
pub(crate) struct Backlog {
    bytes: Arc<AtomicUsize>,
    is_cut: Arc<AtomicBool>,
}

impl Backlog {
    /// Puts a line on the backlog, or the word that lines are left out from here on, or nothing.
    fn admit(&self, text: String) -> Option<String> {
        let is_full = self.bytes.load(Ordering::Relaxed) + text.len() + OVERHEAD > MOST_WAITING;
        let text = match (is_full, self.is_cut.swap(is_full, Ordering::Relaxed)) {
            (false, _) => text,
            (true, false) => "# lines are left out here: they came faster than they were taken".to_owned(),
            (true, true) => return None,
        };
        self.bytes.fetch_add(text.len() + OVERHEAD, Ordering::Relaxed);
        Some(text)
    }

    /// Takes a line off the backlog.
    pub(crate) fn taken(&self, line: &TraceLine) {
        let less = |bytes: usize| Some(bytes.saturating_sub(line.text.len() + OVERHEAD));
        let _ = self.bytes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
    }
}

/// Hands on the lines of one bot in one game.
pub(crate) struct Tracer {
    /// When the run began.
    pub(crate) began: Instant,
    /// The number of the game.
    pub(crate) game: u64,
    /// The bot's seat: 1 or 2.
    pub(crate) seat: u8,
    /// What waits.
    pub(crate) backlog: Backlog,
    /// Where lines go.
    pub(crate) sink: Box<dyn Fn(TraceLine)>,
}

impl Tracer {
    /// Hands on a line.
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
            // The listener takes one line for every three that come.
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
