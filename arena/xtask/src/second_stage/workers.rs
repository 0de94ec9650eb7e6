//! Features that are off by default, `nats` and `webhook`: their tests, those of runs on other machines with the broker of Debian, and the page about them.

use std::path::Path;

use crate::shell::{ChoreError, root, run, target};
use crate::{readme, shards};

/// The packages with features that are off by default, all on: one build for everything that tests them, the executable too.
const FEATURES: &str =
    "--locked --quiet --package arena --package fleet --package notify --features arena/nats,arena/webhook";

/// Builds the arena with its broker, plays with real workers, and runs the commands of the page.
pub(super) fn check(_: &Path, work: &Path) -> Result<(), ChoreError> {
    shards::install("nats-server", &["nats-server"], work)?;
    let root = root();
    run(&format!("cargo clippy {FEATURES} --all-targets -- -D warnings"), &root)?;
    run(&format!("cargo test {FEATURES} --lib --test webhook --test workers"), &root)?;
    readme::check_pages(&["arena/docs/machines.md"], &work.join("machines-clone"), &target(), "debug")
}
