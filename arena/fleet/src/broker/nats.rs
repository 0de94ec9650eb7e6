//! The broker NATS with JetStream.
//!
//! Signals and orders are plain messages. Results are stored in a stream of the kind work queue, from which the coordinator of a
//! run takes its own; a table of keys and an object store hold runs and files. Whatever is missing is made, again if a broker has
//! come back empty. Everything lies below the name `arena`, so that rights can be given by it.

mod examination;

use std::collections::BTreeMap;
use std::future::Future;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::context::GetStreamErrorKind;
use async_nats::jetstream::stream::{Config as StreamConfig, DiscardPolicy, RetentionPolicy, StorageType};
use async_nats::jetstream::{self, kv, object_store};
use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event, ServerAddr, ServerError};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE;
use futures_util::StreamExt as _;
use jiff::Timestamp;
use tokio::io::AsyncReadExt as _;
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use crate::broker::key_file::KeyFile;
use crate::broker::{Broker, BrokerAccess, BrokerError, BrokerRole, Delivery, Entry, ExpectedEntry, KEPT};

/// The stream of results, the bucket of keys and the bucket of files.
const STREAM: &str = "arena-results";
const KEYS: &str = "arena-runs";
const FILES: &str = "arena-files";

/// The first version of the server without known security faults.
const LEAST_VERSION: [u32; 3] = [2, 12, 7];

/// What all subjects begin with.
const PREFIX: &str = "arena";

/// How many bytes of results the broker keeps at most.
const MOST_STORED: i64 = 256 << 20;

/// How long a request to the broker may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long a broker may take to prepare its streams: its disk may be busy.
const START: Duration = Duration::from_secs(30);

/// How long a large file may take.
const LONG_PATIENCE: Duration = Duration::from_secs(300);

/// How long a consumer waits until it tries again.
const AGAIN: Duration = Duration::from_secs(1);

/// How long the broker remembers a consumer whose coordinator is gone: what it has not taken stays.
const CONSUMER_KEPT: Duration = Duration::from_secs(3600);

/// How much of a message is not its body.
const ENVELOPE: usize = 1024;

/// A connection to a NATS server.
pub(crate) struct Nats {
    runtime: Runtime,
    client: Client,
    jetstream: jetstream::Context,
    /// What the server has refused last.
    refused: Arc<Mutex<Option<String>>>,
    /// The host of its address.
    host: String,
    /// Where it makes the streams that are missing, as the coordinator does.
    prepares: Option<StorageType>,
    /// What hands over the messages of queues.
    consuming: Mutex<BTreeMap<String, JoinHandle<()>>>,
}

impl Nats {
    /// Connects to the server of an address and makes sure that runs can be carried by it.
    ///
    /// # Errors
    /// When nobody answers, the credentials are refused, the server stores nothing, or it is one with known security faults that
    /// others can reach.
    pub(crate) fn connect(access: &BrokerAccess, role: &BrokerRole) -> Result<Self, BrokerError> {
        let nats = Self::open(access, role)?;
        let version = nats.client.server_info().version;
        if is_outdated(&version) && !nats.is_loopback() {
            let address = without_password(&access.address);
            return Err(BrokerError::Outdated { address, version });
        }
        match nats.wait(START, nats.results()) {
            // The first coordinator makes what is missing.
            Err(BrokerError::Unprepared) => Ok(nats),
            outcome => outcome.map(|_| nats),
        }
    }

    /// Connects to the server of an address, whatever it is.
    ///
    /// # Errors
    /// When nobody answers or the credentials are refused.
    pub(crate) fn open(access: &BrokerAccess, role: &BrokerRole) -> Result<Self, BrokerError> {
        let shown = without_password(&access.address);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("broker")
            .enable_all()
            .build()
            .map_err(|error| BrokerError::Failed(error.to_string()))?;
        let refused = Arc::new(Mutex::new(None));
        let noted = Arc::clone(&refused);
        let server: ServerAddr = access.address.parse().map_err(|error: std::io::Error| {
            BrokerError::Unreachable { address: shown.clone(), why: error.to_string() }
        })?;
        let host = server.host().to_owned();
        let client = runtime.block_on(async {
            let mut options = ConnectOptions::new()
                .name(role.client_name())
                // Rights can be given to each client's own inbox.
                .custom_inbox_prefix(role.inbox())
                .connection_timeout(PATIENCE)
                .request_timeout(Some(PATIENCE))
                .event_callback(move |event| {
                    if let Event::ServerError(ServerError::Other(text)) = event {
                        *noted.lock().unwrap_or_else(PoisonError::into_inner) = Some(text);
                    }
                    std::future::ready(())
                });
            if let Some(file) = &access.credentials {
                let unreadable = |error: std::io::Error| BrokerError::Unreadable {
                    file: file.display().to_string(),
                    why: error.to_string(),
                };
                let text = std::fs::read_to_string(file).map_err(unreadable)?;
                options = match KeyFile::read(&text) {
                    Some(key) => options.nkey(key.seed),
                    None => options.credentials(&text).map_err(unreadable)?,
                };
            }
            options = match (server.username(), server.password()) {
                (Some(user), Some(password)) => {
                    options.user_and_password(user.to_owned(), password.to_owned())
                }
                (Some(token), None) => options.token(token.to_owned()),
                (None, _) => options,
            };
            options.connect(server).await.map_err(|error| {
                let address = shown.clone();
                let why =
                    std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
                match error.kind() {
                    ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
                        BrokerError::Credentials { address }
                    }
                    ConnectErrorKind::Tls => BrokerError::Encryption { address, why },
                    _ if why.to_lowercase().contains("authorization") => BrokerError::Credentials { address },
                    _ => BrokerError::Unreachable { address, why },
                }
            })
        })?;
        let mut jetstream = {
            let _within = runtime.enter();
            jetstream::new(client.clone())
        };
        jetstream.set_timeout(PATIENCE);
        let prepares = match role {
            BrokerRole::Coordinator => Some(StorageType::File),
            BrokerRole::Private => Some(StorageType::Memory),
            BrokerRole::Worker(_) => None,
        };
        Ok(Self { runtime, client, jetstream, refused, host, prepares, consuming: Mutex::default() })
    }

    /// Returns whether the server is reached on this machine only.
    pub(crate) fn is_loopback(&self) -> bool {
        self.host == "localhost"
            || self.host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
    }

    /// Waits for something that the broker does.
    fn wait<T>(
        &self,
        patience: Duration,
        action: impl Future<Output = Result<T, BrokerError>>,
    ) -> Result<T, BrokerError> {
        self.refused.lock().unwrap_or_else(PoisonError::into_inner).take();
        let outcome = self.runtime.block_on(async { timeout(patience, action).await });
        let outcome = outcome.unwrap_or_else(|_| Err(BrokerError::Failed("it does not answer".to_owned())));
        outcome.map_err(|error| self.explain(error))
    }

    /// Says what the server refused meanwhile, where that is why it does not answer.
    fn explain(&self, error: BrokerError) -> BrokerError {
        let refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner).take();
        match (error, refused) {
            (BrokerError::Failed(_) | BrokerError::Unprepared, Some(what))
                if what.to_lowercase().contains("permissions") =>
            {
                BrokerError::Forbidden { what }
            }
            (BrokerError::Failed(why), _) if why.contains("503") || why.contains("no responders") => {
                BrokerError::NoStorage
            }
            (error, _) => error,
        }
    }

    /// Returns the stream of results, which is made if it is missing.
    async fn results(&self) -> Result<jetstream::stream::Stream, BrokerError> {
        results(&self.jetstream, self.prepares).await
    }

    async fn table(&self) -> Result<kv::Store, BrokerError> {
        if let Ok(table) = self.jetstream.get_key_value(KEYS).await {
            return Ok(table);
        }
        if self.prepares.is_none() {
            return Err(BrokerError::Unprepared);
        }
        // Made as the stream that it is: `create_key_value` first asks for an account, in words that a server of version 2.9 does
        // not know.
        let config = StreamConfig {
            name: format!("KV_{KEYS}"),
            subjects: vec![format!("$KV.{KEYS}.>")],
            max_messages_per_subject: 1,
            discard: DiscardPolicy::New,
            allow_rollup: true,
            deny_delete: true,
            allow_direct: true,
            num_replicas: 1,
            ..StreamConfig::default()
        };
        insist(|| self.jetstream.get_or_create_stream(config.clone())).await.map_err(failed)?;
        self.jetstream.get_key_value(KEYS).await.map_err(failed)
    }

    async fn files(&self) -> Result<object_store::ObjectStore, BrokerError> {
        insist(|| async {
            if let Ok(files) = self.jetstream.get_object_store(FILES).await {
                return Ok(files);
            }
            if self.prepares.is_none() {
                return Err(BrokerError::Unprepared);
            }
            let config = object_store::Config { bucket: FILES.to_owned(), ..object_store::Config::default() };
            self.jetstream.create_object_store(config).await.map_err(failed)
        })
        .await
    }
}

async fn results(
    jetstream: &jetstream::Context,
    prepares: Option<StorageType>,
) -> Result<jetstream::stream::Stream, BrokerError> {
    let Some(storage) = prepares else {
        return jetstream.get_stream(STREAM).await.map_err(|error| match error.kind() {
            GetStreamErrorKind::JetStream(error) if error.code() == 404 => BrokerError::Unprepared,
            _ => failed(error),
        });
    };
    let config = StreamConfig {
        name: STREAM.to_owned(),
        subjects: vec![format!("{PREFIX}.{}.>", crate::names::RESULTS)],
        retention: RetentionPolicy::WorkQueue,
        discard: DiscardPolicy::New,
        max_bytes: MOST_STORED,
        max_age: KEPT,
        storage,
        ..StreamConfig::default()
    };
    let stream = insist(|| jetstream.get_or_create_stream(config.clone())).await.map_err(failed)?;
    if stream.cached_info().config.max_age != KEPT {
        // An arena that let results lie for ever has made it.
        let bounded = StreamConfig { max_age: KEPT, ..stream.cached_info().config.clone() };
        jetstream.update_stream(bounded).await.map_err(failed)?;
    }
    Ok(stream)
}

/// Makes what may be there already. Where several make it at once, a broker refuses the later ones, who find it there a moment later.
async fn insist<T, E, F: Future<Output = Result<T, E>>>(make: impl Fn() -> F) -> Result<T, E> {
    for _ in 0..5 {
        if let Ok(made) = make().await {
            return Ok(made);
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    make().await
}

/// Hands the messages of a queue over until the receiver is gone or something fails.
async fn hand_over(
    jetstream: &jetstream::Context,
    prepares: Option<StorageType>,
    queue: &str,
    to: &Sender<Delivery>,
) -> Result<(), BrokerError> {
    let stream = results(jetstream, prepares).await?;
    let name = consumer_name(queue);
    let config = pull::Config {
        durable_name: Some(name.clone()),
        filter_subject: format!("{PREFIX}.{queue}"),
        ack_policy: AckPolicy::Explicit,
        ack_wait: Duration::from_secs(60),
        inactive_threshold: CONSUMER_KEPT,
        ..pull::Config::default()
    };
    let consumer = stream.get_or_create_consumer(&name, config).await.map_err(failed)?;
    let mut messages = consumer.messages().await.map_err(failed)?;
    while let Some(message) = messages.next().await {
        let message = message.map_err(failed)?;
        let (body, handle) = (message.payload.to_vec(), tokio::runtime::Handle::current());
        let sender = last_word(&message.subject);
        let confirm = move || {
            // A confirmation that is lost has the message come again, which is noticed.
            handle.spawn(async move { message.double_ack().await });
        };
        if to.send(Delivery { sender, body, receipt: Some(Box::new(confirm)) }).is_err() {
            return Ok(());
        }
    }
    Err(BrokerError::Failed("the stream of results has ended".to_owned()))
}

/// Returns the name of the consumer of a queue.
fn consumer_name(queue: &str) -> String {
    queue.replace(".*", "").replace('.', "-")
}

impl Broker for Nats {
    fn publish(&self, subject: &str, body: &[u8]) -> Result<(), BrokerError> {
        let (subject, body) = (format!("{PREFIX}.{subject}"), body.to_vec().into());
        self.wait(PATIENCE, async { self.client.publish(subject, body).await.map_err(failed) })
    }

    fn listen(&self, subject: &str, to: Sender<Delivery>) -> Result<(), BrokerError> {
        let subject = format!("{PREFIX}.{subject}");
        let mut messages = self.wait(PATIENCE, async {
            let messages = self.client.subscribe(subject).await.map_err(failed)?;
            // What is sent from now on is to arrive.
            self.client.flush().await.map_err(failed)?;
            Ok(messages)
        })?;
        self.runtime.spawn(async move {
            while let Some(message) = messages.next().await {
                let (sender, body) = (last_word(&message.subject), message.payload.to_vec());
                if to.send(Delivery { sender, body, receipt: None }).is_err() {
                    return;
                }
            }
        });
        Ok(())
    }

    fn store(&self, queue: &str, body: &[u8]) -> Result<(), BrokerError> {
        let most = self.client.server_info().max_payload.saturating_sub(ENVELOPE);
        if body.len() > most {
            return Err(BrokerError::Full {
                why: format!(
                    "it takes messages of {most} bytes (`max_payload`), and this one has {}",
                    body.len()
                ),
            });
        }
        let (subject, body) = (format!("{PREFIX}.{queue}"), body.to_vec().into());
        self.wait(PATIENCE, async {
            let stored = async { self.jetstream.publish(subject, body).await?.await };
            match stored.await {
                Ok(_) => Ok(()),
                Err(error) => {
                    // A stream that is gone is made for the next try.
                    let made = self.results().await;
                    match failed(error) {
                        error @ BrokerError::Full { .. } => Err(error),
                        error => made.and(Err(error)),
                    }
                }
            }
        })
    }

    fn consume(&self, queue: &str, to: Sender<Delivery>) -> Result<(), BrokerError> {
        self.wait(PATIENCE, self.results())?;
        let (jetstream, prepares, name) = (self.jetstream.clone(), self.prepares, queue.to_owned());
        let consuming = self.runtime.spawn(async move {
            // What failed may work again: the broker may have been away, or have lost everything.
            while hand_over(&jetstream, prepares, &name, &to).await.is_err() {
                sleep(AGAIN).await;
            }
        });
        self.consuming.lock().unwrap_or_else(PoisonError::into_inner).insert(queue.to_owned(), consuming);
        Ok(())
    }

    fn drop_queue(&self, queue: &str) -> Result<(), BrokerError> {
        let consuming = self.consuming.lock().unwrap_or_else(PoisonError::into_inner).remove(queue);
        self.wait(PATIENCE, async {
            if let Some(task) = consuming {
                task.abort();
                // It has ended, or was just told to.
                let _ = task.await;
            }
            let stream = self.results().await?;
            // Where it is gone already, so much the better.
            let _ = stream.delete_consumer(&consumer_name(queue)).await;
            stream.purge().filter(format!("{PREFIX}.{queue}")).await.map(drop).map_err(failed)
        })
    }

    fn read(&self, key: &str) -> Result<Option<Entry>, BrokerError> {
        self.wait(PATIENCE, async {
            let table = match self.table().await {
                Err(BrokerError::Unprepared) => return Ok(None),
                table => table?,
            };
            let entry = table.entry(key).await.map_err(failed)?;
            let entry = entry.filter(|entry| entry.operation == kv::Operation::Put);
            Ok(entry.map(|entry| Entry {
                value: entry.value.to_vec(),
                revision: entry.revision,
                written: Timestamp::from_nanosecond(entry.created.unix_timestamp_nanos()).unwrap_or_default(),
            }))
        })
    }

    fn write(&self, key: &str, value: &[u8], expected: ExpectedEntry) -> Result<Option<u64>, BrokerError> {
        let value = value.to_vec().into();
        self.wait(PATIENCE, async {
            let table = self.table().await?;
            match expected {
                ExpectedEntry::Any => table.put(key, value).await.map(Some).map_err(failed),
                ExpectedEntry::Absent => match table.create(key, value).await {
                    Ok(revision) => Ok(Some(revision)),
                    Err(error) if error.kind() == kv::CreateErrorKind::AlreadyExists => Ok(None),
                    Err(error) => Err(failed(error)),
                },
                ExpectedEntry::Revision(revision) => match table.update(key, value, revision).await {
                    Ok(revision) => Ok(Some(revision)),
                    Err(error) if error.kind() == kv::UpdateErrorKind::WrongLastRevision => Ok(None),
                    Err(error) => Err(failed(error)),
                },
            }
        })
    }

    fn keys(&self) -> Result<Vec<String>, BrokerError> {
        self.wait(PATIENCE, async {
            let table = match self.table().await {
                Err(BrokerError::Unprepared) => return Ok(Vec::new()),
                table => table?,
            };
            let mut keys = table.keys().await.map_err(failed)?;
            let mut found = Vec::new();
            while let Some(key) = keys.next().await {
                found.push(key.map_err(failed)?);
            }
            found.sort();
            Ok(found)
        })
    }

    fn erase(&self, key: &str) -> Result<(), BrokerError> {
        // A removed key of the table would leave a mark there for ever.
        self.wait(PATIENCE, async {
            let purged = self.table().await?.stream.purge().filter(format!("$KV.{KEYS}.{key}")).await;
            purged.map(drop).map_err(failed)
        })
    }

    fn put(&self, digest: &str, bytes: &[u8]) -> Result<(), BrokerError> {
        self.wait(LONG_PATIENCE, async {
            let files = self.files().await?;
            let mut bytes = bytes;
            files.put(digest, &mut bytes).await.map(drop).map_err(failed)
        })
    }

    fn get(&self, digest: &str) -> Result<Option<Vec<u8>>, BrokerError> {
        self.wait(LONG_PATIENCE, async {
            let files = self.files().await?;
            let object: Pin<Box<dyn Future<Output = _> + Send>> = Box::pin(files.get(digest));
            let mut object = match object.await {
                Ok(object) => object,
                Err(error) if error.kind() == object_store::GetErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(failed(error)),
            };
            let mut bytes = Vec::new();
            object.read_to_end(&mut bytes).await.map_err(failed)?;
            Ok(Some(bytes))
        })
    }

    fn has(&self, digest: &str) -> Result<bool, BrokerError> {
        self.wait(PATIENCE, async {
            match self.files().await?.info(digest).await {
                Ok(info) => Ok(!info.deleted),
                Err(error) if error.kind() == object_store::InfoErrorKind::NotFound => Ok(false),
                Err(error) => Err(failed(error)),
            }
        })
    }

    fn objects(&self) -> Result<Vec<String>, BrokerError> {
        self.wait(LONG_PATIENCE, async {
            let mut objects = self.files().await?.list().await.map_err(failed)?;
            let mut found = Vec::new();
            while let Some(object) = objects.next().await {
                found.push(object.map_err(failed)?.name);
            }
            Ok(found)
        })
    }

    fn remove(&self, digest: &str) -> Result<(), BrokerError> {
        self.wait(PATIENCE, async {
            match self.files().await?.delete(digest).await {
                Err(error) if error.kind() == object_store::DeleteErrorKind::NotFound => return Ok(()),
                outcome => outcome.map_err(failed)?,
            }
            // What is left is a mark that there was one.
            let stream = self.jetstream.get_stream_no_info(format!("OBJ_{FILES}")).await.map_err(failed)?;
            let mark = format!("$O.{FILES}.M.{}", BASE64_URL_SAFE.encode(digest));
            stream.purge().filter(mark).await.map(drop).map_err(failed)
        })
    }
}

/// Returns the last word of a subject.
fn last_word(subject: &str) -> String {
    subject.rsplit('.').next().unwrap_or_default().to_owned()
}

fn failed(error: impl std::error::Error) -> BrokerError {
    let why = causes(&error);
    // Too many bytes in a stream, too little room for one, and a full disk.
    let is_full = ["maximum", "insufficient", "no space left"].iter().any(|word| why.contains(word));
    if is_full { BrokerError::Full { why } } else { BrokerError::Failed(why) }
}

/// Returns an error with all its causes, each said once.
fn causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        cause = error.source();
    }
    text
}

/// Returns whether a version of the server has known security faults, or is none.
fn is_outdated(version: &str) -> bool {
    let numbers = version.split('-').next().unwrap_or_default().split('.');
    let numbers: Vec<u32> = numbers.map_while(|number| number.parse().ok()).collect();
    numbers.len() < 3 || numbers.as_slice() < LEAST_VERSION.as_slice()
}

/// Returns an address without the password that stands in it.
fn without_password(address: &str) -> String {
    match address.split_once("://").and_then(|(scheme, rest)| Some((scheme, rest.rsplit_once('@')?.1))) {
        Some((scheme, host)) => format!("{scheme}://{host}"),
        None => address.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_with_known_faults_are_told_from_later_ones() {
        for (version, expected) in [
            ("2.9.10", true),
            ("2.12.6", true),
            ("2.12.7", false),
            ("2.12.10", false),
            ("2.15.1", false),
            ("3.0.0-beta.1", false),
            ("dev", true),
            ("", true),
        ] {
            assert_eq!(is_outdated(version), expected, "{version}");
        }
    }

    #[test]
    fn passwords_are_not_shown() {
        assert_eq!(without_password("nats://me:se@cret@host:4222"), "nats://host:4222");
        assert_eq!(without_password("nats://host:4222"), "nats://host:4222");
    }
}
