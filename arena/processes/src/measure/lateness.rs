//! How late this machine is: timers and round trips over pipes, with programs beside that use a processor each.
//!
//! Every lane is measured on one thread with a runtime of its own, beside one program that works all the time, by one that
//! answers at once.

use std::io;
use std::num::NonZeroUsize;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::runtime;
use tokio::time::{Instant, sleep_until, timeout_at};

use crate::{Launcher, Process, ProcessSpec};

/// How far ahead each timer is set.
const AHEAD: Duration = Duration::from_millis(5);
/// How long an answer may take before the measurement is given up.
const PATIENCE: Duration = Duration::from_secs(10);

/// What was measured: every list in ascending order, one entry a measurement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lateness {
    /// By how much timers were late.
    pub timers: Vec<Duration>,
    /// How long it took from a line to a program to the line that answers it at once.
    pub trips: Vec<Duration>,
}

impl Lateness {
    fn add(&mut self, other: Self) {
        self.timers.extend(other.timers);
        self.trips.extend(other.trips);
    }
}

/// Returns the value that the given share of an ascending list does not exceed, by the nearest rank; nothing for an empty
/// list. The share is from 0 to 1.
///
/// ```
/// use std::time::Duration;
///
/// let times = [1, 2, 3, 9].map(Duration::from_millis);
/// assert_eq!(processes::quantile(&times, 0.5), Some(times[1]));
/// ```
#[must_use]
pub fn quantile(ascending: &[Duration], share: f64) -> Option<Duration> {
    let rank = (share * ascending.len() as f64).ceil() as usize;
    ascending.get(rank.clamp(1, ascending.len().max(1)) - 1).copied()
}

/// A program that is talked to line by line.
#[derive(Clone, Copy, Debug)]
pub struct Talk<'a> {
    /// What its process is started from.
    pub spec: &'a ProcessSpec,
    /// What it is sent first, each text with the line by which it says that it is done with it.
    pub greeting: &'a [(&'a str, &'a str)],
    /// What it is sent then.
    pub text: &'a str,
}

/// Measures for about `time` on this many lanes at once. The text of `prompt` is sent again and again, and answered with the line
/// `answer`; that of `busy` is sent once, and gives it work for longer than the measurement takes.
///
/// # Errors
/// When a program cannot be started, or does not answer within 10 seconds.
pub fn lateness(
    launcher: &dyn Launcher,
    prompt: Talk<'_>,
    answer: &str,
    busy: Talk<'_>,
    lanes: NonZeroUsize,
    time: Duration,
) -> io::Result<Lateness> {
    let lane = || -> io::Result<Lateness> {
        let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(measure(launcher, prompt, answer, busy, time))
    };
    let mut whole = Lateness::default();
    std::thread::scope(|scope| -> io::Result<()> {
        let lanes: Vec<_> = (0..lanes.get()).map(|_| scope.spawn(lane)).collect();
        // Every lane is waited for, whatever the others came to.
        let measured: Vec<_> =
            lanes.into_iter().map(|lane| lane.join().expect("a lane does not panic")).collect();
        for lane in measured {
            whole.add(lane?);
        }
        Ok(())
    })?;
    whole.timers.sort_unstable();
    whole.trips.sort_unstable();
    Ok(whole)
}

async fn measure(
    launcher: &dyn Launcher,
    prompt: Talk<'_>,
    answer: &str,
    busy: Talk<'_>,
    time: Duration,
) -> io::Result<Lateness> {
    let mut worker = Talker::start(launcher, busy.spec)?;
    let mut prompter = Talker::start(launcher, prompt.spec)?;
    let measured = async {
        prompter.greet(prompt.greeting).await?;
        worker.greet(busy.greeting).await?;
        worker.tell(busy.text).await?;
        sample(&mut prompter, prompt.text, answer, time).await
    };
    let measured = measured.await;
    worker.process.kill().await;
    prompter.process.kill().await;
    measured
}

async fn sample(prompter: &mut Talker, text: &str, answer: &str, time: Duration) -> io::Result<Lateness> {
    let mut lateness = Lateness::default();
    let end = Instant::now() + time;
    while Instant::now() < end {
        let due = Instant::now() + AHEAD;
        sleep_until(due).await;
        lateness.timers.push(due.elapsed());
        let asked = Instant::now();
        prompter.ask(text, answer).await?;
        lateness.trips.push(asked.elapsed());
    }
    Ok(lateness)
}

/// A program at the other end of two pipes.
struct Talker {
    process: Process,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl Talker {
    fn start(launcher: &dyn Launcher, spec: &ProcessSpec) -> io::Result<Self> {
        let mut process = launcher.launch(spec)?;
        let pipes = process.take_pipes();
        let (input, output) =
            pipes.ok_or_else(|| io::Error::other("a program of the measurement has no pipes"))?;
        Ok(Self { process, input, output: BufReader::new(output).lines() })
    }

    async fn greet(&mut self, greeting: &[(&str, &str)]) -> io::Result<()> {
        for (text, answer) in greeting {
            self.ask(text, answer).await?;
        }
        Ok(())
    }

    async fn tell(&mut self, lines: &str) -> io::Result<()> {
        self.input.write_all(format!("{lines}\n").as_bytes()).await
    }

    /// Writes a line and reads until the answer comes.
    async fn ask(&mut self, line: &str, answer: &str) -> io::Result<()> {
        self.tell(line).await?;
        let deadline = Instant::now() + PATIENCE;
        loop {
            let read = timeout_at(deadline, self.output.next_line()).await;
            match read.map_err(|_| {
                io::Error::new(io::ErrorKind::TimedOut, "a program of the measurement is silent")
            })?? {
                Some(text) if text == answer => return Ok(()),
                Some(_) => {}
                None => {
                    return Err(io::Error::new(
                        io::ErrorKind::UnexpectedEof,
                        "a program of the measurement has ended",
                    ));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_values_of_the_list() {
        let list: Vec<_> = (1..=200).map(Duration::from_millis).collect();
        let of = |share| quantile(&list, share).map(|value| value.as_millis());
        assert_eq!((of(0.0), of(0.5), of(0.99), of(1.0)), (Some(1), Some(100), Some(198), Some(200)));
        assert_eq!(quantile(&list[..1], 0.5), Some(list[0]));
        assert_eq!(quantile(&[], 0.5), None);
    }
}
