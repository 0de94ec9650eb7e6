//! Laws that hold in every game, tried in random games: tokens, strings and outcomes agree with each other.

use std::collections::BTreeSet;

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use rules::{GAMES, Position, Setup, Visitor, find};

/// Options beside the defaults, by game: each line is tried too.
const OPTIONS: &[(&str, &[(&str, &str)])] = &[
    ("faust", &[("size", "2")]),
    ("faust", &[("size", "3"), ("perimeter", "walls")]),
    ("faust", &[("size", "4"), ("swap", "off")]),
    ("faust", &[("size", "5"), ("max-moves", "60")]),
    ("faust", &[("size", "11"), ("max-moves", "140")]),
    ("fanorona", &[("size", "3x3")]),
    ("fanorona", &[("size", "5x5"), ("quiet-cap", "6")]),
    ("fanorona", &[("size", "3x7")]),
    ("fanorona", &[("size", "7x7")]),
    ("fanorona", &[("size", "9x7"), ("quiet-cap", "30")]),
];

/// What is put into tokens to spoil them: letters of plies and hostile ones.
const LETTERS: &[char] = &[
    'a',
    'b',
    'c',
    'd',
    'e',
    'i',
    's',
    'x',
    'B',
    'W',
    'L',
    'S',
    '0',
    '1',
    '2',
    '3',
    '9',
    '+',
    '-',
    '=',
    ' ',
    'é',
    '\u{0}',
    '\u{1f600}',
];

fn setups() -> Vec<Setup> {
    let plain = GAMES.iter().map(|game| game.setup(&[]).expect("defaults are valid"));
    let others = OPTIONS.iter().filter_map(|(id, pairs)| {
        let game = find(id).ok()?;
        Some(game.setup(pairs).unwrap_or_else(|error| panic!("{id}: {error}")))
    });
    plain.chain(others).collect()
}

/// Changes a token or string at one or two places.
fn spoil(text: &str, rng: &mut ChaCha8Rng) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..rng.random_range(1..=2) {
        let letter = LETTERS[rng.random_range(0..LETTERS.len())];
        let place = rng.random_range(0..=letters.len());
        match rng.random_range(0..4) {
            0 => letters.insert(place, letter),
            1 if place < letters.len() => letters[place] = letter,
            2 if place < letters.len() => {
                letters.remove(place);
            }
            _ if place > 1 => letters.swap(place - 1, place - 2),
            _ => {}
        }
    }
    letters.into_iter().collect()
}

/// Checks one position and returns a random ply, unless the game is over.
struct Check<'a> {
    text: &'a str,
    rng: &'a mut ChaCha8Rng,
}

impl Visitor for Check<'_> {
    type Output = Option<String>;

    fn visit<P: Position>(self, options: &P::Options) -> Option<String> {
        let Check { text, rng } = self;
        let position = P::read(options, text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(position.to_string(), text);
        let mut tokens = BTreeSet::new();
        let mut count = 0;
        position.legal_plies(&mut |ply| {
            let token = ply.to_string();
            assert_eq!(position.read_ply(&token), Ok(ply), "{text} {token}");
            count += 1;
            // Asking for every ply of a long list would cost its square.
            assert!(count > 20 || position.is_legal(ply), "{text} {token}");
            let mut next = position.clone();
            next.play_unchecked(ply);
            let again = P::read(options, &next.to_string()).unwrap_or_else(|error| panic!("{next}: {error}"));
            assert_eq!(again.to_string(), next.to_string());
            assert!(again == next && again.key() == next.key(), "{next}");
            tokens.insert(token);
        });
        assert_eq!(tokens.len(), count, "{text}: every ply has its own token");
        assert_eq!(tokens.is_empty(), position.outcome().is_some(), "{text}");
        assert!(!tokens.contains("pass") || tokens.len() == 1, "{text}: pass is forced");

        let tokens: Vec<_> = tokens.into_iter().collect();
        for _ in 0..30 {
            let token = match tokens.len() {
                0 => "a1".to_owned(),
                count => tokens[rng.random_range(0..count)].clone(),
            };
            let token = spoil(&token, rng);
            let is_listed = tokens.binary_search(&token).is_ok();
            assert_eq!(position.read_ply(&token).is_ok(), is_listed, "{text} {token:?}");
        }
        for _ in 0..10 {
            let spoilt = spoil(text, rng);
            if let Ok(other) = P::read(options, &spoilt) {
                assert_eq!(other.to_string(), spoilt, "only canonical strings are read");
                other.legal_plies(&mut |ply| {
                    let _ = ply;
                });
                assert!(other.read_ply("").is_err());
            }
        }
        (!tokens.is_empty()).then(|| tokens[rng.random_range(0..tokens.len())].clone())
    }
}

#[test]
fn tokens_and_strings_agree_in_random_games() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for setup in setups() {
        for _ in 0..4 {
            let mut table = setup.referee(None).expect("the start is valid");
            while table.outcome().is_none() {
                let text = table.position();
                let ply = setup.visit(Check { text: &text, rng: &mut rng });
                let ply = ply.unwrap_or_else(|| panic!("{text}: the game goes on"));
                assert_eq!(table.must_pass(), ply == "pass", "{text}");
                table.submit(&ply).unwrap_or_else(|rejection| panic!("{text} {ply}: {rejection}"));
            }
            assert_eq!(table.legal(), [""; 0]);
            let text = table.position();
            setup.visit(Check { text: &text, rng: &mut rng });
        }
    }
}
