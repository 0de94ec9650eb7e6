//! What is linked into the executables, as Cargo tells.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::dist::{FEATURES, Release};
use crate::shell::{ChoreError, output};

/// A package that is linked into the executables.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Dependency {
    pub name: String,
    pub version: String,
    /// An expression of SPDX.
    pub license: String,
    pub authors: Vec<String>,
    /// Its folder.
    pub folder: PathBuf,
    /// The digest of its archive; empty for packages of the workspace.
    pub sha256: String,
}

impl Dependency {
    /// Returns whether it belongs to the workspace.
    pub(super) const fn is_ours(&self) -> bool {
        self.sha256.is_empty()
    }
}

/// Returns the packages that a release links, in order; what only builds or tests is left out.
///
/// # Errors
/// When Cargo does not tell.
pub(super) fn of(release: &Release) -> Result<Vec<Dependency>, ChoreError> {
    let Release { source, target, .. } = release;
    let line = format!(
        "cargo metadata --locked --format-version 1 --filter-platform {target} --features {FEATURES}"
    );
    let metadata: Value =
        serde_json::from_str(&output(&line, source)?).map_err(|error| ChoreError(error.to_string()))?;
    let sums = checksums(&fs::read_to_string(source.join("Cargo.lock"))?);
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let nodes: BTreeMap<String, Value> =
        list(&metadata["resolve"]["nodes"]).into_iter().map(|node| (text(&node["id"]), node)).collect();
    let packages: BTreeMap<String, Value> =
        list(&metadata["packages"]).into_iter().map(|package| (text(&package["id"]), package)).collect();
    let is_root = |package: &&Value| matches!(package["name"].as_str(), Some("arena" | "chess-rules"));
    let mut left: Vec<String> =
        packages.values().filter(is_root).map(|package| text(&package["id"])).collect();
    let mut linked = BTreeSet::new();
    while let Some(id) = left.pop() {
        // What a macro of a compiler needs is not linked either.
        let is_macro = list(&packages[&id]["targets"]).iter().any(|target| target["kind"][0] == "proc-macro");
        if is_macro || !linked.insert(id.clone()) {
            continue;
        }
        for dependency in list(&nodes[&id]["deps"]) {
            if list(&dependency["dep_kinds"]).iter().any(|kind| kind["kind"].is_null()) {
                left.push(text(&dependency["pkg"]));
            }
        }
    }
    let mut dependencies: Vec<_> = linked
        .iter()
        .map(|id| {
            let package = &packages[id];
            let (name, version) = (text(&package["name"]), text(&package["version"]));
            let sha256 = sums.get(&(name.clone(), version.clone())).cloned().unwrap_or_default();
            let manifest = PathBuf::from(text(&package["manifest_path"]));
            Dependency {
                license: text(&package["license"]),
                authors: list(&package["authors"]).iter().map(text).collect(),
                folder: manifest.parent().map(PathBuf::from).unwrap_or_default(),
                name,
                version,
                sha256,
            }
        })
        .collect();
    dependencies.sort();
    Ok(dependencies)
}

/// Returns the digest of each archive that a lock file names.
fn checksums(lock: &str) -> BTreeMap<(String, String), String> {
    let field = |block: &str, name: &str| {
        let line = block.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = \""))?;
        Some(line.trim_end_matches('"').to_owned())
    };
    let blocks = lock.split("[[package]]").skip(1);
    blocks
        .filter_map(|block| {
            Some(((field(block, "name")?, field(block, "version")?), field(block, "checksum")?))
        })
        .collect()
}
