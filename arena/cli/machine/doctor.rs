//! `arena doctor`: whether this machine can play games on the clock, and with which margin and concurrency.

use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::time::Duration;

use diagnostic::output;
use diagnostic::{Exit, Failure};
use measure::{ConfinedLevel, DelaySpread, MachineCheck, ProcessCosts};
use processes::{ControlGroups, Topology, control_groups};
use runner::Pins;
use serde_json::json;
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
    #[command(flatten)]
    broker: fleet::BrokerCheckFlags,
}

impl Arguments {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        if let Some(exit) = self.broker.run()? {
            return Ok(exit);
        }
        let check = MachineCheck::measure(self.concurrency)?;
        output::print(&if self.json { to_json(&check) } else { to_text(&check) })?;
        Ok(if check.advice.unfit.is_empty() { Exit::Done } else { Exit::No })
    }
}

/// Returns what was measured of processes, each with its name for readers and for programs.
const fn costs(processes: &ProcessCosts) -> [(&'static str, &'static str, DelaySpread); 5] {
    [
        ("bare start", "bare_start", processes.bare_start),
        ("guarded start", "guarded_start", processes.guarded_start),
        ("bare end", "bare_end", processes.bare_end),
        ("guarded end", "guarded_end", processes.guarded_end),
        ("stop, go on", "freeze", processes.freeze),
    ]
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
    let _ = writeln!(text, "\nwith {} thinking, in milliseconds", output::count(*games as u64, "bot"));
    let _ = writeln!(text, "  {:<14}{:>9}{:>9}{:>9}{:>9}", "", "median", "99 %", "most", "measured");
    row(&mut text, "timers late", check.timers);
    row(&mut text, "round trips", check.round_trips);
    let _ = writeln!(text, "\nprocesses of bots, in milliseconds");
    for (name, _, spread) in costs(&check.processes) {
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

fn to_json(check: &MachineCheck) -> String {
    let spread = |spread: DelaySpread| {
        let ms = |time: Duration| time.as_micros() as f64 / 1000.0;
        json!({
            "median_ms": ms(spread.median),
            "p99_ms": ms(spread.p99),
            "max_ms": ms(spread.most),
            "measured": spread.count,
        })
    };
    let processes: serde_json::Map<_, _> =
        costs(&check.processes).into_iter().map(|(_, name, of)| (name.to_owned(), spread(of))).collect();
    let whole = json!({
        "machine": check.machine,
        "games": check.games,
        "timers": spread(check.timers),
        "round_trips": spread(check.round_trips),
        "processes": processes,
        "advice": check.advice,
        "sandbox": confinement_to_json(check.bare, &check.levels),
        "fit": check.advice.unfit.is_empty(),
    });
    whole.to_string() + "\n"
}

/// Returns the same for programs.
fn confinement_to_json(bare: Duration, levels: &[ConfinedLevel]) -> serde_json::Value {
    let ms = |time: Duration| time.as_micros() as f64 / 1000.0;
    let level = |it: &ConfinedLevel| {
        json!({
            "level": it.level,
            "in_force": it.outcome.as_ref().ok(),
            "refused": it.outcome.as_ref().err(),
            "median_ms": it.median.map(ms),
        })
    };
    let groups = control_groups();
    json!({
        "bare_ms": ms(bare),
        "levels": levels.iter().map(level).collect::<Vec<_>>(),
        "cgroups": {"in_force": groups.in_force(), "lacking": groups.lacking()},
    })
}
