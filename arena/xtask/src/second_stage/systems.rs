//! Systems for which nothing is packaged: the executable is compiled for one of each family, as far as that goes without a
//! linker. Nothing runs there.

use crate::dist::need_target;
use crate::shell::{ChoreError, root, run};

/// The systems. None of what the executable uses by default has code in C, so that a compiler for them is not needed.
const SYSTEMS: [&str; 2] = ["aarch64-apple-darwin", "x86_64-pc-windows-gnu"];

/// Compiles the executable for all of them in one go; a warning is an error.
///
/// # Errors
/// When a toolchain lacks one, or something does not compile.
pub(super) fn check() -> Result<(), ChoreError> {
    let root = root();
    for system in SYSTEMS {
        run(&need_target(system), &root)?;
    }
    let targets = SYSTEMS.map(|system| format!("--target {system}")).join(" ");
    run(&format!("RUSTFLAGS='-D warnings' cargo check --locked --quiet --bin arena {targets}"), &root)
}
