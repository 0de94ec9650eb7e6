//! Building a bot: a shell command with a time limit and a bound on its kept output.
//!
//! A [`Launcher`] starts a build in its own process group, as it starts bots. A launcher that confines bots confines their
//! builds too.

use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::pin::pin;
use std::time::{Duration, Instant};

use processes::{Launcher, reap_dropped};
use settings::{Carrier, Quota};
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::runtime::Builder;
use tokio::time::{sleep_until, timeout_at};

use crate::{Control, Launch};

/// The bytes kept from the start of the output.
const HEAD: usize = 16 * 1024;

/// The bytes kept from the end of the output.
const TAIL: usize = 48 * 1024;

/// The most bytes that a build may write.
const MOST_WRITTEN: u64 = 64 * 1024 * 1024;

/// How long to wait for the last output once the processes are gone, because a process outside the group may hold the pipe
/// open.
const GRACE: Duration = Duration::from_millis(500);

/// A build and its bounds.
#[derive(Clone, Copy, Debug)]
pub struct Build<'a> {
    /// The shell command, which ends at the first failing command.
    pub line: &'a str,
    /// The working directory.
    pub dir: &'a Path,
    /// The time limit.
    pub limit: Duration,
}

/// The result of a build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Built {
    /// Its end.
    pub end: BuildEnd,
    /// Its standard output and error.
    pub output: BuildOutput,
    /// The duration.
    pub took: Duration,
}

/// How a build ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BuildEnd {
    /// The shell ended by itself: `exit 0`, `exit 1`, `signal 9`.
    Ended(String),
    /// The time limit was reached; its whole process group was killed.
    OutOfTime,
    /// It wrote more than 64 MiB; its whole process group was killed.
    Flood,
    /// The run was ended from outside.
    Interrupted,
}

/// The output of a build, without the middle if it is long. Escape the bytes before showing them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BuildOutput {
    /// The first bytes: at most 16 KiB.
    pub head: Vec<u8>,
    /// The number of bytes left out after them.
    pub left_out: u64,
    /// The last bytes: at most 48 KiB.
    pub tail: Vec<u8>,
}

impl Built {
    /// Returns whether the build succeeded.
    #[must_use]
    pub fn is_success(&self) -> bool {
        self.end == BuildEnd::Ended("exit 0".to_owned())
    }
}

impl Build<'_> {
    /// Builds, and waits for the end. Nothing that the build has started in its process group is left then.
    ///
    /// ```
    /// use std::path::Path;
    /// use std::time::Duration;
    ///
    /// use runner::{Build, Control};
    ///
    /// let build = Build { line: "echo built", dir: Path::new("/"), limit: Duration::from_secs(60) };
    /// let built = build.run(&processes::Direct, &Control::new())?;
    /// assert!(built.is_success());
    /// assert_eq!(built.output.head, b"built\n");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// When the system cannot start the shell, or does not provide what waiting for it needs.
    pub fn run(&self, launcher: &dyn Launcher, control: &Control) -> io::Result<Built> {
        self.run_as(&self.launch(), launcher, control)
    }

    /// Returns how to start the shell that builds.
    #[must_use]
    pub fn launch(&self) -> Launch {
        Launch {
            program: "sh".into(),
            args: ["-e", "-c", &format!("exec 2>&1\n{}", self.line)].map(Into::into).to_vec(),
            dir: self.dir.to_path_buf(),
            env: Vec::new(),
            io: Carrier::Pipe,
            prefix: Vec::new(),
            is_private: false,
            quota: Quota::default(),
        }
    }

    /// Builds as [`run`](Self::run) does, but with a modified [`launch`](Self::launch), for example a confined one.
    ///
    /// # Errors
    /// When the system cannot start it, or does not provide the resources to wait for it.
    pub fn run_as(&self, launch: &Launch, launcher: &dyn Launcher, control: &Control) -> io::Result<Built> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let began = Instant::now();
        let (end, output) = runtime.block_on(async {
            let built = watch(launcher, launch, began + self.limit, control).await;
            reap_dropped().await;
            built
        })?;
        Ok(Built { end, output, took: began.elapsed() })
    }
}

async fn watch(
    launcher: &dyn Launcher,
    launch: &Launch,
    deadline: Instant,
    control: &Control,
) -> io::Result<(BuildEnd, BuildOutput)> {
    let mut process = launcher.launch(&launch.to_process_spec())?;
    let (stdin, mut stdout) = process.take_pipes().ok_or_else(|| io::Error::other("its pipes are taken"))?;
    // A program that asks a question reads the end of the input.
    drop(stdin);
    let mut kept = Kept::default();
    let stopped = {
        let mut ended = process.ended();
        let mut over = pin!(sleep_until(deadline.into()));
        let mut finishing = pin!(control.finishing());
        let mut chunk = vec![0; 16 * 1024];
        let mut is_open = true;
        loop {
            tokio::select! {
                biased;
                () = &mut finishing => break Some(BuildEnd::Interrupted),
                () = &mut over => break Some(BuildEnd::OutOfTime),
                () = &mut ended => break None,
                count = stdout.read(&mut chunk), if is_open => match count {
                    Ok(count @ 1..) => kept.push(&chunk[..count]),
                    _ => is_open = false,
                },
            }
            if kept.written > MOST_WRITTEN {
                break Some(BuildEnd::Flood);
            }
        }
    };
    let ended = process.kill().await;
    let grace = Instant::now() + GRACE;
    let _ = timeout_at(grace.into(), drain(&mut stdout, &mut kept)).await;
    let end = stopped.unwrap_or_else(|| BuildEnd::Ended(ended.status.unwrap_or_else(|| "killed".to_owned())));
    Ok((end, kept.into_output()))
}

/// Reads a pipe to its end, up to the limit of a build.
async fn drain(pipe: &mut (impl AsyncRead + Unpin), kept: &mut Kept) {
    let mut chunk = vec![0; 16 * 1024];
    while let Ok(count @ 1..) = pipe.read(&mut chunk).await {
        kept.push(&chunk[..count]);
        if kept.written > MOST_WRITTEN {
            return;
        }
    }
}

/// The start and the end of a stream.
#[derive(Debug, Default)]
struct Kept {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    written: u64,
}

impl Kept {
    fn push(&mut self, bytes: &[u8]) {
        self.written += bytes.len() as u64;
        let (first, rest) = bytes.split_at(bytes.len().min(HEAD - self.head.len()));
        self.head.extend_from_slice(first);
        let rest = &rest[rest.len().saturating_sub(TAIL)..];
        let excess = (self.tail.len() + rest.len()).saturating_sub(TAIL);
        self.tail.drain(..excess);
        self.tail.extend(rest);
    }

    fn into_output(self) -> BuildOutput {
        let left_out = self.written - (self.head.len() + self.tail.len()) as u64;
        BuildOutput { head: self.head, left_out, tail: self.tail.into() }
    }
}

#[cfg(test)]
mod tests {
    use processes::Direct;

    use super::*;

    #[test]
    fn the_start_and_the_end_of_an_output_are_kept() {
        let mut kept = Kept::default();
        kept.push(b"first");
        kept.push(&vec![b'-'; 1_000_000]);
        kept.push(b"last");
        let output = kept.into_output();
        assert!(output.head.starts_with(b"first") && output.tail.ends_with(b"last"));
        assert_eq!((output.head.len(), output.tail.len()), (HEAD, TAIL));
        assert_eq!(output.left_out, 1_000_009 - (HEAD + TAIL) as u64);
        let mut short = Kept::default();
        short.push(b"ab");
        short.push(b"c");
        let short = short.into_output();
        assert_eq!((short.head.as_slice(), short.left_out, short.tail.len()), (&b"abc"[..], 0, 0));
    }

    fn build(line: &str, limit: Duration) -> Built {
        let dir = std::env::temp_dir();
        Build { line, dir: &dir, limit }.run(&Direct, &Control::new()).expect("there is a shell")
    }

    #[test]
    fn both_outputs_and_the_status_are_told() {
        let built = build("echo out\necho err >&2\ncat\nfalse\necho never", Duration::from_secs(60));
        assert_eq!(built.output.head, b"out\nerr\n");
        assert_eq!((built.end.clone(), built.is_success()), (BuildEnd::Ended("exit 1".to_owned()), false));
        assert!(build("true", Duration::from_secs(60)).is_success());
    }

    #[test]
    fn what_a_build_leaves_behind_does_not_hold_it_up() {
        let built = build("sleep 3600 &\necho done", Duration::from_secs(600));
        assert!(built.is_success() && built.took < Duration::from_secs(300), "{built:?}");
    }

    #[test]
    fn a_build_without_end_is_ended() {
        let built = build("echo begun\nsleep 3600 | cat", Duration::from_secs(2));
        assert_eq!((built.end, built.output.head.as_slice()), (BuildEnd::OutOfTime, &b"begun\n"[..]));
        assert_eq!(build("yes", Duration::from_secs(600)).end, BuildEnd::Flood);
        let control = Control::new();
        control.finish();
        let order = Build { line: "sleep 3600", dir: Path::new("/"), limit: Duration::from_secs(3600) };
        assert_eq!(order.run(&Direct, &control).expect("there is a shell").end, BuildEnd::Interrupted);
    }
}
