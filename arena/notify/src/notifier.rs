//! The thread that tells.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::{Notice, Recipients, RunName, command, webhook};

/// How many events may wait.
const MOST_WAITING: usize = 256;
/// How often the end of the thread is looked for when a run ends.
const LOOK: Duration = Duration::from_millis(10);
/// How long the end of a run waits for an answer whose time is over.
const LONGEST_ANSWER: Duration = Duration::from_millis(100);
/// How long it waits for a command to be killed.
const LONGEST_KILL: Duration = Duration::from_secs(5);
/// How often the user interrupts until nothing more is told.
const MOST_INTERRUPTIONS: usize = 2;

/// An event on its way.
struct Waiting {
    word: &'static str,
    line: String,
}

/// What the run and the thread share.
struct Shared {
    /// What went wrong, for the user.
    complaints: Mutex<Vec<String>>,
    /// Whether the last wait is over.
    is_over: AtomicBool,
    /// Whether a request is under way, which cannot be ended.
    is_posting: AtomicBool,
    /// How often the user has interrupted the run.
    interruptions: Box<dyn Fn() -> usize + Send + Sync>,
    /// After how many interruptions nothing more is told.
    most_interruptions: AtomicUsize,
}

impl Shared {
    /// Returns why nothing more is told, if that is so.
    fn ended(&self) -> Option<&'static str> {
        if (self.interruptions)() >= self.most_interruptions.load(Ordering::SeqCst) {
            Some("the run was interrupted")
        } else {
            self.is_over.load(Ordering::SeqCst).then_some("the run is over")
        }
    }

    fn complain(&self, complaint: String) {
        self.complaints.lock().unwrap_or_else(PoisonError::into_inner).push(complaint);
    }
}

/// Tells somebody what happens in a run.
pub struct Notifier {
    run: RunName,
    thread: Option<(SyncSender<Waiting>, JoinHandle<()>)>,
    shared: Arc<Shared>,
    /// The longest that the end of a run waits for what is still to be told.
    last_wait: Duration,
}

impl Notifier {
    /// Prepares to tell the recipients, if there are any. `interruptions` says how often the user has interrupted the run, from any
    /// thread: after the second time what is being told is ended at once, and nothing more is told.
    #[must_use]
    pub fn open(
        recipients: &Recipients,
        run: RunName,
        interruptions: impl Fn() -> usize + Send + Sync + 'static,
    ) -> Self {
        let shared = Arc::new(Shared {
            complaints: Mutex::default(),
            is_over: AtomicBool::new(false),
            is_posting: AtomicBool::new(false),
            interruptions: Box::new(interruptions),
            most_interruptions: AtomicUsize::new(MOST_INTERRUPTIONS),
        });
        let last_wait = 2 * recipients.deadline;
        let mut notifier = Self { run, thread: None, shared: Arc::clone(&shared), last_wait };
        if !recipients.is_nobody() {
            let (sender, receiver) = sync_channel(MOST_WAITING);
            let recipients = recipients.clone();
            let thread = std::thread::Builder::new()
                .name("notify".to_owned())
                .spawn(move || tell_all(&recipients, &receiver, &shared));
            match thread {
                Ok(thread) => notifier.thread = Some((sender, thread)),
                Err(error) => notifier.shared.complain(format!("nobody is told of events: {error}")),
            }
        }
        notifier
    }

    /// Has an event told; never waits.
    pub fn tell(&mut self, notice: &Notice) {
        if let Some((sender, _)) = &self.thread {
            let word = notice.word();
            let waiting = Waiting { word, line: notice.to_line(&self.run) };
            if let Err(TrySendError::Full(_)) = sender.try_send(waiting) {
                self.shared.complain(format!("`{word}` is not told: {MOST_WAITING} events are waiting"));
            }
        }
    }

    /// Returns what went wrong since the last call, a line each.
    pub fn complaints(&mut self) -> Vec<String> {
        std::mem::take(&mut self.shared.complaints.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Waits until everything is told, at most twice the time that one event may take, and not after another interruption;
    /// returns what went wrong. A command that runs then is killed.
    pub fn close(mut self) -> Vec<String> {
        if let Some((sender, thread)) = self.thread.take() {
            drop(sender);
            let most = MOST_INTERRUPTIONS.min((self.shared.interruptions)() + 1);
            self.shared.most_interruptions.store(most, Ordering::SeqCst);
            let end = Instant::now() + self.last_wait;
            while !thread.is_finished() && Instant::now() < end && self.shared.ended().is_none() {
                std::thread::park_timeout(LOOK);
            }
            self.shared.is_over.store(true, Ordering::SeqCst);
            // A command is killed soon; a request has a deadline of its own, and goes with the process.
            let since = Instant::now();
            let is_posting = || self.shared.is_posting.load(Ordering::SeqCst);
            let longest = || if is_posting() { LONGEST_ANSWER } else { LONGEST_KILL };
            while !thread.is_finished() && since.elapsed() < longest() {
                std::thread::park_timeout(LOOK);
            }
            if thread.is_finished() {
                let _ = thread.join();
            } else {
                let what =
                    if is_posting() { "the webhook has not answered" } else { "a command cannot be killed" };
                self.shared.complain(format!("an event is abandoned: {what}"));
            }
        }
        self.complaints()
    }
}

/// Tells one event after the other until the run is over.
fn tell_all(recipients: &Recipients, events: &Receiver<Waiting>, shared: &Shared) {
    let ended = || shared.ended();
    for Waiting { word, line } in events {
        if let Some(reason) = ended() {
            shared.complain(format!("`{word}` is not told: {reason}"));
            continue;
        }
        if let Some(command) = &recipients.command
            && let Err(fault) = command::tell(command, word, &line, recipients.deadline, &ended)
        {
            shared.complain(format!("`on-event` ({word}): {fault}"));
        }
        if let Some(url) = &recipients.webhook {
            if let Some(reason) = ended() {
                shared.complain(format!("`webhook` ({word}): it is not told: {reason}"));
                continue;
            }
            shared.is_posting.store(true, Ordering::SeqCst);
            let told = webhook::post(url, &line, recipients.deadline);
            shared.is_posting.store(false, Ordering::SeqCst);
            if let Err(fault) = told {
                shared.complain(format!("`webhook` ({word}): {fault}"));
            }
        }
    }
}
