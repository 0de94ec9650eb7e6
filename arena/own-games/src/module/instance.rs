//! One memory that a module works in.

use wasmi::errors::ErrorKind;
use wasmi::{
    Error, Instance as Started, Memory, Module, Store, StoreLimits, StoreLimitsBuilder, TrapCode, TypedFunc,
};

use super::check::{ALLOC, ASK, MEMORY};
use crate::carrier::{read_answer, too_long};
use crate::{CarrierFault, CarrierFaultKind, MAX_ANSWER, ModuleLimits};

/// The most elements of a table: functions that are called by their number.
const MAX_TABLE: usize = 100_000;

/// The most tables.
const MAX_TABLES: usize = 8;

/// One memory that a module works in.
pub(super) struct Instance {
    store: Store<StoreLimits>,
    memory: Memory,
    alloc: TypedFunc<u32, u32>,
    ask: TypedFunc<(u32, u32), u64>,
    limits: ModuleLimits,
    /// The bytes of its memory before the first question.
    first: usize,
    /// How many questions it has answered.
    answered: u32,
}

impl Instance {
    /// Starts a module.
    pub(super) fn new(module: &Module, limits: ModuleLimits) -> Result<Self, CarrierFault> {
        let most = StoreLimitsBuilder::new().instances(1).memories(1).memory_size(limits.memory());
        // Most allocators that are refused memory trap a little later, and then nobody knows why.
        let most = most.tables(MAX_TABLES).table_elements(MAX_TABLE).trap_on_grow_failure(true).build();
        let mut store = Store::new(module.engine(), most);
        store.limiter(|limits| limits);
        refuel(&mut store, limits)?;
        let started = Started::new(&mut store, module, &[]).map_err(|error| fault(&error, limits))?;
        let memory = started.get_memory(&store, MEMORY);
        let alloc = started.get_typed_func(&store, ALLOC).map_err(|error| broken(&error))?;
        let ask = started.get_typed_func(&store, ASK).map_err(|error| broken(&error))?;
        let memory = memory.ok_or_else(|| broken(&Error::new("the memory is gone")))?;
        let first = memory.data_size(&store);
        Ok(Self { store, memory, alloc, ask, limits, first, answered: 0 })
    }

    /// Returns whether it was never asked.
    pub(super) const fn is_new(&self) -> bool {
        self.answered == 0
    }

    /// Returns whether it has done enough: it has answered many questions, or keeps memory that it took for them. It is done
    /// while there is room for a question that needs much.
    pub(super) fn is_worn(&self) -> bool {
        let spare = self.limits.memory().saturating_sub(self.first);
        let grown = self.memory.data_size(&self.store).saturating_sub(self.first);
        self.answered >= self.limits.questions || grown > spare / 2
    }

    /// Asks a question. After a fault it is of no use any more.
    pub(super) fn ask(&mut self, question: &str) -> Result<String, CarrierFault> {
        let Self { store, memory, alloc, ask, limits, .. } = self;
        refuel(store, *limits)?;
        let length = u32::try_from(question.len()).map_err(|_| {
            CarrierFault::new(CarrierFaultKind::Arena, "were not asked, because the question is too long")
        })?;
        let place = alloc.call(&mut *store, length).map_err(|error| fault(&error, *limits))?;
        let size = memory.data_size(&*store);
        let room = range(place, length).and_then(|range| memory.data_mut(&mut *store).get_mut(range));
        let Some(room) = room else {
            let words = format!(
                "have no room for the question: `{ALLOC}` returned {place} for {length} bytes, in a memory of {size}"
            );
            return Err(CarrierFault::new(CarrierFaultKind::NotAnAnswer, words));
        };
        room.copy_from_slice(question.as_bytes());
        let packed = ask.call(&mut *store, (place, length)).map_err(|error| fault(&error, *limits))?;
        let [place, length] = [packed >> 32, packed & u64::from(u32::MAX)].map(|half| half as u32);
        if length as usize > MAX_ANSWER {
            return Err(too_long());
        }
        let Some(bytes) = range(place, length).and_then(|range| memory.data(&*store).get(range)) else {
            let size = memory.data_size(&*store);
            let words = format!(
                "answered with {length} bytes at {place}, outside of the {size} bytes of their memory"
            );
            return Err(CarrierFault::new(CarrierFaultKind::NotAnAnswer, words));
        };
        let answer = read_answer(bytes)?.to_owned();
        self.answered += 1;
        Ok(answer)
    }
}

/// Returns where bytes lie.
fn range(place: u32, length: u32) -> Option<std::ops::Range<usize>> {
    Some(place as usize..(place as usize).checked_add(length as usize)?)
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
