//! `arena doctor`: whether this machine can play games on the clock, and with which margin and concurrency.

mod advice;
mod confinement;
mod machine;
mod pinning;

use std::env;
use std::fmt::Write as _;
use std::io;
use std::num::NonZeroUsize;
use std::time::Duration;

use diagnostic::Exit;
use diagnostic::Failure;
use diagnostic::output;
use runner::{Launch, Starts, Topology, lateness, quantile};
use serde_json::json;
use settings::{Carrier, Pin};
use tournament_file::launcher;

use crate::doctor::advice::{Advice, Spread, advise};
use crate::doctor::machine::Machine;

/// How long is measured.
const TIME: Duration = Duration::from_secs(3);

/// How many processes are started in each way.
const STARTS: usize = 20;

/// Measures how late timers and round trips to a bot are on this machine while as many bots think, and advises a margin
/// and a concurrency. Ends with 1 where something is unfit.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// How many games at once to measure with: a number, or `auto`
    #[arg(long, value_name = "N", default_value = "auto", value_parser = tournament_file::read_concurrency, allow_negative_numbers = true)]
    concurrency: NonZeroUsize,
    /// Write one line of JSON instead
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let topology = Topology::of_this_machine();
        let machine = Machine::look(topology.as_ref());
        let games = self.concurrency;
        let measured = lateness(launcher()?, &bot("random")?, &bot("alphabeta")?, games, TIME);
        let measured = measured.map_err(|error| {
            Failure::io(
                format!("failed to measure with {}", output::count(games.get() as u64, "game")),
                &error,
            )
        })?;
        let starts = runner::starts(launcher()?, &bot("random")?, STARTS)
            .map_err(|error| Failure::io("failed to measure with a bot of the arena", &error))?;
        let spreads = [&measured.timers, &measured.trips].map(|list| spread(list));
        let needed = runner::descriptors(games.get());
        let advice =
            advise(&machine, spreads, games.get(), needed, tournament_file::spare_cores(Pin::Off).get());
        let (bare, levels) = confinement::measure()
            .map_err(|error| Failure::io("failed to measure what confining a bot costs", &error))?;
        output::print(&if self.json {
            to_json(&machine, spreads, games.get(), &starts, &advice, &confinement::to_json(bare, &levels))
        } else {
            let cores = topology.as_ref().map(pinning::to_text).unwrap_or_default();
            to_text(&machine, &cores, spreads, games.get(), &starts, &advice)
                + &confinement::to_text(bare, &levels)
        })?;
        Ok(if advice.unfit.is_empty() { Exit::Done } else { Exit::No })
    }
}

/// Returns how a bot of the arena is started.
fn bot(name: &str) -> Result<Launch, Failure> {
    let fault = |error: io::Error| Failure::io("failed to find the arena's own executable", &error);
    Ok(Launch {
        program: env::current_exe().map_err(fault)?,
        args: ["bot", name].map(Into::into).to_vec(),
        dir: env::current_dir().map_err(fault)?,
        env: Vec::new(),
        io: Carrier::Pipe,
        prefix: Vec::new(),
        is_private: false,
        quota: settings::Quota::default(),
    })
}

fn spread(ascending: &[Duration]) -> Spread {
    let at = |share| quantile(ascending, share).unwrap_or_default();
    Spread { median: at(0.5), p99: at(0.99), most: at(1.0), count: ascending.len() }
}

/// Returns what was measured of processes, each with its name for readers and for programs.
fn costs(starts: &Starts) -> [(&'static str, &'static str, Spread); 5] {
    [
        ("bare start", "bare_start", spread(&starts.bare)),
        ("guarded start", "guarded_start", spread(&starts.launched)),
        ("bare end", "bare_end", spread(&starts.bare_ends)),
        ("guarded end", "guarded_end", spread(&starts.ends)),
        ("stop, go on", "freeze", spread(&starts.freezes)),
    ]
}

fn to_text(
    machine: &Machine,
    cores: &str,
    spreads: [Spread; 2],
    games: usize,
    starts: &Starts,
    advice: &Advice,
) -> String {
    let mut text = String::new();
    let count = machine
        .cores
        .map_or_else(String::new, |cores| format!(", {}", output::count(cores as u64, "physical core")));
    let _ = writeln!(text, "machine      {}{count}", output::count(machine.processors as u64, "processor"));
    text.push_str(cores);
    let mut line = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            let _ = writeln!(text, "{name:<12} {value}");
        }
    };
    line("threads", machine.smt.map(|smt| if smt { "several a core" } else { "one a core" }.to_owned()));
    line("load", machine.load.map(|load| format!("{load:.2} in the last minute")));
    line("descriptors", machine.descriptors.map(|limit| format!("at most {limit}")));
    line("processes", machine.processes.map(|limit| format!("at most {limit}")));
    line("clock", machine.clock_source.clone());
    let _ = writeln!(text, "\nwith {} thinking, in milliseconds", output::count(games as u64, "bot"));
    let _ = writeln!(text, "  {:<14}{:>9}{:>9}{:>9}{:>9}", "", "median", "99 %", "most", "measured");
    for (name, spread) in ["timers late", "round trips"].iter().zip(spreads) {
        row(&mut text, name, spread);
    }
    let _ = writeln!(text, "\nprocesses of bots, in milliseconds");
    for (name, _, spread) in costs(starts) {
        row(&mut text, name, spread);
    }
    let usual = settings::Conditions::default().margin.as_millis();
    let margin = match advice.margin_ms {
        margin if u128::from(margin) <= usual => {
            format!("the usual margin of {usual} ms suffices; {margin} ms would")
        }
        margin => format!("set `margin: {margin}ms`: twice the longest delay seen"),
    };
    let _ = writeln!(text, "\nmargin       {margin}");
    let _ = writeln!(text, "concurrency  {} at once is a game for every core but one", advice.concurrency);
    for note in &advice.notes {
        let _ = writeln!(text, "note: {note}");
    }
    for fault in &advice.unfit {
        let _ = writeln!(text, "unfit: {fault}");
    }
    text
}

fn row(text: &mut String, name: &str, spread: Spread) {
    let ms = |time: Duration| format!("{:.2}", time.as_micros() as f64 / 1000.0);
    let Spread { median, p99, most, count } = spread;
    let _ = writeln!(text, "  {name:<14}{:>9}{:>9}{:>9}{count:>9}", ms(median), ms(p99), ms(most));
}

fn to_json(
    machine: &Machine,
    spreads: [Spread; 2],
    games: usize,
    starts: &Starts,
    advice: &Advice,
    sandbox: &serde_json::Value,
) -> String {
    let spread = |spread: Spread| {
        let ms = |time: Duration| time.as_micros() as f64 / 1000.0;
        json!({
            "median_ms": ms(spread.median),
            "p99_ms": ms(spread.p99),
            "max_ms": ms(spread.most),
            "measured": spread.count,
        })
    };
    let [timers, trips] = spreads.map(spread);
    let processes: serde_json::Map<_, _> =
        costs(starts).into_iter().map(|(_, name, of)| (name.to_owned(), spread(of))).collect();
    let whole = json!({
        "machine": machine,
        "games": games,
        "timers": timers,
        "round_trips": trips,
        "processes": processes,
        "advice": advice,
        "sandbox": sandbox,
        "fit": advice.unfit.is_empty(),
    });
    whole.to_string() + "\n"
}
