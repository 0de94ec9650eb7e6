//! What happens while a game is played: lines that are typed, signals, words of bots; all in one row.

use std::io::{self, BufRead as _, BufReader, Read as _};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use diagnostic::Failure;
use live::SignalListener;
use runner::PartnerEvent;

/// The longest line that is read, in bytes: what is longer comes as several.
const LONGEST: u64 = 64 * 1024;

/// Something that happened.
#[derive(Debug)]
pub(super) enum Happening {
    /// A line was typed.
    Line(String),
    /// Nothing will be typed any more.
    End,
    /// The user wants to leave, or to stop what is going on.
    Interrupt,
    /// A bot said something: that of a seat (0 or 1), or the adviser (2).
    Bot(usize, PartnerEvent),
}

/// Where everything that happens comes together. Signals are caught while this lives.
#[derive(Debug)]
pub(super) struct Happenings {
    sender: Sender<Happening>,
    receiver: Receiver<Happening>,
    _signals: SignalListener,
}

impl Happenings {
    /// Begins to listen to the standard input and to signals.
    ///
    /// # Errors
    /// When the system refuses a thread or the handlers.
    pub(super) fn listen() -> Result<Self, Failure> {
        let (sender, receiver) = mpsc::channel();
        let interrupts = sender.clone();
        let signals = SignalListener::start(move |_| {
            // When nobody waits any more, there is nothing to interrupt.
            let _ = interrupts.send(Happening::Interrupt);
        })?;
        let lines = sender.clone();
        // It ends with the process: nothing else ends the wait for a line.
        let reader = thread::Builder::new().name("input".to_owned()).spawn(move || read(&lines));
        reader.map_err(|error| Failure::io("failed to start a thread", &error))?;
        Ok(Self { sender, receiver, _signals: signals })
    }

    /// Returns what else may tell that something happened.
    pub(super) fn sender(&self) -> Sender<Happening> {
        self.sender.clone()
    }

    /// Returns what has happened.
    pub(super) const fn receiver(&self) -> &Receiver<Happening> {
        &self.receiver
    }
}

fn read(lines: &Sender<Happening>) {
    let mut input = BufReader::new(io::stdin());
    loop {
        let mut bytes = Vec::new();
        let happening = match input.by_ref().take(LONGEST).read_until(b'\n', &mut bytes) {
            Ok(1..) => Happening::Line(String::from_utf8_lossy(&bytes).trim().to_owned()),
            Ok(0) | Err(_) => Happening::End,
        };
        let is_end = matches!(happening, Happening::End);
        if lines.send(happening).is_err() || is_end {
            return;
        }
    }
}
