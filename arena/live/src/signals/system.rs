//! What the system asks of this process, heard on a thread of its own.

use diagnostic::Failure;

/// What the system asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SystemSignal {
    /// To end: Ctrl-C, or somebody who ends the process.
    End,
    /// What is sent when a terminal goes away, and to ask for the configuration to be read again. Only systems of the
    /// Unix kind have it.
    HangUp,
}

/// Signals are heard, and do nothing else, while this lives.
#[derive(Debug)]
pub struct SignalListener {
    _platform: platform::Listener,
}

impl SignalListener {
    /// Begins to listen.
    ///
    /// # Errors
    /// When the system refuses the handlers or the thread.
    pub fn start(hear: impl FnMut(SystemSignal) + Send + 'static) -> Result<Self, Failure> {
        let listener = platform::listen(hear);
        Ok(Self { _platform: listener.map_err(|error| Failure::io("failed to listen to signals", &error))? })
    }

    /// Listens until the process ends.
    pub fn detach(self) {
        std::mem::forget(self);
    }
}

#[cfg(unix)]
mod platform {
    use std::io;
    use std::thread;

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::{Handle, Signals};

    use super::SystemSignal;

    #[derive(Debug)]
    pub(super) struct Listener(Handle);

    pub(super) fn listen(mut hear: impl FnMut(SystemSignal) + Send + 'static) -> io::Result<Listener> {
        let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
        let handle = signals.handle();
        thread::Builder::new().name("signals".to_owned()).spawn(move || {
            for signal in &mut signals {
                hear(if signal == SIGHUP { SystemSignal::HangUp } else { SystemSignal::End });
            }
        })?;
        Ok(Listener(handle))
    }

    impl Drop for Listener {
        fn drop(&mut self) {
            self.0.close();
        }
    }
}

/// Elsewhere a signal can only leave a mark, which is looked at now and then.
#[cfg(not(unix))]
mod platform {
    use std::io;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;
    use std::time::Duration;

    use signal_hook::SigId;
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::{flag, low_level};

    use super::SystemSignal;

    /// How often the mark is looked at.
    const TICK: Duration = Duration::from_millis(50);

    #[derive(Debug)]
    pub(super) struct Listener {
        is_over: Arc<AtomicBool>,
        handlers: [SigId; 2],
    }

    pub(super) fn listen(mut hear: impl FnMut(SystemSignal) + Send + 'static) -> io::Result<Listener> {
        let (mark, is_over) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let handlers =
            [flag::register(SIGINT, Arc::clone(&mark))?, flag::register(SIGTERM, Arc::clone(&mark))?];
        let ends = Arc::clone(&is_over);
        thread::Builder::new().name("signals".to_owned()).spawn(move || {
            while !ends.load(Ordering::SeqCst) {
                if mark.swap(false, Ordering::SeqCst) {
                    hear(SystemSignal::End);
                }
                thread::park_timeout(TICK);
            }
        })?;
        Ok(Listener { is_over, handlers })
    }

    impl Drop for Listener {
        fn drop(&mut self) {
            self.is_over.store(true, Ordering::SeqCst);
            for handler in self.handlers {
                low_level::unregister(handler);
            }
        }
    }
}
