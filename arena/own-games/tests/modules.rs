//! Modules of all kinds, mostly broken ones: what each comes to, and that nothing of it stays.

use std::fmt::Write as _;
use std::sync::Arc;
use std::thread;

use own_games::{
    CarrierFault, CarrierFaultKind, MAX_ANSWER, MAX_MODULE, ModuleError, ModuleLimits, RulesCarrier as _,
    RulesModule,
};

/// Little enough that a module which never ends is told so at once.
const LIMITS: ModuleLimits = ModuleLimits { fuel: 2_000_000, pages: 64, questions: 1000 };

/// What a module exports, besides `arena_ask`.
const FRAME: &str = r#"
    (memory (export "memory") 2)
    (global (export "arena_rules_1") i32 (i32.const 1))
    (func (export "arena_alloc") (param $length i32) (result i32) (i32.const 1024))
    (func $pack (param $place i32) (param $length i32) (result i64)
      (i64.or (i64.shl (i64.extend_i32_u (local.get $place)) (i64.const 32)) (i64.extend_i32_u (local.get $length))))
"#;

/// Answers with the question.
const ECHO: &str = "(call $pack (local.get $place) (local.get $length))";

/// Returns a module whose questions are answered by `body`, with these definitions besides.
fn asked(definitions: &str, body: &str) -> String {
    let ask = r#"(func (export "arena_ask") (param $place i32) (param $length i32) (result i64)"#;
    format!("(module {FRAME} {definitions} {ask} {body}))")
}

fn load(wat: &str) -> Result<RulesModule, ModuleError> {
    RulesModule::from_bytes(wat::parse_str(wat).expect("a module as text"), LIMITS)
}

/// Asks a module. What compiled code comes to by itself, where there is any, is of the same kind.
fn ask(module: &RulesModule, question: &str) -> Result<String, CarrierFault> {
    let answer = module.ask(question);
    #[cfg(feature = "jit")]
    {
        let kind = |fault: CarrierFault| fault.kind();
        let wanted = answer.clone().map_err(kind);
        let compiled = || module.ask_compiled(question).expect("it is compiled").map_err(kind);
        // The clock may end it too early where others want the processor.
        let is_early = |told: &Result<_, _>| *told == Err(CarrierFaultKind::TooSlow) && *told != wanted;
        let told = (0..1000).map(|_| compiled()).find(|told| !is_early(told));
        assert_eq!(told.unwrap_or_else(compiled), wanted);
    }
    answer
}

fn echo() -> RulesModule {
    load(&asked("", ECHO)).expect("it is a module of rules")
}

/// Says what is wrong with a file, with the causes.
fn refusal(bytes: Vec<u8>) -> String {
    let error = RulesModule::from_bytes(bytes, LIMITS).expect_err("it is no module of rules");
    assert!(error.hint().is_some(), "{error}");
    error.to_string()
}

#[test]
fn a_module_answers() {
    let echo = echo();
    for question in ["about", "position dao startpos; legal dao startpos moves é", &"x".repeat(60_000)] {
        assert_eq!(ask(&echo, question).as_deref(), Ok(question));
    }
    // Of the same bytes, by another program: `sha256sum`.
    let empty = wat::parse_str("(module)").unwrap();
    assert_eq!(empty, b"\0asm\x01\0\0\0");
    assert_eq!(echo.digest().len(), 64);
    assert_eq!(echo.digest(), self::echo().digest());
    assert_ne!(echo.digest(), load(&asked("", &format!("(nop) {ECHO}"))).unwrap().digest());
}

#[test]
fn a_file_that_is_no_module_of_rules_is_refused_with_the_reason() {
    let whole = wat::parse_str(asked("", ECHO)).unwrap();
    let mut later = whole.clone();
    later[4] = 2;
    for (bytes, words) in [
        (Vec::new(), "is empty"),
        (
            b"#!/usr/bin/env python3\nprint()\n".to_vec(),
            "is not WebAssembly: it does not begin with `\\0asm`",
        ),
        (b"\0as".to_vec(), "is not WebAssembly: it does not begin with `\\0asm`"),
        (b"\n(module (memory 1))".to_vec(), "is WebAssembly as text, not a module"),
        (b"\0asm\x0d\0\x01\0".to_vec(), "is WebAssembly, but not a core module of version 1"),
        (later, "is WebAssembly, but not a core module of version 1"),
        (vec![0; MAX_MODULE + 1], "is larger than 16 MiB"),
        (b"\0asm\x01\0\0\0".to_vec(), "does not export `arena_rules_1`"),
    ] {
        assert_eq!(refusal(bytes), words);
    }
    // Wherever a file is cut off, something is missing; but for the names at its end, which nobody needs.
    let cut = (8..whole.len()).filter_map(|end| RulesModule::from_bytes(whole[..end].to_vec(), LIMITS).err());
    let cut: Vec<_> = cut.map(|error| error.to_string()).collect();
    assert_eq!(cut.len(), whole.len() - 8 - 1);
    for words in cut {
        assert!(
            words.starts_with("is not a valid module: ") || words.starts_with("does not export"),
            "{words}"
        );
    }
    let flipped = (0..whole.len() * 8).map(|bit| {
        let mut bytes = whole.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        bytes
    });
    // Whatever a damaged file does, it does not end or stop the arena.
    for bytes in flipped {
        let _ = RulesModule::from_bytes(bytes, LIMITS).map(|module| module.ask("about"));
    }
    let missing = RulesModule::load("/nowhere/dao.wasm".as_ref(), LIMITS).expect_err("no such file");
    assert_eq!(missing.to_string(), "cannot be read: No such file or directory (os error 2)");
    let folder = RulesModule::load("/".as_ref(), LIMITS).expect_err("a directory");
    assert_eq!(folder.to_string(), "cannot be read: Is a directory (os error 21)");
}

#[test]
fn exports_and_imports_are_what_they_must_be() {
    let export = |text: &str, instead: &str| asked("", ECHO).replace(text, instead);
    let imported = r#"(module (import "env" "abort" (func)) (import "env" "memory" (memory 1))"#;
    let many = (0..9).map(|n| format!(r#"(import "wasi" "f{n}" (func))"#)).collect::<String>();
    for (wat, words) in [
        (export("arena_rules_1", "arena_rules_2"), "does not export `arena_rules_1`"),
        (export(r#"(export "memory")"#, ""), "does not export `memory`"),
        (export("arena_alloc", "malloc"), "does not export `arena_alloc`"),
        (export("arena_ask", "ask"), "does not export `arena_ask`"),
        (
            r#"(module (memory (export "memory") 1) (global (export "arena_rules_1") i32 (i32.const 1))
                (func (export "arena_alloc") (param i64) (result i32) (i32.const 8))
                (func (export "arena_ask") (param i32 i32) (result i64) (i64.const 0)))"#
                .to_owned(),
            "exports `arena_alloc` as a function from i64 to i32, not as a function from i32 to i32",
        ),
        (
            r#"(module (memory (export "memory") 1) (func (export "arena_rules_1"))
                (func (export "arena_alloc") (param i32) (result i32) (i32.const 8))
                (func (export "arena_ask") (param i32 i32)))"#
                .to_owned(),
            "exports `arena_ask` as a function from i32, i32 to nothing, not as a function from i32, i32 to i64",
        ),
        (
            r#"(module (global (export "memory") i32 (i32.const 1)) (func (export "arena_rules_1"))
                (memory 1) (table (export "arena_alloc") 1 funcref))"#
                .to_owned(),
            "exports `memory` as a global, not as a memory",
        ),
        (
            r#"(module (memory (export "memory") 1) (func (export "arena_rules_1"))
                (table (export "arena_alloc") 1 funcref))"#
                .to_owned(),
            "exports `arena_alloc` as a table, not as a function from i32 to i32",
        ),
        (
            format!("{imported})"),
            "imports `env.abort`, `env.memory`, and a module of rules may import nothing",
        ),
        (
            format!("(module {many})"),
            "imports `wasi.f0`, `wasi.f1`, `wasi.f2` and 6 more, and a module of rules may import nothing",
        ),
        (
            export(r#"(export "memory") 2"#, r#"(export "memory") 65"#),
            "begins with 4 MiB of memory, more than the 4 MiB allowed",
        ),
        (asked("(memory $other 1)", ECHO), "is not a valid module: multiple memories (at offset 0x1e)"),
        (
            export("(memory", "(func $spin (loop (br 0))) (start $spin) (memory"),
            "fails when it is started: it took more than 2000000 steps: perhaps they do not end",
        ),
        (
            asked("(func $stop (unreachable)) (start $stop)", ECHO),
            "fails when it is started: it stopped at `unreachable`, as a failed assertion or a panic does",
        ),
        (
            asked(r#"(data (i32.const 131070) "four")"#, ECHO),
            "fails when it is started: it stopped: out of bounds memory access",
        ),
        (
            asked("(table 1000000 funcref)", ECHO),
            "fails when it is started: it cannot be instantiated: failed to instantiate table: a resource limiter denied to allocate or grow the table",
        ),
    ] {
        assert_eq!(refusal(wat::parse_str(&wat).expect(&wat)), words);
    }
    // What the marker is does not matter.
    for marker in ["(func (export \"arena_rules_1\"))", "(table (export \"arena_rules_1\") 0 funcref)"] {
        let wat = export(r#"(global (export "arena_rules_1") i32 (i32.const 1))"#, marker);
        assert_eq!(load(&wat).expect("its marker is there").ask("about").as_deref(), Ok("about"));
    }
}

#[test]
fn a_question_without_an_answer_is_a_fault_and_the_next_one_is_asked_anew() {
    use CarrierFaultKind::{Died, NotAnAnswer, Resources, TooSlow};

    // Only the question `x` of one byte is trouble.
    let trouble = |definitions: &str, body: &str| {
        let body = format!("(if (i32.eq (local.get $length) (i32.const 1)) (then {body})) {ECHO}");
        asked(definitions, &body)
    };
    let returns =
        |place: i64, length: i64| trouble("", &format!("(return (i64.const {}))", place << 32 | length));
    let recursion = "(func $deeper (param i32) (result i32)
        (i32.add (call $deeper (i32.add (local.get 0) (i32.const 1))) (local.get 0)))";
    let huge = "(func $fill (param $to i32)
        (loop $next (if (i32.lt_u (memory.size) (local.get $to)) (then (drop (memory.grow (i32.const 1))) (br $next)))))";
    let limit = "answered with more than 1 MiB";
    for (wat, kind, words) in [
        (trouble("", "(loop (br 0))"), TooSlow, "took more than 2000000 steps: perhaps they do not end"),
        (
            trouble("", "(memory.fill (i32.const 0) (i32.const 0) (i32.const 131073))"),
            Died,
            "stopped: out of bounds memory access",
        ),
        (
            trouble("", "(unreachable)"),
            Died,
            "stopped at `unreachable`, as a failed assertion or a panic does",
        ),
        (
            trouble("", "(drop (i32.div_u (i32.const 1) (i32.const 0)))"),
            Died,
            "stopped: integer divide by zero",
        ),
        (trouble("", "(drop (i32.load (i32.const -4)))"), Died, "stopped: out of bounds memory access"),
        (
            trouble("(table 1 funcref)", "(call_indirect (i32.const 0))"),
            Died,
            "stopped: uninitialized element 2",
        ),
        (
            trouble(recursion, "(drop (call $deeper (i32.const 0)))"),
            Died,
            "stopped: functions call each other too deeply",
        ),
        (
            trouble("", "(loop (drop (memory.grow (i32.const 1))) (br 0))"),
            Resources,
            "wanted more memory than the 4 MiB allowed or than they declare, or a larger table",
        ),
        (
            trouble("", "(drop (memory.grow (i32.const 65000)))"),
            Resources,
            "wanted more memory than the 4 MiB allowed or than they declare, or a larger table",
        ),
        (
            trouble("(table $t 1 funcref)", "(drop (table.grow $t (ref.null func) (i32.const 1000000)))"),
            Resources,
            "wanted more memory than the 4 MiB allowed or than they declare, or a larger table",
        ),
        (returns(0, 0), NotAnAnswer, "answered an empty line"),
        (
            trouble(huge, &format!("(call $fill (i32.const 40)) (return (i64.const {}))", MAX_ANSWER + 1)),
            NotAnAnswer,
            limit,
        ),
        (returns(0, 0xffff_ffff), NotAnAnswer, limit),
        (
            returns(131_072, 1),
            NotAnAnswer,
            "answered with 1 bytes at 131072, outside of the 131072 bytes of their memory",
        ),
        (
            returns(0xffff_ffff, 2),
            NotAnAnswer,
            "answered with 2 bytes at 4294967295, outside of the 131072 bytes of their memory",
        ),
        (
            trouble(r#"(data (i32.const 16) "ab\ffc")"#, "(return (i64.const 0x1000000004))"),
            NotAnAnswer,
            r"answered what is not UTF-8 from byte 2 on: `\xffc`",
        ),
        (
            trouble(r#"(data (i32.const 16) "{}\0a{}")"#, "(return (i64.const 0x1000000005))"),
            NotAnAnswer,
            r"answered with a line break at byte 2: `{}\x0a{}`",
        ),
        (
            asked("", ECHO).replace(
                "(i32.const 1024))",
                "(select (i32.const -1) (i32.const 1024) (i32.eq (local.get $length) (i32.const 1))))",
            ),
            NotAnAnswer,
            "have no room for the question: `arena_alloc` returned 4294967295 for 1 bytes, in a memory of 131072",
        ),
        (
            asked("", ECHO).replace(
                "(i32.const 1024))",
                "(if (i32.eq (local.get $length) (i32.const 1)) (then (unreachable))) (i32.const 1024))",
            ),
            Died,
            "stopped at `unreachable`, as a failed assertion or a panic does",
        ),
    ] {
        let module = load(&wat).unwrap_or_else(|error| panic!("{error}: {wat}"));
        // More than once: what is left of the one must not be in the way of the next.
        for _ in 0..3 {
            let fault = ask(&module, "x").expect_err(words);
            assert_eq!((fault.to_string().as_str(), fault.kind()), (words, kind), "{wat}");
            assert_eq!(ask(&module, "about").as_deref(), Ok("about"), "{wat}");
        }
        let fault = module.ask("two\nlines").expect_err("two lines");
        assert_eq!(fault.kind(), CarrierFaultKind::Arena);
    }
}

#[test]
fn memory_that_is_never_returned_is_found_and_changes_no_answer() {
    // Its allocator takes a new page for every question. The answer is the number of pages taken for it, always one.
    let leaking = asked("(global $pages (mut i32) (i32.const 0))", ECHO)
        .replace("(i32.const 1024))", "(i32.mul (memory.grow (i32.const 1)) (i32.const 65536)))");
    let module = load(&leaking).unwrap();
    let (questions, before) = (20_000, resident_kib());
    for number in 0..questions {
        let question = number.to_string();
        assert_eq!(module.ask(&question).as_deref(), Ok(&*question));
    }
    // Kept, it would be more than a gigabyte.
    let grown = resident_kib().saturating_sub(before);
    assert!(grown < 64 * 1024, "{grown} KiB more after {questions} questions");
}

#[test]
fn a_module_that_stops_after_some_questions_answers_all_the_same() {
    // An assertion about how much of its memory is free, for example: the next instance has all of it.
    let tiring = asked(
        "(global $left (mut i32) (i32.const 7))",
        &format!(
            "(if (i32.eqz (global.get $left)) (then (unreachable)))
             (global.set $left (i32.sub (global.get $left) (i32.const 1))) {ECHO}"
        ),
    );
    let module = load(&tiring).unwrap();
    for number in 0..100 {
        let question = format!("question {number}");
        assert_eq!(module.ask(&question).as_deref(), Ok(&*question));
    }
}

#[test]
fn an_instance_is_replaced_after_its_share_of_questions() {
    // Answers with how often it was asked, as one letter.
    let counting = asked(
        "(global $asked (mut i32) (i32.const 0))",
        "(global.set $asked (i32.add (global.get $asked) (i32.const 1)))
         (i32.store8 (i32.const 16) (i32.add (i32.const 64) (global.get $asked)))
         (call $pack (i32.const 16) (i32.const 1))",
    );
    let bytes = wat::parse_str(counting).unwrap();
    let module = RulesModule::from_bytes(bytes, ModuleLimits { questions: 3, ..LIMITS }).unwrap();
    let told: String = (0..7).map(|_| module.ask("about").unwrap()).collect();
    assert_eq!(told, "ABCABCA");
}

#[test]
fn many_threads_ask_at_one_time() {
    let module = Arc::new(echo());
    let askers = (0..8).map(|asker| {
        let module = Arc::clone(&module);
        thread::spawn(move || {
            for number in 0..500 {
                let question = format!("{asker} asks {number}");
                assert_eq!(module.ask(&question).as_deref(), Ok(&*question));
            }
        })
    });
    askers.collect::<Vec<_>>().into_iter().for_each(|asker| asker.join().expect("every answer is right"));
}

#[test]
fn every_nan_has_the_same_bits() {
    // On this machine and every other: 0/0, the root of -1, and a sum with a NaN that carries something.
    let bits = |number: &str| {
        let store = format!("(i64.store (i32.const 16) (i64.reinterpret_f64 {number}))");
        // Each half byte becomes a letter.
        let letter = "(i32.store8 (i32.add (i32.const 32) (local.get $n)) (i32.add (i32.const 97) (i32.wrap_i64 (i64.and (i64.const 15)
            (i64.shr_u (i64.load (i32.const 16)) (i64.extend_i32_u (i32.mul (i32.const 4) (i32.sub (i32.const 15) (local.get $n)))))))))";
        let body = format!(
            "(local $n i32) {store}
             (loop $next {letter} (local.set $n (i32.add (local.get $n) (i32.const 1)))
               (br_if $next (i32.lt_u (local.get $n) (i32.const 16))))
             (call $pack (i32.const 32) (i32.const 16))"
        );
        ask(&load(&asked("", &body)).unwrap(), "about").unwrap()
    };
    let hexadecimal = |letters: &str| {
        letters.bytes().fold(String::new(), |mut text, letter| {
            let _ = write!(text, "{:x}", letter - b'a');
            text
        })
    };
    for number in [
        "(f64.div (f64.const 0) (f64.const 0))",
        "(f64.sqrt (f64.const -1))",
        "(f64.add (f64.const 1) (f64.const nan:0x8000000000123))",
        "(f64.promote_f32 (f32.const -nan:0x7fffff))",
    ] {
        assert_eq!(hexadecimal(&bits(number)), "7ff8000000000000", "{number}");
    }
}

#[cfg(target_os = "linux")]
fn resident_kib() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").expect("a file of the system");
    text.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).expect("a number of pages") * 4
}

#[cfg(not(target_os = "linux"))]
fn resident_kib() -> u64 {
    0
}
