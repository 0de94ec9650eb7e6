//! The games of a tournament.

use std::collections::BTreeMap;
use std::path::Path;

use diagnostic::Diagnostic;
use record::GameConfig;
use rules::{OptionError, Setup};
use runner::Contest;
use settings::TimeControl;

use crate::flags::game_options;
use crate::games::openings::Choice;
use crate::written::faults::{Faults, Spot};
use crate::written::raw::{Pairs, RawFile, RawGame};

/// What holds for games that do not say otherwise, and for all of them.
#[derive(Debug)]
pub(crate) struct Usual<'a> {
    /// The time control.
    pub tc: TimeControl,
    /// How games begin.
    pub openings: Choice,
    /// The seed of the run.
    pub seed: u64,
    /// The directory of relative paths.
    pub base: &'a Path,
}

/// Checks the games and returns those that are fine; all games there are, if the file names none.
pub(crate) fn check(raw: &RawFile, usual: &Usual<'_>, faults: &mut Faults) -> Vec<(GameConfig, Contest)> {
    let mut games: Vec<(GameConfig, Contest)> = Vec::new();
    let Some(items) = &raw.games else {
        let setups = rules::GAMES.iter().filter_map(|game| game.setup(&[]).ok());
        return setups.map(|setup| entry(&setup, usual, faults)).collect();
    };
    if items.is_empty() {
        let hint = "leave `games` out to play all games, or for example `games: [fanorona]`";
        faults.add(&raw.spot("games"), Diagnostic::new("`games` names no game").hint(hint));
    }
    for item in items {
        let Some(game) = &item.value else {
            if !faults.has_fault_at(&item.spot) {
                faults.add(&item.spot, Diagnostic::new("an item of `games` is empty"));
            }
            continue;
        };
        let Some(entry) = check_one(game, &item.spot, usual, faults) else { continue };
        if games.iter().any(|(config, _)| config.label == entry.0.label) {
            let message = format!("game `{}` is listed twice", entry.0.label);
            faults.add(
                &item.spot,
                Diagnostic::new(message).hint("one game may be played with different options"),
            );
        } else {
            games.push(entry);
        }
    }
    games
}

fn check_one(
    game: &RawGame,
    spot: &Spot,
    usual: &Usual<'_>,
    faults: &mut Faults,
) -> Option<(GameConfig, Contest)> {
    let openings = Choice::read(game.openings.as_ref(), &spot.key("openings"), usual.base, faults);
    let tc = game.tc.as_deref().map(settings::time_control).transpose();
    let tc = tc.map_err(|complaint| faults.complain(&spot.key("tc"), &complaint)).ok().flatten();
    let Some(id) = &game.game else {
        let hint = "for example `{game: fanorona, options: {size: 5x5}}`";
        faults.lack(spot, &["game"], Diagnostic::new("this item of `games` names no game").hint(hint));
        return None;
    };
    let setup = setup(id, game, spot, faults)?;
    let usual = Usual {
        tc: tc.unwrap_or_else(|| usual.tc.clone()),
        openings: openings.unwrap_or_else(|| usual.openings.clone()),
        ..*usual
    };
    Some(entry(&setup, &usual, faults))
}

fn entry(setup: &Setup, usual: &Usual<'_>, faults: &mut Faults) -> (GameConfig, Contest) {
    let label = setup.label();
    let (recorded, openings) = usual.openings.resolve(setup, usual.seed, faults);
    let per = recorded.per;
    let config = GameConfig {
        game: setup.game().id.to_owned(),
        options: setup.options().iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect(),
        label: label.clone(),
        tc: usual.tc.clone().into(),
        openings: recorded,
    };
    let contest = Contest { label, setup: setup.clone(), tc: usual.tc.clone(), openings, per };
    (config, contest)
}

fn setup(id: &str, game: &RawGame, spot: &Spot, faults: &mut Faults) -> Option<Setup> {
    let found = match rules::find(id) {
        Ok(found) => found,
        Err(error) => {
            let name = if game.is_name { spot.clone() } else { spot.key("game") };
            faults.add(&name, game_options::unknown_game(&error));
            return None;
        }
    };
    let spot = spot.key("options");
    let mut pairs = Vec::new();
    let mut is_fine = true;
    for (key, value) in text_pairs(game.options.as_ref(), &spot, faults) {
        // One option alone first: all that are at fault are named, each at its place.
        match found.setup(&[(key, value)]) {
            Err(error) if !is_about_others(&error, key) => {
                let diagnostic = advise(game_options::option_fault(id, &error), &error, value);
                match error {
                    OptionError::Unknown { .. } => faults.add_key(&spot.key(key), diagnostic),
                    OptionError::Value { .. } | OptionError::Twice { .. } => {
                        faults.add(&spot.key(key), diagnostic);
                    }
                }
                is_fine = false;
            }
            _ => pairs.push((key, value)),
        }
    }
    if !is_fine || faults.has_fault_at(&spot) {
        return None;
    }
    let setup = found.setup(&pairs);
    setup.map_err(|error| faults.add(&spot, game_options::option_fault(id, &error))).ok()
}

/// Returns whether an error of one option alone is about another one, whose default does not fit it.
fn is_about_others(error: &OptionError, name: &str) -> bool {
    matches!(error, OptionError::Value { key, .. } if key != name)
}

/// Adds what to write where YAML's own words for yes and no were written.
fn advise(diagnostic: Diagnostic, error: &OptionError, value: &str) -> Diagnostic {
    let meant = match value {
        "true" | "yes" => "on",
        "false" | "no" => "off",
        _ => return diagnostic,
    };
    match error {
        OptionError::Value { allowed, .. } if allowed.split('|').any(|word| word == meant) => {
            diagnostic.hint(format!("write `{meant}`"))
        }
        _ => diagnostic,
    }
}

/// Returns pairs with their values; a missing value or a repeated key is a fault.
pub(crate) fn text_pairs<'a>(
    pairs: Option<&'a Pairs>,
    spot: &Spot,
    faults: &mut Faults,
) -> Vec<(&'a str, &'a str)> {
    let mut known: BTreeMap<&str, ()> = BTreeMap::new();
    let mut texts = Vec::new();
    for (key, value) in pairs.into_iter().flat_map(|pairs| &pairs.0) {
        if known.insert(key, ()).is_some() {
            faults.add(&spot.key(key), Diagnostic::new(format!("`{key}` is given twice")));
        } else if let Some(value) = value {
            texts.push((key.as_str(), value.as_str()));
        } else {
            let hint = match spot {
                Spot::File(_) | Spot::Document(..) => {
                    format!("write `{key}: VALUE`, or `{key}: \"\"` for an empty one")
                }
                Spot::Flag(_) | Spot::Argument(..) => format!("write `{key}=VALUE`"),
            };
            faults.add(&spot.key(key), Diagnostic::new(format!("`{key}` has no value")).hint(hint));
        }
    }
    texts
}
