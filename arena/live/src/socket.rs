//! A socket in a run's directory that takes orders to pause, resume, end, or play more or fewer games at once.
//!
//! One line comes, one line goes back: `ok: …` or `error: …`. It is served between the run's other work and never waited
//! for, so a client can hold up nothing, and silent ones give way to those who come later. Only the user who started the run can
//! connect (mode 0600). A client trusts the other end with nothing: it may be anybody who can write to the directory.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::FileTypeExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use protocol::printable;
use rustix::fs::{Mode, chmod};
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketAddrUnix, SocketType, bind, listen};

use crate::order::ControlOrder;

/// The name of the socket in a run's directory.
const NAME: &str = "control.sock";

/// How many clients wait to be served; further ones are refused by the system.
const BACKLOG: i32 = 64;

/// How many clients are heard at once: the one that has been silent for the longest time gives way to the next.
const MOST_CLIENTS: usize = 16;

/// How many clients are taken up each time, so that a flood of them does not hold up the run.
const MOST_TAKEN: usize = 64;

/// How long a client may take to send its line.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long a line may be, in bytes.
const MOST_BYTES: usize = 200;

/// How long an answer is waited for, all in all: an arena that writes to a slow disk takes its time.
const ANSWER_WITHIN: Duration = Duration::from_secs(20);

/// How long is rested between two attempts to connect, where too many wait already.
const BREATH: Duration = Duration::from_millis(20);

/// How long an answer may be, in bytes.
const MOST_ANSWERED: usize = 4096;

/// The socket of a run in progress. It is removed when this is dropped.
#[derive(Debug)]
pub(crate) struct Socket {
    path: PathBuf,
    listener: UnixListener,
    clients: Vec<Client>,
}

/// Somebody who has connected.
#[derive(Debug)]
struct Client {
    stream: UnixStream,
    since: Instant,
    line: Vec<u8>,
}

/// Why a run could not be told anything.
#[derive(Debug)]
pub enum SocketError {
    /// There is no socket, or no process listens to it.
    NobodyThere,
    /// It belongs to another user.
    Forbidden,
    /// The arena there ended or did not answer in time.
    NoAnswer(io::Error),
    /// The run refused the order, in its words.
    Refused(String),
}

impl Socket {
    /// Opens the socket of a run's directory. The caller holds the journal's lock: what a killed arena has left is
    /// removed.
    ///
    /// # Errors
    /// When the file system or the system knows no such sockets.
    pub(crate) fn open(directory: &Path) -> io::Result<Self> {
        let path = directory.join(NAME);
        if fs::symlink_metadata(&path).is_ok_and(|file| file.file_type().is_socket()) {
            fs::remove_file(&path)?;
        }
        let socket = unix_socket()?;
        with_path(directory, |path| Ok(bind(&socket, &SocketAddrUnix::new(path)?)?))?;
        // Nobody can connect before `listen`: there is no moment at which others could.
        let opened = chmod(&path, Mode::RUSR | Mode::WUSR).and_then(|()| listen(&socket, BACKLOG));
        if let Err(error) = opened {
            let _ = fs::remove_file(&path);
            return Err(error.into());
        }
        Ok(Self { path, listener: UnixListener::from(socket), clients: Vec::new() })
    }

    /// Answers every client that has sent a line, without waiting for anybody.
    pub(crate) fn serve(&mut self, mut answer: impl FnMut(ControlOrder) -> Result<String, String>) {
        let mut stays = |client: &mut Client| match client.read() {
            Ok(Some(line)) => {
                let answer = line.parse().and_then(&mut answer);
                client.tell(answer.as_deref().map_err(String::as_str));
                false
            }
            Ok(None) => client.since.elapsed() < PATIENCE,
            // It has gone.
            Err(_) => false,
        };
        self.clients.retain_mut(&mut stays);
        for _ in 0..MOST_TAKEN {
            let Ok((stream, _)) = self.listener.accept() else { break };
            if stream.set_nonblocking(true).is_err() {
                continue;
            }
            let mut client = Client { stream, since: Instant::now(), line: Vec::new() };
            // A client that comes with an order needs no place.
            if stays(&mut client) {
                self.clients.push(client);
                if self.clients.len() > MOST_CLIENTS {
                    self.clients.remove(0);
                }
            }
        }
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

impl Client {
    /// Returns the line once it is there; a line that is too long is cut.
    fn read(&mut self) -> io::Result<Option<String>> {
        let mut chunk = [0; MOST_BYTES];
        loop {
            let count = match self.stream.read(&mut chunk) {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(count) => count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(None),
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            self.line.extend_from_slice(&chunk[..count]);
            let end = self.line.iter().position(|byte| *byte == b'\n');
            if let Some(end) = end.or((self.line.len() >= MOST_BYTES).then_some(MOST_BYTES)) {
                return Ok(Some(String::from_utf8_lossy(&self.line[..end]).into_owned()));
            }
        }
    }

    /// Sends the answer. It fits into the buffer of the socket: there is nothing to wait for.
    fn tell(&mut self, answer: Result<&str, &str>) {
        let (word, text) = match answer {
            Ok(text) => ("ok", text),
            Err(text) => ("error", text),
        };
        let line = format!("{word}: {}\n", text.replace('\n', " "));
        let _ = self.stream.write_all(line.as_bytes());
    }
}

/// Sends an order to the run in a directory and returns its answer, fit to be shown.
///
/// # Errors
/// When nothing runs there, it does not answer, or it refuses.
pub fn ask(directory: &Path, order: &ControlOrder) -> Result<String, SocketError> {
    ask_within(directory, order, ANSWER_WITHIN)
}

fn ask_within(directory: &Path, order: &ControlOrder, limit: Duration) -> Result<String, SocketError> {
    let deadline = Instant::now() + limit;
    let mut stream =
        with_path(directory, |path| connect(path, deadline)).map_err(|error| match error.kind() {
            ErrorKind::PermissionDenied => SocketError::Forbidden,
            ErrorKind::TimedOut => SocketError::NoAnswer(error),
            _ => SocketError::NobodyThere,
        })?;
    let answer = talk(&mut stream, order, deadline).map_err(SocketError::NoAnswer)?;
    match answer.trim_end().split_once(": ") {
        Some(("ok", text)) => Ok(printable(text).into_owned()),
        Some(("error", text)) => Err(SocketError::Refused(printable(text).into_owned())),
        _ => Err(SocketError::NoAnswer(ErrorKind::UnexpectedEof.into())),
    }
}

/// Returns a socket that no child inherits, and whose calls do not wait.
#[cfg(not(target_vendor = "apple"))]
fn unix_socket() -> io::Result<OwnedFd> {
    use rustix::net::{SocketFlags, socket_with};
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    Ok(socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None)?)
}

/// Returns a socket that no child inherits, and whose calls do not wait: there, both are set one after the other.
#[cfg(target_vendor = "apple")]
fn unix_socket() -> io::Result<OwnedFd> {
    let socket = rustix::net::socket(AddressFamily::UNIX, SocketType::STREAM, None)?;
    rustix::io::fcntl_setfd(&socket, rustix::io::FdFlags::CLOEXEC)?;
    rustix::io::ioctl_fionbio(&socket, true)?;
    Ok(socket)
}

/// Connects to a socket. Where too many wait already, the system says so at once instead of waiting without an end.
fn connect(path: &Path, deadline: Instant) -> io::Result<UnixStream> {
    let address = SocketAddrUnix::new(path)?;
    loop {
        let socket = unix_socket()?;
        match rustix::net::connect(&socket, &address) {
            Ok(()) => {
                let stream = UnixStream::from(socket);
                stream.set_nonblocking(false)?;
                return Ok(stream);
            }
            Err(Errno::AGAIN) if Instant::now() < deadline => thread::park_timeout(BREATH),
            Err(Errno::AGAIN) => return Err(ErrorKind::TimedOut.into()),
            Err(error) => return Err(error.into()),
        }
    }
}

/// Sends an order and reads what comes until the other end closes or a line is whole. The deadline is one for all of it.
fn talk(stream: &mut UnixStream, order: &ControlOrder, deadline: Instant) -> io::Result<String> {
    let left = || {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(io::Error::from(ErrorKind::TimedOut)) } else { Ok(Some(left)) }
    };
    stream.set_write_timeout(left()?)?;
    stream.write_all(format!("{order}\n").as_bytes())?;
    let (mut answer, mut chunk) = (Vec::new(), [0; 512]);
    while !answer.contains(&b'\n') && answer.len() < MOST_ANSWERED {
        stream.set_read_timeout(left()?)?;
        match stream.read(&mut chunk) {
            Ok(0) => break,
            Ok(count) => answer.extend_from_slice(&chunk[..count]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let end = answer.iter().position(|byte| *byte == b'\n').unwrap_or(answer.len());
    Ok(String::from_utf8_lossy(&answer[..end]).into_owned())
}

/// Hands the path of the socket in a directory to somebody. One that is too long for an address goes by the descriptor
/// of the directory, where the system has such paths.
fn with_path<T>(directory: &Path, with: impl FnOnce(&Path) -> io::Result<T>) -> io::Result<T> {
    let path = directory.join(NAME);
    if SocketAddrUnix::new(&path).is_ok() {
        return with(&path);
    }
    let folder = File::open(directory)?;
    with(&Path::new(&format!("/proc/self/fd/{}", folder.as_raw_fd())).join(NAME))
}

impl fmt::Display for SocketError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NobodyThere => f.write_str("no arena plays there"),
            Self::Forbidden => f.write_str("the run there belongs to another user"),
            Self::NoAnswer(error) => write!(f, "the arena there did not answer: {error}"),
            Self::Refused(text) => f.write_str(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    /// Serves a socket in `directory` while `client` talks to it.
    fn check(directory: &Path, client: impl FnOnce() + Send) {
        let mut socket = Socket::open(directory).expect("a socket");
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            let talk = scope.spawn(|| {
                client();
                is_over.store(true, Ordering::SeqCst);
            });
            while !is_over.load(Ordering::SeqCst) && !talk.is_finished() {
                socket.serve(|order| match order {
                    ControlOrder::Stop => Err("it will not".to_owned()),
                    order => Ok(format!("heard {order}")),
                });
                thread::yield_now();
            }
        });
        drop(socket);
        assert!(!directory.join(NAME).exists());
    }

    #[test]
    fn an_order_has_one_answer() {
        let folder = tempfile::tempdir().expect("a folder");
        check(folder.path(), || {
            assert_eq!(ask(folder.path(), &ControlOrder::Pause).expect("an answer"), "heard pause");
            let refused = ask(folder.path(), &ControlOrder::Stop).expect_err("a refusal");
            assert_eq!(refused.to_string(), "it will not");
            let mode = fs::metadata(folder.path().join(NAME)).expect("a socket").permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        });
    }

    #[test]
    fn a_path_may_be_longer_than_an_address() {
        let folder = tempfile::tempdir().expect("a folder");
        let deep = folder.path().join("a-long-name-for-a-folder".repeat(6)).join("another".repeat(20));
        fs::create_dir_all(&deep).expect("folders");
        check(&deep, || assert_eq!(ask(&deep, &ControlOrder::Resume).expect("an answer"), "heard resume"));
    }

    #[test]
    fn nonsense_and_silence_hold_nobody_up() {
        let folder = tempfile::tempdir().expect("a folder");
        check(folder.path(), || {
            let path = folder.path().join(NAME);
            let _silent = UnixStream::connect(&path).expect("it listens");
            let mut flood = UnixStream::connect(&path).expect("it listens");
            flood.write_all(&[b'x'; 1000]).expect("the buffer takes it");
            let mut answer = String::new();
            // It may have been closed with bytes unread: then the answer may be lost, nothing else.
            let _ = flood.read_to_string(&mut answer);
            assert!(answer.is_empty() || answer.starts_with("error: expected"), "{answer}");
            assert_eq!(ask(folder.path(), &ControlOrder::Status).expect("an answer"), "heard status");
        });
    }

    #[test]
    fn a_crowd_of_silent_clients_keeps_nobody_waiting() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut socket = Socket::open(folder.path()).expect("a socket");
        let path = folder.path().join(NAME);
        let connect = || UnixStream::connect(&path).expect("it listens");
        let silent: Vec<_> = (0..MOST_CLIENTS * 2).map(|_| connect()).collect();
        let mut half = connect();
        half.write_all(b"sta").expect("the buffer takes it");
        let mut client = connect();
        client.write_all(b"status\n").expect("the buffer takes it");
        // One look is enough for clients that have sent an order, and those who came last are still heard.
        socket.serve(|order| Ok(format!("heard {order}")));
        assert_eq!(socket.clients.len(), MOST_CLIENTS);
        half.write_all(b"tus\n").expect("the buffer takes it");
        socket.serve(|order| Ok(format!("heard {order}")));
        for mut client in [client, half] {
            client.set_nonblocking(true).expect("a socket");
            let mut answer = [0; 100];
            let count = client.read(&mut answer).expect("an answer");
            assert_eq!(&answer[..count], b"ok: heard status\n");
        }
        drop(silent);
    }

    /// Asks a listener that takes the arena's place and does this with each client.
    fn ask_stranger(limit: Duration, act: impl Fn(UnixStream) + Send) -> Result<String, SocketError> {
        let folder = tempfile::tempdir().expect("a folder");
        let listener = UnixListener::bind(folder.path().join(NAME)).expect("a socket");
        thread::scope(|scope| {
            scope.spawn(move || act(listener.accept().expect("a client").0));
            ask_within(folder.path(), &ControlOrder::Status, limit)
        })
    }

    #[test]
    fn what_a_stranger_answers_reaches_no_terminal_as_it_is() {
        let say = |text: &'static str| {
            ask_stranger(ANSWER_WITHIN, move |mut client| {
                // A socket that is closed with bytes unread may lose the answer.
                let _ = client.read(&mut [0; 100]);
                let _ = client.write_all(text.as_bytes());
            })
        };
        for text in ["ok: \u{1b}]0;pwned\u{7} \u{202e}", "error: \u{1b}[2J"] {
            let answer = match say(text) {
                Ok(answer) => answer,
                Err(error) => error.to_string(),
            };
            assert!(
                !answer.contains(['\u{1b}', '\u{7}', '\u{202e}']) && answer.contains("\\x1b"),
                "{answer:?}"
            );
        }
        assert!(matches!(say("what: ever\n"), Err(SocketError::NoAnswer(_))));
        assert!(matches!(say(""), Err(SocketError::NoAnswer(_))));
    }

    #[test]
    fn a_stranger_who_drips_or_never_ends_is_not_waited_for_longer_than_the_deadline() {
        let drip = ask_stranger(Duration::from_secs(1), |mut client| {
            while client.write_all(b"x").is_ok() {
                thread::park_timeout(Duration::from_millis(50));
            }
        });
        assert!(matches!(drip, Err(SocketError::NoAnswer(_))), "{drip:?}");
        let flood =
            ask_stranger(ANSWER_WITHIN, |mut client| while client.write_all(&[b'x'; 4096]).is_ok() {});
        assert!(matches!(flood, Err(SocketError::NoAnswer(_))));
        // A crowd before the door: nobody takes it up.
        let folder = tempfile::tempdir().expect("a folder");
        let listener = UnixListener::bind(folder.path().join(NAME)).expect("a socket");
        rustix::net::listen(&listener, 0).expect("a backlog");
        let _crowd: Vec<_> =
            (0..2).map_while(|_| connect(&folder.path().join(NAME), Instant::now()).ok()).collect();
        let limit = Duration::from_millis(300);
        let crowded = ask_within(folder.path(), &ControlOrder::Status, limit);
        assert!(matches!(crowded, Err(SocketError::NoAnswer(_))), "{crowded:?}");
    }

    #[test]
    fn where_nothing_runs_nobody_answers() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(matches!(ask(folder.path(), &ControlOrder::Stop), Err(SocketError::NobodyThere)));
        // A socket that a killed arena left behind.
        drop(UnixListener::bind(folder.path().join(NAME)).expect("a socket"));
        assert!(matches!(ask(folder.path(), &ControlOrder::Stop), Err(SocketError::NobodyThere)));
        check(folder.path(), || {
            assert!(ask(folder.path(), &ControlOrder::Status).is_ok());
        });
    }
}
