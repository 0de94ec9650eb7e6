//! The least that a question can cost: a line to another process and a line back, over pipes, and nothing else.

use std::io::{self, Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use runner::Cpus;

/// How many parts the round trips are measured in: the fastest counts, since others can only slow one down.
const PARTS: u32 = 5;

/// What is sent, the length of a short `go`.
const LINE: &[u8] = b"go p1time 600000 p2time 600000\n";

/// Returns how long a round trip takes between this process on `here` and another on `there`, from so many.
///
/// # Errors
/// When the other process cannot be started, kept to its processors, or talked to.
pub(super) fn round_trip(count: u32, here: &Cpus, there: &Cpus) -> io::Result<Duration> {
    let mut child = start(there)?;
    let measured = here.take().and_then(|()| measure(&mut child, count));
    // It ends with its input.
    drop(child.stdin.take());
    child.wait()?;
    measured
}

/// Starts the other process where it belongs: it inherits the processors of the thread that starts it.
fn start(there: &Cpus) -> io::Result<Child> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["bench", "echo"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    thread::scope(|scope| {
        let started = scope.spawn(|| there.take().and_then(|()| command.spawn())).join();
        started.unwrap_or_else(|_| Err(io::Error::other("the thread that starts the other process panicked")))
    })
}

fn measure(child: &mut Child, count: u32) -> io::Result<Duration> {
    let pipes = child.stdin.as_mut().zip(child.stdout.as_mut());
    let (input, output) = pipes.ok_or_else(|| io::Error::other("the other process has no pipes"))?;
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
