//! The readers of positions, plies and options, with hostile texts.

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use rules::{GAMES, Game, OptionError, Referee, Setup, Values, find};

use crate::corpus::{crossed, texts};

/// How many more texts are made from those of the file, for each reader of each game.
const MADE: usize = 3000;

/// How long a message may be, in characters: no text is shown at length.
const LONGEST_MESSAGE: usize = 400;

/// Returns position strings of a random game, its start first, with the last table.
fn played(setup: &Setup) -> (Vec<String>, Box<dyn Referee>) {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut table = setup.referee(None).expect("the start is valid");
    let mut positions = vec![table.position()];
    for _ in 0..12 {
        let legal = table.legal();
        table.submit(&legal[rng.random_range(0..legal.len())]).expect("a legal ply plays");
        positions.push(table.position());
        if table.outcome().is_some() {
            return played_less(setup, positions);
        }
    }
    (positions, table)
}

/// Returns the same with the table as it was before the end of the game.
fn played_less(setup: &Setup, mut positions: Vec<String>) -> (Vec<String>, Box<dyn Referee>) {
    positions.pop();
    let table = setup.referee(positions.last().map(String::as_str)).expect("it was a position");
    (positions, table)
}

fn setups(game: &'static Game) -> Vec<Setup> {
    let plain = game.setup(&[]).expect("defaults are valid");
    let other: &[(&str, &str)] = match game.id {
        "faust" => &[("size", "19"), ("max-moves", "100000")],
        "fanorona" => &[("size", "3x3"), ("quiet-cap", "100000")],
        "sophia" => &[("size", "9"), ("swap", "on"), ("max-moves", "100000")],
        "farook" => &[("wilds", "pattern"), ("max-moves", "100000")],
        _ => &[("max-turns", "100000")],
    };
    let tables: &[&str] = if game.id == "2-frenzy" { &["3", "4"] } else { &[] };
    let tables = tables.iter().map(|players| game.setup(&[("players", *players)]).expect("they are valid"));
    [plain, game.setup(other).expect("they are valid")].into_iter().chain(tables).collect()
}

/// Holds that a message says something that can be shown.
fn check_message(message: &str, text: &str) {
    let shown: String = text.chars().take(60).collect();
    assert!(!message.is_empty(), "{shown:?}");
    assert!(message.chars().count() <= LONGEST_MESSAGE, "{shown:?}: {message}");
    assert!(!message.contains(char::is_control), "{shown:?}: {message:?}");
}

#[test]
fn positions_are_refused_or_come_back() {
    for setup in GAMES.iter().flat_map(setups) {
        let (valid, _) = played(&setup);
        let mut hostile = texts(&valid);
        hostile.extend(crossed(&hostile, MADE, 1));
        let (mut taken, mut refused) = (0, 0);
        for text in &hostile {
            match setup.referee(Some(text)) {
                Ok(table) => {
                    taken += 1;
                    assert_eq!(&table.position(), text);
                    for ply in table.legal() {
                        table.fork().submit(&ply).unwrap_or_else(|error| panic!("{text}: {ply}: {error}"));
                    }
                }
                Err(error) => {
                    refused += 1;
                    check_message(&error.to_string(), text);
                }
            }
        }
        assert!(taken > 0 && refused > MADE / 2, "{}: {taken} taken, {refused} refused", setup.label());
    }
}

#[test]
fn plies_are_taken_only_to_the_letter() {
    for setup in GAMES.iter().flat_map(setups) {
        let (_, table) = played(&setup);
        let legal = table.legal();
        let mut hostile = texts(&legal[..legal.len().min(40)]);
        hostile.extend(crossed(&hostile, MADE, 2));
        let mut refused = 0;
        for text in &hostile {
            let result = table.fork().submit(text);
            assert_eq!(result.is_ok(), legal.contains(text), "{}: {text:?}", setup.label());
            if let Err(error) = result {
                refused += 1;
                check_message(&error.to_string(), text);
            }
        }
        assert!(refused > MADE / 2, "{}: {refused} refused", setup.label());
    }
}

#[test]
fn options_are_refused_or_come_back() {
    for game in GAMES {
        let mut values: Vec<String> = Vec::new();
        for option in game.options {
            match option.values {
                Values::Words(words) => values.extend(words.iter().map(|word| (*word).to_owned())),
                Values::Range(low, high) => values.extend([low.to_string(), high.to_string()]),
            }
        }
        let mut hostile = texts(&values);
        hostile.extend(crossed(&hostile, MADE, 3));
        let (mut taken, mut refused) = (0, 0);
        for text in &hostile {
            for option in game.options {
                match game.setup(&[(option.name, text)]) {
                    Ok(setup) => {
                        taken += 1;
                        // What a game for two was recorded without before there were others stays unsaid.
                        let is_unsaid = (option.name, text.as_str()) == ("players", "2");
                        let is_said = setup.options().contains(&(option.name, text.clone()));
                        assert!(is_said != is_unsaid, "{text:?}");
                    }
                    Err(error) => {
                        refused += 1;
                        assert!(matches!(error, OptionError::Value { .. }), "{error:?}");
                    }
                }
            }
            let is_known = game.options.iter().any(|option| option.name == text);
            assert!(is_known || game.setup(&[(text, "1")]).is_err(), "{text:?}");
            assert!(find(text).is_err(), "{text:?}");
        }
        assert!(taken > 0 && refused > MADE, "{}: {taken} taken, {refused} refused", game.id);
        let plain = game.setup(&[]).expect("defaults are valid");
        let (twice, default) = plain.options().first().expect("every game has options").clone();
        let error = game.setup(&[(twice, &default), (twice, &default)]);
        assert_eq!(error, Err(OptionError::Twice { key: twice.to_owned() }));
    }
}
