//! Compiled code answers as the interpreter does: the games of `arena/games`, every instruction that computes, and modules that come
//! to one of the limits.

mod instructions;
mod limits;
mod shipped;

use own_games::{CarrierFaultKind, ModuleLimits, RulesModule};

/// Returns a module whose `arena_ask` is this function, with these definitions besides.
fn module(definitions: &str, ask: &str) -> RulesModule {
    let text = format!(
        r#"(module
            (memory (export "memory") 2)
            (global (export "arena_rules_1") i32 (i32.const 1))
            (func (export "arena_alloc") (param $length i32) (result i32) (i32.const 1024))
            (func $pack (param $place i32) (param $length i32) (result i64)
              (i64.or (i64.shl (i64.extend_i32_u (local.get $place)) (i64.const 32)) (i64.extend_i32_u (local.get $length))))
            {definitions}
            (func (export "arena_ask") (param $place i32) (param $length i32) (result i64) {ask}))"#
    );
    let bytes = wat::parse_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    RulesModule::from_bytes(bytes, ModuleLimits::default()).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// How often compiled code is asked that has been ended too early.
const TRIES: usize = 1000;

/// Asks both engines: they answer the same, or neither does, for the same kind of reason.
fn ask(module: &RulesModule, question: &str) -> Option<String> {
    let interpreted = module.ask_interpreted(question).map_err(|fault| fault.kind());
    let compiled = || module.ask_compiled(question).expect("it is compiled").map_err(|fault| fault.kind());
    // It is ended by the clock: where others want the processor, even what takes a microsecond may be.
    let is_early = |told: &Result<_, _>| *told == Err(CarrierFaultKind::TooSlow) && *told != interpreted;
    let told = (0..TRIES).map(|_| compiled()).find(|told| !is_early(told));
    assert_eq!(told.unwrap_or_else(compiled), interpreted, "{question}");
    interpreted.ok()
}
