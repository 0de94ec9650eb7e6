//! What `protocol-spec/` says of the games, held against the rules: scripts of positions, the rules pages, whole
//! games and counts of lines.

mod golden;
mod pages;
mod perft;
mod playthroughs;
mod script;
mod vectors;

use std::fs;
use std::path::{Path, PathBuf};

/// Returns a folder or file of the specification.
fn specification(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../protocol-spec").join(path)
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
