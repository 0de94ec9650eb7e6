//! `arena`: a tournament harness for bots that play abstract board games.
//!
//! This package owns everything that touches the outside: arguments, the tournament file, messages and exit
//! codes. It decides nothing about games, clocks or ratings; the crates below do. One file per subcommand.

#![warn(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr)]

mod bots;
mod help;
mod judge;
mod look;
mod machine;
mod output_format;
mod own_games_arguments;
mod play;
mod positions;
mod recorded_bots;
mod terminal;

use std::io;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use diagnostic::Exit;
use diagnostic::Failure;
use diagnostic::harmless::{Harmless, Stream, Styles};
use diagnostic::output;

/// A tournament harness for bots that play abstract board games.
#[derive(Debug, Parser)]
#[command(name = "arena", version, after_long_help = diagnostic::table())]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// The subcommands: each is a `clap::Args` struct of its own file with a method `run`.
#[derive(Debug, Subcommand)]
enum Command {
    /// Play a tournament, or continue one.
    Run(play::run::Arguments),
    /// Play games for runs of other machines.
    Worker(fleet::WorkerArguments),
    /// Make keys for workers, and the configuration of their broker.
    Workers(fleet::WorkersArguments),
    /// Pause, resume or stop a run in progress, or ask how it stands.
    Ctl(play::ctl::Arguments),
    /// Write a tournament file to start from.
    Init(play::init::Arguments),
    /// Turn a cutechess-cli or fastchess command into a tournament file.
    Import(import::ImportArguments),
    /// Play two bots against each other, without a file.
    Match(play::one_match::Arguments),
    /// Play a game by hand, against a bot or a person.
    Play(play::by_hand::Arguments),
    /// Put the shards of a run together.
    Merge(play::merge::Arguments),
    /// Write the tables of a run from its journal.
    Report(look::report::Arguments),
    /// Show runs as pages for browsers, live while they are played.
    Serve(look::serve::Arguments),
    /// Rate the players of any journals and game logs.
    Rate(judge::rate::Arguments),
    /// Say what changed between two runs with the same bots.
    Compare(judge::compare::Arguments),
    /// Decide by a sequential test whether a new version is stronger.
    Sprt(Box<judge::sprt::Arguments>),
    /// Simulate a sequential test: error rates and length.
    Simulate(judge::simulate::Arguments),
    /// Referee recorded games again.
    Replay(judge::replay::Arguments),
    /// Check whether a bot keeps to the protocol, and say what to fix.
    Check(bots::check::Arguments),
    /// Check whether the rules of a game hold, and say what to fix.
    CheckGame(bots::check_game::Arguments),
    /// Build, test and try the entries of a course or contest.
    Intake(play::intake::Arguments),
    /// Send a bot the lines of a recorded game again.
    Repro(bots::repro::Arguments),
    /// Play games of reproducible bots again and compare.
    Verify(judge::verify::Arguments),
    /// List the games with their options, or print the rules of one.
    Games(positions::games::Arguments),
    /// Show a position: its board, legal plies and result.
    Position(positions::position::Arguments),
    /// Answer questions about positions, on standard input and output.
    Rules(positions::rules_server::Arguments),
    /// Check a tournament file, and show what it means and plays.
    Plan(play::plan::Arguments),
    /// What `plan --pairs` was called.
    #[command(hide = true)]
    Schedule(play::plan::OldArguments),
    /// Write a file of openings, balanced by a bot if you ask for it.
    Openings(positions::openings::Arguments),
    /// Count the lines of a game's tree.
    Perft(positions::perft::Arguments),
    /// Measure how fast the rules are on this machine.
    Bench(machine::bench::Arguments),
    /// Check whether this machine can play games on the clock.
    Doctor(machine::doctor::Arguments),
    /// Print the JSON Schema of tournament files, for editors.
    Schema(machine::schema::Arguments),
    /// Print shell completions.
    Completions(machine::completions::Arguments),
    /// Write manual pages.
    Man(machine::man::Arguments),
    /// Be a bot that runs a program for every decision.
    Wrap(bots::wrap::Arguments),
    /// Write a new bot, or a game of your own, to start from.
    New(bots::new::Arguments),
    /// Be a built-in bot, on standard input and output.
    Bot(bots::built_in::Arguments),
}

impl Command {
    fn run(&self) -> Result<Exit, Failure> {
        match self {
            Self::Run(arguments) => arguments.run(),
            Self::Worker(arguments) => arguments.run(),
            Self::Workers(arguments) => arguments.run(),
            Self::Ctl(arguments) => arguments.run(),
            Self::Match(arguments) => arguments.run(),
            Self::Play(arguments) => arguments.run(),
            Self::Merge(arguments) => arguments.run(),
            Self::Report(arguments) => arguments.run(),
            Self::Serve(arguments) => arguments.run(),
            Self::Rate(arguments) => arguments.run(),
            Self::Compare(arguments) => arguments.run(),
            Self::Sprt(arguments) => arguments.run(),
            Self::Simulate(arguments) => arguments.run(),
            Self::Replay(arguments) => arguments.run(),
            Self::Check(arguments) => arguments.run(),
            Self::CheckGame(arguments) => arguments.run(),
            Self::Intake(arguments) => arguments.run(),
            Self::Repro(arguments) => arguments.run(),
            Self::Verify(arguments) => arguments.run(),
            Self::Init(arguments) => arguments.run(),
            Self::Import(arguments) => arguments.run(),
            Self::Schema(arguments) => arguments.run(),
            Self::Completions(arguments) => arguments.run(),
            Self::Man(arguments) => arguments.run(),
            Self::Wrap(arguments) => arguments.run(),
            Self::Bot(arguments) => arguments.run(),
            Self::New(arguments) => arguments.run(),
            Self::Games(arguments) => arguments.run(),
            Self::Position(arguments) => arguments.run(),
            Self::Openings(arguments) => arguments.run(),
            Self::Perft(arguments) => arguments.run(),
            Self::Rules(arguments) => arguments.run(),
            Self::Plan(arguments) => arguments.run(),
            Self::Schedule(arguments) => arguments.run(),
            Self::Bench(arguments) => arguments.run(),
            Self::Doctor(arguments) => arguments.run(),
        }
    }
}

fn main() -> ExitCode {
    // First of all: what becomes a bot, or guards one, is to be small and to cost little.
    #[cfg(target_os = "linux")]
    if let Some(end) = processes::guard() {
        return end;
    }
    if let Some(exit) = machine::confine::run() {
        return exit;
    }
    if let Some(bot) = bots::built_in::plain() {
        return ended(bot.run());
    }
    let arguments = match Arguments::try_parse().or_else(help::in_groups) {
        Ok(arguments) => arguments,
        // Help and version go to standard output and are no failure; clap knows which is which. There is
        // nobody left to tell when printing fails.
        Err(error) => {
            let exit = if error.use_stderr() { Exit::Usage } else { Exit::Done };
            let _ = print_of_parser(&error);
            if let Some(hint) = help::elsewhere(&error) {
                diagnostic::say(&format!("hint: {hint}"));
            }
            return exit.into();
        }
    };
    let end = arguments.command.run();
    processes::leave_control_groups();
    ended(end)
}

/// Returns the exit code of what has ended, and prints why it failed.
fn ended(end: Result<Exit, Failure>) -> ExitCode {
    match end {
        Ok(exit) => exit.into(),
        Err(failure) => {
            failure.print();
            failure.exit().into()
        }
    }
}

/// Writes what the parser of the command line says: help, or what is wrong with it.
///
/// # Errors
/// When it cannot be written.
fn print_of_parser(error: &clap::Error) -> io::Result<()> {
    let stream = if error.use_stderr() { Stream::Err } else { Stream::Out };
    let text = error.render();
    let (text, styles) = match output::is_styled(stream) {
        true => (text.ansi().to_string(), Styles::Kept),
        false => (text.to_string(), Styles::Escaped),
    };
    // It quotes arguments, of any length.
    let lines: String = text.split_inclusive('\n').map(output::shortened).collect();
    Harmless::of(&lines, styles).write(stream)
}
