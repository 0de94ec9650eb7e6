//! What ends questions that take too long, in compiled code: a thread that counts ticks.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Thread};
use std::time::Duration;

/// How long a tick is.
const TICK: Duration = Duration::from_millis(25);

/// After how many ticks a question is ended: the first may come at once.
///
/// Compiled code takes some twenty steps of the interpreter in a nanosecond at best, so it is ended before it can take as many as
/// the interpreter allows.
pub(super) const TICKS: u64 = 2;

/// After how many ticks without a question the clock stands still.
const IDLE: u32 = 40;

/// Ticks while questions are asked.
pub(super) struct Clock {
    thread: Thread,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    /// Whether a question was asked since the last tick.
    is_asked: AtomicBool,
    /// Whether the clock stands still.
    is_still: AtomicBool,
}

impl Clock {
    /// Starts a clock that does this at every tick; `None` if there can be no thread for it.
    pub(super) fn start(tick: impl Fn() + Send + 'static) -> Option<Self> {
        let state = Arc::new(State::default());
        let shared = Arc::clone(&state);
        let thread = thread::Builder::new().name("module-clock".to_owned());
        let handle = thread.spawn(move || shared.run(tick)).ok()?;
        Some(Self { thread: handle.thread().clone(), state })
    }

    /// Says that a question is asked: [`TICKS`] ticks follow at least.
    pub(super) fn wind(&self) {
        // Either this thread sees that the clock stands still, or the clock sees that a question is asked.
        self.state.is_asked.store(true, Ordering::SeqCst);
        if self.state.is_still.load(Ordering::SeqCst) {
            self.state.is_still.store(false, Ordering::SeqCst);
            self.thread.unpark();
        }
    }
}

impl State {
    fn run(&self, tick: impl Fn()) -> ! {
        let mut idle = 0;
        loop {
            thread::park_timeout(TICK);
            idle = if self.is_asked.swap(false, Ordering::SeqCst) { 0 } else { idle + 1 };
            tick();
            if idle < IDLE {
                continue;
            }
            idle = 0;
            self.is_still.store(true, Ordering::SeqCst);
            while self.is_still.load(Ordering::SeqCst) && !self.is_asked.load(Ordering::SeqCst) {
                thread::park();
            }
            self.is_still.store(false, Ordering::SeqCst);
        }
    }
}
