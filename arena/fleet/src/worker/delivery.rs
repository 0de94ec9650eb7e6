//! Results on their way to the broker: in files until the broker has them, unless it takes them at once.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use crate::broker::{Broker, BrokerError};
use crate::names::results;
use crate::wire::{self, HeldAttempt, Report};

/// How many results may be on their way until no further pairs are begun.
const MOST: usize = 1000;

/// How long a result waits until it is tried again.
const AGAIN: Duration = Duration::from_secs(1);

/// Results on their way.
pub(crate) struct Deliveries {
    directory: PathBuf,
    waiting: Mutex<Waiting>,
    is_new: Condvar,
}

#[derive(Default)]
struct Waiting {
    last: u64,
    /// Whether the broker has not taken the last one: then results are kept in files.
    is_stuck: bool,
    /// The results in the order in which they came.
    results: BTreeMap<u64, Waybill>,
}

/// Where a result is and where it goes.
#[derive(Clone)]
struct Waybill {
    run: String,
    queue: String,
    body: Vec<u8>,
    held: HeldAttempt,
    is_in_file: bool,
}

impl Deliveries {
    /// Takes up a directory with the results that an earlier worker has left there.
    ///
    /// # Errors
    /// When it cannot be used.
    pub(crate) fn open(directory: &Path) -> io::Result<Self> {
        fs::create_dir_all(directory)?;
        let mut waiting = Waiting::default();
        for entry in fs::read_dir(directory)? {
            let path = entry?.path();
            let number =
                path.file_stem().and_then(|name| name.to_str()).and_then(|name| name.split_once('.'));
            let Some((number, run)) = number else { continue };
            let (Ok(number), Ok(body)) = (number.parse::<u64>(), fs::read(&path)) else { continue };
            // A file that was cut short by the end of the worker is no result.
            let Some(report) = wire::read::<Report>(&body) else { continue };
            waiting.last = waiting.last.max(number);
            let waybill = Waybill { is_in_file: true, ..Waybill::new(run, &report, body) };
            waiting.results.insert(number, waybill);
        }
        Ok(Self { directory: directory.to_owned(), waiting: Mutex::new(waiting), is_new: Condvar::new() })
    }

    /// Takes a result for the coordinator of a run. A broker that is there has it a moment later, so it goes into a file only where
    /// one is not; where the disk is full, it is in memory alone.
    pub(crate) fn push(&self, run: &str, report: &Report) {
        let body = wire::write(report);
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.last += 1;
        let number = waiting.last;
        waiting.results.insert(number, Waybill::new(run, report, body));
        if waiting.is_stuck {
            // Who delivers says so where that fails.
            let _ = self.keep(&mut waiting);
        }
        self.is_new.notify_one();
    }

    /// Writes what is on its way into files.
    ///
    /// # Errors
    /// When the system refuses; what is in no file yet is tried again the next time.
    fn keep(&self, waiting: &mut Waiting) -> io::Result<()> {
        for (number, waybill) in waiting.results.iter_mut().filter(|(_, waybill)| !waybill.is_in_file) {
            let file = self.file(*number, &waybill.run);
            fs::write(&file, &waybill.body).inspect_err(|_| drop(fs::remove_file(&file)))?;
            waybill.is_in_file = true;
        }
        Ok(())
    }

    /// Returns whether so many are on their way that no more are to be made.
    pub(crate) fn is_full(&self) -> bool {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).results.len() >= MOST
    }

    /// Returns whether none are on their way.
    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).results.is_empty()
    }

    /// Returns the attempts whose results are on their way.
    pub(crate) fn attempts(&self) -> Vec<HeldAttempt> {
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.results.values().map(|waybill| waybill.held.clone()).collect()
    }

    /// Delivers until it is over, each result until the broker has it.
    pub(crate) fn deliver(&self, broker: &dyn Broker, is_over: &AtomicBool, say: &(dyn Fn(&str) + Sync)) {
        let mut told: Option<BrokerError> = None;
        let mut is_room_missed = false;
        while !is_over.load(Ordering::SeqCst) {
            let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            let first = waiting.results.first_key_value().map(|(number, waybill)| (*number, waybill.clone()));
            let Some((number, waybill)) = first else {
                // Wakes up in time to see that it is over.
                drop(self.is_new.wait_timeout(waiting, AGAIN / 4));
                continue;
            };
            drop(waiting);
            match broker.store(&waybill.queue, &waybill.body) {
                Ok(()) => {
                    let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
                    waiting.is_stuck = false;
                    if waiting.results.remove(&number).is_some_and(|waybill| waybill.is_in_file) {
                        let _ = fs::remove_file(self.file(number, &waybill.run));
                    }
                    told = None;
                }
                Err(error) => {
                    let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
                    waiting.is_stuck = true;
                    let kept = self.keep(&mut waiting);
                    drop(waiting);
                    if let (Err(error), false) = (&kept, is_room_missed) {
                        say(&format!(
                            "results cannot be kept in `{}`: {error}; they are in memory, and played again by others if this worker ends before \
                             the broker has them",
                            self.directory.display()
                        ));
                    }
                    is_room_missed = kept.is_err();
                    if told.as_ref() != Some(&error) {
                        say(&format!("a result is kept until the broker takes it: {error}"));
                        told = Some(error);
                    }
                    std::thread::sleep(AGAIN);
                }
            }
        }
    }

    fn file(&self, number: u64, run: &str) -> PathBuf {
        self.directory.join(format!("{number}.{run}.json"))
    }
}

impl Drop for Deliveries {
    /// What the broker does not have is delivered by the next worker of this directory.
    fn drop(&mut self) {
        let mut waiting = std::mem::take(&mut *self.waiting.lock().unwrap_or_else(PoisonError::into_inner));
        // What finds no room is played again by others.
        let _ = self.keep(&mut waiting);
    }
}

impl Waybill {
    fn new(run: &str, report: &Report, body: Vec<u8>) -> Self {
        let held = HeldAttempt { attempt: report.attempt.clone(), pair: report.pair, progress: u64::MAX };
        Self { run: run.to_owned(), queue: results(run, &report.worker), body, held, is_in_file: false }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;
    use crate::broker::MemoryBroker;
    use crate::wire::AttemptOutcome;

    fn report(pair: u64) -> Report {
        Report {
            worker: "w".to_owned(),
            attempt: format!("a-{pair}"),
            pair,
            identity: String::new(),
            outcome: AttemptOutcome::Failed("it is a test".to_owned()),
        }
    }

    #[test]
    fn results_survive_the_end_of_their_worker() {
        let directory = tempfile::tempdir().unwrap();
        let before = Deliveries::open(directory.path()).unwrap();
        before.push("run", &report(1));
        before.push("run", &report(2));
        drop(before);
        // A third one was cut short.
        fs::write(directory.path().join("3.run.json"), "{\"worker\":").unwrap();
        let after = Deliveries::open(directory.path()).unwrap();
        let pairs: Vec<_> = after.attempts().iter().map(|held| held.pair).collect();
        assert_eq!(pairs, [1, 2]);
        let (broker, is_over) = (MemoryBroker::new(), AtomicBool::new(false));
        let (to, inbox) = channel();
        broker.consume("results.run.*", to).unwrap();
        std::thread::scope(|scope| {
            scope.spawn(|| after.deliver(&broker, &is_over, &|_| {}));
            let taken: Vec<_> =
                (0..2).map(|_| wire::read::<Report>(&inbox.recv().unwrap().body).unwrap().pair).collect();
            assert_eq!(taken, [1, 2]);
            while !after.is_empty() {
                std::thread::yield_now();
            }
            is_over.store(true, Ordering::SeqCst);
        });
        assert!(Deliveries::open(directory.path()).unwrap().is_empty());
    }
}
