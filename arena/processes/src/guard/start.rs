//! How the arena starts a guard, and by it a bot.

use std::io::{self, ErrorKind, Read, pipe};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use rustix::process::{DumpableBehavior, getpid, set_child_subreaper, set_dumpable_behavior};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout};

use super::link::GuardLink;
use super::orphans::{self, Estate};
use super::report::Report;
use super::request::{Request, Streams};
use super::serve::WORD;
use super::{private_dir, sweep};
use crate::cgroup::{Cgroup, new_group};
use crate::owner::own_prefix;
use crate::{Launcher, Process, Program};

/// The file by which a process runs its own program once more, even where that was replaced meanwhile.
const OWN_PROGRAM: &str = "/proc/self/exe";

/// How long a guard may take to start its bot.
const LIMIT: Duration = Duration::from_secs(30);

/// How often a guard is started that somebody ends before it has started its bot: a key on the terminal, for example.
const TRIES: u32 = 3;

/// Starts processes of bots under guards.
#[derive(Clone, Debug)]
pub struct Guarded {
    program: PathBuf,
}

impl Guarded {
    /// Prepares this process, whose program begins `main` with [`guard()`](crate::guard()), to start guards: nobody of its user
    /// may look into it from now on, and orphans of guards that were killed fall to it.
    ///
    /// # Errors
    /// When the system refuses that.
    pub fn prepare() -> io::Result<Self> {
        set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
        Self::with_program(OWN_PROGRAM)
    }

    /// Prepares this process to start guards that are another program: one whose `main` begins with [`guard()`](crate::guard()).
    ///
    /// # Errors
    /// When the system refuses that.
    pub fn with_program(program: impl Into<PathBuf>) -> io::Result<Self> {
        set_child_subreaper(Some(getpid()))?;
        Ok(Self { program: program.into() })
    }
}

impl Launcher for Guarded {
    fn launch(&self, program: &Program) -> io::Result<Process> {
        sweep::once();
        for _ in 0..TRIES {
            // Of its own each time: who has ended may still be clearing up.
            let private_dir = private_dir::choose();
            let launched = self.start(program, &private_dir);
            if !matches!(launched, Ok(Some(_))) {
                // The guard has removed it, unless somebody has killed that before.
                let _ = private_dir::remove(&private_dir);
            }
            if let Some(process) = launched? {
                return Ok(process);
            }
        }
        Err(io::Error::other("its guard ended before it had started it"))
    }
}

impl Guarded {
    /// Starts a bot under a guard; `None` when the guard has ended before.
    fn start(&self, program: &Program, private_dir: &Path) -> io::Result<Option<Process>> {
        let mut program = program.clone();
        program.env.push(("TMPDIR".into(), private_dir.into()));
        if program.is_private {
            program.env.push(("HOME".into(), private_dir.into()));
        }
        // To be moved into one costs milliseconds: only who is held to something has a group.
        let cgroup = if program.limits.is_empty() { None } else { new_group()? };
        let request = Request { program, private_dir: private_dir.to_owned(), cgroup };
        let (stdin, input) = pipe()?;
        let (output, stdout) = pipe()?;
        let (errors, stderr) = pipe()?;
        let streams = [stdin.into(), stdout.into(), stderr.into()];
        let Some((guard, link, bot)) = self.start_guard(&request, streams)? else { return Ok(None) };
        let stdin = ChildStdin::from_std(OwnedFd::from(input).into())?;
        let stdout = ChildStdout::from_std(OwnedFd::from(output).into())?;
        let stderr = ChildStderr::from_std(OwnedFd::from(errors).into())?;
        let link = GuardLink::new(link)?;
        Ok(Some(Process::guarded(guard, bot, request.cgroup, link, (stdin, stdout), stderr)))
    }

    /// Starts a guard and waits until it has started the bot; `None` when it has ended before.
    fn start_guard(
        &self,
        request: &Request,
        streams: Streams,
    ) -> io::Result<Option<(Child, UnixStream, i32)>> {
        let (mut link, far) = UnixStream::pair()?;
        link.set_read_timeout(Some(LIMIT))?;
        link.set_write_timeout(Some(LIMIT))?;
        let mut command = Command::new(&self.program);
        command
            .arg(WORD)
            .arg(own_prefix())
            .stdin(OwnedFd::from(far))
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut guard = {
            let mut guards = orphans::guards();
            let guard = tokio::process::Command::from(command).spawn()?;
            if let Some(number) = guard.id().and_then(|number| i32::try_from(number).ok()) {
                guards.insert(
                    number,
                    Estate { room: request.private_dir.clone(), cgroup: request.cgroup.clone() },
                );
            }
            guard
        };
        let answer = request.send(&mut link, &streams).and_then(|()| read_report(&mut link));
        drop(streams);
        match answer {
            Ok(Some(Report::Started(bot))) => Ok(Some((guard, link, bot))),
            Ok(Some(Report::Failed(error))) => {
                Process::leave_to_reap(guard);
                Err(io::Error::from_raw_os_error(error))
            }
            Ok(Some(Report::Roomless(error))) => {
                Process::leave_to_reap(guard);
                let error = io::Error::from_raw_os_error(error);
                let parent = request.private_dir.parent().unwrap_or(&request.private_dir);
                let words = format!("no private directory in `{}`: {error}", parent.display());
                Err(io::Error::new(error.kind(), words))
            }
            Ok(Some(Report::Groupless(error))) => {
                Process::leave_to_reap(guard);
                let error = io::Error::from_raw_os_error(error);
                let dir = request.cgroup.as_ref().and_then(Cgroup::directory).unwrap_or(&request.private_dir);
                Err(io::Error::new(error.kind(), format!("no control group `{}`: {error}", dir.display())))
            }
            Ok(_) => {
                Process::leave_to_reap(guard);
                Ok(None)
            }
            Err(error) if matches!(error.kind(), ErrorKind::BrokenPipe | ErrorKind::ConnectionReset) => {
                Process::leave_to_reap(guard);
                Ok(None)
            }
            Err(error) => {
                let _ = guard.start_kill();
                Process::leave_to_reap(guard);
                Err(match error.kind() {
                    // What a socket says whose time is over differs from system to system.
                    ErrorKind::WouldBlock | ErrorKind::TimedOut => {
                        let words = format!("its guard has not started it within {} s", LIMIT.as_secs());
                        io::Error::new(ErrorKind::TimedOut, words)
                    }
                    _ => error,
                })
            }
        }
    }
}

/// Reads one report; `None` when there is none.
fn read_report(link: &mut UnixStream) -> io::Result<Option<Report>> {
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
