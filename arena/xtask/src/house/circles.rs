//! Modules of a crate that import each other, directly or by way of others. A module and what lies below it may: they are
//! one subject.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::house::crates::Crate;
use crate::house::imports;

/// A module: its words below the root of the crate.
type Module = Vec<String>;

/// Returns the sets of modules that import each other.
pub(super) fn of(unit: &Crate) -> Vec<Vec<String>> {
    let texts: BTreeMap<Module, &str> =
        unit.files.iter().map(|(file, text)| (module(file, unit), text.as_str())).collect();
    let exports = exports(&texts);
    let edges: BTreeMap<&Module, BTreeSet<&Module>> =
        texts.iter().map(|(module, text)| (module, targets(module, text, &texts, &exports))).collect();
    let reached: BTreeMap<_, _> = edges.keys().map(|module| (*module, reach(module, &edges))).collect();
    let mut circles = BTreeSet::new();
    for (module, others) in &reached {
        let circle: Vec<_> = others
            .iter()
            .filter(|other| reached[**other].contains(*module))
            .map(|other| other.join("::"))
            .collect();
        if circle.len() > 1 {
            circles.insert(circle);
        }
    }
    circles.into_iter().collect()
}

/// Returns which module a file is.
fn module(file: &Path, unit: &Crate) -> Module {
    if file == unit.root {
        return Module::new();
    }
    let below = file.strip_prefix(&unit.sources).unwrap_or(file).with_extension("");
    let mut words: Module = below.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    words.pop_if(|word| word == "mod");
    words
}

/// Returns under which other paths things are exported: `crate::Clock` for what is `crate::clock::Clock`.
fn exports(texts: &BTreeMap<Module, &str>) -> BTreeMap<Module, Module> {
    let mut exports = BTreeMap::new();
    for (module, text) in texts {
        for start in ["pub use ", "pub(crate) use ", "pub(super) use "] {
            for (at, _) in text.match_indices(start) {
                let rest = text[at + start.len()..].split(';').next().unwrap_or_default();
                let rest = rest.strip_prefix("self::").unwrap_or(rest);
                let absolute = if rest.starts_with("crate::") || rest.starts_with("super::") {
                    imports::of(rest, module)
                } else {
                    let below: String = module.iter().map(|word| format!("{word}::")).collect();
                    imports::of(&format!("crate::{below}{rest}"), module)
                };
                for path in absolute {
                    if let Some(name) = path.last().cloned() {
                        exports.insert([module.as_slice(), &[name]].concat(), path);
                    }
                }
            }
        }
    }
    exports
}

/// Returns the modules that a text imports from, those above and below it aside.
fn targets<'a>(
    module: &Module,
    text: &str,
    texts: &'a BTreeMap<Module, &str>,
    exports: &BTreeMap<Module, Module>,
) -> BTreeSet<&'a Module> {
    let mut targets = BTreeSet::new();
    for path in imports::of(text, module) {
        // A path may name both a module and what is exported under its name.
        let named = texts.get_key_value(&path);
        let path = resolved(path, texts, exports);
        let found = (0..=path.len()).rev().find_map(|end| texts.get_key_value(&path[..end]));
        for (target, _) in named.into_iter().chain(found) {
            let is_kin = target.starts_with(module) || module.starts_with(target);
            if !is_kin {
                targets.insert(target);
            }
        }
    }
    targets
}

/// Follows a path through what is exported under another name, as often as there are such names. Where more words follow, a
/// module comes before a function of its name.
fn resolved(mut path: Module, texts: &BTreeMap<Module, &str>, exports: &BTreeMap<Module, Module>) -> Module {
    for _ in 0..exports.len() {
        let is_module = |end: usize| end < path.len() && texts.contains_key(&path[..end]);
        let mut ends = (1..=path.len()).filter(|end| !is_module(*end));
        let found = ends.find_map(|end| exports.get(&path[..end]).map(|to| (end, to)));
        match found {
            Some((end, to)) if to.as_slice() != &path[..end] => path = [to.as_slice(), &path[end..]].concat(),
            _ => break,
        }
    }
    path
}

/// Returns every module that can be reached from one; itself too where a way leads back.
fn reach<'a>(from: &Module, edges: &BTreeMap<&'a Module, BTreeSet<&'a Module>>) -> BTreeSet<&'a Module> {
    let mut reached = BTreeSet::new();
    let mut left: Vec<_> = edges[from].iter().copied().collect();
    while let Some(module) = left.pop() {
        if reached.insert(module) {
            left.extend(edges[module].iter().copied());
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn circles(files: &[(&str, &str)]) -> Vec<Vec<String>> {
        let files = files.iter().map(|(path, text)| (PathBuf::from("src").join(path), (*text).to_owned()));
        of(&Crate {
            name: "it".to_owned(),
            sources: "src".into(),
            root: "src/lib.rs".into(),
            names: Vec::new(),
            files: files.collect(),
        })
    }

    #[test]
    fn modules_that_import_each_other_are_found_also_by_other_names() {
        let direct =
            [("lib.rs", "mod a; mod b;"), ("a.rs", "use crate::b::B;"), ("b.rs", "use crate::a::A;")];
        assert_eq!(circles(&direct), [["a", "b"]]);
        let renamed = [
            ("lib.rs", "pub use a::A; pub use b::B;"),
            ("a.rs", "use crate::B;"),
            ("b.rs", "use crate::c::C;"),
            ("c.rs", "use crate::A;"),
        ];
        assert_eq!(circles(&renamed), [["a", "b", "c"]]);
    }

    #[test]
    fn a_module_is_told_from_a_function_of_its_name() {
        let files = [
            ("lib.rs", "pub use format::Format; pub use choice::format;"),
            ("format.rs", ""),
            ("choice.rs", "use crate::a::A;"),
            ("a.rs", "use crate::Format;"),
        ];
        assert_eq!(circles(&files), Vec::<Vec<String>>::new());
        let files = [
            ("lib.rs", "pub use format::Format; pub use choice::format;"),
            ("format.rs", "use crate::a::A;"),
            ("choice.rs", ""),
            ("a.rs", "use crate::format;"),
        ];
        assert_eq!(circles(&files), [["a", "format"]]);
    }

    #[test]
    fn parents_and_children_may_know_each_other() {
        let files = [
            ("lib.rs", ""),
            ("a.rs", "use crate::a::b::B;"),
            ("a/b.rs", "use super::A; use crate::c::C;"),
            ("c.rs", ""),
        ];
        assert_eq!(circles(&files), Vec::<Vec<String>>::new());
    }
}
