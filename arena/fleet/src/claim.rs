//! One coordinator a run: the key that says who it is.
//!
//! A coordinator renews its claim every few seconds. Who wants the run and finds a claim watches it for longer than that: if it is
//! renewed, the run is taken; if not, its owner is gone and the claim is replaced. No clocks of two machines are compared.

use std::time::{Duration, Instant};

use runner::Control;

use crate::broker::{Broker, BrokerError, ExpectedEntry};
use crate::names::{claim_key, random};

/// How long a claim is watched until its owner counts as gone.
const WATCH: Duration = Duration::from_secs(7);

/// The claim of this coordinator.
pub(crate) struct Claim {
    key: String,
    nonce: String,
    revision: u64,
    is_first: bool,
}

impl Claim {
    /// Claims a run; `None` where the user interrupts.
    ///
    /// # Errors
    /// When another coordinator has it.
    pub(crate) fn take(
        broker: &dyn Broker,
        run: &str,
        control: &Control,
    ) -> Result<Option<Self>, BrokerError> {
        let (key, nonce) = (claim_key(run), random());
        let claimed =
            |revision, is_first| Self { key: key.clone(), nonce: nonce.clone(), revision, is_first };
        if let Some(revision) = broker.write(&key, nonce.as_bytes(), ExpectedEntry::Absent)? {
            return Ok(Some(claimed(revision, true)));
        }
        let before = broker.read(&key)?;
        let since = Instant::now();
        while since.elapsed() < WATCH {
            if control.is_finishing() {
                return Ok(None);
            }
            std::thread::sleep(Duration::from_millis(200));
            let now = broker.read(&key)?;
            if now.is_none() {
                break;
            }
            if now.as_ref().map(|entry| entry.revision) != before.as_ref().map(|entry| entry.revision) {
                return Err(taken());
            }
        }
        let expected = match broker.read(&key)? {
            Some(entry) => ExpectedEntry::Revision(entry.revision),
            None => ExpectedEntry::Absent,
        };
        match broker.write(&key, nonce.as_bytes(), expected)? {
            Some(revision) => Ok(Some(claimed(revision, false))),
            None => Err(taken()),
        }
    }

    /// Says that the run is still this coordinator's; returns whether it is.
    ///
    /// # Errors
    /// When the broker cannot be asked.
    pub(crate) fn renew(&mut self, broker: &dyn Broker) -> Result<bool, BrokerError> {
        let mut written =
            broker.write(&self.key, self.nonce.as_bytes(), ExpectedEntry::Revision(self.revision))?;
        if written.is_none() {
            // A write whose answer was lost, or a broker that has forgotten all.
            written = match broker.read(&self.key)? {
                None => broker.write(&self.key, self.nonce.as_bytes(), ExpectedEntry::Absent)?,
                Some(entry) if entry.value == self.nonce.as_bytes() => Some(entry.revision),
                Some(_) => None,
            };
        }
        if let Some(revision) = written {
            self.revision = revision;
        }
        Ok(written.is_some())
    }

    /// Gives the run back.
    pub(crate) fn release(&self, broker: &dyn Broker) {
        // Whoever wants the run next watches the claim if this fails.
        let ours =
            broker.read(&self.key).ok().flatten().is_some_and(|entry| entry.value == self.nonce.as_bytes());
        if ours {
            let _ = broker.erase(&self.key);
        }
    }

    /// Returns what tells this coordinator from all others.
    pub(crate) fn nonce(&self) -> &str {
        &self.nonce[..8]
    }

    /// Returns whether no other coordinator's claim was found.
    pub(crate) const fn is_first(&self) -> bool {
        self.is_first
    }
}

fn taken() -> BrokerError {
    BrokerError::Failed("another coordinator plays this run: only one at a time may".to_owned())
}
