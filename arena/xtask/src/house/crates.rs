//! The crates of the workspace, as Cargo and their folders tell.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::shell::ChoreError;

/// A crate of the workspace.
pub(super) struct Crate {
    /// Its name, as in manifests.
    pub(super) name: String,
    /// The folder of its sources.
    pub(super) sources: PathBuf,
    /// The file of its root module.
    pub(super) root: PathBuf,
    /// The crates of the workspace that it names, tests aside, in order.
    pub(super) names: Vec<String>,
    /// Its source files, tests aside, by their paths.
    pub(super) files: BTreeMap<PathBuf, String>,
}

impl Crate {
    /// Returns how many lines it has, tests aside.
    pub(super) fn lines(&self) -> usize {
        self.files.values().map(|text| text.lines().count()).sum()
    }

    /// Returns how many source files each of its folders holds.
    pub(super) fn folders(&self) -> BTreeMap<PathBuf, usize> {
        let mut folders = BTreeMap::new();
        for folder in self.files.keys().filter_map(|file| file.parent()) {
            *folders.entry(folder.to_owned()).or_default() += 1;
        }
        folders
    }

    /// Returns the folder of its sources, from the root of the workspace.
    pub(super) fn below(&self, root: &Path) -> String {
        self.sources.strip_prefix(root).unwrap_or(&self.sources).display().to_string()
    }
}

/// Reads the crates of the workspace at `root`.
///
/// # Errors
/// When Cargo or a file cannot be read.
pub(super) fn read(root: &Path) -> Result<Vec<Crate>, ChoreError> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let words = ["metadata", "--no-deps", "--format-version", "1", "--offline"];
    let output = Command::new(cargo).args(words).current_dir(root).output()?;
    let whole: Value = serde_json::from_slice(&output.stdout).map_err(|error| {
        ChoreError(format!("cargo metadata: {error}: {}", String::from_utf8_lossy(&output.stderr)))
    })?;
    let packages: Vec<&Value> = whole["packages"].as_array().into_iter().flatten().collect();
    let mut crates = packages.iter().map(|package| of_package(package)).collect::<Result<Vec<_>, _>>()?;
    let names: Vec<_> = crates.iter().map(|unit| unit.name.clone()).collect();
    for unit in &mut crates {
        unit.names.retain(|name| names.contains(name));
    }
    crates.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(crates)
}

fn of_package(package: &Value) -> Result<Crate, ChoreError> {
    let name = package["name"].as_str().unwrap_or_default().to_owned();
    let is_main = |target: &&Value| {
        let kinds = target["kind"].as_array().into_iter().flatten();
        kinds.into_iter().any(|kind| kind == "lib" || kind == "bin")
    };
    let target = package["targets"].as_array().into_iter().flatten().find(is_main);
    let root = target.and_then(|target| target["src_path"].as_str());
    let root = PathBuf::from(root.ok_or_else(|| ChoreError(format!("package {name} has no sources")))?);
    let sources =
        root.parent().ok_or_else(|| ChoreError(format!("package {name} has no folder")))?.to_owned();
    let dependencies = package["dependencies"].as_array().into_iter().flatten();
    let mut names: Vec<_> = dependencies
        .filter(|dependency| dependency["kind"].is_null() && dependency["path"].is_string())
        .filter_map(|dependency| dependency["name"].as_str().map(str::to_owned))
        .collect();
    names.sort();
    names.dedup();
    let mut files = BTreeMap::new();
    gather(&sources, &mut files)?;
    Ok(Crate { name, sources, root, names, files })
}

/// Adds the source files below a folder; `tests.rs`, `tests/` and what follows `#[cfg(test)] mod` are left out.
fn gather(folder: &Path, files: &mut BTreeMap<PathBuf, String>) -> Result<(), ChoreError> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && name != "tests" {
            gather(&path, files)?;
        } else if name.ends_with(".rs") && name != "tests.rs" {
            files.insert(path.clone(), without_tests(&fs::read_to_string(&path)?));
        }
    }
    Ok(())
}

/// Returns a source text up to its inline tests, which stand at the end of a file.
fn without_tests(text: &str) -> String {
    let begin = text.find("\n#[cfg(test)]\nmod tests {");
    text[..begin.map_or(text.len(), |begin| begin + 1)].to_owned()
}
