//! Laws that hold for every game: random games, and positions and tokens that are almost right.

use std::collections::BTreeSet;

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use rules::{GAMES, Position, Reason, Rejection, Seat, Visitor, find};

#[path = "hostile/tamper.rs"]
mod tamper;

use self::tamper::tamper;

/// Options other than the defaults under which the laws are tried too.
const VARIANTS: &[(&str, &[(&str, &str)])] = &[
    ("farook", &[("wilds", "pattern"), ("max-moves", "200")]),
    ("faust", &[("size", "2")]),
    ("faust", &[("size", "3"), ("perimeter", "walls")]),
    ("faust", &[("size", "4"), ("swap", "off"), ("max-moves", "60")]),
    ("faust", &[("size", "11")]),
    ("fanorona", &[("size", "3x3")]),
    ("fanorona", &[("size", "5x5"), ("quiet-cap", "6")]),
    ("fanorona", &[("size", "3x7")]),
    ("fanorona", &[("size", "9x7"), ("quiet-cap", "30")]),
    ("sophia", &[("stones", "3"), ("swap", "on"), ("drop", "goal")]),
    ("sophia", &[("stones", "4"), ("line", "3"), ("moves", "orthogonal"), ("lines", "orthogonal")]),
    ("sophia", &[("size", "9"), ("stones", "5"), ("line", "9"), ("both", "opponent")]),
    ("2-frenzy", &[("players", "3")]),
    ("2-frenzy", &[("players", "4"), ("max-turns", "30")]),
];

const GAMES_EACH: u64 = 6;
const PLIES_EACH: usize = 80;
const TOKENS_EACH: usize = 60;

/// Tries the laws in random games, the first part from the start and the others from strings that have been
/// tampered with.
struct Laws {
    rng: ChaCha8Rng,
    /// The plies seen so far: most of them are not legal, but all are spelled well.
    seen: Vec<String>,
}

impl Visitor for Laws {
    type Output = ();

    fn visit<P: Position>(mut self, options: &P::Options) {
        for _ in 0..GAMES_EACH {
            let start = P::start(options);
            let strings = self.play(options, start);
            for text in strings {
                let tampered = self.tamper(&text);
                if let Ok(composed) = P::read(options, &tampered) {
                    assert_eq!(composed.to_string(), tampered, "only canonical strings are taken");
                    self.judge(options, &composed);
                }
            }
        }
    }
}

impl Laws {
    fn play<P: Position>(&mut self, options: &P::Options, start: P) -> Vec<String> {
        let mut position = start;
        let mut strings = Vec::new();
        for _ in 0..PLIES_EACH {
            let plies = self.judge(options, &position);
            strings.push(position.to_string());
            if plies.is_empty() {
                break;
            }
            position.play_unchecked(plies[self.rng.random_range(0..plies.len())]);
        }
        strings
    }

    /// Tries the laws on one position and returns its plies.
    fn judge<P: Position>(&mut self, options: &P::Options, position: &P) -> Vec<P::Ply> {
        let text = position.to_string();
        let mut plies = Vec::new();
        position.legal_plies(&mut |ply| plies.push(ply));
        let legal: BTreeSet<String> = plies.iter().map(ToString::to_string).collect();
        assert_eq!(legal.len(), plies.len(), "{text}: a ply is listed once");
        assert_eq!(plies.is_empty(), position.outcome().is_some(), "{text}: plies end with the game");
        assert!(!legal.contains("pass") || legal.len() == 1, "{text}: a pass is forced");

        let (end, proofs) = (position.outcome(), position.proofs());
        let shows = |seat: Seat| proofs.iter().any(|proof| proof.seat == seat && !proof.cells.is_empty());
        match end.map(|verdict| (verdict.reason, verdict.outcome.winner())) {
            Some((Reason::Pattern | Reason::Line, Some(winner))) => {
                assert!(shows(winner) && !shows(winner.other()), "{text}: {proofs:?}");
            }
            Some((Reason::BothPatterns | Reason::BothLines, _)) => {
                assert!(Seat::BOTH.into_iter().all(shows), "{text}: {proofs:?}");
            }
            Some((Reason::SharksImmobilized | Reason::NoLegalPly, _)) => {}
            _ => assert_eq!(proofs, [], "{text}: nothing shows it"),
        }

        let loaded = P::read(options, &text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(loaded.to_string(), text);
        assert!(loaded == *position && loaded.key() == position.key(), "{text}: reads as itself");
        assert_eq!(loaded.outcome(), position.outcome(), "{text}");
        let mut again = Vec::new();
        loaded.legal_plies(&mut |ply| again.push(ply));
        assert_eq!(again, plies, "{text}");

        for ply in &plies {
            let token = ply.to_string();
            assert_eq!(position.read_ply(&token).as_ref(), Ok(ply), "{text}: {token}");
            let mut next = position.clone();
            next.play_unchecked(*ply);
            let written = next.to_string();
            let loaded = P::read(options, &written).unwrap_or_else(|error| panic!("{written}: {error}"));
            assert!(loaded == next, "{written}: reads as itself");
            if !self.seen.contains(&token) && self.seen.len() < 400 {
                self.seen.push(token);
            }
        }
        for _ in 0..self.seen.len().min(TOKENS_EACH) {
            let token = self.seen[self.rng.random_range(0..self.seen.len())].clone();
            check(position, &legal, &token, &text);
            let is_known = !matches!(position.read_ply(&token), Err(Rejection::NotAPly(_)));
            assert!(is_known, "{text}: `{token}` is a ply of the game");
            let tampered = self.tamper(&token);
            check(position, &legal, &tampered, &text);
        }
        for token in ["", " ", "a", "é1", "a1é", "Lé", "pass ", "swapswap", "a99999999999999999999", "0000"]
        {
            check(position, &legal, token, &text);
        }
        plies
    }

    fn tamper(&mut self, text: &str) -> String {
        tamper(text, |count| self.rng.random_range(0..count))
    }
}

/// A token is taken exactly if it is listed, and a suggestion is a legal ply.
fn check<P: Position>(position: &P, legal: &BTreeSet<String>, token: &str, text: &str) {
    match position.read_ply(token) {
        Ok(ply) => {
            assert!(legal.contains(token), "{text}: `{token}` is taken but not listed");
            assert_eq!(ply.to_string(), token, "{text}");
        }
        Err(rejection) => {
            assert!(!legal.contains(token), "{text}: `{token}` is listed but not taken");
            let reason = rejection.to_string();
            if let Some((_, meant)) = reason.split_once("did you mean ") {
                assert!(legal.contains(meant.trim_end_matches('?')), "{text}: `{token}`: {reason}");
            }
        }
    }
}

fn try_laws(game: &str, options: &[(&str, &str)], seed: u64) {
    let Ok(game) = find(game) else { return };
    let setup = game.setup(options).expect("the options are valid");
    setup.visit(Laws { rng: ChaCha8Rng::seed_from_u64(seed), seen: Vec::new() });
}

#[test]
fn every_game_keeps_the_laws() {
    for game in GAMES {
        try_laws(game.id, &[], 1);
    }
}

#[test]
fn variants_keep_the_laws() {
    for (seed, (game, options)) in VARIANTS.iter().enumerate() {
        try_laws(game, options, seed as u64);
    }
}

#[test]
fn options_come_back() {
    for game in GAMES {
        let plain = game.setup(&[]).expect("defaults are valid");
        let pairs: Vec<_> = plain.options().iter().map(|(key, value)| (*key, value.as_str())).collect();
        assert_eq!(game.setup(&pairs).as_ref(), Ok(&plain), "{}", game.id);
        assert!(plain.changed_options().is_empty(), "{}", game.id);
    }
    for (game, options) in VARIANTS {
        let Ok(game) = find(game) else { continue };
        let setup = game.setup(options).expect("the options are valid");
        for pair in *options {
            assert!(setup.changed_options().contains(pair), "{}: {pair:?}", setup.label());
        }
    }
}
