//! `arena perft`: the number of lines of a game's tree, the classic check of a move generator.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::thread;
use std::time::Instant;

use diagnostic::Exit;
use diagnostic::Failure;
use diagnostic::output;
use rules::PerftResources;
use serde::Serialize;
use tournament_file::game_options::position_error;

use crate::positions::game_arguments::GameArguments;

/// The greatest depth: the counting descends one stack frame a ply, and no game has so few plies that
/// anything deeper could ever be counted.
const MOST_PLIES: u32 = 100;

/// The greatest number of threads: more than any machine has cores.
const MOST_THREADS: usize = 1024;

/// The largest table, in megabytes.
const MOST_MEGABYTES: usize = 1 << 20;

/// Counts the lines of exactly DEPTH plies.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: `arena perft farook 4 --divide`.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// The length of the lines, in plies.
    #[arg(value_parser = read_depth, allow_negative_numbers = true)]
    depth: u32,
    /// How many threads count: a number, or `all` for one per core.
    #[arg(long, value_name = "N", value_parser = read_threads, default_value = "1")]
    threads: NonZeroUsize,
    /// Count a position that is reached again only once, with a table of this many megabytes.
    #[arg(long, value_name = "MB", value_parser = read_megabytes)]
    hash: Option<usize>,
    /// Split the count by first ply.
    #[arg(long)]
    divide: bool,
    /// Write one line of JSON instead.
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let setup = self.game.setup()?;
        let effort = PerftResources { threads: self.threads, table: self.hash.unwrap_or(0) << 20 };
        let start = Instant::now();
        let parts = self.divide.then(|| setup.divide_with(self.game.from(), self.depth, effort)).transpose();
        let parts = parts.map_err(|error| position_error(&setup, &error))?;
        let nodes = match &parts {
            // There is no first ply to split one line of no plies by.
            Some(parts) if self.depth > 0 => Ok(parts.iter().map(|(_, nodes)| nodes).sum()),
            _ => setup.perft_with(self.game.from(), self.depth, effort),
        };
        let nodes = nodes.map_err(|error| position_error(&setup, &error))?;
        let seconds = start.elapsed().as_secs_f64();
        let count = Count { depth: self.depth, nodes, seconds, divide: parts.map(BTreeMap::from_iter) };
        output::print(&if self.json { count.to_json() } else { count.to_text() })?;
        Ok(Exit::Done)
    }
}

fn read_depth(text: &str) -> Result<u32, String> {
    let depth = text.parse().ok().filter(|depth| *depth <= MOST_PLIES);
    depth.ok_or_else(|| format!("it must be a whole number from 0 to {MOST_PLIES}"))
}

fn read_threads(text: &str) -> Result<NonZeroUsize, String> {
    if text == "all" {
        return Ok(thread::available_parallelism().unwrap_or(NonZeroUsize::MIN));
    }
    let threads = text.parse().ok().filter(|threads: &NonZeroUsize| threads.get() <= MOST_THREADS);
    threads.ok_or_else(|| format!("it must be `all` or a whole number from 1 to {MOST_THREADS}"))
}

fn read_megabytes(text: &str) -> Result<usize, String> {
    let megabytes = text.parse().ok().filter(|megabytes| (1..=MOST_MEGABYTES).contains(megabytes));
    megabytes.ok_or_else(|| format!("it must be a whole number from 1 to {MOST_MEGABYTES}"))
}

/// What was counted; scripts rely on these keys.
#[derive(Serialize)]
struct Count {
    depth: u32,
    nodes: u64,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<BTreeMap<String, u64>>,
}

impl Count {
    fn to_text(&self) -> String {
        let mut text = String::new();
        for (ply, nodes) in self.divide.iter().flatten() {
            let _ = writeln!(text, "{ply} {nodes}");
        }
        let _ = writeln!(text, "nodes     {}\nseconds   {:.3}", self.nodes, self.seconds);
        // A rate of a moment too short to measure says nothing.
        if self.seconds >= 0.001 {
            let _ = writeln!(text, "nodes/s   {:.0}", self.nodes as f64 / self.seconds);
        }
        text
    }

    fn to_json(&self) -> String {
        serde_json::to_string(self).expect("numbers can be written as JSON") + "\n"
    }
}
