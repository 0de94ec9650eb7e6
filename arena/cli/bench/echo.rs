//! The other end of the round trips: a process that sends every line back.

use std::io::{self, BufRead as _, Write as _};
use std::time::{Duration, Instant};

use diagnostic::Exit;
use diagnostic::Failure;

/// What `arena bench echo` is told.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Keep the processor busy for so many microseconds before every line
    #[arg(long, value_name = "MICROSECONDS", default_value = "0")]
    think: u32,
}

impl Arguments {
    /// Sends lines back until the input ends.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        echo(Duration::from_micros(self.think.into()))
            .map_err(|error| Failure::io("failed to send a line back", &error))?;
        Ok(Exit::Done)
    }
}

#[expect(clippy::disallowed_methods, reason = "a bot speaks to the arena")]
fn echo(think: Duration) -> io::Result<()> {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        think_for(think);
        output.write_all(&line)?;
        output.flush()?;
        line.clear();
    }
    Ok(())
}

/// Keeps the processor busy for so long, by the clock.
pub(super) fn think_for(time: Duration) {
    let since = Instant::now();
    while since.elapsed() < time {
        std::hint::spin_loop();
    }
}
