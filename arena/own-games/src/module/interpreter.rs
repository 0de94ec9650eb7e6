//! What interprets a module: `wasmi`.

use wasmi::errors::ErrorKind;
use wasmi::{
    CompilationMode, Config, Error, Instance, Memory, Module, Store, StoreLimits, StoreLimitsBuilder,
    TrapCode, TypedFunc,
};

use super::check::{ALLOC, ASK, MEMORY};
use super::instance::Machine;
use super::limits::{MAX_DEPTH, MAX_STACK, MAX_TABLE, MAX_TABLES, MOST_IDLE};
use crate::{CarrierFault, CarrierFaultKind, ModuleLimits};

/// Returns how the engine is set up.
pub(super) fn config() -> Config {
    let mut config = Config::default();
    config
        .consume_fuel(true)
        // Else the first question would pay for it, and the fuel of a question depend on those before.
        .compilation_mode(CompilationMode::Eager)
        .ignore_custom_sections(true)
        .wasm_multi_memory(false)
        .set_max_recursion_depth(MAX_DEPTH)
        .set_max_stack_height(MAX_STACK)
        .set_max_cached_stacks(MOST_IDLE);
    config
}

/// A memory whose module is interpreted.
pub(super) struct Interpreted {
    store: Store<StoreLimits>,
    memory: Memory,
    alloc: TypedFunc<u32, u32>,
    ask: TypedFunc<(u32, u32), u64>,
}

impl Machine for Interpreted {
    type Code = Module;

    fn start(module: &Module, limits: ModuleLimits) -> Result<Self, CarrierFault> {
        let most = StoreLimitsBuilder::new().instances(1).memories(1).memory_size(limits.memory());
        // Most allocators that are refused memory trap a little later, and then nobody knows why.
        let most = most.tables(MAX_TABLES).table_elements(MAX_TABLE).trap_on_grow_failure(true).build();
        let mut store = Store::new(module.engine(), most);
        store.limiter(|limits| limits);
        refuel(&mut store, limits)?;
        let started = Instance::new(&mut store, module, &[]).map_err(|error| fault(&error, limits))?;
        let memory = started.get_memory(&store, MEMORY);
        let alloc = started.get_typed_func(&store, ALLOC).map_err(|error| broken(&error))?;
        let ask = started.get_typed_func(&store, ASK).map_err(|error| broken(&error))?;
        let memory = memory.ok_or_else(|| broken(&Error::new("the memory is gone")))?;
        Ok(Self { store, memory, alloc, ask })
    }

    fn refuel(&mut self, limits: ModuleLimits) -> Result<(), CarrierFault> {
        refuel(&mut self.store, limits)
    }

    fn alloc(&mut self, length: u32, limits: ModuleLimits) -> Result<u32, CarrierFault> {
        self.alloc.call(&mut self.store, length).map_err(|error| fault(&error, limits))
    }

    fn ask(&mut self, place: u32, length: u32, limits: ModuleLimits) -> Result<u64, CarrierFault> {
        self.ask.call(&mut self.store, (place, length)).map_err(|error| fault(&error, limits))
    }

    fn memory(&self) -> &[u8] {
        self.memory.data(&self.store)
    }

    fn memory_mut(&mut self) -> &mut [u8] {
        self.memory.data_mut(&mut self.store)
    }
}

fn refuel(store: &mut Store<StoreLimits>, limits: ModuleLimits) -> Result<(), CarrierFault> {
    store.set_fuel(limits.fuel).map_err(|error| broken(&error))
}

/// Says that the engine does not do what it promises.
fn broken(error: &Error) -> CarrierFault {
    CarrierFault::new(CarrierFaultKind::Arena, format!("cannot be asked: {error}"))
}

/// Says why a module stopped.
fn fault(error: &Error, limits: ModuleLimits) -> CarrierFault {
    let Some(code) = error.as_trap_code() else {
        let kind = match error.kind() {
            ErrorKind::Memory(_) | ErrorKind::Table(_) | ErrorKind::Instantiation(_) => {
                CarrierFaultKind::Start
            }
            _ => CarrierFaultKind::Arena,
        };
        return CarrierFault::new(kind, format!("cannot be instantiated: {error}"));
    };
    let (kind, words) = match code {
        TrapCode::OutOfFuel => {
            let words = format!("took more than {} steps: perhaps they do not end", limits.fuel);
            (CarrierFaultKind::TooSlow, words)
        }
        TrapCode::GrowthOperationLimited => {
            let mib = limits.memory() >> 20;
            let words = format!(
                "wanted more memory than the {mib} MiB allowed or than they declare, or a larger table"
            );
            (CarrierFaultKind::Resources, words)
        }
        TrapCode::UnreachableCodeReached => (
            CarrierFaultKind::Died,
            "stopped at `unreachable`, as a failed assertion or a panic does".to_owned(),
        ),
        TrapCode::StackOverflow => {
            (CarrierFaultKind::Died, "stopped: functions call each other too deeply".to_owned())
        }
        code => (CarrierFaultKind::Died, format!("stopped: {code}")),
    };
    CarrierFault::new(kind, words)
}
