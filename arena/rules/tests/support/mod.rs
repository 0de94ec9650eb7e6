//! What the tests of the specification have in common.

pub(crate) mod script;

use std::path::PathBuf;

/// Returns a folder or file of the specification.
pub(crate) fn specification(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../protocol-spec").join(path)
}
