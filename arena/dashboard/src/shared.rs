//! What goes from the run to its dashboard: the latest picture, and lines for the log.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use live::LiveState;
use protocol::printable;

/// How many lines the log keeps.
const LINES: usize = 1000;

/// What the run leaves for its dashboard.
#[derive(Debug, Default)]
pub(crate) struct SharedRun {
    state: Mutex<Option<Arc<LiveState>>>,
    log: Mutex<VecDeque<String>>,
    is_over: AtomicBool,
}

impl SharedRun {
    /// Leaves a picture: the latest one counts.
    pub(crate) fn show(&self, state: LiveState) {
        *lock(&self.state) = Some(Arc::new(state));
    }

    /// Returns the latest picture.
    pub(crate) fn state(&self) -> Option<Arc<LiveState>> {
        lock(&self.state).clone()
    }

    /// Adds a text to the log. Nothing in it can control a terminal there.
    pub(crate) fn say(&self, text: &str) {
        let mut log = lock(&self.log);
        for line in text.lines() {
            if log.len() == LINES {
                log.pop_front();
            }
            log.push_back(printable(line).into_owned());
        }
    }

    /// Returns `count` lines of the log, of which the last one stands `back` lines before its end, and the length of
    /// the log.
    pub(crate) fn log(&self, count: usize, back: usize) -> (Vec<String>, usize) {
        let log = lock(&self.log);
        let end = log.len().saturating_sub(back);
        (log.range(end.saturating_sub(count)..end).cloned().collect(), log.len())
    }

    /// Takes all of the log.
    pub(crate) fn take_log(&self) -> Vec<String> {
        lock(&self.log).drain(..).collect()
    }

    /// Ends the dashboard.
    pub(crate) fn end(&self) {
        self.is_over.store(true, Ordering::SeqCst);
    }

    /// Returns whether the dashboard is to end.
    pub(crate) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::SeqCst)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
