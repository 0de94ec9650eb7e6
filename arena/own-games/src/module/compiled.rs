//! What runs a module as code of this processor: `wasmtime`, with the compiler Cranelift.
//!
//! It is a shortcut to the answers of the interpreter, and has no say beside them: what is a module of rules, what limits are
//! and what a fault is called is a matter of the interpreter, to which every question goes that has no answer here. So nothing is
//! lost where nothing can be compiled, or where this code takes up less than the interpreter would allow.
//!
//! Nothing here takes signals: bounds are checked by the code itself, as is the depth of calls. The code runs on the stack of the
//! thread that asks.

use std::sync::OnceLock;

use wasmtime::{
    Config, Engine, Error, Instance, Memory, Module, Store, StoreLimits, StoreLimitsBuilder, Trap, TypedFunc,
};

use super::check::{ALLOC, ASK, MEMORY};
use super::clock::{Clock, TICKS};
use super::instance::Machine;
use super::limits::{MAX_TABLE, MAX_TABLES};
use crate::{CarrierFault, CarrierFaultKind, ModuleLimits};

/// The most bytes of a module that is compiled: an optimising compiler takes more than its share of time and memory for a larger one.
const MOST_BYTES: usize = 1024 * 1024;

/// The most bytes of stack that a question takes here.
const STACK: usize = 512 * 1024;

/// The least stack of the first thread with which anything is compiled. All others have the 2 MiB of the standard library.
#[cfg(unix)]
const LEAST_STACK: u64 = 2 * 1024 * 1024;

/// A module with one function that does nothing.
const SMALLEST: &[u8] = b"\0asm\x01\0\0\0\x01\x04\x01\x60\0\0\x03\x02\x01\0\x0a\x04\x01\x02\0\x0b";

/// The engine of this process, and what ends its questions; `None` where it cannot be used.
static ENGINE: OnceLock<Option<(Engine, Clock)>> = OnceLock::new();

fn engine() -> Option<&'static (Engine, Clock)> {
    ENGINE.get_or_init(prepare).as_ref()
}

fn prepare() -> Option<(Engine, Clock)> {
    let engine = Engine::new(&config()).ok().filter(|_| has_stack())?;
    let ticking = engine.clone();
    let clock = Clock::start(move || ticking.increment_epoch())?;
    Some((engine, clock))
}

/// Returns whether the first thread has room for a question. It may have any number of bytes.
#[cfg(unix)]
fn has_stack() -> bool {
    let stack = rustix::process::getrlimit(rustix::process::Resource::Stack).current;
    stack.is_none_or(|stack| stack >= LEAST_STACK)
}

/// Returns whether the first thread has room for a question: it has 1 MiB.
#[cfg(not(unix))]
const fn has_stack() -> bool {
    true
}

/// Returns how the engine is set up: for what the interpreter takes, and no more.
fn config() -> Config {
    let memory = ModuleLimits::default().memory() as u64;
    let mut config = Config::new();
    config
        .cranelift_nan_canonicalization(true)
        .epoch_interruption(true)
        .max_wasm_stack(STACK)
        .signals_based_traps(false)
        .wasm_memory64(false)
        .wasm_multi_memory(false)
        .wasm_relaxed_simd(false)
        .wasm_simd(false)
        // A memory grows where it is. Nothing lies around it that would have to be guarded.
        .memory_reservation(memory)
        .memory_guard_size(0)
        .guard_before_linear_memory(false)
        // A sandbox refuses files in memory.
        .memory_init_cow(false)
        .generate_address_map(false)
        // One system cannot do without.
        .native_unwind_info(cfg!(windows))
        .wasm_backtrace(false);
    config
}

/// Returns whether anything can be compiled here.
pub(super) fn works() -> bool {
    compile(SMALLEST).is_some()
}

/// Compiles a module that the interpreter has taken; `None` if that cannot be done here.
pub(super) fn compile(bytes: &[u8]) -> Option<Module> {
    let (engine, _) = engine().filter(|_| bytes.len() <= MOST_BYTES)?;
    Module::from_binary(engine, bytes).ok()
}

/// A memory whose module is compiled.
pub(super) struct Compiled {
    store: Store<StoreLimits>,
    memory: Memory,
    alloc: TypedFunc<u32, u32>,
    ask: TypedFunc<(u32, u32), u64>,
    clock: &'static Clock,
}

impl Machine for Compiled {
    type Code = Module;

    fn start(module: &Module, limits: ModuleLimits) -> Result<Self, CarrierFault> {
        let (_, clock) = engine().ok_or_else(|| fault(&Error::msg("there is no engine")))?;
        let most = StoreLimitsBuilder::new().instances(1).memories(1).memory_size(limits.memory());
        let most = most.tables(MAX_TABLES).table_elements(MAX_TABLE).trap_on_grow_failure(true).build();
        let mut store = Store::new(module.engine(), most);
        store.limiter(|limits| limits);
        refuel(&mut store, clock);
        let started = Instance::new(&mut store, module, &[]).map_err(|error| fault(&error))?;
        let memory = started.get_memory(&mut store, MEMORY);
        let alloc = started.get_typed_func(&mut store, ALLOC).map_err(|error| fault(&error))?;
        let ask = started.get_typed_func(&mut store, ASK).map_err(|error| fault(&error))?;
        let memory = memory.ok_or_else(|| fault(&Error::msg("the memory is gone")))?;
        Ok(Self { store, memory, alloc, ask, clock })
    }

    fn refuel(&mut self, _: ModuleLimits) -> Result<(), CarrierFault> {
        refuel(&mut self.store, self.clock);
        Ok(())
    }

    fn alloc(&mut self, length: u32, _: ModuleLimits) -> Result<u32, CarrierFault> {
        self.alloc.call(&mut self.store, length).map_err(|error| fault(&error))
    }

    fn ask(&mut self, place: u32, length: u32, _: ModuleLimits) -> Result<u64, CarrierFault> {
        self.ask.call(&mut self.store, (place, length)).map_err(|error| fault(&error))
    }

    fn memory(&self) -> &[u8] {
        self.memory.data(&self.store)
    }

    fn memory_mut(&mut self) -> &mut [u8] {
        self.memory.data_mut(&mut self.store)
    }
}

/// Gives a question the time that it may take here.
fn refuel(store: &mut Store<StoreLimits>, clock: &Clock) {
    store.set_epoch_deadline(TICKS);
    clock.wind();
}

/// Says why there is no answer. Its words are for the tests: people read those of the interpreter.
fn fault(error: &Error) -> CarrierFault {
    let kind = match error.downcast_ref() {
        Some(Trap::Interrupt) => CarrierFaultKind::TooSlow,
        Some(_) => CarrierFaultKind::Died,
        // Traps aside, only more memory or a larger table is refused.
        None => CarrierFaultKind::Resources,
    };
    CarrierFault::new(kind, format!("stopped: {error}"))
}
