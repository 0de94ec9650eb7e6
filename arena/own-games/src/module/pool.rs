//! Instances of a module that wait for questions.

use std::sync::{Mutex, PoisonError};

use super::instance::{Instance, Machine};
use super::limits::MOST_IDLE;
use crate::{CarrierFault, ModuleLimits};

/// A module, and the instances of it that wait for questions.
pub(super) struct Pool<M: Machine> {
    code: M::Code,
    limits: ModuleLimits,
    /// The one that was used last is at the end.
    idle: Mutex<Vec<Instance<M>>>,
}

impl<M: Machine> Pool<M> {
    /// Returns a pool with one instance: what a module does when it starts is tried before anybody counts on it.
    pub(super) fn new(code: M::Code, limits: ModuleLimits) -> Result<Self, CarrierFault> {
        let first = Instance::new(&code, limits)?;
        Ok(Self { code, limits, idle: Mutex::new(vec![first]) })
    }

    /// Asks a question.
    ///
    /// A fault is always that of a new instance: if one fails that has answered before, the question is put to a new one. So
    /// whether there is an answer does not depend on the questions before, such as the memory that they took and never
    /// returned.
    pub(super) fn ask(&self, question: &str) -> Result<String, CarrierFault> {
        let Some(mut instance) = self.take() else { return self.ask_anew(question) };
        let is_new = instance.is_new();
        match instance.ask(question) {
            Ok(answer) => {
                self.keep(instance);
                Ok(answer)
            }
            Err(fault) if is_new => Err(fault),
            Err(_) => {
                // Its memory first: two at once would be twice as much.
                drop(instance);
                self.ask_anew(question)
            }
        }
    }

    /// Asks a new instance, and keeps it if it has answered.
    fn ask_anew(&self, question: &str) -> Result<String, CarrierFault> {
        let mut instance = Instance::new(&self.code, self.limits)?;
        let answer = instance.ask(question)?;
        self.keep(instance);
        Ok(answer)
    }

    /// Returns the instance that was used last.
    fn take(&self) -> Option<Instance<M>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    /// Keeps an instance for the next question, unless it has done enough.
    fn keep(&self, instance: Instance<M>) {
        if instance.is_worn() {
            return;
        }
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < MOST_IDLE {
            idle.push(instance);
        }
    }
}
