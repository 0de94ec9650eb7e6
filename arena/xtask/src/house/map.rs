//! The map of the crates in the documentation, compared with the manifests.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::house::crates::Crate;

/// The page with the map: a table with the columns crate, what it holds, and what it may name.
const PAGE: &str = "arena/docs/crates.md";

/// Returns where the map and the manifests differ, in words.
pub(super) fn differences(root: &Path, crates: &[Crate]) -> Vec<String> {
    let page = match fs::read_to_string(root.join(PAGE)) {
        Ok(page) => page,
        Err(error) => return vec![format!("{PAGE}: {error}")],
    };
    let map = rows(&page);
    let mut differences = Vec::new();
    for unit in crates {
        match map.get(unit.name.as_str()) {
            None => differences.push(format!("{PAGE} lacks the crate {}", unit.name)),
            Some(names) if *names != unit.names => differences.push(format!(
                "{PAGE} says that {} names {}; its manifest names {}",
                unit.name,
                names.join(", "),
                unit.names.join(", ")
            )),
            Some(_) => {}
        }
    }
    let is_crate = |name: &str| crates.iter().any(|unit| unit.name == name);
    let strange = map.keys().filter(|name| !is_crate(name));
    differences.extend(strange.map(|name| format!("{PAGE} has the crate {name}, which is none")));
    differences
}

/// Returns the rows of the map: what each crate names, in order.
fn rows(page: &str) -> BTreeMap<&str, Vec<String>> {
    let mut rows = BTreeMap::new();
    for line in page.lines().filter_map(|line| line.strip_prefix("| `")) {
        let cells: Vec<_> = line.trim_end_matches('|').split(" | ").collect();
        let (Some(name), Some(names)) = (cells[0].split('`').next(), cells.last()) else { continue };
        let mut names: Vec<_> = names.split('`').skip(1).step_by(2).map(str::to_owned).collect();
        names.sort();
        rows.insert(name, names);
    }
    rows
}
