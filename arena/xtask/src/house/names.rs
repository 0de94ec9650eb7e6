//! Types that several crates export under one name. A name stands for one thing in the whole workspace; where two crates
//! that do not know each other need the same thing, the list here says so.

use std::collections::BTreeMap;

use crate::house::crates::Crate;

/// A name that several crates may export, because it means the same in all of them.
struct Shared {
    name: &'static str,
    crates: [&'static str; 2],
}

/// Every name that is shared, and why.
const SHARED: [Shared; 2] = [
    // What is left of a process: a connection of the suite is provided by others, so that it need not know the runner.
    Shared { name: "ExitReport", crates: ["conformance", "runner"] },
    // What a schedule by results finds out: as the file says it, and as the evidence takes it. Neither crate knows the other.
    Shared { name: "Goal", crates: ["settings", "stats"] },
];

/// What stands before the name of a type that may be exported.
const KINDS: [&str; 4] = ["pub struct ", "pub enum ", "pub trait ", "pub type "];

/// Returns which names several crates export, and which of [`SHARED`] they export no longer, in words.
pub(super) fn breaches(crates: &[Crate]) -> Vec<String> {
    let mut exporters: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for unit in crates {
        for name in unit.files.values().flat_map(|text| types(text)) {
            let exporters = exporters.entry(name).or_default();
            if exporters.last() != Some(&&*unit.name) {
                exporters.push(&unit.name);
            }
        }
    }
    let mut breaches = Vec::new();
    for (name, exporters) in &exporters {
        let is_shared = SHARED.iter().any(|shared| shared.name == *name && shared.crates[..] == **exporters);
        if exporters.len() > 1 && !is_shared {
            breaches.push(format!("{} each export a type `{name}`: rename one", exporters.join(" and ")));
        }
    }
    for shared in &SHARED {
        if exporters.get(shared.name).is_none_or(|exporters| exporters[..] != shared.crates) {
            let crates = shared.crates.join(" and ");
            breaches.push(format!("{crates} no longer share the name `{}`: forget it", shared.name));
        }
    }
    breaches
}

/// Returns the names of the public types that a source text defines.
fn types(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let line = line.trim_start();
        let rest = KINDS.iter().find_map(|kind| line.strip_prefix(kind))?;
        rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()
    })
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn unit(name: &str, text: &str) -> Crate {
        let sources = PathBuf::from(name);
        let root = sources.join("lib.rs");
        let files = BTreeMap::from([(root.clone(), text.to_owned())]);
        Crate { name: name.to_owned(), sources, root, names: Vec::new(), files }
    }

    /// Returns what is wrong with crates `a` and `b` of these texts, the list of shared names aside.
    fn of(one: &str, other: &str) -> Vec<String> {
        let mut breaches = breaches(&[unit("a", one), unit("b", other)]);
        breaches.retain(|breach| !breach.contains("no longer share"));
        breaches
    }

    #[test]
    fn a_name_that_two_crates_export_is_a_breach() {
        let told = ["a and b each export a type `Table`: rename one"];
        assert_eq!(of("pub struct Table {\n", "    pub enum Table<P> {\n"), told);
        assert_eq!(of("pub type Table = u8;\n", "pub trait Table: Clone {}\n"), told);
    }

    #[test]
    fn a_private_type_and_a_longer_name_are_none() {
        assert!(of("pub struct Table {\n", "pub(crate) struct Table {\nstruct Table;\n").is_empty());
        assert!(of("pub struct Table(u8);\n", "pub struct Tables(u8);\n").is_empty());
        assert!(of("pub struct Table;\npub struct Table;\n", "").is_empty());
    }

    #[test]
    fn a_shared_name_is_shared_by_its_crates_only() {
        let goal = |name| unit(name, "pub enum Goal {\n");
        assert!(breaches(&[goal("settings"), goal("stats")]).iter().all(|breach| !breach.contains("Goal")));
        let told = breaches(&[goal("runner"), goal("settings"), goal("stats")]);
        assert!(told.iter().any(|breach| breach.contains("`Goal`: rename one")), "{told:?}");
        let told = breaches(&[goal("stats")]);
        assert!(told.iter().any(|breach| breach.contains("`Goal`: forget it")), "{told:?}");
    }
}
