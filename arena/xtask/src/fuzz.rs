//! Fuzzing guided by coverage: the targets of `arena/fuzz`, started from what the specification and the tests hold.

mod seeds;

use std::fs;

use crate::shell::{Fault, root, run};

/// The targets: the names of the files in `arena/fuzz/fuzz_targets/`.
const TARGETS: [&str; 3] = ["positions", "lines", "logs"];

/// How long the fuzzer may think about one input, in seconds, before it is taken for a fault.
const LONGEST_INPUT: u32 = 20;

/// Runs one target, or all of them one after the other, for so many seconds each.
///
/// What the fuzzer learns is kept in `arena/fuzz/corpus/`, and an input that fails in `arena/fuzz/artifacts/`.
pub(crate) fn check(target: Option<&str>, seconds: u32) -> Result<(), Fault> {
    let targets = match target {
        None => TARGETS.to_vec(),
        Some(name) => match TARGETS.into_iter().find(|target| *target == name) {
            Some(target) => vec![target],
            None => {
                let known = TARGETS.join(", ");
                return Err(Fault(format!("unknown fuzz target `{name}`; the targets are {known}")));
            }
        },
    };
    let root = root();
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
