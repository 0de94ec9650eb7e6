//! `arena doctor`: whether this machine can play games on the clock, and with which margin and concurrency.

use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use diagnostic::{Exit, Failure, output};
use measure::{BugReport, ConfinedLevel, DelaySpread, MachineCheck};
use processes::{ControlGroups, Topology, control_groups};
use runner::Pins;
use settings::Pin;
use tournament::pinning;

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
    /// Write a text to report a bug with, and no verdict on the machine; with the directory of a run, about that run too
    #[arg(long, value_name = "DIR", conflicts_with = "json")]
    report: Option<Option<PathBuf>>,
    #[command(flatten)]
    broker: fleet::BrokerCheckFlags,
}

impl Arguments {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        if let Some(exit) = self.broker.run()? {
            return Ok(exit);
        }
        if let Some(directory) = &self.report {
            let [nats, webhook, jit] =
                [cfg!(feature = "nats"), cfg!(feature = "webhook"), cfg!(feature = "jit")];
            let features = [("nats", nats), ("webhook", webhook), ("jit", jit)];
            let report = BugReport::look(directory.as_deref(), &features)?;
            // A machine that cannot be measured is one to report.
            let measured = MachineCheck::measure(self.concurrency).map_err(|failure| failure.to_string());
            output::print(&report.to_markdown(&measured.map(|check| to_text(&check))))?;
            return Ok(Exit::Done);
        }
        let check = MachineCheck::measure(self.concurrency)?;
        output::print(&if self.json { check.to_json() } else { to_text(&check) })?;
        Ok(if check.advice.unfit.is_empty() { Exit::Done } else { Exit::No })
    }
}

fn to_text(check: &MachineCheck) -> String {
    let MachineCheck { machine, games, advice, .. } = check;
    let mut text = String::new();
    let count = machine
        .cores
        .map_or_else(String::new, |cores| format!(", {}", output::count(cores as u64, "physical core")));
    let _ = writeln!(text, "machine      {}{count}", output::count(machine.processors as u64, "processor"));
    text.push_str(&check.topology.as_ref().map(cores_to_text).unwrap_or_default());
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
    line("modules", Some(own_games::module_engine().to_owned()));
    let _ = writeln!(text, "\nwith {} thinking, in milliseconds", output::count(*games as u64, "bot"));
    let _ = writeln!(text, "  {:<14}{:>9}{:>9}{:>9}{:>9}", "", "median", "99 %", "most", "measured");
    row(&mut text, "timers late", check.timers);
    row(&mut text, "round trips", check.round_trips);
    let _ = writeln!(text, "\nprocesses of bots, in milliseconds");
    for (name, _, spread) in check.processes.named() {
        row(&mut text, name, spread);
    }
    let usual = settings::Conditions::default().margin.as_millis();
    let margin = match advice.margin_ms {
        ms if u128::from(ms) <= usual => format!("the usual margin of {usual} ms suffices; {ms} ms would"),
        ms => format!("set `margin: {ms}ms`: twice the longest delay seen"),
    };
    let _ = writeln!(text, "\nmargin       {margin}");
    let _ = writeln!(text, "concurrency  {} at once is a game for every core but one", advice.concurrency);
    for note in &advice.notes {
        let _ = writeln!(text, "note: {note}");
    }
    for fault in &advice.unfit {
        let _ = writeln!(text, "unfit: {fault}");
    }
    text + &confinement_to_text(check.bare, &check.levels)
}

fn row(text: &mut String, name: &str, spread: DelaySpread) {
    let ms = |time: Duration| format!("{:.2}", time.as_micros() as f64 / 1000.0);
    let DelaySpread { median, p99, most, count } = spread;
    let _ = writeln!(text, "  {name:<14}{:>9}{:>9}{:>9}{count:>9}", ms(median), ms(p99), ms(most));
}

/// Writes what pinning would do, a line each.
fn cores_to_text(topology: &Topology) -> String {
    let mut text = format!("cores        {}\n", pinning::describe_topology(topology));
    let processors: usize = topology.cores().iter().map(|core| core.cpus.len()).sum();
    text.push_str(&format!(
        "pin: auto    a processor for each game of bots that answer at once, up to {} at once\n",
        output::count(processors as u64, "game")
    ));
    for pin in [Pin::Game, Pin::Bot] {
        let line = match Pins::new(pin, Some(topology), 2) {
            Ok(pins) => {
                format!("at most {} at once, on {}", pins.places().len(), pinning::list(&pins, usize::MAX))
            }
            Err(error) => format!("refused: {error}"),
        };
        text.push_str(&format!("{:<12} {line}\n", format!("pin: {pin}")));
    }
    text
}

/// Returns lines for people, each with its name.
fn confinement_to_text(bare: Duration, levels: &[ConfinedLevel]) -> String {
    let ms = |time: Duration| time.as_secs_f64() * 1000.0;
    let line = |it: &ConfinedLevel| match (&it.outcome, it.median) {
        (Ok(in_force), Some(median)) => {
            format!("sandbox      {in_force}: {:+.1} ms a start\n", ms(median) - ms(bare))
        }
        (Ok(in_force), None) => format!("sandbox      {in_force}\n"),
        (Err(why), _) => format!("sandbox      no `{}`: {why}\n", it.level),
    };
    levels.iter().map(line).collect::<String>()
        + &format!("             a bare start takes {:.1} ms\n", ms(bare))
        + &limits_to_text(control_groups())
}

/// Returns lines about what holds bots to their limits.
fn limits_to_text(groups: &ControlGroups) -> String {
    let also = groups.in_force().map_or_else(String::new, |what| format!(" and control groups: {what}"));
    let lacking = groups
        .lacking()
        .map(|why| format!("             no more control groups: {why}; {}\n", ControlGroups::WAY));
    format!("limits       held by guards{also}\n{}", lacking.unwrap_or_default())
}
