//! One bot that plays or advises outside a match, asked by somebody who does not want to wait: a terminal, a page.
//!
//! A partner lives on a thread of its own with its own runtime. Questions go in without waiting, and what comes of them is
//! told to a function: what the bot says while it thinks, its answer, or how it failed. A bot that failed is started again
//! for the next question. Every wait has a deadline, and the process ends with its partner.

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

/// What a partner tells, each with the `id` of its question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartnerEvent {
    /// The bot says something about its search.
    Report(u64, PartnerReport),
    /// It has answered.
    Answered(u64, PartnerReply),
    /// It has not, and will not: nothing else comes of this question.
    Failed(u64, PartnerFailure),
    /// It cannot be asked to answer at once: it keeps thinking.
    Unstoppable(u64),
}

/// What a bot says about its search, from its own point of view. Everything is fit to be shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartnerReport {
    /// Depth, score and nodes, as far as they are told.
    pub info: InfoRecord,
    /// The best line.
    pub line: Vec<String>,
    /// Words for a reader.
    pub text: Option<String>,
}

/// A bot's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartnerReply {
    /// The plies, in this order; none where the bot resigns. Nobody has checked them against the rules.
    pub plies: Vec<String>,
    /// Whether it resigns.
    pub resigns: bool,
    /// What it said last of its search: [`PartnerReport::info`] of the position, with the line that goes with it.
    pub report: PartnerReport,
    /// How long it took, from the moment at which the question was written.
    pub spent: Duration,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartnerFailure {
    /// What happened, in words without a subject, fit to be shown.
    pub fault: String,
    /// The last lines of its standard error, fit to be shown.
    pub stderr: Vec<String>,
    /// Whether its time was over.
    pub is_late: bool,
}

/// A bot that plays or advises outside a match. Dropped, it takes its process with it.
///
/// One question is open at a time: the next one gives up the one before it.
#[derive(Debug)]
pub struct Partner {
    commands: Option<UnboundedSender<Command>>,
    thread: Option<JoinHandle<()>>,
}

/// What a partner is told to do.
#[derive(Debug)]
enum Command {
    /// To answer.
    Ask(Box<Inquiry>),
    /// To answer this question now.
    Stop(u64),
    /// To forget this question.
    Drop(u64),
    /// To end politely.
    End,
}

impl Partner {
    /// Prepares a bot; its process is started for the first question. `tell` is called on the partner's thread and must
    /// not wait for the partner.
    ///
    /// # Errors
    /// When the system has no room for a thread with what waiting for a process needs.
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
            // What talks to a process stays on the thread that started it.
            let conversation = Conversation::new(launcher, bot, settings, tell, receiver);
            runtime.block_on(conversation.run());
        };
        let thread = thread::Builder::new().name("partner".to_owned()).spawn(work)?;
        Ok(Self { commands: Some(sender), thread: Some(thread) })
    }

    /// Asks a question. An open one is given up.
    pub fn ask(&self, inquiry: Inquiry) {
        self.send(Command::Ask(Box::new(inquiry)));
    }

    /// Has the bot answer this question now. One that cannot be asked to says so ([`PartnerEvent::Unstoppable`]).
    pub fn stop(&self, id: u64) {
        self.send(Command::Stop(id));
    }

    /// Forgets this question: its answer is dropped. A bot that does not come to its end soon is started again.
    pub fn drop_question(&self, id: u64) {
        self.send(Command::Drop(id));
    }

    /// Lets the bot end politely, and waits for that: at most for [`protocol::Timeouts::quit`] and
    /// [`protocol::Timeouts::terminate`], besides what giving up an open question takes.
    pub fn end(mut self) {
        self.send(Command::End);
        self.join();
    }

    fn send(&self, command: Command) {
        // It fails only when the thread is gone: then nobody is there to be told.
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
