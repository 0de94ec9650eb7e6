//! Rules in a WebAssembly module, asked within this process.
//!
//! A module imports nothing: it reaches no file, clock or network, so it needs no sandbox. What it may use of this process is
//! limited for every question ([`ModuleLimits`]). Equal questions have equal answers on every machine as far as the module
//! itself keeps nothing from one question to the next: the engine interprets, counts its steps itself, and gives every NaN
//! the same bits, so modules may use floating-point numbers.
//!
//! [`check`] is what a file must be to be a module of rules, [`instance`] one memory that a module works in.

mod check;
mod instance;
mod limits;

use std::fmt::{self, Write as _};
use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sha2::{Digest as _, Sha256};
use wasmi::Engine;

pub use self::check::ModuleError;
use self::instance::Instance;
pub use self::limits::{MAX_MODULE, ModuleLimits};
use crate::carrier::check_question;
use crate::{CarrierFault, RulesCarrier};

/// How many instances wait for questions at most. More are made when more are needed at one time.
const MOST_IDLE: usize = 64;

/// Rules in a WebAssembly module.
///
/// The module exports `memory`, `arena_alloc` (from a length to the place of as many bytes), `arena_ask` (from the place and
/// length of a question to those of the answer, in the upper and lower half of 64 bits) and, as a sign that it means it,
/// anything called `arena_rules_1`.
///
/// ```no_run
/// use own_games::{ModuleLimits, RulesCarrier as _, RulesModule};
///
/// let rules = RulesModule::load("dao.wasm".as_ref(), ModuleLimits::default())?;
/// println!("{}: {}", rules.digest(), rules.ask("about")?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct RulesModule {
    module: wasmi::Module,
    limits: ModuleLimits,
    bytes: Arc<[u8]>,
    digest: String,
    /// Instances that wait for a question, the one that was used last at the end.
    idle: Mutex<Vec<Instance>>,
}

impl RulesModule {
    /// Reads a module from a file.
    ///
    /// # Errors
    /// When the file cannot be read, or is not a module of rules.
    pub fn load(path: &Path, limits: ModuleLimits) -> Result<Self, ModuleError> {
        let mut bytes = Vec::new();
        // One byte more than allowed tells that there are too many.
        let most = MAX_MODULE as u64 + 1;
        File::open(path)
            .and_then(|file| file.take(most).read_to_end(&mut bytes))
            .map_err(ModuleError::Read)?;
        Self::from_bytes(bytes, limits)
    }

    /// Returns the module that the bytes of a file are.
    ///
    /// # Errors
    /// When they are not a module of rules.
    pub fn from_bytes(bytes: Vec<u8>, limits: ModuleLimits) -> Result<Self, ModuleError> {
        let engine = Engine::new(&limits.config());
        let module = check::read(&engine, &bytes, limits)?;
        // What it does when it starts is tried before anybody counts on it.
        let first = Instance::new(&module, limits).map_err(ModuleError::Start)?;
        let mut digest = String::new();
        for byte in Sha256::digest(&bytes) {
            let _ = write!(digest, "{byte:02x}");
        }
        Ok(Self { module, limits, bytes: bytes.into(), digest, idle: Mutex::new(vec![first]) })
    }

    /// Returns the SHA-256 of the file, in hexadecimal digits: what the module is known by.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Returns the bytes of the file.
    #[must_use]
    pub const fn bytes(&self) -> &Arc<[u8]> {
        &self.bytes
    }

    /// Asks a new instance, and keeps it if it has answered.
    fn ask_anew(&self, question: &str) -> Result<String, CarrierFault> {
        let mut instance = Instance::new(&self.module, self.limits)?;
        let answer = instance.ask(question)?;
        self.keep(instance);
        Ok(answer)
    }

    /// Returns the instance that was used last.
    fn take(&self) -> Option<Instance> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    /// Keeps an instance for the next question, unless it has done enough.
    fn keep(&self, instance: Instance) {
        if instance.is_worn() {
            return;
        }
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < MOST_IDLE {
            idle.push(instance);
        }
    }
}

impl RulesCarrier for RulesModule {
    /// A module runs in the thread that asks.
    fn cpu(&self) -> Option<Duration> {
        processes::thread_time()
    }

    /// A fault is always that of a new instance: if one fails that has answered before, the question is put to a new one. So
    /// whether there is an answer does not depend on the questions before, such as the memory that they took and never
    /// returned.
    fn ask(&self, question: &str) -> Result<String, CarrierFault> {
        check_question(question)?;
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
}

impl fmt::Debug for RulesModule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RulesModule").field("digest", &self.digest).finish_non_exhaustive()
    }
}
