//! `arena bench`: how fast the rules are on this machine; `arena bench harness`, how fast the arena itself is; `arena
//! bench fairness`, whether it charges the time of all bots alike; `arena bench workers`, what workers cost.

mod echo;
mod fairness;
mod harness;
mod instant;
mod rules;
mod workers;

use diagnostic::{Exit, Failure};
use live::Interrupts;
use runner::Control;
use serde::Serialize;

/// The arguments of `arena bench`.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    part: Option<Part>,
    #[command(flatten)]
    rules: rules::Arguments,
}

/// What is measured instead of the rules.
#[derive(Debug, clap::Subcommand)]
enum Part {
    /// Measure what the arena itself costs, beside the least that pipes cost on this machine.
    Harness(harness::Arguments),
    /// Measure whether both seats, and both of two equal bots, are charged alike.
    Fairness(fairness::Arguments),
    /// Measure what workers cost: games a second over a broker, beside those of one process.
    Workers(workers::Arguments),
    /// Be the bot of these measurements: it plays a given line, at once or after a fixed time.
    Bot(instant::Arguments),
    /// Be the other end of the round trips: every line comes back.
    Echo(echo::Arguments),
}

impl Arguments {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        match &self.part {
            None => self.rules.run(),
            Some(Part::Harness(arguments)) => until_interrupted(|control| arguments.run(control)),
            Some(Part::Fairness(arguments)) => until_interrupted(|control| arguments.run(control)),
            Some(Part::Workers(arguments)) => until_interrupted(|control| arguments.run(control)),
            Some(Part::Bot(arguments)) => arguments.run(),
            Some(Part::Echo(arguments)) => arguments.run(),
        }
    }
}

/// Measures until a signal ends it, and the arena that plays for it.
fn until_interrupted(measure: impl Fn(&Control) -> Result<Exit, Failure>) -> Result<Exit, Failure> {
    let control = Control::new();
    let _interrupts = Interrupts::listen(control.clone())?;
    measure(&control)
        .or_else(|failure| if control.is_finishing() { Ok(Exit::Interrupted) } else { Err(failure) })
}

/// Writes what was measured as one line of JSON.
fn to_line(measured: &impl Serialize) -> String {
    serde_json::to_string(measured).expect("numbers can be written as JSON") + "\n"
}
