//! One process of a bot, line by line, for tests of a bot instead of games.
//!
//! A wire does not know the protocol. It starts a process in its own group and bounds its output, as games do, and reports when
//! each line was read.

use std::cell::Cell;
use std::future::poll_fn;
use std::io;
use std::rc::Rc;
use std::sync::LazyLock;
use std::task::Poll;
use std::time::{Duration, Instant};

use processes::{Launcher, Process, reap_dropped};
use protocol::{MAX_BOT_LINE, MAX_LINES_PER_PLY, MAX_OUTPUT_PER_PLY, last_lines};
use tokio::runtime::{Builder, Runtime};
use tokio::task::yield_now;
use tokio::time::timeout_at;

use crate::clock::watchdog::Watchdog;
use crate::player::link::{Break, Link, LinkSignal, Transport};
use crate::{Control, Launch};

/// Starts processes on wires, for a thread that waits for them itself.
///
/// ```
/// use std::time::{Duration, Instant};
///
/// use runner::{Caught, Control, Launch, Wires};
///
/// let launch = Launch {
///     program: "/bin/cat".into(),
///     dir: "/".into(),
///     # prefix: Vec::new(), args: Vec::new(), env: Vec::new(), io: settings::Carrier::Pipe, is_private: false,
///     # quota: settings::Quota::default(),
///     // …
/// };
/// let wires = Wires::new(&processes::Direct, Control::new())?;
/// let mut wire = wires.open(&launch, Duration::from_secs(10))?;
/// wire.send("isready\n");
/// let (caught, _at) = wire.receive(Instant::now() + Duration::from_secs(10));
/// assert_eq!(caught, Caught::Line("isready".to_owned()));
/// # let _ = wire.kill();
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Wires<'a> {
    launcher: &'a dyn Launcher,
    runtime: Rc<Runtime>,
    control: Control,
    /// How long the arena did not run during waits on its wires.
    paused: Rc<Cell<Duration>>,
}

/// A running process of a bot and its pipes. Dropping it kills its whole group.
pub struct Wire {
    link: Link,
    process: Process,
    /// Why nothing more will come.
    broken: Option<&'static str>,
    runtime: Rc<Runtime>,
    control: Control,
    watchdog: Watchdog,
    paused: Rc<Cell<Duration>>,
}

/// What a wire receives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Caught {
    /// A line, normalised as in the grammar's preamble.
    Line(String),
    /// Nothing more will come. Holds the reason, in words without a subject.
    Broken(&'static str),
    /// Nothing came before the deadline.
    Nothing,
    /// The run was ended from outside.
    Ended,
}

/// The remains of a process that has ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExitReport {
    /// How it ended, if by itself: `exit 1`, `signal 9`.
    pub exit: Option<String>,
    /// The last lines of its standard error, escaped.
    pub stderr: Vec<String>,
}

impl<'a> Wires<'a> {
    /// Returns wires whose processes `launcher` starts. `control` ends every wait.
    ///
    /// # Errors
    /// When the system does not provide the resources to wait for a process.
    pub fn new(launcher: &'a dyn Launcher, control: Control) -> io::Result<Self> {
        let runtime = Rc::new(Builder::new_current_thread().enable_all().build()?);
        Ok(Self { launcher, runtime, control, paused: Rc::default() })
    }

    /// Starts a process as games do. A write may take at most `write_limit`.
    ///
    /// # Errors
    /// When the system cannot start it.
    pub fn open(&self, launch: &Launch, write_limit: Duration) -> io::Result<Wire> {
        let _context = self.runtime.enter();
        let mut process = self.launcher.launch(&launch.to_process_spec())?;
        let transport = Transport::of(&mut process).ok_or_else(|| io::Error::other("its pipes are taken"))?;
        let link = Link::new(transport, write_limit);
        let (runtime, control) = (Rc::clone(&self.runtime), self.control.clone());
        let (watchdog, paused) = (Watchdog::default(), Rc::clone(&self.paused));
        Ok(Wire { link, process, broken: None, runtime, control, watchdog, paused })
    }

    /// Returns how long the arena itself did not run (stopped, frozen, asleep) in all waits on its wires. Nobody read the bots
    /// then, and no bot is to blame.
    #[must_use]
    pub fn paused(&self) -> Duration {
        self.paused.get()
    }
}

impl Wire {
    /// Queues a text, which is written during the next wait. Resets the count of output.
    pub fn send(&mut self, text: &str) {
        self.link.start_ply();
        self.link.send(text);
    }

    /// Writes what was sent and returns what comes next, with the instant at which it was read. Output that has already come is
    /// returned even after the deadline.
    pub fn receive(&mut self, deadline: Instant) -> (Caught, Instant) {
        if let Some(why) = self.broken {
            return (Caught::Broken(why), Instant::now());
        }
        let (link, control, watchdog) = (&mut self.link, &self.control, &mut self.watchdog);
        watchdog.reset();
        let caught = self.runtime.block_on(async {
            // Ask the system for news before checking the deadline.
            yield_now().await;
            let next = poll_fn(|cx| match link.poll(cx) {
                Poll::Ready(signal) => Poll::Ready(signal),
                Poll::Pending => {
                    watchdog.poll(cx);
                    Poll::Pending
                }
            });
            let next = timeout_at(deadline.into(), next);
            tokio::select! {
                biased;
                () = control.finishing() => None,
                next = next => Some(next),
            }
        });
        self.paused.set(self.paused.get() + watchdog.look(tokio::time::Instant::now()));
        match caught {
            None => (Caught::Ended, Instant::now()),
            Some(Ok((LinkSignal::Line(line), at))) => (Caught::Line(line), at.into_std()),
            Some(Ok((LinkSignal::Broken(why), at))) => {
                let why = words(why);
                self.broken = Some(why);
                (Caught::Broken(why), at.into_std())
            }
            Some(Err(_)) => (Caught::Nothing, Instant::now()),
        }
    }

    /// Returns the beginning of an unfinished line.
    #[must_use]
    pub fn unfinished(&self) -> &[u8] {
        self.link.unfinished()
    }

    /// Closes the input once everything is written.
    pub const fn close_input(&mut self) {
        self.link.close();
    }

    /// Waits for the end of the process and returns how it ended, or `None` if it has not by the deadline. It does not read
    /// output: first receive until the wire is broken.
    pub fn ended(&mut self, deadline: Instant) -> Option<String> {
        let (process, control) = (&self.process, &self.control);
        self.runtime.block_on(async {
            tokio::select! {
                () = control.finishing() => {}
                _ = timeout_at(deadline.into(), process.ended()) => {}
            }
        });
        self.process.status()
    }

    /// Kills the process with its group and returns its remains.
    #[must_use]
    pub fn kill(self) -> ExitReport {
        let Self { process, runtime, .. } = self;
        runtime.block_on(async {
            let ended = process.kill().await;
            reap_dropped().await;
            ExitReport { exit: ended.status, stderr: last_lines(&ended.stderr) }
        })
    }
}

fn words(why: Break) -> &'static str {
    static OVERLONG: LazyLock<String> =
        LazyLock::new(|| format!("wrote a line of more than {MAX_BOT_LINE} bytes"));
    static FLOOD: LazyLock<String> = LazyLock::new(|| {
        format!("wrote more than {} MiB without being asked anything else", MAX_OUTPUT_PER_PLY / 1024 / 1024)
    });
    static LINES: LazyLock<String> = LazyLock::new(|| {
        format!("wrote more than {MAX_LINES_PER_PLY} lines without being asked anything else")
    });
    match why {
        Break::Output => "closed its output",
        Break::Input => "closed its input",
        Break::Process => "ended",
        Break::Overlong => &OVERLONG,
        Break::Flood => &FLOOD,
        Break::Lines => &LINES,
        Break::Unread(_) => "did not read its input",
    }
}
