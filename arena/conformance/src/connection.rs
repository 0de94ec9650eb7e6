//! What the suite needs of a bot's process: lines out, lines in, the end.

use std::io;
use std::time::{Duration, Instant};

/// Who starts processes of the bot that is tested.
pub trait Connector {
    /// Starts a new process.
    ///
    /// # Errors
    /// When the system cannot start it.
    fn connect(&self) -> io::Result<Box<dyn Connection + '_>>;

    /// Returns for how long the arena itself did not run, of all the time in which it waited for the bot: a test that fails
    /// meanwhile is run again.
    fn paused(&self) -> Duration {
        Duration::ZERO
    }
}

/// A running process of the bot. Dropped, it is killed with everything that it started.
pub trait Connection {
    /// Sends a text. It must not wait for the process to read.
    fn send(&mut self, text: &str);

    /// Returns what comes next until `deadline`, with the instant at which it was read; what has come already is
    /// returned even after the deadline.
    fn receive(&mut self, deadline: Instant) -> (Received, Instant);

    /// Returns the start of a line whose end has not come.
    fn unfinished(&self) -> Vec<u8>;

    /// Closes the input of the process once everything that was sent has been written.
    fn close_input(&mut self);

    /// Waits until `deadline` for the end of the process and returns how it ended: `exit 1`, `signal 9`.
    fn ended(&mut self, deadline: Instant) -> Option<String>;

    /// Kills the process, if it lives, and returns what is left.
    fn finish(self: Box<Self>) -> ExitReport;
}

/// What comes over a [`Connection`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Received {
    /// A line, in the form of the grammar's preamble.
    Line(String),
    /// Nothing will come any more; why, in words without a subject: `closed its output`.
    Closed(String),
    /// Nothing came until the deadline.
    Silence,
    /// The user wants no more of this.
    Interrupted,
}

/// What is left of a process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExitReport {
    /// How it ended, if it did so by itself: `exit 1`, `signal 9`.
    pub exit: Option<String>,
    /// The last lines of its standard error, fit to be shown.
    pub stderr: Vec<String>,
}
