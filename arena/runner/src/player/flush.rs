//! The flush doctor: is a bot silent, or does it hold its output back?

use std::time::Duration;

use protocol::{Event, Family};
use tokio::time::{Instant, timeout_at};

use super::{Heard, Player};
use crate::Launch;

/// What the doctor knows about a bot, and its findings.
#[derive(Debug)]
pub(super) struct Pulse {
    /// How long to listen, first with the input open and again with the input closed.
    patience: Duration,
    /// Whether the bot has answered a question, which proves that it flushes its output.
    has_answered: bool,
    /// The end of the standard error when the input was closed. Later output is not the bot's fault.
    closed: Option<Vec<u8>>,
    /// Whether the awaited word came when the input was closed.
    is_unflushed: bool,
}

impl Pulse {
    pub(super) const fn new(patience: Duration) -> Self {
        Self { patience, has_answered: false, closed: None, is_unflushed: false }
    }

    /// Records a message of the bot.
    pub(super) const fn note(&mut self, event: &Event) {
        if matches!(event, Event::Answer(_) | Event::BadAnswer(_)) {
            self.has_answered = true;
        }
    }

    /// Returns whether the input was closed for the diagnosis. The process cannot be used any more.
    pub(super) const fn is_closed(&self) -> bool {
        self.closed.is_some()
    }

    /// Returns the standard error as it was before the input was closed, if it was.
    pub(super) const fn take_stderr(&mut self) -> Option<Vec<u8>> {
        self.closed.take()
    }
}

impl Player {
    /// Determines whether a bot that exceeded a limit holds the awaited word back. A bot that does answer with its input open
    /// was slow, and one that has ever answered a question flushes its output. For any other bot the input is closed. It cannot
    /// be used after that, see [`Player::is_broken`]. SPEC 6.10.1: close the input, wait, read what comes.
    pub(crate) async fn holds_back(&mut self, awaited: &str) -> bool {
        let is_known = self.pulse.has_answered || self.is_broken();
        if is_known || self.hears(awaited).await || self.is_broken() || self.has_begun(awaited) {
            return false;
        }
        self.pulse.closed = Some(self.stderr());
        self.pulse.is_unflushed = self.ends_on_another_greeting(awaited).await || {
            self.link.close();
            self.hears(awaited).await || self.has_begun(awaited)
        };
        self.pulse.is_unflushed
    }

    /// Greets a bot that did not answer its greeting in the way of other families, so that its answer appears in the log.
    /// Returns whether the bot ended because of that and its held-back output arrived.
    async fn ends_on_another_greeting(&mut self, awaited: &str) -> bool {
        if awaited != self.dialogue.hello_ok() {
            return false;
        }
        let others = Family::KNOWN.into_iter().filter(|hello| awaited.strip_suffix("ok") != Some(hello));
        let greetings: String = others.map(|hello| format!("{hello}\n")).collect();
        self.tell(&greetings);
        self.hears(awaited).await && self.link.is_broken()
    }

    /// Returns how to flush output in this bot's language, if it was found to be held back.
    pub(crate) fn flush_advice(&self, launch: &Launch) -> Option<String> {
        self.pulse.is_unflushed.then(|| protocol::flush_advice(&launch.command(), self.identity()))
    }

    /// Listens for a while, and returns whether the awaited word comes.
    async fn hears(&mut self, awaited: &str) -> bool {
        let deadline = Instant::now() + self.pulse.patience;
        while let Ok((Heard::Said(event), _)) = timeout_at(deadline, self.next()).await {
            let is_awaited = match event {
                Event::HelloDone => awaited == self.dialogue.hello_ok(),
                Event::Ready | Event::Rejected(_) => awaited == "readyok",
                Event::Answer(_) | Event::BadAnswer(_) => awaited == "bestmove",
                _ => false,
            };
            if is_awaited {
                return true;
            }
        }
        false
    }

    /// Returns whether the awaited word begins an unfinished line.
    fn has_begun(&self, awaited: &str) -> bool {
        self.link.unfinished().trim_ascii_start().starts_with(awaited.as_bytes())
    }
}
