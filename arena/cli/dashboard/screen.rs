//! The thread that draws the dashboard and reads its keys.

use std::io::{self, IsTerminal, stdin};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use diagnostic::Failure;
use diagnostic::harmless::{Stream, is_terminal};
use jiff::Timestamp;
use live::{LiveState, Steering};
use ratatui::crossterm::event::{self, Event};

use super::draw::{Scene, draw};
use super::hub::Hub;
use super::keys::{Action, follow};
use super::sight::Sight;
use super::terminal::Screen;
use super::words::Paint;
use crate::look;

/// How often the screen is drawn anew at least.
const EVERY: Duration = Duration::from_millis(100);

/// The dashboard of a run. The terminal is given back when this is dropped.
#[derive(Debug)]
pub(crate) struct Dashboard {
    hub: Arc<Hub>,
    thread: Option<JoinHandle<()>>,
}

/// Checks that there is a terminal to be taken over.
///
/// # Errors
/// When there is none.
pub(crate) fn check_terminal() -> Result<(), Failure> {
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
    /// Takes the terminal over for a run that keys may steer.
    ///
    /// # Errors
    /// When the terminal cannot be taken over.
    pub(crate) fn open(steering: Steering) -> io::Result<Self> {
        let look = look::look(true);
        let paint = Paint { has_color: look.color, is_ascii: look.ascii };
        let screen = Screen::open()?;
        let hub = Arc::new(Hub::default());
        let shared = Arc::clone(&hub);
        let thread = thread::Builder::new()
            .name("dashboard".to_owned())
            .spawn(move || run(screen, &shared, &steering, paint))?;
        Ok(Self { hub, thread: Some(thread) })
    }

    /// Shows a picture of the run.
    pub(crate) fn show(&self, state: LiveState) {
        self.hub.show(state);
    }

    /// Adds a text to the log.
    pub(crate) fn say(&self, text: &str) {
        self.hub.say(text);
    }

    /// Gives the terminal back and returns the log.
    pub(crate) fn close(mut self) -> Vec<String> {
        self.end();
        self.hub.take_log()
    }

    fn end(&mut self) {
        self.hub.end();
        if let Some(thread) = self.thread.take() {
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

/// Draws and reads keys until the run is over. Where the terminal is gone, the run goes on unseen.
fn run(mut screen: Screen, hub: &Hub, steering: &Steering, paint: Paint) {
    let mut sight = Sight::default();
    while !hub.is_over() {
        let state = hub.state();
        let drawn = screen.draw(|frame| {
            let now = Timestamp::now().as_millisecond();
            draw(frame, &mut Scene { state: state.as_deref(), hub, now, sight: &mut sight, paint });
        });
        if drawn.is_err() || listen(hub, steering, &mut sight, state.as_deref()).is_err() {
            return;
        }
    }
}

/// Waits for a key until it is time to draw anew, and follows it.
fn listen(hub: &Hub, steering: &Steering, sight: &mut Sight, state: Option<&LiveState>) -> io::Result<()> {
    if !event::poll(EVERY)? {
        return Ok(());
    }
    // Whatever else happened, the change of the size for one, is a reason to draw.
    let Event::Key(key) = event::read()? else { return Ok(()) };
    match follow(key, sight, state) {
        Action::Look => {}
        Action::Interrupt => steering.trigger.pull(),
        Action::Tell(order) => {
            let running = state.map_or(0, |state| state.counts.running);
            // What is done is told by the run itself.
            if let Err(refusal) = steering.carry_out(order, running, String::new) {
                hub.say(&refusal);
            }
        }
    }
    Ok(())
}
