//! How late this machine is: timers and round trips over pipes, with as many games as are asked for thinking beside.
//!
//! Each game is a slot as in a run: one thread with a runtime of its own, one bot that thinks all the time and one that
//! answers at once. What is late here would be charged to a bot there.

use std::io;
use std::num::NonZeroUsize;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::runtime;
use tokio::time::{Instant, sleep_until, timeout_at};

use crate::{Launch, Launcher, Process};

/// How far ahead each timer is set.
const AHEAD: Duration = Duration::from_millis(5);
/// How long an answer may take before the measurement is given up.
const PATIENCE: Duration = Duration::from_secs(10);

/// What was measured: every list in ascending order, one entry a measurement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lateness {
    /// By how much timers were late.
    pub timers: Vec<Duration>,
    /// How long it took from a line to a bot to the line that answers it at once.
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
#[must_use]
pub fn quantile(ascending: &[Duration], share: f64) -> Option<Duration> {
    let rank = (share * ascending.len() as f64).ceil() as usize;
    ascending.get(rank.clamp(1, ascending.len().max(1)) - 1).copied()
}

/// Measures for about `time` with so many games at once. `prompt` starts a bot that answers `isready`, `thinker` one that
/// searches Fanorona until a time is over.
///
/// # Errors
/// When a bot cannot be started, or does not answer within 10 seconds.
pub fn lateness(
    launcher: &dyn Launcher,
    prompt: &Launch,
    thinker: &Launch,
    games: NonZeroUsize,
    time: Duration,
) -> io::Result<Lateness> {
    let slot = || -> io::Result<Lateness> {
        let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(measure(launcher, prompt, thinker, time))
    };
    let mut whole = Lateness::default();
    std::thread::scope(|scope| -> io::Result<()> {
        let slots: Vec<_> = (0..games.get()).map(|_| scope.spawn(slot)).collect();
        // Every slot is waited for, whatever the others came to.
        let measured: Vec<_> =
            slots.into_iter().map(|slot| slot.join().expect("a slot does not panic")).collect();
        for slot in measured {
            whole.add(slot?);
        }
        Ok(())
    })?;
    whole.timers.sort_unstable();
    whole.trips.sort_unstable();
    Ok(whole)
}

async fn measure(
    launcher: &dyn Launcher,
    prompt: &Launch,
    thinker: &Launch,
    time: Duration,
) -> io::Result<Lateness> {
    let mut thinking = Partner::start(launcher, thinker)?;
    let mut prompt = Partner::start(launcher, prompt)?;
    let measured = sample(&mut thinking, &mut prompt, time).await;
    thinking.process.kill().await;
    prompt.process.kill().await;
    measured
}

async fn sample(thinking: &mut Partner, prompt: &mut Partner, time: Duration) -> io::Result<Lateness> {
    prompt.ask("ugi", "ugiok").await?;
    thinking.ask("ugi", "ugiok").await?;
    thinking.tell("game fanorona players=2 you=p1 tc=0\nuginewgame").await?;
    thinking.ask("isready", "readyok").await?;
    let search = time.saturating_mul(4).max(Duration::from_secs(1));
    thinking.tell(&format!("position startpos\ngo movetime {}", search.as_millis())).await?;
    let mut lateness = Lateness::default();
    let end = Instant::now() + time;
    while Instant::now() < end {
        let due = Instant::now() + AHEAD;
        sleep_until(due).await;
        lateness.timers.push(due.elapsed());
        let asked = Instant::now();
        prompt.ask("isready", "readyok").await?;
        lateness.trips.push(asked.elapsed());
    }
    Ok(lateness)
}

/// A bot at the other end of two pipes.
struct Partner {
    process: Process,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl Partner {
    fn start(launcher: &dyn Launcher, launch: &Launch) -> io::Result<Self> {
        let mut process = launcher.launch(launch)?;
        let pipes = process.take_pipes();
        let (input, output) =
            pipes.ok_or_else(|| io::Error::other("a bot of the measurement has no pipes"))?;
        Ok(Self { process, input, output: BufReader::new(output).lines() })
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
                io::Error::new(io::ErrorKind::TimedOut, "a bot of the measurement is silent")
            })?? {
                Some(text) if text == answer => return Ok(()),
                Some(_) => {}
                None => {
                    return Err(io::Error::new(
                        io::ErrorKind::UnexpectedEof,
                        "a bot of the measurement has ended",
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
