//! Which keys a file has.

use std::sync::LazyLock;

use super::adjudicate::ADJUDICATE;
use super::bots::{BOTS, ENTRY_KEYS};
use super::confinement::{LIMITS, SANDBOX};
use super::games::{GAMES, RULES};
use super::openings::OPENINGS;
use super::pairing::{MATCHES, SEEDS};
use super::sprt::SPRT;
use crate::{Arrangement, Conditions, Key, Settings};

/// A kind of file with keys.
#[derive(Debug)]
pub struct Form {
    /// What such a file is called.
    pub what: &'static str,
    /// How one begins, for example.
    pub example: &'static str,
    keys: fn() -> &'static [Key],
}

/// A tournament file.
pub const TOURNAMENT: Form = Form { what: "a tournament file", example: "games: [fanorona]", keys: || &TOP };

/// The file of an entry.
pub const ENTRY: Form = Form { what: "an entry's file", example: "name: mine", keys: || ENTRY_KEYS };

/// The keys at the top that have no single value, each group with the key that it follows.
const STRUCTURED: [(&str, &[Key]); 5] = [
    ("name", &[GAMES, RULES, BOTS]),
    ("format", &[SEEDS]),
    ("seeds-meet", &[MATCHES, SPRT]),
    ("tc", &[OPENINGS]),
    ("out", &[ADJUDICATE, SANDBOX, LIMITS]),
];

/// All keys at the top, in the order in which they are explained.
static TOP: LazyLock<Vec<Key>> = LazyLock::new(|| {
    let mut keys = Vec::new();
    let arrangement = Arrangement::ALL.iter().map(|setting| setting.key);
    for key in arrangement.chain(Conditions::ALL.iter().map(|setting| setting.key)) {
        keys.push(key);
        for (_, followers) in STRUCTURED.iter().filter(|(name, _)| *name == key.name) {
            keys.extend_from_slice(followers);
        }
    }
    keys
});

impl Form {
    /// Returns the keys at the top of such a file.
    #[must_use]
    pub fn keys(&self) -> &'static [Key] {
        (self.keys)()
    }
}

/// Returns what holds where a key at the top of a tournament file is missing, in words.
#[must_use]
pub fn missing(key: &Key) -> String {
    fn usual<S: Settings>(name: &str) -> Option<String> {
        S::find(name).map(|setting| (setting.write)(&S::default()))
    }
    let text = || usual::<Arrangement>(key.name).or_else(|| usual::<Conditions>(key.name));
    match key.missing {
        "" => text().map_or_else(String::new, |text| format!("`{text}`")),
        words => words.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_key_is_forgotten_or_explained_twice() {
        let structured: usize = STRUCTURED.iter().map(|(_, keys)| keys.len()).sum();
        let names: BTreeSet<_> = TOURNAMENT.keys().iter().map(|key| key.name).collect();
        assert_eq!(names.len(), TOURNAMENT.keys().len());
        assert_eq!(names.len(), structured + Arrangement::ALL.len() + Conditions::ALL.len());
    }

    #[test]
    fn every_key_says_what_it_is_and_what_holds_without_it() {
        fn check(keys: &[Key]) {
            for key in keys {
                assert!(key.about().ends_with('.'), "{}: {}", key.name, key.about());
                assert!(!key.example.is_empty(), "{}", key.name);
                check(key.below());
            }
        }
        check(TOURNAMENT.keys());
        check(ENTRY.keys());
        for key in TOURNAMENT.keys() {
            assert!(missing(key).len() > 2, "{}: {}", key.name, missing(key));
        }
    }
}
