//! Ctrl-C and other signals, for commands that run until the user ends them.

use std::thread;

use diagnostic::Failure;
use live::SignalListener;

/// Does something at the first signal to end, on a thread of its own.
///
/// # Errors
/// When the system refuses the handlers or the thread.
pub(crate) fn on_interruption(act: impl FnOnce() + Send + 'static) -> Result<(), Failure> {
    let mut act = Some(act);
    let listener = SignalListener::start(move |_| {
        if let Some(act) = act.take() {
            act();
        }
    });
    listener.map(SignalListener::detach)
}

/// Starts a detached thread.
///
/// # Errors
/// When the system refuses it.
pub(crate) fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), Failure> {
    let thread = thread::Builder::new().name(name.to_owned()).spawn(work);
    thread.map(drop).map_err(|error| Failure::io("failed to start a thread", &error))
}
