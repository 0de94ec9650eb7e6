//! Rules in a WebAssembly module, asked within this process.
//!
//! A module imports nothing: it reaches no file, clock or network, so it needs no sandbox. What it may use of this process is
//! limited for every question ([`ModuleLimits`]). Equal questions have equal answers on every machine as far as the module
//! itself keeps nothing from one question to the next: the engine interprets, counts its steps itself, and gives every NaN
//! the same bits, so modules may use floating-point numbers.
//!
//! [`check`] is what a file must be to be a module of rules, [`instance`] one memory that a module works in, [`pool`] those that
//! wait for questions, and [`interpreter`] what runs a module. With the feature `jit`, `compiled` runs it first: code of this
//! processor, which has the same answers sooner. Where it has none, whatever the reason, the interpreter is asked.

mod check;
#[cfg(feature = "jit")]
mod clock;
#[cfg(feature = "jit")]
mod compiled;
mod instance;
mod interpreter;
mod limits;
mod pool;

use std::fmt::{self, Write as _};
use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use sha2::{Digest as _, Sha256};
use wasmi::Engine;

pub use self::check::ModuleError;
use self::interpreter::Interpreted;
pub use self::limits::{MAX_MODULE, ModuleLimits};
use self::pool::Pool;
use crate::carrier::check_question;
use crate::{CarrierFault, RulesCarrier};

/// Returns what runs modules in this process: the name of the engine, and how it does it.
#[must_use]
pub fn module_engine() -> &'static str {
    #[cfg(feature = "jit")]
    if compiled::works() {
        return "wasmtime, compiled";
    }
    "wasmi, interpreted"
}

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
    interpreted: Pool<Interpreted>,
    #[cfg(feature = "jit")]
    compiled: Option<Pool<compiled::Compiled>>,
    bytes: Arc<[u8]>,
    digest: String,
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
        let engine = Engine::new(&interpreter::config());
        let module = check::read(&engine, &bytes, limits)?;
        let interpreted = Pool::new(module, limits).map_err(ModuleError::Start)?;
        let mut digest = String::new();
        for byte in Sha256::digest(&bytes) {
            let _ = write!(digest, "{byte:02x}");
        }
        Ok(Self {
            interpreted,
            #[cfg(feature = "jit")]
            compiled: compiled::compile(&bytes).and_then(|code| Pool::new(code, limits).ok()),
            bytes: bytes.into(),
            digest,
        })
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

    /// Asks the interpreter alone.
    ///
    /// # Errors
    /// When the rules give no answer.
    #[cfg(feature = "jit")]
    pub fn ask_interpreted(&self, question: &str) -> Result<String, CarrierFault> {
        self.interpreted.ask(question)
    }

    /// Asks the compiled code alone; `None` if nothing was compiled.
    ///
    /// # Errors
    /// When it gives no answer. The kind of fault is right, but the words are not those for people.
    #[cfg(feature = "jit")]
    pub fn ask_compiled(&self, question: &str) -> Option<Result<String, CarrierFault>> {
        self.compiled.as_ref().map(|pool| pool.ask(question))
    }
}

impl RulesCarrier for RulesModule {
    /// A module runs in the thread that asks.
    fn cpu(&self) -> Option<Duration> {
        processes::thread_time()
    }

    fn ask(&self, question: &str) -> Result<String, CarrierFault> {
        check_question(question)?;
        #[cfg(feature = "jit")]
        if let Some(Ok(answer)) = self.ask_compiled(question) {
            return Ok(answer);
        }
        self.interpreted.ask(question)
    }
}

impl fmt::Debug for RulesModule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RulesModule").field("digest", &self.digest).finish_non_exhaustive()
    }
}
