//! `arena workers keys`: a key for the coordinator and one for each worker, and the configuration of a broker that knows them.
//!
//! A worker may speak under its own name only, and neither read what others are ordered or answered, nor make or remove anything.

use std::fs;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use diagnostic::{Exit, Failure, output};

use crate::WorkerSettings;

/// The name of the configuration.
const CONFIGURATION: &str = "broker.conf";

/// The name of the coordinator's key.
const COORDINATOR: &str = "run.key";

/// The most workers that keys are made for at once.
const MOST: usize = 1000;

/// The arguments of `arena workers`.
#[derive(Debug, clap::Args)]
pub struct WorkersArguments {
    #[command(subcommand)]
    part: Part,
}

#[derive(Debug, clap::Subcommand)]
enum Part {
    /// Make keys for a coordinator and for workers, and the configuration of a broker that knows them
    Keys(KeysArguments),
}

impl WorkersArguments {
    /// Runs the command.
    ///
    /// # Errors
    /// When a name is none, or a file cannot be written.
    pub fn run(&self) -> Result<Exit, Failure> {
        let Part::Keys(arguments) = &self.part;
        arguments.run()
    }
}

/// The arguments of `arena workers keys`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Files that are there stay as they are: with more names, more keys are made and the configuration is written again."
)]
struct KeysArguments {
    /// The directory for the files; it should be open to you alone
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// The names of the workers, or `N` for `w1` to `wN`
    #[arg(value_name = "WORKER", required = true, num_args = 1..)]
    workers: Vec<String>,
    /// Where the broker listens; on any address but the loopback it asks for encryption
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "0.0.0.0:4222")]
    listen: SocketAddr,
}

impl KeysArguments {
    fn run(&self) -> Result<Exit, Failure> {
        let mut names = self.names()?;
        let failed = |path: &Path| {
            let path = output::path(path);
            move |error: io::Error| Failure::io(format!("failed to write `{path}`"), &error)
        };
        fs::create_dir_all(&self.directory).map_err(failed(&self.directory))?;
        // Workers of earlier calls keep their rights.
        for entry in fs::read_dir(&self.directory).map_err(failed(&self.directory))?.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if let Some(name) =
                name.strip_suffix(".key").filter(|name| *name != "run" && WorkerSettings::is_name(name))
            {
                names.push(name.to_owned());
            }
        }
        names.sort();
        names.dedup();
        let mut users = vec![coordinator(&self.key(COORDINATOR, None)?)];
        for name in &names {
            users.push(worker(name, &self.key(&format!("{name}.key"), Some(name))?));
        }
        let path = self.directory.join(CONFIGURATION);
        fs::write(&path, self.configuration(&users)).map_err(failed(&path))?;
        let directory = output::path(&self.directory);
        let scheme = if self.listen.ip().is_loopback() { "nats" } else { "tls" };
        let first = &names[0];
        output::print(&format!(
            "{directory}/{CONFIGURATION} and keys for the coordinator and {}\n\
             the broker:  nats-server -c {directory}/{CONFIGURATION}\n\
             the run:     arena run FILE --workers {scheme}://HOST:{port} --creds {directory}/{COORDINATOR}\n\
             a worker:    arena worker {scheme}://HOST:{port} --creds {directory}/{first}.key\n",
            output::count(names.len() as u64, "worker"),
            port = self.listen.port()
        ))?;
        Ok(Exit::Done)
    }

    /// Returns the names of the workers.
    fn names(&self) -> Result<Vec<String>, Failure> {
        if let [count] = self.workers.as_slice()
            && let Ok(count) = count.parse::<usize>()
        {
            if !(1..=MOST).contains(&count) {
                return Err(Failure::usage(format!(
                    "keys are made for 1 to {MOST} workers, not for {count}"
                )));
            }
            return Ok((1..=count).map(|number| format!("w{number}")).collect());
        }
        match self.workers.iter().find(|name| !WorkerSettings::is_name(name) || *name == "run") {
            Some(name) => Err(Failure::usage(format!("`{name}` cannot be the name of a worker"))
                .hint("it has up to 64 letters, digits, hyphens and underscores, and is not `run`")),
            None => Ok(self.workers.clone()),
        }
    }

    /// Returns the public part of a key, which is made if it is not there.
    #[cfg(feature = "nats")]
    fn key(&self, file: &str, worker: Option<&str>) -> Result<String, Failure> {
        use crate::broker::key_file::KeyFile;
        let path = self.directory.join(file);
        let shown = output::path(&path);
        let broken = || {
            Failure::usage(format!("`{shown}` is there and is no key"))
                .hint("move it away, or name another directory")
        };
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let seed = nkeys::KeyPair::new_user().seed();
                let seed =
                    seed.map_err(|error| Failure::io("failed to make a key", &io::Error::other(error)))?;
                let text = KeyFile { worker: worker.map(str::to_owned), seed }.to_text();
                crate::local::write_private(&path, &text)
                    .map_err(|error| Failure::io(format!("failed to write `{shown}`"), &error))?;
                text
            }
            Err(error) => return Err(Failure::io(format!("failed to read `{shown}`"), &error)),
        };
        let file = KeyFile::read(&text).filter(|file| file.worker.as_deref() == worker).ok_or_else(broken)?;
        let pair = nkeys::KeyPair::from_seed(&file.seed).map_err(|_| broken())?;
        Ok(pair.public_key())
    }

    #[cfg(not(feature = "nats"))]
    #[expect(clippy::unused_self, reason = "the other build needs it")]
    fn key(&self, _: &str, _: Option<&str>) -> Result<String, Failure> {
        Err(crate::workplace::not_built())
    }

    fn configuration(&self, users: &[String]) -> String {
        let tls = "tls {\n  cert_file: \"server.pem\"\n  key_file: \"server-key.pem\"\n}\n";
        let tls = match self.listen.ip().is_loopback() {
            true => tls
                .lines()
                .fold("# Needed on any other address:\n".to_owned(), |text, line| text + "# " + line + "\n"),
            false => format!("# The certificate of this host, and its key:\n{tls}"),
        };
        format!(
            "# Written by `arena workers keys`. Start it with `nats-server -c {CONFIGURATION}` (2.12.7 or newer); `nats-server --signal reload`\n\
             # after changes.\n\
             listen: \"{}\"\n\
             # Games with transcripts need more than the usual 1 MB.\n\
             max_payload: 8MB\n\
             max_connections: 5000\n\
             jetstream {{\n  store_dir: \"arena-broker\"\n  max_file_store: 20GB\n  # What was answered is on the disk.\n  sync_interval: always\n}}\n\
             {tls}\
             authorization {{\n  users: [\n{}  ]\n}}\n",
            self.listen,
            users.concat()
        )
    }
}

/// Returns the entry of the coordinator: all that is the arena's.
fn coordinator(key: &str) -> String {
    user(
        "the coordinator",
        key,
        &["arena.>", "$JS.API.>", "$JS.ACK.>", "$JS.FC.>", "$KV.arena-runs.>", "$O.arena-files.>"],
        &["arena.>", "_INBOX.arena-run.>"],
    )
}

/// Returns the entry of a worker: what it says stands under its name, of all else it reads what runs need.
fn worker(name: &str, key: &str) -> String {
    let [signals, results] = ["signals", "results"].map(|kind| format!("arena.{kind}.*.{name}"));
    user(
        &format!("worker {name}"),
        key,
        &[
            &signals,
            &results,
            "$JS.API.STREAM.INFO.arena-results",
            "$JS.API.STREAM.INFO.KV_arena-runs",
            "$JS.API.STREAM.INFO.OBJ_arena-files",
            "$JS.API.DIRECT.GET.KV_arena-runs.>",
            "$JS.API.DIRECT.GET.OBJ_arena-files.>",
            "$JS.API.STREAM.MSG.GET.KV_arena-runs",
            "$JS.API.STREAM.MSG.GET.OBJ_arena-files",
            "$JS.API.CONSUMER.CREATE.KV_arena-runs",
            "$JS.API.CONSUMER.CREATE.KV_arena-runs.>",
            "$JS.API.CONSUMER.CREATE.OBJ_arena-files",
            "$JS.API.CONSUMER.CREATE.OBJ_arena-files.>",
            "$JS.API.CONSUMER.MSG.NEXT.KV_arena-runs.>",
            "$JS.API.CONSUMER.MSG.NEXT.OBJ_arena-files.>",
            "$JS.FC.>",
        ],
        &[&format!("arena.orders.*.{name}"), &format!("_INBOX.{name}.>")],
    )
}

fn user(title: &str, key: &str, publish: &[&str], subscribe: &[&str]) -> String {
    let list = |subjects: &[&str]| {
        let subjects: Vec<_> = subjects.iter().map(|subject| format!("\"{subject}\"")).collect();
        subjects.join(", ")
    };
    format!(
        "    # {title}\n    {{ nkey: {key}, permissions: {{\n      publish: [{}]\n      subscribe: [{}]\n    }} }}\n",
        list(publish),
        list(subscribe)
    )
}
