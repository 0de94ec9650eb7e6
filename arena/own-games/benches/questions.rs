//! What a question costs before any rules are thought of: microseconds a question for a module and for programs that answer
//! with the question, by one thread and by as many as there are processors. `cargo bench -p own-games`.

use std::error::Error;
use std::hint::black_box;
use std::io::{Write as _, stdout};
use std::thread::{available_parallelism, scope};
use std::time::{Duration, Instant};

use own_games::{ModuleLimits, ProgramLimits, RulesCarrier, RulesModule, RulesProgram};
use processes::{Direct, ProcessSpec};

/// A question of usual length.
const QUESTION: &str = "legal dao fen w2b/1wb1/1bw1/b2w p1 moves a1a2 d1d2 a4b4 d4c4";

/// For how long each is asked.
const SPAN: Duration = Duration::from_secs(2);

/// How often the span is looked at.
const BATCH: u32 = 100;

/// Answers with the question.
const MODULE: &str = r#"(module
    (memory (export "memory") 2)
    (func (export "arena_rules_1"))
    (func (export "arena_alloc") (param i32) (result i32) (i32.const 1024))
    (func (export "arena_ask") (param i32 i32) (result i64)
      (i64.or (i64.shl (i64.extend_i32_u (local.get 0)) (i64.const 32)) (i64.extend_i32_u (local.get 1)))))"#;

/// Takes a hundred million steps for an answer: twenty in every round.
const BUSY: &str = r#"(module
    (memory (export "memory") 2)
    (func (export "arena_rules_1"))
    (func (export "arena_alloc") (param i32) (result i32) (i32.const 1024))
    (func (export "arena_ask") (param i32 i32) (result i64) (local $n i32) (local $sum i32)
      (loop $next
        (local.set $sum (i32.add (local.get $sum) (i32.load (i32.and (local.get $n) (i32.const 1020)))))
        (i32.store (i32.and (local.get $n) (i32.const 1020)) (local.get $sum))
        (local.set $n (i32.add (local.get $n) (i32.const 1)))
        (br_if $next (i32.lt_u (local.get $n) (i32.const 5000000))))
      (i64.or (i64.shl (i64.extend_i32_u (local.get 0)) (i64.const 32)) (i64.extend_i32_u (local.get 1)))))"#;

/// Answers with the question, in Python.
const PYTHON: &str = "import sys\nfor line in sys.stdin: sys.stdout.write(line); sys.stdout.flush()";

fn main() -> Result<(), Box<dyn Error>> {
    let module = RulesModule::from_bytes(wat::parse_str(MODULE)?, ModuleLimits::default())?;
    let program = |path: &str, args: &[&str]| {
        let args = args.iter().map(Into::into).collect();
        let spec = ProcessSpec { args, ..ProcessSpec::new(path, "/") };
        RulesProgram::new(spec, &Direct, ProgramLimits::default())
    };
    tell("module", &module)?;
    // Unbuffered: what it reads is written at once.
    tell("program, cat", &program("cat", &["-u"])?)?;
    tell("program, python3", &program("python3", &["-c", PYTHON])?)?;

    let busy = RulesModule::from_bytes(wat::parse_str(BUSY)?, ModuleLimits::default())?;
    let began = Instant::now();
    busy.ask(QUESTION)?;
    writeln!(
        stdout(),
        "{:24} {:8.0} million steps a second",
        "module, busy",
        100.0 / began.elapsed().as_secs_f64()
    )?;
    Ok(())
}

/// Says what a question costs.
fn tell(name: &str, rules: &dyn RulesCarrier) -> Result<(), Box<dyn Error>> {
    let threads = available_parallelism().map_or(1, usize::from);
    // Starts what there is to start, and shows that it answers.
    assert_eq!(rules.ask(QUESTION)?, QUESTION);
    let alone = micros(rules);
    let together = scope(|scope| {
        let askers: Vec<_> = (0..threads).map(|_| scope.spawn(|| micros(rules))).collect();
        askers.into_iter().map(|asker| asker.join().expect("it answers")).fold(0.0, f64::max)
    });
    writeln!(stdout(), "{name:24} {alone:8.2} us a question, {together:8.2} us with {threads} threads")?;
    Ok(())
}

fn micros(rules: &dyn RulesCarrier) -> f64 {
    let (began, mut count) = (Instant::now(), 0);
    while began.elapsed() < SPAN {
        for _ in 0..BATCH {
            black_box(rules.ask(black_box(QUESTION)).expect("it answers"));
        }
        count += BATCH;
    }
    began.elapsed().as_secs_f64() * 1e6 / f64::from(count)
}
