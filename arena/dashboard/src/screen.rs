//! The thread that draws the dashboard and reads its keys.

use std::io::{self, IsTerminal, stdin};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use diagnostic::Failure;
use diagnostic::harmless::{Stream, is_terminal};
use diagnostic::output::{is_unicode, may_colour};
use jiff::Timestamp;
use live::{LiveState, Steering};
use ratatui::crossterm::event::{self, Event};
use rules::Catalogue;

use crate::boards::Boards;
use crate::context::DrawContext;
use crate::draw::draw;
use crate::figures::Theme;
use crate::keys::{Action, follow};
use crate::selection::Selection;
use crate::shared::SharedRun;
use crate::terminal::Screen;

/// The longest time between two drawings of the screen.
const EVERY: Duration = Duration::from_millis(100);

/// How long the thread is waited for at the end. It takes far less unless its terminal is gone.
const FAREWELL: Duration = Duration::from_secs(2);

/// The dashboard of a run. The terminal is given back when this is dropped.
#[derive(Debug)]
pub struct Dashboard {
    shared: Arc<SharedRun>,
    thread: Option<JoinHandle<()>>,
}

/// Checks that there is a terminal to be taken over.
///
/// # Errors
/// When there is none.
pub fn check_terminal() -> Result<(), Failure> {
    let lacks = |what: &str| Failure::usage(format!("`--tui` needs a terminal: {what}"));
    match () {
        () if !is_terminal(Stream::Out) => {
            Err(lacks("standard output is none").hint("without it, the progress is told in lines"))
        }
        () if !stdin().is_terminal() => Err(lacks("standard input, from which it reads keys, is none")),
        () if std::env::var_os("TERM").is_some_and(|term| term == "dumb") => {
            Err(lacks("this one can only print lines (`TERM=dumb`)"))
        }
        () => Ok(()),
    }
}

impl Dashboard {
    /// Takes the terminal over for a run that keys may steer, and whose games are in this catalogue.
    ///
    /// # Errors
    /// When the terminal cannot be taken over.
    pub fn open(steering: Steering, catalogue: Catalogue) -> io::Result<Self> {
        let theme = Theme { has_color: may_colour(), is_ascii: !is_unicode() };
        let screen = Screen::open()?;
        let shared = Arc::new(SharedRun::default());
        let seen = Arc::clone(&shared);
        let thread = thread::Builder::new()
            .name("dashboard".to_owned())
            .spawn(move || run(screen, &seen, &steering, &Boards::new(catalogue), theme))?;
        Ok(Self { shared, thread: Some(thread) })
    }

    /// Shows a picture of the run.
    pub fn show(&self, state: LiveState) {
        self.shared.show(state);
    }

    /// Adds a text to the log.
    pub fn say(&self, text: &str) {
        self.shared.say(text);
    }

    /// Gives the terminal back and returns the log.
    pub fn close(mut self) -> Vec<String> {
        self.end();
        self.shared.take_log()
    }

    fn end(&mut self) {
        self.shared.end();
        let Some(thread) = self.thread.take() else { return };
        let deadline = Instant::now() + FAREWELL;
        while !thread.is_finished() && Instant::now() < deadline {
            thread::park_timeout(Duration::from_millis(5));
        }
        if thread.is_finished() {
            // Its panic has been told already.
            let _ = thread.join();
        }
    }
}

impl Drop for Dashboard {
    fn drop(&mut self) {
        self.end();
    }
}

/// Draws and reads keys until the run is over. Where the terminal is gone, the run continues unseen.
fn run(mut screen: Screen, shared: &SharedRun, steering: &Steering, boards: &Boards, theme: Theme) {
    let mut selection = Selection::default();
    while !shared.is_over() {
        let state = shared.state();
        let drawn = screen.draw(|frame| {
            let now = Timestamp::now().as_millisecond();
            draw(
                frame,
                &mut DrawContext {
                    state: state.as_deref(),
                    shared,
                    boards,
                    now,
                    selection: &mut selection,
                    theme,
                },
            );
        });
        if drawn.is_err() || listen(shared, steering, &mut selection, state.as_deref()).is_err() {
            return;
        }
    }
}

/// Waits for keys until it is time to redraw, and follows them.
fn listen(
    shared: &SharedRun,
    steering: &Steering,
    selection: &mut Selection,
    state: Option<&LiveState>,
) -> io::Result<()> {
    if !has_input()? {
        return Ok(());
    }
    // The library reads all keys that have come, and nothing would wake this thread for the later ones.
    while event::poll(Duration::ZERO)? {
        // Whatever else happened, the change of the size for one, is a reason to draw.
        let Event::Key(key) = event::read()? else { continue };
        match follow(key, selection, state) {
            Action::Look => {}
            Action::Interrupt => steering.trigger.pull(),
            Action::Tell(order) => {
                let running = state.map_or(0, |state| state.counts.running);
                // What is done is told by the run itself.
                if let Err(refusal) = steering.carry_out(order, running, String::new) {
                    shared.say(&refusal);
                }
            }
        }
    }
    Ok(())
}

/// Waits for keys until it is time to redraw, and returns whether there are any.
///
/// # Errors
/// When the terminal is gone. The library that reads keys must not be asked then: it would read the end of the input for ever.
#[cfg(unix)]
fn has_input() -> io::Result<bool> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::io::Errno;

    let input = stdin();
    let mut awaited = [PollFd::new(&input, PollFlags::IN)];
    let time = Timespec { tv_sec: 0, tv_nsec: i64::from(EVERY.subsec_nanos()) };
    match poll(&mut awaited, Some(&time)) {
        // The size of the terminal has changed, for one, which is found when the screen is drawn.
        Err(Errno::INTR) => return Ok(false),
        ready => ready?,
    };
    let found = awaited[0].revents();
    if found.intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL) {
        return Err(io::ErrorKind::BrokenPipe.into());
    }
    Ok(found.contains(PollFlags::IN))
}

/// Waits for keys until it is time to redraw, and returns whether there are any.
///
/// # Errors
/// When the terminal cannot be asked.
#[cfg(not(unix))]
fn has_input() -> io::Result<bool> {
    event::poll(EVERY)
}
