//! `arena bench workers`: how many games a second workers play over a broker, beside one process on the same cores.

use std::num::{NonZeroU16, NonZeroUsize};

use clap::Args;
use diagnostic::{Exit, Failure, output, say};
use fleet::{Address, Workplace};
use measure::WorkersBench;
use runner::Control;
use tournament_file::game_options;

use super::to_line;

/// The arguments of `arena bench workers`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// How many workers of this machine play; one process beside them plays as many games at once
    #[arg(long, value_name = "N", default_value = "4", value_parser = clap::value_parser!(u16).range(1..=1024))]
    workers: u16,
    /// The game, with options after a colon
    #[arg(long, value_name = "GAME", default_value = "fanorona")]
    game: String,
    /// How many pairs of games the long run of each way plays
    #[arg(long, value_name = "N", default_value = "5000", value_parser = clap::value_parser!(u64).range(50..=100_000))]
    pairs: u64,
    /// How often both ways are measured; the median counts
    #[arg(long, value_name = "N", default_value = "3", value_parser = clap::value_parser!(u32).range(1..=100))]
    repeat: u32,
    /// Write one line of JSON instead
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// Measures and prints. Ends with 1 where workers play less than four fifths of what one process plays.
    pub(crate) fn run(&self, control: &Control) -> Result<Exit, Failure> {
        let setup = game_options::setup(&self.game, &[])?;
        // A broker that is missing is told at once, in words of its own, and not after minutes of games.
        drop(Workplace::open(&Address::Local(1), None)?);
        let workers = NonZeroUsize::from(NonZeroU16::new(self.workers).unwrap_or(NonZeroU16::MIN));
        let (pairs, repeat) = (self.pairs, self.repeat);
        let bench = WorkersBench { setup: &setup, workers, pairs, repeat, tell: &say, control };
        let measured =
            bench.measure().map_err(|error| Failure::io("failed to measure what workers cost", &error))?;
        output::print(&match self.json {
            true => to_line(&measured),
            false => format!(
                "one process   {:>8.0} games/s, {workers} at once\n{:<13} {:>8.0} games/s over a broker: {:.0} %\n",
                measured.alone,
                output::count(workers.get() as u64, "worker"),
                measured.fleet,
                measured.ratio * 100.0
            ),
        })?;
        Ok(if measured.is_small() { Exit::Done } else { Exit::No })
    }
}
