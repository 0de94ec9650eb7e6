//! How the arena starts a guard, and by it a bot.

use std::io::{self, ErrorKind, Read, pipe};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout};

use super::link::GuardLink;
use super::orphans::{self, Belongings};
use super::report::GuardReport;
use super::request::GuardRequest;
use super::serve::WORD;
use super::{private_dir, sweep};
use crate::ProcessSpec;
use crate::cgroup::{Cgroup, new_group};
use crate::owner::own_prefix;

/// How long a guard may take to start its bot.
const LIMIT: Duration = Duration::from_secs(30);

/// How often a guard is started that somebody ends before it has started its bot: a key on the terminal, for example.
const TRIES: u32 = 3;

/// A process that a guard has started.
#[derive(Debug)]
pub(crate) struct GuardedStart {
    /// The guard.
    pub(crate) guard: Child,
    /// What joins the arena to it.
    pub(crate) link: GuardLink,
    /// The number of the process.
    pub(crate) number: i32,
    /// Its control group, if it has one.
    pub(crate) cgroup: Option<Cgroup>,
    /// Its standard input and output.
    pub(crate) pipes: (ChildStdin, ChildStdout),
    /// Its standard error.
    pub(crate) stderr: ChildStderr,
}

/// What came of a start.
pub(crate) struct Started {
    /// The process, or why there is none.
    pub(crate) process: io::Result<GuardedStart>,
    /// Guards that have nothing to guard, to be reaped.
    pub(crate) given_up: Vec<Child>,
}

/// Starts a process by a guard, which is the program at `executable`. To be called within a tokio runtime that stays on its
/// thread.
pub(crate) fn start_guarded(executable: &Path, spec: &ProcessSpec) -> Started {
    sweep::once();
    let mut given_up = Vec::new();
    for _ in 0..TRIES {
        // Of its own each time: who has ended may still be clearing up.
        let private_dir = private_dir::choose();
        let started = start(executable, spec, &private_dir, &mut given_up);
        if !matches!(started, Ok(Some(_))) {
            // The guard has removed it, unless somebody has killed that before.
            let _ = private_dir::remove(&private_dir);
        }
        if let Some(process) = started.transpose() {
            return Started { process, given_up };
        }
    }
    let process = Err(io::Error::other("its guard ended before it had started it"));
    Started { process, given_up }
}

/// Starts a process with this private directory; `None` when its guard has ended before.
fn start(
    executable: &Path,
    spec: &ProcessSpec,
    private_dir: &Path,
    given_up: &mut Vec<Child>,
) -> io::Result<Option<GuardedStart>> {
    let mut spec = spec.clone();
    spec.env.push(("TMPDIR".into(), private_dir.into()));
    if spec.is_private {
        spec.env.push(("HOME".into(), private_dir.into()));
    }
    // To be moved into one costs milliseconds: only who is held to something has a group.
    let cgroup = if spec.limits.is_empty() { None } else { new_group()? };
    let request = GuardRequest { spec, private_dir: private_dir.to_owned(), cgroup };
    let (stdin, input) = pipe()?;
    let (output, stdout) = pipe()?;
    let (errors, stderr) = pipe()?;
    let streams = [stdin.into(), stdout.into(), stderr.into()];
    let (mut link, far) = UnixStream::pair()?;
    link.set_read_timeout(Some(LIMIT))?;
    link.set_write_timeout(Some(LIMIT))?;
    let mut guard = start_guard(executable, far, &request)?;
    let answer = request.send(&mut link, &streams).and_then(|()| read_report(&mut link));
    drop(streams);
    let number = match started_number(answer, &request) {
        Ok(Some(number)) => number,
        Ok(None) => {
            given_up.push(guard);
            return Ok(None);
        }
        Err(error) => {
            // One that has said why has nothing left to do and goes by itself.
            if !matches!(error, NotStarted::Told(_)) {
                let _ = guard.start_kill();
            }
            given_up.push(guard);
            return Err(error.into());
        }
    };
    let stdin = ChildStdin::from_std(OwnedFd::from(input).into())?;
    let stdout = ChildStdout::from_std(OwnedFd::from(output).into())?;
    let stderr = ChildStderr::from_std(OwnedFd::from(errors).into())?;
    let link = GuardLink::new(link)?;
    let cgroup = request.cgroup;
    Ok(Some(GuardedStart { guard, link, number, cgroup, pipes: (stdin, stdout), stderr }))
}

/// Starts a guard with this end of what joins the arena to it.
fn start_guard(executable: &Path, link: UnixStream, request: &GuardRequest) -> io::Result<Child> {
    let mut command = Command::new(executable);
    command
        .arg(WORD)
        .arg(own_prefix())
        .stdin(OwnedFd::from(link))
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut guards = orphans::guards();
    let guard = tokio::process::Command::from(command).spawn()?;
    if let Some(number) = guard.id().and_then(|number| i32::try_from(number).ok()) {
        let belongings =
            Belongings { private_dir: request.private_dir.clone(), cgroup: request.cgroup.clone() };
        guards.insert(number, belongings);
    }
    Ok(guard)
}

/// Why a guard has not started its process.
enum NotStarted {
    /// For what it has told itself.
    Told(io::Error),
    /// For what became of the link to it.
    Link(io::Error),
}

impl From<NotStarted> for io::Error {
    fn from(why: NotStarted) -> Self {
        match why {
            NotStarted::Told(error) | NotStarted::Link(error) => error,
        }
    }
}

/// Returns the number of the process that a guard has started; `None` when the guard has ended before.
fn started_number(
    answer: io::Result<Option<GuardReport>>,
    request: &GuardRequest,
) -> Result<Option<i32>, NotStarted> {
    let private_dir = &request.private_dir;
    match answer {
        Ok(Some(GuardReport::Started(number))) => Ok(Some(number)),
        Ok(Some(GuardReport::Failed(error))) => Err(NotStarted::Told(io::Error::from_raw_os_error(error))),
        Ok(Some(GuardReport::NoPrivateDir(error))) => {
            let error = io::Error::from_raw_os_error(error);
            let parent = private_dir.parent().unwrap_or(private_dir);
            let words = format!("no private directory in `{}`: {error}", parent.display());
            Err(NotStarted::Told(io::Error::new(error.kind(), words)))
        }
        Ok(Some(GuardReport::NoControlGroup(error))) => {
            let error = io::Error::from_raw_os_error(error);
            let dir = request.cgroup.as_ref().and_then(Cgroup::directory).unwrap_or(private_dir);
            let words = format!("no control group `{}`: {error}", dir.display());
            Err(NotStarted::Told(io::Error::new(error.kind(), words)))
        }
        Ok(_) => Ok(None),
        Err(error) if matches!(error.kind(), ErrorKind::BrokenPipe | ErrorKind::ConnectionReset) => Ok(None),
        Err(error) => Err(NotStarted::Link(match error.kind() {
            // What a socket says whose time is over differs from system to system.
            ErrorKind::WouldBlock | ErrorKind::TimedOut => {
                let words = format!("its guard has not started it within {} s", LIMIT.as_secs());
                io::Error::new(ErrorKind::TimedOut, words)
            }
            _ => error,
        })),
    }
}

/// Reads one report; `None` when there is none.
fn read_report(link: &mut UnixStream) -> io::Result<Option<GuardReport>> {
    let mut line = Vec::new();
    let mut byte = [0];
    // Byte by byte: what comes after the line belongs to somebody else.
    while line.len() < 64 {
        match link.read(&mut byte) {
            Ok(1) => {}
            // A read with a time limit is not begun again by the system after a signal.
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
            Ok(_) => break,
        }
        if byte == *b"\n" {
            return Ok(str::from_utf8(&line).ok().and_then(|line| line.parse().ok()));
        }
        line.extend(byte);
    }
    Ok(None)
}
