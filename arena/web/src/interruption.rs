//! Ctrl-C and other signals, for commands that run until the user ends them.

use std::thread;

use diagnostic::Failure;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// Does something at the first signal to end, on a thread of its own.
///
/// # Errors
/// When the system refuses the handlers or the thread.
pub(crate) fn on_interruption(act: impl FnOnce() + Send + 'static) -> Result<(), Failure> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])
        .map_err(|error| Failure::io("failed to listen to signals", &error))?;
    let wait = move || {
        if signals.forever().next().is_some() {
            act();
        }
    };
    spawn("signals", wait)
}

/// Starts a detached thread.
///
/// # Errors
/// When the system refuses it.
pub(crate) fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), Failure> {
    let thread = thread::Builder::new().name(name.to_owned()).spawn(work);
    thread.map(drop).map_err(|error| Failure::io("failed to start a thread", &error))
}
