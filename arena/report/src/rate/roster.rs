//! Names with numbers in the order of arrival. Look-ups do not copy them.

use std::collections::{BTreeMap, BTreeSet};

use record::Contestant;

/// What identifies a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum By {
    /// The name.
    Name,
    /// The name and the version.
    #[default]
    Version,
    /// The name, the version and the digest.
    Hash,
}

/// The players of a pool, identified by name, version and digest, or by fewer of these if requested.
#[derive(Clone, Debug, Default)]
pub(super) struct Roster {
    numbers: BTreeMap<String, BTreeMap<String, BTreeMap<String, usize>>>,
    members: Vec<Members>,
}

/// The contestants that are rated as one player.
#[derive(Clone, Debug, Default)]
pub(super) struct Members {
    /// The identity of this player; unused parts are empty.
    pub(super) key: [String; 3],
    /// The versions and digests that have played, as far as known.
    pub(super) versions: BTreeSet<String>,
    pub(super) digests: BTreeSet<String>,
    /// Games lost by faults.
    pub(super) faults: u64,
}

impl Roster {
    /// Returns the number of the player of a contestant.
    pub(super) fn number(&mut self, contestant: &Contestant<'_>, by: By) -> usize {
        let Contestant { name, version, digest } = contestant;
        let number = match by {
            By::Name => self.find([name, "", ""]),
            By::Version => self.find([name, version, ""]),
            By::Hash => self.find([name, version, digest]),
        };
        let members = &mut self.members[number];
        for (set, text) in [(&mut members.versions, version), (&mut members.digests, digest)] {
            if !text.is_empty() && !set.contains(&**text) {
                set.insert(text.to_string());
            }
        }
        number
    }

    fn find(&mut self, key: [&str; 3]) -> usize {
        let [name, version, digest] = key;
        let known = self.numbers.get(name).and_then(|versions| versions.get(version)?.get(digest));
        if let Some(number) = known {
            return *number;
        }
        let number = self.members.len();
        let key = key.map(str::to_owned);
        let [name, version, digest] = key.clone();
        self.numbers.entry(name).or_default().entry(version).or_default().insert(digest, number);
        self.members.push(Members { key, ..Members::default() });
        number
    }

    pub(super) fn count_fault(&mut self, number: usize) {
        self.members[number].faults += 1;
    }

    /// Returns the players by name, version and digest, and the index of each number among them.
    pub(super) fn sorted(&self) -> (Vec<&Members>, Vec<usize>) {
        let mut order: Vec<usize> = (0..self.members.len()).collect();
        order.sort_by(|a, b| self.members[*a].key.cmp(&self.members[*b].key));
        let mut places = vec![0; order.len()];
        for (place, number) in order.iter().enumerate() {
            places[*number] = place;
        }
        (order.into_iter().map(|number| &self.members[number]).collect(), places)
    }
}
