//! A process: its group, its standard error, its end, what it used.
//!
//! A guarded process ends with everything that descends from it ([`crate::Guarded`]). One that is started directly leads
//! a group of its own, so that whatever it starts ends with it; only what leaves the group on purpose (`setsid`) is out of
//! reach then. Neither is reaped before its group has been killed: until then its number cannot belong to anybody else.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout_at};

#[cfg(target_os = "linux")]
use crate::accounting;
use crate::group::{GroupSignal, ProcessGroup};
#[cfg(target_os = "linux")]
use crate::guard::GuardedStart;
use crate::guard::{GuardLink, forget_guard};
use crate::{CpuMeter, ExceededLimit, ProcessUsage, SchedulerTimes};

/// How much of the standard error is kept, in bytes.
const STDERR_KEPT: usize = 64 * 1024;

/// How long the last of the standard error is waited for once the process is gone: somebody outside its group
/// may hold it open.
const STDERR_GRACE: Duration = Duration::from_millis(200);

/// How long a guard may take to kill everything and go. Then it is killed itself: somebody may have stopped it.
const GUARD_GRACE: Duration = Duration::from_secs(20);

/// A running process. Dropped, it is killed with its whole group, or everything that its guard knows of.
#[derive(Debug)]
pub struct Process {
    /// The process, or its guard; `None` only while it is dropped.
    child: Option<Child>,
    /// What joins the arena to the guard, if there is one.
    link: Option<GuardLink>,
    group: ProcessGroup,
    pipes: Option<(ChildStdin, ChildStdout)>,
    stderr: Arc<Mutex<OutputTail>>,
    reader: JoinHandle<()>,
    /// Reads the standard output, where that carries no lines.
    output: Option<JoinHandle<()>>,
}

thread_local! {
    /// Processes and guards that were dropped on this thread: killed or told to go, but not yet reaped.
    static DROPPED: RefCell<Vec<Dropped>> = const { RefCell::new(Vec::new()) };
}

/// A process that nobody needs any more.
#[derive(Debug)]
struct Dropped {
    child: Child,
    is_guard: bool,
}

impl Process {
    /// Starts a command in a process group of its own, its standard streams connected to the arena. To be
    /// called within a tokio runtime that stays on its thread.
    ///
    /// # Errors
    /// When the system cannot start it.
    pub fn spawn(mut command: Command) -> io::Result<Self> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        ProcessGroup::prepare(&mut command);
        let mut command = tokio::process::Command::from(command);
        let mut child = command.kill_on_drop(true).spawn()?;
        let group = ProcessGroup::of(child.id());
        let pipes = child.stdin.take().zip(child.stdout.take());
        let stderr = child.stderr.take().expect("the standard error is piped");
        Ok(Self::with_streams(child, None, group, pipes, stderr))
    }

    /// Returns the process that a guard has started. To be called within a tokio runtime that stays on its thread.
    #[cfg(target_os = "linux")]
    pub(crate) fn guarded(start: GuardedStart) -> Self {
        let GuardedStart { guard, link, number, cgroup, pipes, stderr } = start;
        let group = ProcessGroup::guarded(number, guard.id(), cgroup);
        Self::with_streams(guard, Some(link), group, Some(pipes), stderr)
    }

    fn with_streams(
        child: Child,
        link: Option<GuardLink>,
        group: ProcessGroup,
        pipes: Option<(ChildStdin, ChildStdout)>,
        errors: ChildStderr,
    ) -> Self {
        let stderr = Arc::new(Mutex::new(OutputTail::default()));
        let reader = tokio::spawn(keep(errors, Arc::clone(&stderr)));
        Self { child: Some(child), link, group, pipes, stderr, reader, output: None }
    }

    /// Leaves a guard that has nothing to guard to be reaped.
    #[cfg(target_os = "linux")]
    pub(crate) fn leave_to_reap(guard: Child) {
        let _ =
            DROPPED.try_with(|dropped| dropped.borrow_mut().push(Dropped { child: guard, is_guard: true }));
    }

    /// Takes the standard input and output.
    pub fn take_pipes(&mut self) -> Option<(ChildStdin, ChildStdout)> {
        self.pipes.take()
    }

    /// Keeps what the process writes to its standard output with its standard error, and closes its standard input.
    pub fn log_output(&mut self) {
        if let Some((_, stdout)) = self.take_pipes() {
            // It ends with the pipe, which ends with the group of the process.
            self.output = Some(tokio::spawn(keep(stdout, Arc::clone(&self.stderr))));
        }
    }

    /// Returns the number of the process, where there are groups.
    pub fn leader(&self) -> Option<i32> {
        self.group.leader()
    }

    /// Returns the process above everything that this one starts: its guard, which adopts what it leaves behind, or
    /// itself.
    pub fn root(&self) -> Option<i32> {
        let guard = self.child.as_ref().filter(|_| self.link.is_some());
        guard.and_then(Child::id).and_then(|id| i32::try_from(id).ok()).or_else(|| self.leader())
    }

    /// Returns what completes when the process has ended, no matter who still holds its pipes. It never completes
    /// where the system cannot tell without forgetting the process.
    pub fn ended(&self) -> Pin<Box<dyn Future<Output = ()>>> {
        self.link.as_ref().map_or_else(|| self.group.leader_ended(), GuardLink::ended)
    }

    /// Returns whether the process is about to end or has ended, whether or not anybody has heard of it yet.
    #[cfg(target_os = "linux")]
    pub fn is_ending(&self) -> bool {
        self.leader().is_some_and(|leader| accounting::is_ending(&accounting::read(leader, "stat")))
    }

    /// Not every system tells.
    #[cfg(not(target_os = "linux"))]
    pub const fn is_ending(&self) -> bool {
        false
    }

    /// Returns how the process ended, if it has.
    pub fn status(&self) -> Option<String> {
        self.link.as_ref().map_or_else(|| self.group.leader_status(), GuardLink::status)
    }

    /// Returns whether somebody has killed the guard of the process, which then proves nothing about the process itself.
    pub fn has_lost_guard(&self) -> bool {
        self.link.as_ref().is_some_and(GuardLink::is_lost)
    }

    /// Returns what the process used so far.
    pub fn usage(&mut self) -> ProcessUsage {
        self.group.usage()
    }

    /// Returns the processor time that its processes used so far, where the system tells.
    pub fn cpu(&mut self) -> Option<Duration> {
        self.group.cpu()
    }

    /// Returns what reads its processor time without owning it.
    pub fn meter(&self) -> CpuMeter {
        self.group.meter()
    }

    /// Returns what the system gave the process so far, where it tells.
    pub fn times(&mut self) -> Option<SchedulerTimes> {
        self.group.times()
    }

    /// Returns which limit its processes exceeded, for which its guard has ended them.
    pub fn excess(&self) -> Option<ExceededLimit> {
        self.link.as_ref().and_then(GuardLink::excess)
    }

    /// Has its processor time counted again, where it is limited: its guard then counts from here on.
    pub fn restart_cpu_count(&self) {
        if let Some(link) = &self.link {
            link.restart_cpu_count();
        }
    }

    /// Returns how often at least somebody has stopped it, which was not the arena; its guard has made it continue.
    pub fn stops(&self) -> u32 {
        self.link.as_ref().map_or(0, GuardLink::stops)
    }

    /// Stops its processes, or lets them continue.
    pub fn freeze(&self, is_frozen: bool) {
        // Before it happens: what nobody told the guard of it undoes.
        if let Some(link) = &self.link {
            link.freeze(is_frozen);
        }
        self.group.freeze(is_frozen);
    }

    /// Returns whether nothing has come from the standard error so far.
    pub fn is_silent(&self) -> bool {
        self.stderr.lock().unwrap_or_else(PoisonError::into_inner).0.is_empty()
    }

    /// Returns the end of the standard error so far.
    pub fn stderr(&self) -> Vec<u8> {
        self.stderr.lock().unwrap_or_else(PoisonError::into_inner).0.iter().copied().collect()
    }

    /// Waits for the end until `quit`; then asks the group to end and waits for `grace`; then kills it. The
    /// group is killed in any case, and the process reaped.
    pub async fn end(mut self, quit: Instant, grace: Duration) -> ProcessEnd {
        if timeout_at(quit, self.ended()).await.is_err() {
            self.group.signal(GroupSignal::Terminate);
            let _ = timeout_at(Instant::now() + grace, self.ended()).await;
        }
        self.kill().await
    }

    /// Kills the group, or everything that the guard knows of, and reaps the process.
    pub async fn kill(mut self) -> ProcessEnd {
        let child = self.child.take();
        let mut reaped = None;
        let status = match (&mut self.link, child) {
            (Some(link), Some(guard)) => {
                // It looks how the process ended by itself before it kills.
                link.cut();
                dismiss(guard, Some(link)).await;
                link.status()
            }
            (_, child) => {
                // Read before the kill: what it did by itself, not what was done to it.
                let status = self.status();
                self.group.kill();
                if let Some(mut child) = child {
                    let _ = child.start_kill();
                    reaped = child.wait().await.ok();
                }
                status
            }
        };
        self.group.forget();
        let grace = Instant::now() + STDERR_GRACE;
        let _ = timeout_at(grace, &mut self.reader).await;
        if let Some(output) = &mut self.output {
            let _ = timeout_at(grace, output).await;
        }
        let status = status.or_else(|| reaped.filter(|_| !cfg!(unix)).map(describe));
        ProcessEnd { status, stderr: self.stderr() }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.reader.abort();
        if let Some(output) = &self.output {
            output.abort();
        }
        let Some(mut child) = self.child.take() else { return };
        let is_guard = self.link.is_some();
        if let Some(link) = &self.link {
            link.cut();
        } else {
            self.group.kill();
            let _ = child.start_kill();
        }
        // Where even the thread is about to end, the system reaps it in the end.
        let _ = DROPPED.try_with(|dropped| dropped.borrow_mut().push(Dropped { child, is_guard }));
    }
}

/// Waits for the end of the processes that were dropped on this thread.
pub async fn reap_dropped() {
    let dropped = DROPPED.with(RefCell::take);
    for Dropped { mut child, is_guard } in dropped {
        if is_guard {
            dismiss(child, None).await;
        } else {
            let _ = child.wait().await;
        }
    }
}

/// Waits for the end of a guard that was told to go. One that does not go, or was killed before it had done its work, has
/// the arena do it.
async fn dismiss(mut guard: Child, link: Option<&mut GuardLink>) {
    let number = guard.id();
    ProcessGroup::wake(number);
    let deadline = Instant::now() + GUARD_GRACE;
    let mut is_done = match timeout_at(deadline, guard.wait()).await {
        Ok(status) => status.is_ok_and(|status| status.success()),
        Err(_) => {
            let _ = guard.start_kill();
            let _ = guard.wait().await;
            false
        }
    };
    if let Some(link) = link {
        link.drain(Instant::now() + STDERR_GRACE).await;
        is_done &= !link.is_lost();
    }
    forget_guard(number, is_done);
}

/// How a process ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessEnd {
    /// Its status, if it ended by itself.
    pub status: Option<String>,
    /// The end of its standard error.
    pub stderr: Vec<u8>,
}

/// Writes an exit status as records have it.
fn describe(status: ExitStatus) -> String {
    status.code().map_or_else(|| status.to_string(), |code| format!("exit {code}"))
}

/// Reads a pipe to its end and keeps the last of it.
async fn keep(mut pipe: impl AsyncRead + Unpin, tail: Arc<Mutex<OutputTail>>) {
    let mut chunk = vec![0; 16 * 1024];
    while let Ok(count @ 1..) = pipe.read(&mut chunk).await {
        tail.lock().unwrap_or_else(PoisonError::into_inner).push(&chunk[..count]);
        // A process that never stops complaining must not keep the clocks waiting.
        tokio::task::yield_now().await;
    }
}

/// The last bytes of a stream.
#[derive(Debug, Default)]
struct OutputTail(VecDeque<u8>);

impl OutputTail {
    fn push(&mut self, bytes: &[u8]) {
        let bytes = &bytes[bytes.len().saturating_sub(STDERR_KEPT)..];
        let excess = (self.0.len() + bytes.len()).saturating_sub(STDERR_KEPT);
        self.0.drain(..excess);
        self.0.extend(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_bytes_are_kept() {
        let mut tail = OutputTail::default();
        tail.push(&vec![b'a'; STDERR_KEPT - 1]);
        tail.push(b"bcd");
        assert_eq!(tail.0.len(), STDERR_KEPT);
        assert!(tail.0.iter().copied().collect::<Vec<_>>().ends_with(b"abcd"));
        tail.push(&vec![b'e'; 2 * STDERR_KEPT]);
        assert!(tail.0.iter().all(|byte| *byte == b'e'));
    }
}
