//! `cargo bench -p runner --bench ways`: what a line to another process and a line back cost, by how they travel and how the
//! answer is awaited.
//!
//! `read` sleeps in a blocking read; `poll` in `poll` and reads then, as the match loop does; `yield` tries to read, and lets
//! others run if there is nothing; `spin` tries to read again and again. Ways take turns, and the fastest of several parts
//! counts, since other programs can only slow one down. "Own" is processor time of the side that asks.

#[cfg(not(unix))]
fn main() {
    eprintln!("this benchmark needs a Unix system");
}

#[cfg(unix)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    ways::main()
}

#[cfg(unix)]
mod ways {
    use std::error::Error;
    use std::fs::File;
    use std::io::{self, Read as _, Write as _};
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;
    use std::process::{Child, Command, Stdio};
    use std::time::{Duration, Instant};

    use processes::{Counters, Cpus};
    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    /// What is sent: about as long as a question in the middle of a game of Fanorona.
    const QUESTION: usize = 160;

    /// The rounds of a part, and how many parts there are of each way.
    const ROUNDS: u32 = 20_000;
    const PARTS: u32 = 7;

    /// How the answer is awaited.
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Wait {
        Read,
        Poll,
        Yield,
        Spin,
    }

    /// A row: its name, whether lines travel by a pair of sockets, and how the answer is awaited.
    const WAYS: [(&str, bool, Wait); 6] = [
        ("pipe, read", false, Wait::Read),
        ("pipe, poll", false, Wait::Poll),
        ("pipe, yield", false, Wait::Yield),
        ("pipe, spin", false, Wait::Spin),
        ("socket, read", true, Wait::Read),
        ("socket, poll", true, Wait::Poll),
    ];

    pub(super) fn main() -> Result<(), Box<dyn Error>> {
        if std::env::args().nth(1).as_deref() == Some("echo") {
            return Ok(echo()?);
        }
        let cpus: Vec<Cpus> = Cpus::allowed()
            .ok_or("this system does not tell its processors")?
            .iter()
            .map(|cpu| [cpu].into_iter().collect())
            .collect();
        let here = cpus.last().ok_or("there is no processor")?;
        let there = cpus.first().filter(|other| *other != here);
        println!("{:<14}{:>12}{:>8}{:>16}{:>8}", "us a round", "same core", "own", "another core", "own");
        let places: Vec<&Cpus> = std::iter::once(here).chain(there).collect();
        let mut best = [[(Duration::MAX, Duration::MAX); 2]; WAYS.len()];
        for _ in 0..PARTS {
            for (way, best) in WAYS.iter().zip(&mut best) {
                for (place, best) in places.iter().zip(best) {
                    // On one core the other process could never answer.
                    if way.2 != Wait::Spin || *place != here {
                        *best = (*best).min(part(*way, here, place)?);
                    }
                }
            }
        }
        for ((name, ..), best) in WAYS.iter().zip(best) {
            print!("{name:<14}");
            for ((real, own), width) in best.into_iter().zip([12, 16]) {
                if real == Duration::MAX {
                    print!("{:>width$}{:>8}", "-", "-");
                } else {
                    print!("{:>width$.2}{:>8.2}", real.as_secs_f64() * 1e6, own.as_secs_f64() * 1e6);
                }
            }
            println!();
        }
        Ok(())
    }

    /// The other side: it answers every question.
    fn echo() -> io::Result<()> {
        let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
        let mut question = [0; QUESTION];
        while input.read_exact(&mut question).is_ok() {
            output.write_all(b"bestmove d3e3-\n")?;
            output.flush()?;
        }
        Ok(())
    }

    /// Returns the real time and the own processor time of a round.
    fn part(
        (_, is_socket, wait): (&str, bool, Wait),
        here: &Cpus,
        there: &Cpus,
    ) -> io::Result<(Duration, Duration)> {
        there.take()?;
        let (mut child, mut question, mut answer) = start(is_socket)?;
        here.take()?;
        if matches!(wait, Wait::Yield | Wait::Spin) {
            rustix::io::ioctl_fionbio(&answer, true)?;
        }
        let (mut text, mut buffer) = ([b'x'; QUESTION], [0; QUESTION]);
        text[QUESTION - 1] = b'\n';
        let own = || Counters::now().map_or(Duration::ZERO, |counters| counters.cpu);
        let mut measured = (Instant::now(), own());
        for round in 0..=ROUNDS {
            if round == 1 {
                // The first is the start of the other process.
                measured = (Instant::now(), own());
            }
            question.write_all(&text)?;
            if wait == Wait::Poll {
                let limit = Timespec { tv_sec: 0, tv_nsec: 5_000_000 };
                poll(&mut [PollFd::new(&answer, PollFlags::IN)], Some(&limit))?;
            }
            loop {
                match answer.read(&mut buffer) {
                    Ok(0) => return Err(io::Error::other("the other process has ended")),
                    Ok(_) => break,
                    Err(error) if error.kind() != io::ErrorKind::WouldBlock => return Err(error),
                    Err(_) if wait == Wait::Yield => std::thread::yield_now(),
                    Err(_) => std::hint::spin_loop(),
                }
            }
        }
        let (since, cpu) = measured;
        let took = (since.elapsed() / ROUNDS, own().saturating_sub(cpu) / ROUNDS);
        drop((question, answer));
        child.wait()?;
        Ok(took)
    }

    /// Starts the other side, and returns it with the ends for questions and answers.
    fn start(is_socket: bool) -> io::Result<(Child, File, File)> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("echo");
        if is_socket {
            let (mine, other) = UnixStream::pair()?;
            let child =
                command.stdin(OwnedFd::from(other.try_clone()?)).stdout(OwnedFd::from(other)).spawn()?;
            return Ok((child, OwnedFd::from(mine.try_clone()?).into(), OwnedFd::from(mine).into()));
        }
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (question, answer) = pipes.ok_or_else(|| io::Error::other("the other process has no pipes"))?;
        Ok((child, OwnedFd::from(question).into(), OwnedFd::from(answer).into()))
    }
}
