//! `arena bench echo`: the other end of the round trips.

use std::io;
use std::time::Duration;

use diagnostic::{Exit, Failure};

/// The arguments of `arena bench echo`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Keep the processor busy for this many microseconds before every line
    #[arg(long, value_name = "MICROSECONDS", default_value = "0")]
    think: u32,
}

impl Arguments {
    /// Sends lines back until the input ends.
    #[expect(clippy::disallowed_methods, reason = "it speaks to what measures")]
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        measure::echo(Duration::from_micros(self.think.into()), io::stdin().lock(), io::stdout().lock())
            .map_err(|error| Failure::io("failed to send a line back", &error))?;
        Ok(Exit::Done)
    }
}
