//! A bot that plays or advises outside of a match, for a caller that must not block: a terminal, a page.
//!
//! A partner has its own thread and runtime. Asking a question does not block, and a callback receives the results: what the
//! bot reports while it thinks, its answer, or its failure. A failed bot is restarted for the next question. Every wait has a
//! deadline, and the process ends with its partner.

mod conversation;
mod inquiry;

use std::io;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use processes::{Launcher, reserve_descriptors};
use record::InfoRecord;
use tokio::sync::mpsc::{self, UnboundedSender};

use self::conversation::Conversation;
use crate::run::slot::most_descriptors;
use crate::{PlannedBot, PlaySettings};

pub use inquiry::{Inquiry, InquiryError};

/// An event of a partner, with the `id` of its question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartnerEvent {
    /// The bot reports on its search.
    Report(u64, PartnerReport),
    /// The bot has answered.
    Answered(u64, PartnerReply),
    /// The bot has failed, and nothing else follows for this question.
    Failed(u64, PartnerFailure),
    /// The bot cannot be stopped, and keeps thinking.
    Unstoppable(u64),
}

/// A bot's report on its search, from its own point of view. All text is escaped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartnerReport {
    /// Depth, score and nodes, as far as they are reported.
    pub info: InfoRecord,
    /// The principal variation.
    pub line: Vec<String>,
    /// Words for a reader.
    pub text: Option<String>,
}

/// A bot's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartnerReply {
    /// The plies, in this order; empty if the bot resigns. They have not been checked against the rules.
    pub plies: Vec<String>,
    /// Whether it resigns.
    pub resigns: bool,
    /// Its last report: [`PartnerReport::info`] of the position, with the line that belongs to it.
    pub report: PartnerReport,
    /// How long it took, since the question was written.
    pub spent: Duration,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartnerFailure {
    /// What happened, in words without a subject, escaped.
    pub fault: String,
    /// The last lines of its standard error, escaped.
    pub stderr: Vec<String>,
    /// Whether it ran out of time.
    pub is_late: bool,
}

/// A bot that plays or advises outside of a match. Dropping it ends its process.
///
/// One question is open at a time: the next one abandons it.
#[derive(Debug)]
pub struct Partner {
    commands: Option<UnboundedSender<Command>>,
    thread: Option<JoinHandle<()>>,
}

/// A command to a partner.
#[derive(Debug)]
enum Command {
    /// Answer a question.
    Ask(Box<Inquiry>),
    /// Answer this question now.
    Stop(u64),
    /// Forget this question.
    Drop(u64),
    /// End politely.
    End,
}

impl Partner {
    /// Prepares a bot. Its process starts with the first question. `tell` runs on the partner's thread and must not wait for
    /// the partner.
    ///
    /// # Errors
    /// When the system cannot provide a thread, or the resources to wait for a process.
    pub fn new(
        launcher: &'static dyn Launcher,
        bot: PlannedBot,
        settings: &PlaySettings,
        tell: Box<dyn FnMut(PartnerEvent) + Send>,
    ) -> io::Result<Self> {
        reserve_descriptors(2 * most_descriptors(2) as u64);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (sender, receiver) = mpsc::unbounded_channel();
        let settings = settings.clone();
        let work = move || {
            // The code that talks to a process stays on the thread that started it.
            let conversation = Conversation::new(launcher, bot, settings, tell, receiver);
            runtime.block_on(conversation.run());
        };
        let thread = thread::Builder::new().name("partner".to_owned()).spawn(work)?;
        Ok(Self { commands: Some(sender), thread: Some(thread) })
    }

    /// Asks a question, abandoning an open one.
    pub fn ask(&self, inquiry: Inquiry) {
        self.send(Command::Ask(Box::new(inquiry)));
    }

    /// Asks the bot to answer this question now. If it cannot be stopped, [`PartnerEvent::Unstoppable`] follows.
    pub fn stop(&self, id: u64) {
        self.send(Command::Stop(id));
    }

    /// Forgets this question and drops its answer. A bot that does not finish soon is restarted.
    pub fn drop_question(&self, id: u64) {
        self.send(Command::Drop(id));
    }

    /// Lets the bot end politely, and waits for that: at most [`protocol::Timeouts::quit`] plus
    /// [`protocol::Timeouts::terminate`], besides the time to abandon an open question.
    pub fn end(mut self) {
        self.send(Command::End);
        self.join();
    }

    fn send(&self, command: Command) {
        // Sending fails only when the thread has ended.
        if let Some(commands) = &self.commands {
            let _ = commands.send(command);
        }
    }

    fn join(&mut self) {
        self.commands = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Partner {
    fn drop(&mut self) {
        self.join();
    }
}
