//! The differences between the configurations of two runs.

use std::collections::{BTreeMap, BTreeSet};

use record::{BotConfig, GameConfig, RunConfig};
use serde::Serialize;
use serde_json::Value;

use crate::compare::side::Side;

/// A setting that differs. Texts are as written in the journals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupChange {
    /// The setting: `rules`, `seed`, ``bot `nova`: digest``.
    pub what: String,
    /// Its value in the run before; empty if there is none.
    pub before: String,
    /// Its value in the run after; empty if there is none.
    pub after: String,
}

/// Returns every setting that differs: general settings first, then games, then bots.
pub(super) fn changes(sides: &[Side; 2]) -> Vec<SetupChange> {
    let mut list = List::default();
    let runs = [&sides[0].run, &sides[1].run].map(Option::as_ref);
    if let [Some(before), Some(after)] = runs {
        list.compare("rules signature", &before.rules, &after.rules);
        list.compare("arena version", &before.arena, &after.arena);
        list.configs(&before.config, &after.config);
    }
    let [before, after] = [&sides[0], &sides[1]];
    for name in before.names().intersection(&after.names()) {
        let played = |side: &Side, part: fn(&super::side::BotTotals) -> &BTreeSet<String>| {
            let parts = side.player(name).map(|player| part(player).iter().cloned().collect::<Vec<_>>());
            parts.unwrap_or_default().join(", ")
        };
        if [before, after].iter().all(|side| side.player(name).is_some()) {
            let versions = [before, after].map(|side| played(side, |player| &player.versions));
            list.compare(&format!("bot `{name}`: version"), &versions[0], &versions[1]);
        }
        let digests =
            [before, after].map(|side| side.digests(name).into_iter().collect::<Vec<_>>().join(", "));
        list.compare(&format!("bot `{name}`: digest"), &digests[0], &digests[1]);
    }
    list.changes
}

#[derive(Default)]
struct List {
    changes: Vec<SetupChange>,
}

impl List {
    fn compare(&mut self, what: &str, before: &str, after: &str) {
        if before != after {
            let [before, after] = [before, after].map(str::to_owned);
            self.changes.push(SetupChange { what: what.to_owned(), before, after });
        }
    }

    fn configs(&mut self, before: &RunConfig, after: &RunConfig) {
        self.compare("format", &before.format.to_string(), &after.format.to_string());
        self.compare("rounds", &before.rounds.to_string(), &after.rounds.to_string());
        self.compare("seed", &before.seed.to_string(), &after.seed.to_string());
        let [one, two] = [before, after].map(|config| fields(&config.settings));
        for name in one.keys().chain(two.keys()).collect::<BTreeSet<_>>() {
            let value = |fields: &BTreeMap<String, String>| fields.get(name).cloned().unwrap_or_default();
            self.compare(name, &value(&one), &value(&two));
        }
        let games = [before, after].map(|config| {
            config.games.iter().map(|game| (game.label.as_str(), game)).collect::<BTreeMap<_, _>>()
        });
        self.both("game", &games, Self::games);
        let bots = [before, after]
            .map(|config| config.bots.iter().map(|bot| (bot.name.as_str(), bot)).collect::<BTreeMap<_, _>>());
        self.both("bot", &bots, Self::bots);
    }

    /// Compares entries of both runs and names entries of only one.
    fn both<T>(
        &mut self,
        kind: &str,
        [before, after]: &[BTreeMap<&str, &T>; 2],
        compare: impl Fn(&mut Self, &str, &T, &T),
    ) {
        let names: BTreeSet<_> = before.keys().chain(after.keys()).collect();
        for name in names {
            let what = format!("{kind} `{name}`");
            match (before.get(*name), after.get(*name)) {
                (Some(one), Some(two)) => compare(self, &what, one, two),
                (one, _) => {
                    let words = if one.is_some() { ["there", "not there"] } else { ["not there", "there"] };
                    self.compare(&what, words[0], words[1]);
                }
            }
        }
    }

    fn games(&mut self, what: &str, before: &GameConfig, after: &GameConfig) {
        self.compare(&format!("{what}: options"), &options(&before.options), &options(&after.options));
        self.compare(&format!("{what}: time control"), &before.tc.to_string(), &after.tc.to_string());
        let [one, two] = [before, after].map(|game| options(&fields(&game.openings)));
        self.compare(&format!("{what}: openings"), &one, &two);
    }

    fn bots(&mut self, what: &str, before: &BotConfig, after: &BotConfig) {
        self.compare(&format!("{what}: command"), &before.command.join(" "), &after.command.join(" "));
        self.compare(&format!("{what}: options"), &options(&before.options), &options(&after.options));
        let [one, two] = [before, after].map(|bot| options(&fields(&bot.start)));
        self.compare(&format!("{what}: start"), &one, &two);
        let tc = |bot: &BotConfig| bot.tc.as_ref().map(ToString::to_string).unwrap_or_default();
        self.compare(&format!("{what}: time control"), &tc(before), &tc(after));
    }
}

/// Returns the fields of a record with their values, as a journal writes them. This includes fields that are added later.
fn fields(record: &impl Serialize) -> BTreeMap<String, String> {
    let Ok(Value::Object(fields)) = serde_json::to_value(record) else { return BTreeMap::new() };
    let text = |value: Value| match value {
        Value::String(text) => text,
        value => value.to_string(),
    };
    fields.into_iter().map(|(name, value)| (name, text(value))).collect()
}

fn options(options: &BTreeMap<String, String>) -> String {
    options.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(" ")
}
