//! What a module may use of this process.

use wasmi::{CompilationMode, Config};

/// The most bytes that the file of a module may have.
pub const MAX_MODULE: usize = 16 * 1024 * 1024;

/// How deep functions of a module may call each other. A search from cell to cell is as deep as the board has cells.
const MAX_DEPTH: usize = 50_000;

/// The most bytes of the values that calls in progress hold.
const MAX_STACK: usize = 8 * 1024 * 1024;

/// What a module may use of this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModuleLimits {
    /// How many steps a question may take: nearly every instruction is one, and every 64 bytes that are copied at once.
    /// wasmi charges at the head of a function, a loop and a branch of an `if` for all that stands below it and has no such
    /// head of its own: an iteration of a loop costs its whole body, also the blocks that it jumps over.
    pub fuel: u64,
    /// How many pages of 64 KiB the memory may have.
    pub pages: u32,
    /// After how many questions an instance is replaced by a new one.
    pub questions: u32,
}

impl Default for ModuleLimits {
    fn default() -> Self {
        Self { fuel: 2_000_000_000, pages: 1024, questions: 100_000 }
    }
}

impl ModuleLimits {
    /// Returns how the engine is set up.
    pub(super) fn config(self) -> Config {
        let mut config = Config::default();
        config
            .consume_fuel(true)
            // Else the first question would pay for it, and the fuel of a question depend on those before.
            .compilation_mode(CompilationMode::Eager)
            .ignore_custom_sections(true)
            .wasm_multi_memory(false)
            .set_max_recursion_depth(MAX_DEPTH)
            .set_max_stack_height(MAX_STACK)
            .set_max_cached_stacks(super::MOST_IDLE);
        config
    }

    /// Returns the most bytes of its memory.
    pub(super) const fn memory(self) -> usize {
        self.pages as usize * PAGE
    }
}

/// The bytes of a page of memory.
pub(super) const PAGE: usize = 64 * 1024;
