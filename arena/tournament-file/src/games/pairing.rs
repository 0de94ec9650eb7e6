//! What the formats `gauntlet` and `list` need beside the bots: `seeds`, `seeds-meet`, `matches`.

use std::collections::{BTreeSet, HashMap};

use diagnostic::Diagnostic;
use record::{BotConfig, PairingConfig};
use runner::PlannedBot;
use settings::{Arrangement, Format};

use crate::written::errors::{InputErrors, Spot};
use crate::written::raw::RawFile;

/// Checks who meets whom in a tournament whose format is known; none where the format needs nothing more.
pub(crate) fn check(
    raw: &RawFile,
    arrangement: &Arrangement,
    bots: &[(BotConfig, PlannedBot)],
    seats: &BTreeSet<usize>,
    errors: &mut InputErrors,
) -> Option<PairingConfig> {
    let format = arrangement.format;
    let keys = [
        ("seeds", raw.seeds.is_some(), Format::Gauntlet),
        ("seeds-meet", raw.value("seeds-meet").is_some(), Format::Gauntlet),
        ("matches", raw.matches.is_some(), Format::List),
    ];
    for (key, _, needed) in keys.into_iter().filter(|(_, is_there, needed)| *is_there && format != *needed) {
        let message = format!("`{key}` belongs to format `{needed}`, not to `{format}`");
        let hint = format!("add `format: {needed}`, or leave it out");
        errors.add_key(&raw.spot(key), Diagnostic::new(message).hint(hint));
    }
    let mut names = Names { bots, bots_spot: raw.spot("bots"), errors };
    match format {
        Format::Gauntlet => {
            let seeds_meet = arrangement.seeds_meet;
            Some(PairingConfig { seeds: seeds(raw, &mut names)?, seeds_meet, matches: Vec::new() })
        }
        Format::List => {
            Some(PairingConfig { matches: matches(raw, seats, &mut names)?, ..PairingConfig::default() })
        }
        Format::RoundRobin
        | Format::Swiss
        | Format::Knockout
        | Format::DoubleKnockout
        | Format::Ladder
        | Format::Sprt => None,
    }
}

/// Reads the seeds of a gauntlet; the first bot where none are named.
fn seeds(raw: &RawFile, names: &mut Names<'_>) -> Option<Vec<String>> {
    let spot = raw.spot("seeds");
    let Some(written) = &raw.seeds else {
        return Some(names.bots.first().map(|(bot, _)| bot.name.clone()).into_iter().collect());
    };
    let mut seeds: Vec<String> = Vec::new();
    for (index, name) in written.iter().enumerate() {
        if names.check(name, &spot.item(index)) && seeds.contains(name) {
            let message = format!("`{name}` stands twice among the seeds");
            names.errors.add(&spot.item(index), Diagnostic::new(message).hint("name each seed once"));
        }
        seeds.push(name.clone());
    }
    if seeds.is_empty() || seeds.len() >= names.bots.len().max(1) {
        let message = format!("{} of {} bots are seeds", seeds.len(), names.bots.len());
        let hint = "a gauntlet needs at least one seed and one bot that is none";
        names.errors.add(&spot, Diagnostic::new(message).hint(hint));
        return None;
    }
    Some(seeds)
}

/// Reads the matches of a list: each of as many bots as a game of the run has seats.
fn matches(raw: &RawFile, seats: &BTreeSet<usize>, names: &mut Names<'_>) -> Option<Vec<Vec<String>>> {
    let example = match seats.first().filter(|seats| **seats > 2) {
        None => "for example `matches: [[mine, random], [mine, greedy]]`".to_owned(),
        Some(seats) => {
            let others: Vec<_> = (2..=*seats).map(|seat| format!("bot{seat}")).collect();
            format!("for example `matches: [[mine, {}]]`", others.join(", "))
        }
    };
    let spot = raw.spot("matches");
    let Some(written) = raw.matches.as_ref().filter(|written| !written.is_empty()) else {
        let message = "format `list` needs its matches";
        names.errors.add(&raw.spot("format"), Diagnostic::new(message).hint(example));
        return None;
    };
    let mut known: HashMap<Vec<&String>, usize> = HashMap::new();
    let mut matches = Vec::new();
    for (index, item) in written.iter().enumerate() {
        let spot = spot.item(index);
        if !seats.contains(&item.len()) {
            // What is no list of names is said already.
            if names.errors.has_error_at(&spot) {
                continue;
            }
            let between = match seats.iter().map(ToString::to_string).collect::<Vec<_>>() {
                counts if counts == ["2"] => "two".to_owned(),
                counts => counts.join(" or "),
            };
            let message = format!("a match is between {between} bots, not {}", item.len());
            names.errors.add(&spot, Diagnostic::new(message).hint(example.clone()));
            continue;
        }
        let mut is_known = true;
        for (place, name) in item.iter().enumerate() {
            is_known &= names.check(name, &spot.item(place));
        }
        let mut sorted: Vec<&String> = item.iter().collect();
        sorted.sort_unstable();
        if let Some(twice) = sorted.windows(2).find(|two| two[0] == two[1]) {
            let message = format!("`{}` cannot play against itself", twice[0]);
            let hint = "the same program may stand under two names among the bots";
            names.errors.add(&spot, Diagnostic::new(message).hint(hint));
        } else if let Some(first) = known.insert(sorted, index).filter(|_| is_known) {
            let bots: Vec<_> = item.iter().map(|name| format!("`{name}`")).collect();
            let message = format!("{} is match {} already", bots.join(" against "), first + 1);
            let hint = "`rounds` says how many pairs of games each match has";
            names.errors.add(&spot, Diagnostic::new(message).hint(hint));
        }
        matches.push(item.clone());
    }
    Some(matches)
}

/// The names of the bots, and where to note that there is no such name.
struct Names<'a> {
    bots: &'a [(BotConfig, PlannedBot)],
    /// Where they stand.
    bots_spot: Spot,
    errors: &'a mut InputErrors,
}

impl Names<'_> {
    /// Notes a name that no bot has; returns whether one has it.
    fn check(&mut self, name: &str, spot: &Spot) -> bool {
        let known: Vec<&str> = self.bots.iter().map(|(bot, _)| bot.name.as_str()).collect();
        // Where bots are wrong, one of them may have this name.
        if known.contains(&name) || self.errors.has_error_at(&self.bots_spot) {
            return known.contains(&name);
        }
        let hint = match rules::nearest(name, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the bots are {}", known.join(", ")),
        };
        let message = format!("there is no bot `{}`", name.escape_debug());
        self.errors.add(spot, Diagnostic::new(message).hint(hint));
        false
    }
}
