//! Options, a position and plies, whatever they are: nothing panics, and what is taken comes back as it was.
//!
//! The input is lines of text: the game with its options (`fanorona size=5x5`), a position string (empty for the start),
//! and tokens, one a line.

#![no_main]

use std::collections::BTreeSet;

use libfuzzer_sys::fuzz_target;
use rules::{Position, Referee, RefereedPosition, Visitor, find};

/// The greatest number of legal plies for which every one is played.
const MOST_PLIES: usize = 400;

/// The greatest number of tokens that are tried.
const MOST_TOKENS: usize = 40;

struct Try<'a> {
    position: &'a str,
    tokens: Vec<&'a str>,
}

impl Visitor for Try<'_> {
    type Output = ();

    fn visit<P: Position>(self, options: &P::Options) {
        let start = match self.position {
            "" => P::start(options),
            text => match P::read(options, text) {
                Ok(position) => {
                    assert_eq!(position.to_string(), text, "only canonical strings are taken");
                    position
                }
                Err(error) => return assert!(!error.to_string().is_empty()),
            },
        };
        let mut table = RefereedPosition::new(start);
        for token in self.tokens {
            let legal = judge(options, table.current());
            let is_open = table.outcome().is_none();
            match table.submit(token) {
                Ok(()) => assert!(legal.contains(token), "`{token}` is taken but not listed"),
                Err(rejection) => {
                    assert!(!is_open || !legal.contains(token), "`{token}` is listed but not taken");
                    assert!(!rejection.to_string().is_empty(), "`{token}` is rejected without a reason");
                }
            }
        }
        judge(options, table.current());
    }
}

/// Tries the laws on one position and returns its plies.
fn judge<P: Position>(options: &P::Options, position: &P) -> BTreeSet<String> {
    let text = position.to_string();
    let again = P::read(options, &text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(again.to_string(), text);
    assert!(again == *position && again.key() == position.key(), "{text} reads as itself");
    assert_eq!(again.outcome(), position.outcome(), "{text}");
    let mut plies = Vec::new();
    position.legal_plies(&mut |ply| plies.push(ply));
    assert_eq!(plies.is_empty(), position.outcome().is_some(), "{text}: plies end with the game");
    let legal: BTreeSet<String> = plies.iter().map(ToString::to_string).collect();
    assert_eq!(legal.len(), plies.len(), "{text}: a ply is listed once");
    for ply in plies.iter().take(MOST_PLIES) {
        let token = ply.to_string();
        assert_eq!(position.read_ply(&token).as_ref(), Ok(ply), "{text}: {token}");
        let mut next = position.clone();
        next.play_unchecked(*ply);
        let written = next.to_string();
        let read = P::read(options, &written).unwrap_or_else(|error| panic!("{text}: {token}: {error}"));
        assert!(read == next, "{text}: {token}");
    }
    legal
}

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let mut lines = text.split('\n');
    let mut words = lines.next().unwrap_or_default().split(' ');
    let Ok(game) = find(words.next().unwrap_or_default()) else { return };
    let pairs: Vec<_> = words.filter_map(|word| word.split_once('=')).collect();
    let Ok(setup) = game.setup(&pairs) else { return };
    let given: Vec<_> = setup.options().iter().map(|(key, value)| (*key, value.as_str())).collect();
    assert_eq!(game.setup(&given).as_ref(), Ok(&setup), "options come back");
    let position = lines.next().unwrap_or_default();
    setup.visit(Try { position, tokens: lines.take(MOST_TOKENS).collect() });
});
