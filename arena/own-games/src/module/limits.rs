//! What a module may use of this process.

/// The most bytes that the file of a module may have.
pub const MAX_MODULE: usize = 16 * 1024 * 1024;

/// How deep functions of a module may call each other. A search from cell to cell is as deep as the board has cells.
pub(super) const MAX_DEPTH: usize = 50_000;

/// The most bytes of the values that calls in progress hold.
pub(super) const MAX_STACK: usize = 8 * 1024 * 1024;

/// The most elements of a table: functions that are called by their number.
pub(super) const MAX_TABLE: usize = 100_000;

/// The most tables.
pub(super) const MAX_TABLES: usize = 8;

/// How many instances wait for questions at most. More are made when more are needed at one time.
pub(super) const MOST_IDLE: usize = 64;

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
    /// Returns the most bytes of its memory.
    pub(super) const fn memory(self) -> usize {
        self.pages as usize * PAGE
    }
}

/// The bytes of a page of memory.
pub(super) const PAGE: usize = 64 * 1024;
