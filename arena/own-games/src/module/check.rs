//! What a file must be to be a module of rules.

use std::io;

use protocol::printable_capped;
use thiserror::Error;
use wasmi::{Engine, ExternType, Module, ValType};

use super::limits::PAGE;
use crate::{CarrierFault, MAX_MODULE, ModuleLimits};

/// The export by which questions are asked.
pub(super) const ASK: &str = "arena_ask";

/// The export that returns a place for a question.
pub(super) const ALLOC: &str = "arena_alloc";

/// The export that questions and answers are in.
pub(super) const MEMORY: &str = "memory";

/// The export that says that the others mean what is meant here.
const MARKER: &str = "arena_rules_1";

/// How every WebAssembly file begins.
const MAGIC: &[u8] = b"\0asm";

/// What follows in a module; components have something else.
const VERSION: &[u8] = &[1, 0, 0, 0];

/// How many imports are named in a message.
const NAMED: usize = 3;

/// How many characters of a name are shown.
const SHOWN: usize = 100;

/// Why a file is not a module of rules: words whose subject is the file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ModuleError {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Read(io::Error),
    /// The file has no bytes.
    #[error("is empty")]
    Empty,
    /// The file has more bytes than [`MAX_MODULE`].
    #[error("is larger than {} MiB", MAX_MODULE >> 20)]
    TooLarge,
    /// The file is the text form of a module.
    #[error("is WebAssembly as text, not a module")]
    Text,
    /// The file is something else.
    #[error("is not WebAssembly: it does not begin with `\\0asm`")]
    NotWebAssembly,
    /// The file is a component, or of a version that is to come.
    #[error("is WebAssembly, but not a core module of version 1")]
    NotACoreModule,
    /// The file is damaged, or needs something of WebAssembly that the arena does not have.
    #[error("is not a valid module: {reason}")]
    Invalid {
        /// What the engine says of it.
        reason: String,
    },
    /// The module needs something from outside.
    #[error("imports {names}, and a module of rules may import nothing")]
    Imports {
        /// What it imports.
        names: String,
    },
    /// An export is missing.
    #[error("does not export `{name}`")]
    Missing {
        /// The name of the export.
        name: &'static str,
    },
    /// An export is of another type than it has to be.
    #[error("exports `{name}` as {found}, not as {wanted}")]
    WrongType {
        /// The name of the export.
        name: &'static str,
        /// What it is.
        found: String,
        /// What it has to be.
        wanted: &'static str,
    },
    /// The module asks for more memory than there may be, before any question.
    #[error("begins with {} MiB of memory, more than the {} MiB allowed", pages_to_mib(*.pages), pages_to_mib((*.limit).into()))]
    Memory {
        /// The pages that it begins with.
        pages: u64,
        /// The most pages.
        limit: u32,
    },
    /// The module cannot be started.
    #[error("fails when it is started: it {0}")]
    Start(CarrierFault),
}

impl ModuleError {
    /// Returns how a sentence about the rules in the file goes on to the words of this.
    pub(crate) const fn opening(&self) -> &'static str {
        if matches!(self, Self::Read(_)) { "" } else { "cannot be used: " }
    }

    /// Returns what to do about it, where that is known.
    #[must_use]
    pub const fn hint(&self) -> Option<&'static str> {
        Some(match self {
            Self::Read(_) => return None,
            Self::Empty => "save it, or build it again",
            Self::TooLarge => "build it without debug information, and optimised for size",
            Self::Text => "translate it with `wat2wasm`, or build the module from its source",
            Self::NotWebAssembly => {
                "rules that are a program are written as a command: `rules: [python3, dao.py]`"
            }
            Self::NotACoreModule => "build a core module: for Rust, the target `wasm32-unknown-unknown`",
            Self::Invalid { .. } => {
                "build it again, for WebAssembly 2.0 without SIMD, threads, exceptions or 64-bit memory"
            }
            Self::Imports { .. } => {
                "build it without a system: `wasm32-unknown-unknown` for Rust, `-nostdlib` for C, `--use abort=` for AssemblyScript"
            }
            Self::Missing { .. } | Self::WrongType { .. } => {
                "protocol-spec/own-games.md says what a module exports; linkers drop what is not named in `--export`"
            }
            Self::Memory { .. } => "lower the initial memory that the linker is asked for",
            Self::Start(_) => "what a module prepares when it is started must end soon, and cannot fail",
        })
    }
}

const fn pages_to_mib(pages: u64) -> u64 {
    pages.saturating_mul(PAGE as u64) >> 20
}

/// Returns the module that the bytes of a file are.
pub(super) fn read(engine: &Engine, bytes: &[u8], limits: ModuleLimits) -> Result<Module, ModuleError> {
    if bytes.is_empty() {
        return Err(ModuleError::Empty);
    }
    if bytes.len() > MAX_MODULE {
        return Err(ModuleError::TooLarge);
    }
    let Some(rest) = bytes.strip_prefix(MAGIC) else {
        let is_text = bytes.trim_ascii_start().starts_with(b"(module");
        return Err(if is_text { ModuleError::Text } else { ModuleError::NotWebAssembly });
    };
    if rest.len() >= VERSION.len() && !rest.starts_with(VERSION) {
        return Err(ModuleError::NotACoreModule);
    }
    let module = Module::new(engine, bytes).map_err(|error| {
        let text = error.to_string();
        ModuleError::Invalid { reason: printable_capped(text.trim(), 2 * SHOWN) }
    })?;
    check_imports(&module)?;
    check_exports(&module, limits)?;
    Ok(module)
}

fn check_imports(module: &Module) -> Result<(), ModuleError> {
    let name = |import: wasmi::ImportType<'_>| {
        let name = format!("{}.{}", import.module(), import.name());
        format!("`{}`", printable_capped(&name, SHOWN))
    };
    let mut names: Vec<_> = module.imports().map(name).collect();
    if names.is_empty() {
        return Ok(());
    }
    let more = names.len().saturating_sub(NAMED);
    names.truncate(NAMED);
    let mut names = names.join(", ");
    if more > 0 {
        names.push_str(&format!(" and {more} more"));
    }
    Err(ModuleError::Imports { names })
}

fn check_exports(module: &Module, limits: ModuleLimits) -> Result<(), ModuleError> {
    // The marker comes first: without it the other names may mean anything.
    for name in [MARKER, MEMORY, ALLOC, ASK] {
        let Some(found) = module.get_export(name) else { return Err(ModuleError::Missing { name }) };
        let wanted = match name {
            MEMORY => "a memory",
            ALLOC => "a function from i32 to i32",
            ASK => "a function from i32, i32 to i64",
            _ => continue,
        };
        let fits = match (name, &found) {
            (MEMORY, ExternType::Memory(memory)) => {
                let pages = memory.minimum();
                if pages > limits.pages.into() {
                    return Err(ModuleError::Memory { pages, limit: limits.pages });
                }
                true
            }
            (ALLOC, ExternType::Func(it)) => it.params() == [ValType::I32] && it.results() == [ValType::I32],
            (ASK, ExternType::Func(it)) => it.params() == [ValType::I32; 2] && it.results() == [ValType::I64],
            _ => false,
        };
        if !fits {
            return Err(ModuleError::WrongType { name, found: describe(&found), wanted });
        }
    }
    Ok(())
}

/// Says what an export is.
fn describe(export: &ExternType) -> String {
    let list = |types: &[ValType]| match types {
        [] => "nothing".to_owned(),
        types => types.iter().map(|it| format!("{it:?}").to_lowercase()).collect::<Vec<_>>().join(", "),
    };
    match export {
        ExternType::Func(it) => format!("a function from {} to {}", list(it.params()), list(it.results())),
        ExternType::Memory(_) => "a memory".to_owned(),
        ExternType::Table(_) => "a table".to_owned(),
        ExternType::Global(_) => "a global".to_owned(),
    }
}
