//! Runs on other machines: what is built with the feature `nats`, tested with the broker of Debian, and the page about it.

use std::path::Path;

use crate::shell::{ChoreError, root, run};
use crate::{readme, shards};

/// Builds the arena with its broker, plays with real workers, and runs the commands of the page.
pub(super) fn check(arena: &Path, work: &Path) -> Result<(), ChoreError> {
    shards::install("nats-server", &["nats-server"], work)?;
    let root = root();
    run(
        "cargo clippy --locked --quiet --package fleet --package arena --features nats --all-targets -- -D warnings",
        &root,
    )?;
    run("cargo test --locked --quiet --package fleet --features fleet/nats", &root)?;
    run("cargo test --locked --quiet --features nats --test workers", &root)?;
    run("cargo build --locked --quiet --features nats --bin arena", &root)?;
    let target = arena.ancestors().nth(2).unwrap_or(work);
    readme::check_pages(&["arena/docs/machines.md"], &work.join("machines-clone"), target, "debug")
}
