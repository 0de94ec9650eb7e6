//! Modules that come to a limit, or that cannot be compiled: the interpreter has the last word.

use std::time::{Duration, Instant};

use own_games::{CarrierFaultKind, RulesCarrier as _, module_engine};

use crate::{ask, module};

/// Answers with the question.
const ECHO: &str = "(call $pack (local.get $place) (local.get $length))";

#[test]
fn this_machine_compiles() {
    assert_eq!(module_engine(), "wasmtime, compiled");
}

#[test]
fn what_is_compiled_ends_as_soon_as_it_takes_too_long() {
    // Few steps, each of which takes milliseconds; many; and calls without a loop.
    let fills = "(drop (memory.grow (i32.const 1000)))
        (loop $next (memory.fill (i32.const 0) (i32.const 1) (i32.const 65000000)) (br $next))";
    let tree = "(func $tree (param $depth i32)
        (if (local.get $depth) (then (call $tree (i32.sub (local.get $depth) (i32.const 1)))
                                     (call $tree (i32.sub (local.get $depth) (i32.const 1))))))";
    for (definitions, body) in [("", "(loop (br 0))"), ("", fills), (tree, "(call $tree (i32.const 1000))")] {
        let module = module(definitions, &format!("{body} {ECHO}"));
        let began = Instant::now();
        let fault = module.ask_compiled("about").expect("it is compiled").expect_err("it never ends");
        assert_eq!(fault.kind(), CarrierFaultKind::TooSlow, "{fault}: {body}");
        // A twentieth of a second, if nothing else wants the processor.
        assert!(began.elapsed() < Duration::from_secs(60), "{:?}: {body}", began.elapsed());
    }
}

#[test]
fn a_long_answer_comes_from_the_interpreter() {
    // Too long for compiled code, and not long enough for the interpreter to refuse it.
    let busy = format!(
        "(local $n i32) (local $sum i64)
         (loop $next
           (local.set $sum (i64.div_u (i64.add (local.get $sum) (i64.const 0x7edcba9876543210)) (i64.const 3)))
           (local.set $n (i32.add (local.get $n) (i32.const 1)))
           (br_if $next (i32.lt_u (local.get $n) (i32.const 40000000))))
         (i64.store (i32.const 16) (local.get $sum)) {ECHO}"
    );
    let module = module("", &busy);
    let fault = module.ask_compiled("about").expect("it is compiled").expect_err("it takes long");
    assert_eq!(fault.kind(), CarrierFaultKind::TooSlow);
    assert_eq!(module.ask("about").as_deref(), Ok("about"));
}

#[test]
fn calls_that_are_too_deep_for_compiled_code_are_interpreted() {
    let deep = "(func $deep (param $left i32) (result i32)
        (if (result i32) (local.get $left)
          (then (i32.add (i32.const 1) (call $deep (i32.sub (local.get $left) (i32.const 1)))))
          (else (i32.const 0))))";
    let depth = |depth: u32| module(deep, &format!("(drop (call $deep (i32.const {depth}))) {ECHO}"));
    assert_eq!(ask(&depth(1000), "about").as_deref(), Some("about"));
    let far = depth(45_000);
    let fault = far.ask_compiled("about").expect("it is compiled").expect_err("it is deep");
    assert_eq!(fault.kind(), CarrierFaultKind::Died);
    assert_eq!(far.ask("about").as_deref(), Ok("about"));
    let too_far = depth(60_000);
    let fault = too_far.ask("about").expect_err("it is deeper than any");
    assert_eq!(fault.to_string(), "stopped: functions call each other too deeply");
}

#[test]
fn a_module_that_cannot_be_compiled_is_interpreted() {
    let outside = "(table 1 externref) (func $nothing (result externref) (ref.null extern))";
    let large = format!(r#"(data "{}")"#, "x".repeat(1024 * 1024));
    for definitions in [outside, &large] {
        let module = module(definitions, ECHO);
        assert!(module.ask_compiled("about").is_none());
        assert_eq!(module.ask("about").as_deref(), Ok("about"));
    }
}

#[test]
fn many_threads_ask_for_long() {
    // The clock stands still a second after the last question, and goes on with the next one.
    let module =
        module("", &format!("(if (i32.eq (local.get $length) (i32.const 1)) (then (loop (br 0)))) {ECHO}"));
    let ends = |question: &str| {
        let fault = module.ask_compiled(question).expect("it is compiled").expect_err("it never ends");
        assert_eq!(fault.kind(), CarrierFaultKind::TooSlow);
    };
    ends("x");
    std::thread::park_timeout(Duration::from_millis(1500));
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| (0..3).for_each(|_| ends("x")));
        }
    });
    assert_eq!(ask(&module, "about").as_deref(), Some("about"));
}
