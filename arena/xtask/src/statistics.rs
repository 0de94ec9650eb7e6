//! `cargo xtask statistics`: whether figures keep their promises, by simulation, in real runs and against oracles.

mod any_time;
mod compare;
mod coverage;
mod journal;
mod lots;
mod oracles;
mod parallel;
mod runs;
mod seats;
mod share;
mod table;

use clap::{Args, ValueEnum};

use self::table::Table;
use crate::shell::ChoreError;

/// What is checked, and how long.
#[derive(Args, Debug)]
pub(crate) struct Request {
    /// What is checked; everything if nothing is named. May be given several times.
    #[arg(long, value_name = "PART")]
    part: Vec<Part>,
    /// How many tournaments of each kind are played by lot.
    #[arg(long, value_name = "N", default_value = "1000", value_parser = clap::value_parser!(u64).range(10..))]
    tournaments: u64,
    /// How many runs of real bots are played of each kind.
    #[arg(long, value_name = "N", default_value = "40", value_parser = clap::value_parser!(u32).range(2..))]
    runs: u32,
    /// Only the kinds of tournaments whose names hold this word.
    #[arg(long, value_name = "WORD")]
    only: Option<String>,
    /// The short form of CI, instead of everything else: fails where a share leaves its band by more than the simulation's error.
    #[arg(long, exclusive = true)]
    check: bool,
}

/// A part of the checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// 95 % intervals of ratings, differences and first-seat advantages.
    Ratings,
    /// The same at tables of more than two seats, and how often the sequential test errs there.
    Tables,
    /// Intervals of tables that are watched while they grow.
    AnyTime,
    /// Comparisons of two runs of the same bots.
    Compare,
    /// Sequential tests between players of known strength, against simulations made elsewhere.
    Sprt,
    /// Real runs of built-in bots.
    Runs,
    /// Figures that independent programs computed.
    Oracles,
}

/// How many tournaments of each kind CI plays.
const SHORT: u64 = 200;

/// Prints the tables that are asked for.
pub(crate) fn check(request: &Request) -> Result<(), ChoreError> {
    if request.check {
        return check_shortly();
    }
    let mut table = Table::new(request.only.as_deref());
    let parts = if request.part.is_empty() { Part::value_variants() } else { &request.part };
    for part in parts {
        match part {
            Part::Ratings => coverage::measure(&mut table, request.tournaments),
            Part::Tables => {
                seats::measure(&mut table, request.tournaments);
                seats::sequential_tests(&mut table, request.tournaments);
            }
            Part::AnyTime => any_time::measure(&mut table, request.tournaments),
            Part::Compare => compare::measure(&mut table, request.tournaments),
            Part::Sprt => oracles::sequential_tests(request.tournaments)?,
            Part::Runs => runs::measure(&mut table, request.runs)?,
            Part::Oracles => oracles::check()?,
        }
    }
    table.verdict()
}

/// The simulations that no other test of CI makes, with few tournaments; the oracles are tests of their own.
pub(crate) fn check_shortly() -> Result<(), ChoreError> {
    let mut table = Table::new(None);
    coverage::measure(&mut table, SHORT);
    seats::measure(&mut table, SHORT);
    any_time::measure(&mut table, SHORT);
    compare::measure(&mut table, SHORT);
    table.verdict()
}
