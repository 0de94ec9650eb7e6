//! The keys of a file along a path: which ones there are, and what each looks like.

mod json;

use settings::{Form, Key};

use crate::written::path::{Path, Step};

pub use json::json_schema;

/// Finds the keys of a form by their paths.
pub(crate) trait KeysByPath {
    /// Returns the keys that the map at `path` may have; none where the user chooses them.
    fn keys_at(&self, path: &Path) -> &'static [Key];

    /// Returns whether `path` ends in a key that its map cannot have.
    fn lacks(&self, path: &Path) -> bool;

    /// Returns the innermost key of `path` that there is.
    fn innermost(&self, path: &Path) -> Option<&'static Key>;
}

impl KeysByPath for Form {
    fn keys_at(&self, path: &Path) -> &'static [Key] {
        let mut keys = self.keys();
        for step in path.steps() {
            if let Step::Key(name) = step {
                keys = find(keys, name).map_or(&[], Key::below);
            }
        }
        keys
    }

    fn lacks(&self, path: &Path) -> bool {
        match path.split() {
            Some((parent, Step::Key(name))) => {
                let keys = self.keys_at(&parent);
                !keys.is_empty() && find(keys, name).is_none()
            }
            _ => false,
        }
    }

    fn innermost(&self, path: &Path) -> Option<&'static Key> {
        let mut keys = self.keys();
        let mut found = None;
        for step in path.steps() {
            if let Step::Key(name) = step {
                let Some(key) = find(keys, name) else { break };
                found = Some(key);
                keys = key.below();
            }
        }
        found
    }
}

fn find(keys: &'static [Key], name: &str) -> Option<&'static Key> {
    keys.iter().find(|key| key.name == name)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::Args as _;
    use settings::{ENTRY, Shape, TOURNAMENT};

    use super::*;
    use crate::Overrides;
    use crate::written::raw::{RawEntry, RawFile};

    /// Puts a pair of a map into a whole file.
    pub(super) type Wrap<'a> = &'a dyn Fn(&str) -> String;

    /// Calls `check` with every key and a function that puts a pair of its map into a whole file.
    pub(super) fn for_each_key(keys: &[Key], wrap: Wrap<'_>, check: &dyn Fn(&Key, Wrap<'_>)) {
        for key in keys {
            check(key, wrap);
            let name = key.name;
            match key.shape {
                Shape::Map(keys) | Shape::WordOrMap(keys) => {
                    for_each_key(keys, &|text| wrap(&format!("{name}: {{{text}}}")), check);
                }
                Shape::Maps(keys) | Shape::MapOrMaps(keys) => {
                    for_each_key(keys, &|text| wrap(&format!("{name}: [{{{text}}}]")), check);
                }
                Shape::Free | Shape::Words => {}
            }
        }
    }

    #[test]
    fn every_example_is_accepted() {
        for_each_key(TOURNAMENT.keys(), &str::to_owned, &|key, wrap| {
            let text = wrap(&key.line());
            serde_yaml::from_str::<RawFile>(&text).expect(&text);
        });
        for key in ENTRY.keys() {
            serde_yaml::from_str::<RawEntry>(&key.line()).expect(key.example);
        }
    }

    #[test]
    fn every_key_at_the_top_has_a_flag() {
        let flags = Overrides::augment_args(clap::Command::new("flags"));
        for key in TOURNAMENT.keys() {
            // Adjudication has a flag for each rule.
            let Some(flag) = key.flag else {
                assert_eq!(key.name, "adjudicate");
                continue;
            };
            let known = flags.get_arguments().find(|known| known.get_long() == Some(flag.long()));
            assert!(known.is_some_and(|known| known.get_help().is_some()), "{}", key.name);
        }
    }

    #[test]
    fn every_key_that_is_accepted_is_declared() {
        // Serde names the keys it knows when it meets one that it does not.
        fn check<T: serde::de::DeserializeOwned>(text: &str, form: &Form, path: &[&str]) {
            let error = serde_yaml::from_str::<T>(text).err().expect("the key is unknown").to_string();
            let names: BTreeSet<_> = error.split('`').skip(3).step_by(2).collect();
            let known: BTreeSet<_> = form.keys_at(&Path::of(path)).iter().map(|key| key.name).collect();
            assert_eq!(names, known, "{text}");
        }
        check::<RawFile>("openings: {nonsense: 1}", &TOURNAMENT, &["openings"]);
        check::<RawFile>("sandbox: {nonsense: 1}", &TOURNAMENT, &["sandbox"]);
        check::<RawFile>("limits: {nonsense: 1}", &TOURNAMENT, &["limits"]);
        check::<RawFile>("sprt: {nonsense: 1}", &TOURNAMENT, &["sprt"]);
        check::<RawFile>("adjudicate: {nonsense: 1}", &TOURNAMENT, &["adjudicate"]);
        check::<RawFile>("adjudicate: {resign: {nonsense: 1}}", &TOURNAMENT, &["adjudicate", "resign"]);
        check::<RawFile>("adjudicate: {draw: {nonsense: 1}}", &TOURNAMENT, &["adjudicate", "draw"]);
        check::<RawFile>("games: [{nonsense: 1}]", &TOURNAMENT, &["games"]);
        check::<RawFile>("bots: [{nonsense: 1}]", &TOURNAMENT, &["bots"]);
        check::<RawFile>("bots: {nonsense: 1}", &TOURNAMENT, &["bots"]);
        check::<RawEntry>("nonsense: 1", &ENTRY, &[]);
        assert!(serde_yaml::from_str::<RawFile>("nonsense: 1").is_err());
    }
}
