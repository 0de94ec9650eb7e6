//! The games of a tournament.

use std::collections::BTreeMap;
use std::path::Path;

use diagnostic::Diagnostic;
use record::{GameConfig, RulesConfig};
use rules::{Catalogue, GameRef, OptionError, Setup};
use runner::Contest;
use settings::TimeControl;

use crate::flags::game_options;
use crate::games::openings::Choice;
use crate::games::own_rules::{self, RulesPlace};
use crate::written::errors::{InputErrors, Spot};
use crate::written::raw::{RawCommand, RawFile, RawGame, UserMap};

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
pub(crate) fn check(
    raw: &RawFile,
    usual: &Usual<'_>,
    errors: &mut InputErrors,
) -> Vec<(GameConfig, Contest)> {
    let mut games: Vec<(GameConfig, Contest)> = Vec::new();
    let mut catalogue = raw.catalogue.clone();
    let place = RulesPlace {
        sandbox: raw.sandbox.as_ref(),
        limits: raw.limits.as_ref(),
        ..RulesPlace::of(usual.base)
    };
    add_named(raw, &place, &mut catalogue, errors);
    let Some(items) = &raw.games else {
        // If the file names rules, it means their games.
        let is_own = raw.rules.is_some();
        let games: Vec<_> =
            if is_own { catalogue.own().collect() } else { Catalogue::default().games().collect() };
        let setups = games.iter().filter_map(|game| game.setup(&[]).ok());
        return setups.map(|setup| entry(&setup, usual, errors)).collect();
    };
    if items.is_empty() {
        let hint = "leave `games` out to play all games, or for example `games: [fanorona]`";
        errors.add(&raw.spot("games"), Diagnostic::new("`games` names no game").hint(hint));
    }
    for item in items {
        let is_of_unfit_rules = |game: &RawGame| {
            game.game.as_ref().is_some_and(|id| errors.has_error_at(&raw.spot("rules").key(id)))
        };
        if item.value.as_ref().is_some_and(is_of_unfit_rules) {
            continue;
        }
        let Some(game) = &item.value else {
            if !errors.has_error_at(&item.spot) {
                errors.add(&item.spot, Diagnostic::new("an item of `games` is empty"));
            }
            continue;
        };
        let Some(entry) = check_one(game, &item.spot, usual, &place, &mut catalogue, errors) else {
            continue;
        };
        if games.iter().any(|(config, _)| config.label == entry.0.label) {
            let message = format!("game `{}` is listed twice", entry.0.label);
            errors.add(
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
    place: &RulesPlace<'_>,
    catalogue: &mut Catalogue,
    errors: &mut InputErrors,
) -> Option<(GameConfig, Contest)> {
    let openings = Choice::read(game.openings.as_ref(), &spot.key("openings"), usual.base, errors);
    let tc = errors.read(&spot.key("tc"), game.tc.as_deref(), settings::time_control);
    let found = find(game, spot, place, catalogue, errors)?;
    let setup = setup(&found, game, spot, errors)?;
    let usual = Usual {
        tc: tc.unwrap_or_else(|| usual.tc.clone()),
        openings: openings.unwrap_or_else(|| usual.openings.clone()),
        ..*usual
    };
    Some(entry(&setup, &usual, errors))
}

fn entry(setup: &Setup, usual: &Usual<'_>, errors: &mut InputErrors) -> (GameConfig, Contest) {
    let label = setup.label();
    let (recorded, openings) = usual.openings.resolve(setup, usual.seed, errors);
    let per = recorded.per;
    let config = GameConfig {
        game: setup.game().id.to_owned(),
        options: setup.options().iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect(),
        label: label.clone(),
        seats: setup.seats() as u8,
        tc: usual.tc.clone().into(),
        openings: recorded,
        rules: RulesConfig::of(setup.game()),
    };
    let contest = Contest { label, setup: setup.clone(), tc: usual.tc.clone(), openings, per };
    (config, contest)
}

/// Loads the games whose rules the file names at its top.
fn add_named(raw: &RawFile, place: &RulesPlace<'_>, catalogue: &mut Catalogue, errors: &mut InputErrors) {
    for (name, line) in raw.rules.iter().flat_map(|rules| &rules.0) {
        let spot = raw.spot("rules").key(name);
        match line {
            Some(line) => {
                if let Err(diagnostic) = own_rules::add(line, Some(name), place, catalogue) {
                    errors.add(&spot, diagnostic);
                }
            }
            None => errors.add(
                &spot,
                Diagnostic::new(format!("`{name}` has no rules"))
                    .hint("for example `rules: {dao: ./dao.wasm}`"),
            ),
        }
    }
}

/// Finds the game that an item names: a built-in one, one of the top of the file, or one whose rules are named here.
fn find(
    game: &RawGame,
    spot: &Spot,
    place: &RulesPlace<'_>,
    catalogue: &mut Catalogue,
    errors: &mut InputErrors,
) -> Option<GameRef> {
    let at = |key: &str| if game.is_name { spot.clone() } else { spot.key(key) };
    let added = |spot: Spot, found: Result<GameRef, Diagnostic>, errors: &mut InputErrors| {
        found.map_err(|diagnostic| errors.add(&spot, diagnostic)).ok()
    };
    if game.rules.is_none() && game.files.is_some() {
        let message = "`files` are those of a program of rules, and this item has no `rules`";
        let hint = "for example `{game: telo, rules: [python3, telo.py], files: [arena_rules.py]}`";
        errors.add(&spot.key("files"), Diagnostic::new(message).hint(hint));
        return None;
    }
    match (&game.rules, &game.game) {
        (Some(line), name) => {
            let place = RulesPlace { files: game.files.as_deref().unwrap_or_default(), ..*place };
            let found = own_rules::add(line, name.as_deref(), &place, catalogue);
            added(at("rules"), found, errors)
        }
        (None, Some(id))
            if own_games::named_source(id.split('#').next().unwrap_or_default(), place.base).is_some() =>
        {
            let found = own_rules::add(&RawCommand::Line(id.clone()), None, place, catalogue);
            added(at("game"), found, errors)
        }
        (None, Some(id)) => match catalogue.find(id) {
            Ok(found) => Some(found),
            Err(error) => {
                errors.add(&at("game"), game_options::unknown_game(&error));
                None
            }
        },
        (None, None) => {
            let hint = "for example `{game: fanorona, options: {size: 5x5}}`";
            errors.lack(spot, &["game"], Diagnostic::new("this item of `games` names no game").hint(hint));
            None
        }
    }
}

fn setup(found: &GameRef, game: &RawGame, spot: &Spot, errors: &mut InputErrors) -> Option<Setup> {
    let id = found.id;
    let spot = spot.key("options");
    let mut pairs = Vec::new();
    let mut is_fine = true;
    for (key, value) in text_pairs(game.options.as_ref(), &spot, errors) {
        // One option alone first: all that are wrong are named, each at its place.
        match found.setup(&[(key, value)]) {
            Err(error) if !is_about_others(&error, key) => {
                let diagnostic = advise(game_options::option_error(id, &error), &error, value);
                match error {
                    OptionError::Unknown { .. } => errors.add_key(&spot.key(key), diagnostic),
                    OptionError::Value { .. } | OptionError::Twice { .. } => {
                        errors.add(&spot.key(key), diagnostic);
                    }
                }
                is_fine = false;
            }
            _ => pairs.push((key, value)),
        }
    }
    if !is_fine || errors.has_error_at(&spot) {
        return None;
    }
    let setup = found.setup(&pairs);
    setup.map_err(|error| errors.add(&spot, game_options::option_error(id, &error))).ok()
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

/// Returns pairs with their values; a missing value or a repeated key is an error.
pub(crate) fn text_pairs<'a>(
    pairs: Option<&'a UserMap>,
    spot: &Spot,
    errors: &mut InputErrors,
) -> Vec<(&'a str, &'a str)> {
    let mut known: BTreeMap<&str, ()> = BTreeMap::new();
    let mut texts = Vec::new();
    for (key, value) in pairs.into_iter().flat_map(|pairs| &pairs.0) {
        if known.insert(key, ()).is_some() {
            errors.add(&spot.key(key), Diagnostic::new(format!("`{key}` is given twice")));
        } else if let Some(value) = value {
            texts.push((key.as_str(), value.as_str()));
        } else {
            let hint = match spot {
                Spot::File(_) | Spot::Document(..) => {
                    format!("write `{key}: VALUE`, or `{key}: \"\"` for an empty one")
                }
                Spot::Flag(_) | Spot::Argument(..) => format!("write `{key}=VALUE`"),
            };
            errors.add(&spot.key(key), Diagnostic::new(format!("`{key}` has no value")).hint(hint));
        }
    }
    texts
}
