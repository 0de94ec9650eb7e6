//! The terminal as a screen: taken over once, given back on every way out.

use std::io::{self, Stdout, stdout};
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::{Frame, Terminal};

/// Whether the terminal is a screen now.
static IS_SCREEN: AtomicBool = AtomicBool::new(false);

/// Held while something is drawn, so that the terminal is not given back in the middle of it.
static DRAWING: Mutex<()> = Mutex::new(());

/// How long a drawing is waited for before the terminal is given back all the same: the thread that draws may be the one that
/// panics, or a terminal that takes nothing any more.
const GRACE: Duration = Duration::from_millis(300);

/// The terminal as a screen.
pub(crate) struct Screen {
    terminal: Terminal<CrosstermBackend<Stdout>>,
}

impl Screen {
    /// Takes the terminal over.
    ///
    /// # Errors
    /// When it is none.
    pub(crate) fn open() -> io::Result<Self> {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let before = panic::take_hook();
            panic::set_hook(Box::new(move |info| {
                // The words of a panic belong on the normal screen.
                restore();
                before(info);
            }));
        });
        enable_raw_mode()?;
        IS_SCREEN.store(true, Ordering::SeqCst);
        let open = || {
            execute!(screen(), EnterAlternateScreen)?;
            Terminal::new(CrosstermBackend::new(screen()))
        };
        open().map(|terminal| Self { terminal }).inspect_err(|_| restore())
    }

    /// Draws. Once the terminal was given back nothing is drawn any more.
    ///
    /// # Errors
    /// When the terminal takes nothing any more.
    pub(crate) fn draw(&mut self, render: impl FnOnce(&mut Frame<'_>)) -> io::Result<()> {
        let _drawing = DRAWING.lock();
        if IS_SCREEN.load(Ordering::SeqCst) {
            self.terminal.draw(render)?;
        }
        Ok(())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

/// Gives the terminal back as it was, if it was taken over.
pub fn restore() {
    if !IS_SCREEN.swap(false, Ordering::SeqCst) {
        return;
    }
    let deadline = Instant::now() + GRACE;
    while let Err(TryLockError::WouldBlock) = DRAWING.try_lock().map(drop)
        && Instant::now() < deadline
    {
        thread::park_timeout(Duration::from_millis(5));
    }
    // There is nothing to be done where it takes nothing any more.
    let _ = disable_raw_mode();
    let _ = execute!(screen(), LeaveAlternateScreen, Show);
}

/// Returns where the screen is drawn: cells, from which the drawing library leaves out what a terminal obeys.
#[expect(clippy::disallowed_methods, reason = "the screen is drawn by a library of its own")]
fn screen() -> Stdout {
    stdout()
}
