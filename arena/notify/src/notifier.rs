//! The thread that tells.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::{Notice, Recipients, RunName, command, webhook};

/// How many events may wait.
const MOST_WAITING: usize = 256;
/// How often the end of the thread is looked for when a run ends.
const LOOK: Duration = Duration::from_millis(10);

/// An event on its way.
struct Waiting {
    word: &'static str,
    line: String,
}

/// What the run and the thread share.
#[derive(Default)]
struct Shared {
    /// What went wrong, for the user.
    complaints: Mutex<Vec<String>>,
    /// Whether nothing more is to be told.
    is_over: AtomicBool,
}

impl Shared {
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
    /// Prepares to tell the recipients, if there are any.
    #[must_use]
    pub fn open(recipients: &Recipients, run: RunName) -> Self {
        let shared = Arc::<Shared>::default();
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

    /// Waits until everything is told, at most twice the time that one event may take; returns what went wrong. A command that runs
    /// then is killed.
    pub fn close(mut self) -> Vec<String> {
        if let Some((sender, thread)) = self.thread.take() {
            drop(sender);
            let end = Instant::now() + self.last_wait;
            while !thread.is_finished() && Instant::now() < end {
                std::thread::park_timeout(LOOK);
            }
            self.shared.is_over.store(true, Ordering::SeqCst);
            // A command is killed soon; a request has a deadline of its own, and goes with the process.
            let end = Instant::now() + 10 * LOOK;
            while !thread.is_finished() && Instant::now() < end {
                std::thread::park_timeout(LOOK);
            }
            if thread.is_finished() {
                let _ = thread.join();
            } else {
                self.shared.complain("an event is abandoned: the webhook has not answered".to_owned());
            }
        }
        self.complaints()
    }
}

/// Tells one event after the other until the run is over.
fn tell_all(recipients: &Recipients, events: &Receiver<Waiting>, shared: &Shared) {
    for Waiting { word, line } in events {
        if shared.is_over.load(Ordering::SeqCst) {
            shared.complain(format!("`{word}` is not told: the run is over"));
            continue;
        }
        if let Some(command) = &recipients.command
            && let Err(fault) = command::tell(command, word, &line, recipients.deadline, &shared.is_over)
        {
            shared.complain(format!("`on-event` ({word}): {fault}"));
        }
        if let Some(url) = &recipients.webhook
            && let Err(fault) = webhook::post(url, &line, recipients.deadline)
        {
            shared.complain(format!("`webhook` ({word}): {fault}"));
        }
    }
}
