//! The suite's connections: processes started as games start them.

use std::io;
use std::time::{Duration, Instant};

use conformance::{Connection, Connector, ExitReport, Received};
use processes::Launcher;
use protocol::Timeouts;
use runner::{Caught, Control, Launch, Wire, Wires};

/// Starts processes of one bot.
pub struct BotConnector {
    launch: Launch,
    wires: Wires<'static>,
}

impl BotConnector {
    /// Returns what starts a bot, until `control` ends that.
    ///
    /// # Errors
    /// When the system does not provide what waiting for a process needs.
    pub fn new(launcher: &'static dyn Launcher, launch: Launch, control: Control) -> io::Result<Self> {
        Ok(Self { launch, wires: Wires::new(launcher, control)? })
    }
}

impl Connector for BotConnector {
    fn connect(&self) -> io::Result<Box<dyn Connection + '_>> {
        Ok(Box::new(BotConnection(self.wires.open(&self.launch, Timeouts::SPEC.write)?)))
    }

    fn paused(&self) -> Duration {
        self.wires.paused()
    }
}

struct BotConnection(Wire);

impl Connection for BotConnection {
    fn send(&mut self, text: &str) {
        self.0.send(text);
    }

    fn receive(&mut self, deadline: Instant) -> (Received, Instant) {
        let (caught, at) = self.0.receive(deadline);
        let received = match caught {
            Caught::Line(line) => Received::Line(line),
            Caught::Broken(why) => Received::Closed(why.to_owned()),
            Caught::Nothing => Received::Silence,
            Caught::Ended => Received::Interrupted,
        };
        (received, at)
    }

    fn unfinished(&self) -> Vec<u8> {
        self.0.unfinished().to_vec()
    }

    fn close_input(&mut self) {
        self.0.close_input();
    }

    fn ended(&mut self, deadline: Instant) -> Option<String> {
        self.0.ended(deadline)
    }

    fn finish(self: Box<Self>) -> ExitReport {
        let runner::ExitReport { exit, stderr } = self.0.kill();
        ExitReport { exit, stderr }
    }
}
