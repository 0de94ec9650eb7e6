//! The least that a question can cost: a line to another process and a line back, over pipes, and nothing else.

use std::io::{self, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use processes::Cpus;

/// How many parts the round trips are measured in: the fastest counts, since others can only slow one down.
const PARTS: u32 = 5;

/// What is sent, the length of a short `go`.
const LINE: &[u8] = b"go p1time 600000 p2time 600000\n";

/// Returns how long a round trip takes between this process on `here` and another on `there`, from this many.
///
/// # Errors
/// When the other process cannot be started, kept to its processors, or talked to.
pub(crate) fn round_trip(count: u32, here: &Cpus, there: &Cpus) -> io::Result<Duration> {
    with_echo(Duration::ZERO, here, there, |child| measure(child, count))
}

/// Returns the median of what this many round trips take beyond the time for which the other process keeps the processor
/// busy: what is charged to a bot for pipes alone.
///
/// # Errors
/// As [`round_trip`].
pub(crate) fn beyond(think: Duration, count: usize, here: &Cpus, there: &Cpus) -> io::Result<Duration> {
    with_echo(think, here, there, |child| {
        let mut times = Vec::with_capacity(count);
        let mut buffer = [0; LINE.len()];
        let (input, output) = pipes(child)?;
        for _ in 0..count {
            let began = Instant::now();
            input.write_all(LINE)?;
            output.read_exact(&mut buffer)?;
            times.push(began.elapsed().saturating_sub(think));
        }
        times.sort_unstable();
        Ok(times.get(times.len().saturating_sub(1) / 2).copied().unwrap_or_default())
    })
}

fn with_echo<T>(
    think: Duration,
    here: &Cpus,
    there: &Cpus,
    measure: impl FnOnce(&mut Child) -> io::Result<T>,
) -> io::Result<T> {
    let mut child = start(think, there)?;
    let measured = here.take().and_then(|()| measure(&mut child));
    // It ends with its input.
    drop(child.stdin.take());
    child.wait()?;
    measured
}

fn pipes(child: &mut Child) -> io::Result<(&mut ChildStdin, &mut ChildStdout)> {
    let pipes = child.stdin.as_mut().zip(child.stdout.as_mut());
    pipes.ok_or_else(|| io::Error::other("the other process has no pipes"))
}

/// Starts the other process where it belongs: it inherits the processors of the thread that starts it.
fn start(think: Duration, there: &Cpus) -> io::Result<Child> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["bench", "echo", "--think", &think.as_micros().to_string()]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    thread::scope(|scope| {
        let started = scope.spawn(|| there.take().and_then(|()| command.spawn())).join();
        started.unwrap_or_else(|_| Err(io::Error::other("the thread that starts the other process panicked")))
    })
}

fn measure(child: &mut Child, count: u32) -> io::Result<Duration> {
    let (input, output) = pipes(child)?;
    let mut buffer = [0; LINE.len()];
    let share = (count / PARTS).max(1);
    let mut least = Duration::MAX;
    for _ in 0..PARTS {
        let began = Instant::now();
        for _ in 0..share {
            input.write_all(LINE)?;
            output.read_exact(&mut buffer)?;
        }
        least = least.min(began.elapsed() / share);
    }
    Ok(least)
}
