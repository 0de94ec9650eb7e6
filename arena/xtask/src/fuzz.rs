//! Fuzzing guided by coverage: the targets of `arena/fuzz`, started from what the specification and the tests hold.

mod commands;
mod seeds;

use std::fs;
use std::time::Duration;

use crate::shell::{ChoreError, root, run};

/// The targets: the names of the files in `arena/fuzz/fuzz_targets/`.
const TARGETS: [&str; 5] = ["positions", "lines", "logs", "journals", "games"];

/// The targets that are the executable itself: coverage does not guide them, and what they look for is a process that
/// aborts, hangs or writes what a terminal obeys.
const COMMANDS: [&str; 2] = ["files", "requests"];

/// How long the fuzzer may think about one input, in seconds, before that counts as an error.
const LONGEST_INPUT: u32 = 20;

/// Runs one target, or all of them one after the other, for `seconds` seconds each.
///
/// What the fuzzer learns is kept in `arena/fuzz/corpus/`, and an input that fails in `arena/fuzz/artifacts/`.
pub(crate) fn check(target: Option<&str>, seconds: u32) -> Result<(), ChoreError> {
    let all = || COMMANDS.into_iter().chain(TARGETS);
    let targets: Vec<_> = all().filter(|name| target.is_none_or(|target| target == *name)).collect();
    if targets.is_empty() {
        let (name, known) = (target.unwrap_or_default(), all().collect::<Vec<_>>().join(", "));
        return Err(ChoreError(format!("unknown fuzz target `{name}`; the targets are {known}")));
    }
    let root = root();
    let (commands, targets): (Vec<_>, Vec<_>) = targets.into_iter().partition(|name| COMMANDS.contains(name));
    for command in commands {
        commands::check(command, &root, Duration::from_secs(seconds.into()))?;
    }
    if targets.is_empty() {
        return Ok(());
    }
    run("cargo fuzz --version || cargo install --locked cargo-fuzz", &root)?;
    let package = root.join("arena").join("fuzz");
    for target in targets {
        let corpus = package.join("corpus").join(target);
        fs::create_dir_all(&corpus)?;
        let seeds = seeds::of(target, &root)?;
        println!("{target}: {} seeds", seeds.len());
        for (number, seed) in seeds.iter().enumerate() {
            fs::write(corpus.join(format!("seed-{number:05}")), seed)?;
        }
        // Instrumented code needs flags that only a nightly compiler takes.
        let line = format!(
            "cargo +nightly fuzz run --fuzz-dir . {target} -- -max_total_time={seconds} -timeout={LONGEST_INPUT} \
             -print_final_stats=1"
        );
        run(&line, &package)?;
    }
    Ok(())
}
