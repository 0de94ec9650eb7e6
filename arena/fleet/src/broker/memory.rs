//! A broker in the memory of this process, for tests and simulations.

use std::collections::{BTreeMap, VecDeque};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;

use crate::broker::{Broker, BrokerError, Delivery, Entry, ExpectedEntry};

/// A broker in memory. Its copies are connections to the same one.
#[derive(Clone, Default)]
pub struct MemoryBroker(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    listeners: Vec<(String, Sender<Delivery>)>,
    queues: BTreeMap<String, Stored>,
    keys: BTreeMap<String, Entry>,
    objects: BTreeMap<String, Vec<u8>>,
    /// The last revision, and the last number of a stored message.
    last: u64,
}

#[derive(Default)]
struct Stored {
    waiting: VecDeque<(u64, (String, Vec<u8>))>,
    /// What was handed over and not confirmed.
    unconfirmed: BTreeMap<u64, (String, Vec<u8>)>,
    consumer: Option<Sender<Delivery>>,
}

impl MemoryBroker {
    /// Returns one that has kept nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets everything, as a broker that comes back empty has; who listens is still there.
    pub fn forget(&self) {
        let mut state = self.state();
        state.queues.values_mut().for_each(|queue| {
            queue.waiting.clear();
            queue.unconfirmed.clear();
        });
        state.keys.clear();
        state.objects.clear();
    }

    /// Lets everything that was written be so much older.
    pub fn grow_older(&self, age: Duration) {
        self.state().keys.values_mut().for_each(|entry| entry.written -= age);
    }

    /// Returns how many messages of a queue nobody has confirmed.
    #[must_use]
    pub fn stored(&self, queue: &str) -> usize {
        self.state().queues.get(queue).map_or(0, |queue| queue.waiting.len() + queue.unconfirmed.len())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hands over what waits in a queue.
    fn deliver(&self, name: &str) {
        let mut state = self.state();
        let Some(queue) = state.queues.get_mut(name) else { return };
        while let Some(consumer) = &queue.consumer {
            let Some((number, body)) = queue.waiting.pop_front() else { return };
            let (broker, queue_name) = (self.clone(), name.to_owned());
            let confirm = move || {
                if let Some(queue) = broker.state().queues.get_mut(&queue_name) {
                    queue.unconfirmed.remove(&number);
                }
            };
            let (sender, text) = body.clone();
            let delivery = Delivery { sender, body: text, receipt: Some(Box::new(confirm)) };
            if consumer.send(delivery).is_err() {
                queue.consumer = None;
                queue.waiting.push_front((number, body));
                return;
            }
            queue.unconfirmed.insert(number, body);
        }
    }
}

/// Returns the last word of a subject.
fn last_word(subject: &str) -> String {
    subject.rsplit('.').next().unwrap_or_default().to_owned()
}

/// Returns a subject with any last word.
fn any_of(subject: &str) -> String {
    subject.rsplit_once('.').map_or_else(String::new, |(above, _)| format!("{above}.*"))
}

impl Broker for MemoryBroker {
    fn publish(&self, subject: &str, body: &[u8]) -> Result<(), BrokerError> {
        let mut state = self.state();
        state.listeners.retain(|(wanted, to)| {
            let sender = last_word(subject);
            let is_wanted = wanted == subject || *wanted == any_of(subject);
            !is_wanted || to.send(Delivery { sender, body: body.to_vec(), receipt: None }).is_ok()
        });
        Ok(())
    }

    fn listen(&self, subject: &str, to: Sender<Delivery>) -> Result<(), BrokerError> {
        self.state().listeners.push((subject.to_owned(), to));
        Ok(())
    }

    fn store(&self, queue: &str, body: &[u8]) -> Result<(), BrokerError> {
        let mut state = self.state();
        state.last += 1;
        let number = state.last;
        let message = (last_word(queue), body.to_vec());
        let queue = any_of(queue);
        state.queues.entry(queue.clone()).or_default().waiting.push_back((number, message));
        drop(state);
        self.deliver(&queue);
        Ok(())
    }

    fn consume(&self, queue: &str, to: Sender<Delivery>) -> Result<(), BrokerError> {
        let mut state = self.state();
        let stored = state.queues.entry(queue.to_owned()).or_default();
        stored.consumer = Some(to);
        // What another consumer took and never confirmed comes again.
        for (number, body) in std::mem::take(&mut stored.unconfirmed).into_iter().rev() {
            stored.waiting.push_front((number, body));
        }
        drop(state);
        self.deliver(queue);
        Ok(())
    }

    fn drop_queue(&self, queue: &str) -> Result<(), BrokerError> {
        self.state().queues.remove(queue);
        Ok(())
    }

    fn read(&self, key: &str) -> Result<Option<Entry>, BrokerError> {
        Ok(self.state().keys.get(key).cloned())
    }

    fn write(&self, key: &str, value: &[u8], expected: ExpectedEntry) -> Result<Option<u64>, BrokerError> {
        let mut state = self.state();
        let now = state.keys.get(key).map(|entry| entry.revision);
        let fits = match expected {
            ExpectedEntry::Any => true,
            ExpectedEntry::Absent => now.is_none(),
            ExpectedEntry::Revision(revision) => now == Some(revision),
        };
        if !fits {
            return Ok(None);
        }
        state.last += 1;
        let revision = state.last;
        state
            .keys
            .insert(key.to_owned(), Entry { value: value.to_vec(), revision, written: Timestamp::now() });
        Ok(Some(revision))
    }

    fn keys(&self) -> Result<Vec<String>, BrokerError> {
        Ok(self.state().keys.keys().cloned().collect())
    }

    fn erase(&self, key: &str) -> Result<(), BrokerError> {
        self.state().keys.remove(key);
        Ok(())
    }

    fn put(&self, digest: &str, bytes: &[u8]) -> Result<(), BrokerError> {
        self.state().objects.insert(digest.to_owned(), bytes.to_vec());
        Ok(())
    }

    fn get(&self, digest: &str) -> Result<Option<Vec<u8>>, BrokerError> {
        Ok(self.state().objects.get(digest).cloned())
    }

    fn has(&self, digest: &str) -> Result<bool, BrokerError> {
        Ok(self.state().objects.contains_key(digest))
    }

    fn objects(&self) -> Result<Vec<String>, BrokerError> {
        Ok(self.state().objects.keys().cloned().collect())
    }

    fn remove(&self, digest: &str) -> Result<(), BrokerError> {
        self.state().objects.remove(digest);
        Ok(())
    }
}
