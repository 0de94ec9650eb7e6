//! The other end of the round trips: it sends every line back.

use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

/// Sends every line back until the input ends, and keeps the processor busy for this long before each.
///
/// # Errors
/// When reading or writing fails.
pub fn echo(think: Duration, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        think_for(think);
        output.write_all(&line)?;
        output.flush()?;
        line.clear();
    }
    Ok(())
}

/// Keeps the processor busy for this long, by the clock.
pub(crate) fn think_for(time: Duration) {
    let since = Instant::now();
    while since.elapsed() < time {
        std::hint::spin_loop();
    }
}
