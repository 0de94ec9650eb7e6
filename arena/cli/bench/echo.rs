//! The other end of the round trips: a process that sends every line back.

use std::io::{self, BufRead as _, Write as _};

use crate::diagnostic::Failure;
use crate::exit::Exit;

/// What `arena bench echo` is told.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {}

impl Arguments {
    /// Sends lines back until the input ends.
    #[expect(clippy::unused_self, reason = "every command is run alike")]
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        echo().map_err(|error| Failure::io("failed to send a line back", &error))?;
        Ok(Exit::Done)
    }
}

fn echo() -> io::Result<()> {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        output.write_all(&line)?;
        output.flush()?;
        line.clear();
    }
    Ok(())
}
