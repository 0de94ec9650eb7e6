//! Every line on its way, for those who want to see it.
//!
//! Lines are handed over without waiting, so that an observer that takes its time never stalls a clock. What
//! it has not taken yet has a bound; beyond it lines are left out, and a line says so.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use protocol::printable;
use tokio::time::Instant;

use crate::{Direction, TraceLine};

/// How many bytes of lines may wait for the observer.
const MOST_WAITING: usize = 64 * 1024 * 1024;

/// How many bytes of lines wait for the observer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Backlog {
    bytes: Arc<AtomicUsize>,
    is_cut: Arc<AtomicBool>,
}

impl Backlog {
    /// Puts a line on the backlog, or the word that lines are left out from here on, or nothing.
    fn admit(&self, text: String) -> Option<String> {
        if self.bytes.load(Ordering::Relaxed) + text.len() > MOST_WAITING {
            let is_first = !self.is_cut.swap(true, Ordering::Relaxed);
            return is_first
                .then(|| "# lines are left out here: they came faster than they were taken".to_owned());
        }
        self.is_cut.store(false, Ordering::Relaxed);
        self.bytes.fetch_add(text.len(), Ordering::Relaxed);
        Some(text)
    }

    /// Takes a line off the backlog.
    pub(crate) fn taken(&self, line: &TraceLine) {
        let less = |bytes: usize| Some(bytes.saturating_sub(line.text.len()));
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
