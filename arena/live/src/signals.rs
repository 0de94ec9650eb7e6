//! Ctrl-C and its kind: the first lets running games finish, the second abandons them, the third ends at once.
//!
//! A hang-up is a request to read the tournament file again, unless the terminal of the run has gone away.

mod system;

use std::fs::File;
use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use diagnostic::harmless::{Stream, is_terminal};
use diagnostic::{Exit, Failure};
use runner::Control;

pub use self::system::{SignalListener, SystemSignal};

/// The terminal that controls a process, under one name for all of them.
const TERMINAL: &str = "/dev/tty";

/// What an interruption does, no matter who causes it: a signal, a key, an order.
#[derive(Clone, Debug)]
pub struct Trigger {
    count: Arc<AtomicUsize>,
    control: Control,
    /// Gives back the terminal before the arena ends at once.
    restore: fn(),
}

impl Trigger {
    /// Returns the trigger of a run that has not been interrupted.
    fn new(control: Control, restore: fn()) -> Self {
        Self { count: Arc::default(), control, restore }
    }

    /// Returns how often the run was interrupted.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count.load(Ordering::SeqCst)
    }

    /// Interrupts: the first time running games finish, the second time they are abandoned, the third time the arena
    /// ends at once.
    pub fn pull(&self) {
        match self.count.fetch_add(1, Ordering::SeqCst) {
            0 => self.control.finish(),
            1 => self.control.abort(),
            _ => {
                (self.restore)();
                std::process::exit(Exit::Interrupted as i32)
            }
        }
    }
}

/// Signals that came while this lives go to a run's [`Control`].
#[derive(Debug)]
pub struct Interrupts {
    trigger: Trigger,
    has_hung_up: Arc<AtomicBool>,
    _listener: SignalListener,
}

impl Interrupts {
    /// Begins to listen on behalf of a run.
    ///
    /// # Errors
    /// When the system refuses the handlers.
    pub fn listen(control: Control) -> Result<Self, Failure> {
        Self::listen_for_run(control, false, || {})
    }

    /// Begins to listen on behalf of a run, which reads its file again at a hang-up if it has one. Before the arena ends at
    /// once, `restore` gives back the terminal.
    ///
    /// # Errors
    /// As [`Interrupts::listen`].
    pub fn listen_for_run(control: Control, has_file: bool, restore: fn()) -> Result<Self, Failure> {
        let trigger = Trigger::new(control, restore);
        let has_hung_up = Arc::new(AtomicBool::new(false));
        let had_terminal = is_terminal(Stream::Err) || io::stdin().is_terminal();
        let (of_signals, hang_up) = (trigger.clone(), Arc::clone(&has_hung_up));
        let listener = SignalListener::start(move |signal| {
            let is_terminal_gone = || had_terminal && File::open(TERMINAL).is_err();
            if signal == SystemSignal::HangUp && has_file && !is_terminal_gone() {
                hang_up.store(true, Ordering::SeqCst);
            } else {
                of_signals.pull();
            }
        })?;
        Ok(Self { trigger, has_hung_up, _listener: listener })
    }

    /// Returns how many signals came, other interruptions included.
    pub fn count(&self) -> usize {
        self.trigger.count()
    }

    /// Returns what interrupts as a signal does.
    pub fn trigger(&self) -> Trigger {
        self.trigger.clone()
    }

    /// Returns whether the file is to be read again since this was asked last.
    pub fn take_hang_up(&self) -> bool {
        self.has_hung_up.swap(false, Ordering::SeqCst)
    }
}
