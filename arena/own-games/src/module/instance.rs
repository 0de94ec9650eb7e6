//! One memory that a module works in, whatever runs its code.

use std::ops::Range;

use super::check::ALLOC;
use crate::carrier::{read_answer, too_long};
use crate::{CarrierFault, CarrierFaultKind, MAX_ANSWER, ModuleLimits};

/// One memory of a module, and an engine that runs the module's code in it.
pub(super) trait Machine: Sized {
    /// A module as its engine has it: any number of memories are made from it.
    type Code;

    /// Makes a memory and prepares it as the module says.
    fn start(code: &Self::Code, limits: ModuleLimits) -> Result<Self, CarrierFault>;

    /// Allows all that a question may take.
    fn refuel(&mut self, limits: ModuleLimits) -> Result<(), CarrierFault>;

    /// Asks for a place for a question.
    fn alloc(&mut self, length: u32, limits: ModuleLimits) -> Result<u32, CarrierFault>;

    /// Asks the question that lies there.
    fn ask(&mut self, place: u32, length: u32, limits: ModuleLimits) -> Result<u64, CarrierFault>;

    /// Returns the memory.
    fn memory(&self) -> &[u8];

    /// Returns the memory, to write in it.
    fn memory_mut(&mut self) -> &mut [u8];
}

/// One memory that a module works in.
pub(super) struct Instance<M> {
    machine: M,
    limits: ModuleLimits,
    /// The bytes of its memory before the first question.
    first: usize,
    /// How many questions it has answered.
    answered: u32,
}

impl<M: Machine> Instance<M> {
    /// Starts a module.
    pub(super) fn new(code: &M::Code, limits: ModuleLimits) -> Result<Self, CarrierFault> {
        let machine = M::start(code, limits)?;
        let first = machine.memory().len();
        Ok(Self { machine, limits, first, answered: 0 })
    }

    /// Returns whether it was never asked.
    pub(super) const fn is_new(&self) -> bool {
        self.answered == 0
    }

    /// Returns whether it has done enough: it has answered many questions, or keeps memory that it took for them. It is done
    /// while there is room for a question that needs much.
    pub(super) fn is_worn(&self) -> bool {
        let spare = self.limits.memory().saturating_sub(self.first);
        let grown = self.machine.memory().len().saturating_sub(self.first);
        self.answered >= self.limits.questions || grown > spare / 2
    }

    /// Asks a question. After a fault it is of no use any more.
    pub(super) fn ask(&mut self, question: &str) -> Result<String, CarrierFault> {
        let Self { machine, limits, .. } = self;
        let limits = *limits;
        machine.refuel(limits)?;
        let length = u32::try_from(question.len()).map_err(|_| {
            CarrierFault::new(CarrierFaultKind::Arena, "were not asked, because the question is too long")
        })?;
        let place = machine.alloc(length, limits)?;
        let memory = machine.memory_mut();
        let size = memory.len();
        let Some(room) = range(place, length).and_then(|range| memory.get_mut(range)) else {
            let words = format!(
                "have no room for the question: `{ALLOC}` returned {place} for {length} bytes, in a memory of {size}"
            );
            return Err(CarrierFault::new(CarrierFaultKind::NotAnAnswer, words));
        };
        room.copy_from_slice(question.as_bytes());
        let packed = machine.ask(place, length, limits)?;
        let [place, length] = [packed >> 32, packed & u64::from(u32::MAX)].map(|half| half as u32);
        if length as usize > MAX_ANSWER {
            return Err(too_long());
        }
        let memory = machine.memory();
        let Some(bytes) = range(place, length).and_then(|range| memory.get(range)) else {
            let words = format!(
                "answered with {length} bytes at {place}, outside of the {} bytes of their memory",
                memory.len()
            );
            return Err(CarrierFault::new(CarrierFaultKind::NotAnAnswer, words));
        };
        let answer = read_answer(bytes)?.to_owned();
        self.answered += 1;
        Ok(answer)
    }
}

/// Returns where bytes lie.
fn range(place: u32, length: u32) -> Option<Range<usize>> {
    Some(place as usize..(place as usize).checked_add(length as usize)?)
}
