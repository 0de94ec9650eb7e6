//! The rated players: bots by name and version.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use protocol::printable;
use record::{BotConfig, SeatRecord, SeatedBot};

/// The number of characters shown of a digest.
const DIGEST: usize = 7;

/// A contestant. A different version or digest is a different contestant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContestantId {
    /// The bot's name.
    pub name: String,
    /// Its version; empty if unknown.
    pub version: String,
    /// Its digest.
    pub digest: String,
}

impl ContestantId {
    pub(crate) fn seated(seat: &SeatedBot) -> Self {
        Self { name: seat.bot.clone(), version: seat.version.clone(), digest: seat.digest.clone() }
    }

    /// Returns who sits in a seat of a whole record.
    #[must_use]
    pub fn of_seat<T: AsRef<str>, C>(seat: &SeatRecord<T, C>) -> Self {
        let [name, version, digest] =
            [&seat.bot, &seat.version, &seat.digest].map(|text| text.as_ref().to_owned());
        Self { name, version, digest }
    }

    /// Compares it with who sits in a seat of a whole record.
    #[must_use]
    pub fn cmp_seat<T: AsRef<str>, C>(&self, seat: &SeatRecord<T, C>) -> Ordering {
        let [name, version, digest] = [&seat.bot, &seat.version, &seat.digest].map(AsRef::<str>::as_ref);
        let order = self.name.as_str().cmp(name).then_with(|| self.version.as_str().cmp(version));
        order.then_with(|| self.digest.as_str().cmp(digest))
    }

    /// Returns whether both are the same bot, whichever versions they report.
    pub(crate) fn is(&self, other: &Self) -> bool {
        self.name == other.name && self.digest == other.digest
    }

    pub(crate) fn configured(bot: &BotConfig) -> Self {
        let version = bot.version.clone().unwrap_or_default();
        Self { name: bot.name.clone(), version, digest: bot.digest.clone() }
    }
}

/// The players of a table with their labels.
#[derive(Clone, Debug, Default)]
pub(crate) struct Players {
    /// The players by name, version and digest.
    list: Vec<ContestantId>,
    versions: Vec<String>,
    labels: Vec<String>,
    clashes: Vec<Clash>,
}

/// One name and version under which several digests have played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Clash {
    /// The name with the version.
    pub label: String,
    /// The number of digests.
    pub digests: usize,
}

impl Players {
    /// Labels the players, which must be sorted and distinct.
    pub(crate) fn new(list: Vec<ContestantId>) -> Self {
        let mut digests: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        let mut versions: BTreeMap<&str, usize> = BTreeMap::new();
        for player in &list {
            *digests.entry((&player.name, &player.version)).or_default() += 1;
            *versions.entry(&player.name).or_default() += 1;
        }
        let version = |player: &ContestantId| {
            if digests[&(player.name.as_str(), player.version.as_str())] == 1 {
                return player.version.clone();
            }
            let digest: String = player.digest.chars().take(DIGEST).collect();
            let version = if player.version.is_empty() { "?" } else { &player.version };
            format!("{version}@{digest}")
        };
        let shown: Vec<_> = list.iter().map(version).collect();
        let label = |(player, version): (&ContestantId, &String)| {
            let is_alone = versions[player.name.as_str()] == 1;
            label(&player.name, if is_alone { "" } else { version })
        };
        let labels = list.iter().zip(&shown).map(label).collect();
        let several = digests.iter().filter(|(_, digests)| **digests > 1);
        let clashes = several
            .map(|((name, version), digests)| Clash { label: self::label(name, version), digests: *digests })
            .collect();
        Self { versions: shown, labels, clashes, list }
    }

    pub(crate) fn list(&self) -> &[ContestantId] {
        &self.list
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns the number of a player.
    pub(crate) fn find(&self, player: &ContestantId) -> Option<usize> {
        self.list.binary_search(player).ok()
    }

    /// Returns those whose version is not shown as it is recorded, in order, with how it is shown.
    pub(crate) fn renamed(&self) -> impl Iterator<Item = (&ContestantId, &str)> {
        let all = self.list.iter().zip(self.versions.iter().map(String::as_str));
        all.filter(|(player, version)| player.version != *version)
    }

    /// Returns the version as tables show it: with the digest if the version alone is ambiguous.
    pub(crate) fn version(&self, player: usize) -> &str {
        &self.versions[player]
    }

    /// Returns the name as tables show it: with the version if the name alone is ambiguous. Safe to print.
    pub(crate) fn label(&self, player: usize) -> &str {
        &self.labels[player]
    }

    pub(crate) fn clashes(&self) -> &[Clash] {
        &self.clashes
    }
}

fn label(name: &str, version: &str) -> String {
    let gap = if version.is_empty() { "" } else { " " };
    format!("{}{gap}{}", printable(name), printable(version))
}
