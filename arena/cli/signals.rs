//! Ctrl-C and its kind: the first lets running games finish, the second abandons them, the third ends at once.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use runner::Control;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::{Handle, Signals};

use crate::exit::Exit;

/// Signals that came while this lives go to a run's [`Control`].
#[derive(Debug)]
pub(crate) struct Interrupts {
    count: Arc<AtomicUsize>,
    handle: Handle,
}

impl Interrupts {
    /// Begins to listen on behalf of a run.
    ///
    /// # Errors
    /// When the system refuses the handlers.
    pub(crate) fn listen(control: Control) -> io::Result<Self> {
        let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
        let handle = signals.handle();
        let count = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&count);
        thread::Builder::new().name("signals".to_owned()).spawn(move || {
            for _ in &mut signals {
                match counter.fetch_add(1, Ordering::SeqCst) {
                    0 => control.finish(),
                    1 => control.abort(),
                    _ => std::process::exit(Exit::Interrupted as i32),
                }
            }
        })?;
        Ok(Self { count, handle })
    }

    /// Returns how many signals came.
    pub(crate) fn count(&self) -> usize {
        self.count.load(Ordering::SeqCst)
    }
}

impl Drop for Interrupts {
    fn drop(&mut self) {
        self.handle.close();
    }
}
