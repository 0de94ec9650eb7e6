//! What holds for every position that a game comes to, and for texts that are almost right.

use std::collections::BTreeSet;

use rules::{Click, Dice, Referee, Rejection, Seat, Setup, StartError, clicks};

use crate::shipped;
use crate::tamper::tamper;

const GAMES_EACH: u64 = 4;
const PLIES_EACH: usize = 40;
const TOKENS_EACH: usize = 12;

/// The laws of one game.
struct Laws<'a> {
    setup: &'a Setup,
    dice: Dice,
    /// The plies seen so far: most of them are not legal, but all are spelled well.
    seen: Vec<String>,
    /// How many strings that were tampered with are positions, and how many are none.
    composed: usize,
    refused: usize,
}

impl Laws<'_> {
    /// Tries the laws in a random game.
    fn play(&mut self) {
        let mut game = self.setup.referee(None).expect("every game has a start");
        for _ in 0..PLIES_EACH {
            let legal = self.judge(&*game);
            self.tampered(&game.position());
            if legal.is_empty() {
                break;
            }
            game.submit(&legal[self.dice.below(legal.len())]).expect("a legal ply is accepted");
        }
    }

    /// Tries the laws on one position and returns its plies.
    fn judge(&mut self, game: &dyn Referee) -> Vec<String> {
        let text = game.position();
        let place = format!("{}: {text}", self.setup.label());
        let legal = game.legal();
        assert!(legal.is_sorted_by(|one, next| one < next), "{place}: {legal:?}");
        assert_eq!(legal.is_empty(), game.outcome().is_some(), "{place}: plies end with the game");
        assert!(legal.len() == 1 || !legal.contains(&"pass".to_owned()), "{place}: a pass is forced");

        let loaded = self.setup.referee(Some(&text)).unwrap_or_else(|error| panic!("{place}: {error}"));
        assert_eq!(loaded.position(), text, "{place}: reads as itself");
        assert_eq!((loaded.seat(), loaded.turn().seat), (game.seat(), game.turn().seat), "{place}");
        // A draw by repetition or by the number of plies belongs to the game, not to the position.
        if loaded.outcome().is_some() || game.outcome().is_none() {
            assert_eq!((loaded.outcome(), loaded.legal()), (game.outcome(), legal.clone()), "{place}");
        }

        self.put_out(game, &place);

        let mut plies = Vec::new();
        paths(&clicks(self.setup, &text, &legal), &mut plies);
        plies.sort_unstable();
        assert_eq!(plies, legal, "{place}: every ply is one path of clicks");

        for ply in &legal {
            if !self.seen.contains(ply) && self.seen.len() < 200 {
                self.seen.push(ply.clone());
            }
        }
        let known: BTreeSet<&String> = legal.iter().collect();
        for _ in 0..TOKENS_EACH.min(self.seen.len()) {
            let token = self.seen[self.dice.below(self.seen.len())].clone();
            let tampered = self.tamper(&token);
            for token in [token, tampered] {
                match game.fork().submit(&token) {
                    Ok(()) => assert!(known.contains(&token), "{place}: `{token}` is taken but not listed"),
                    Err(Rejection::Rules(fault)) => panic!("{place}: {fault}"),
                    Err(_) => assert!(!known.contains(&token), "{place}: `{token}` is listed but not taken"),
                }
            }
        }
        for token in ["", " ", "a", "é1", "pass ", "swapswap", "a99999999999999999999", "0000", "a1;about"] {
            let told = game.fork().submit(token);
            assert!(
                matches!(told, Err(Rejection::NotAPly(_) | Rejection::Illegal(_))),
                "{place}: `{token}`: {told:?}"
            );
        }
        legal
    }

    /// Tries a string that is almost a position: it is refused, or it is the one string of a position that keeps the laws.
    fn tampered(&mut self, text: &str) {
        let tampered = self.tamper(text);
        match self.setup.referee(Some(&tampered)) {
            Ok(composed) => {
                assert_eq!(composed.position(), tampered, "{}: only one string is taken", self.setup.label());
                self.composed += 1;
                self.judge(&*composed);
            }
            Err(StartError::Position(_)) => self.refused += 1,
            Err(StartError::Rules(fault)) => panic!("{}: {tampered}: {fault}", self.setup.label()),
        }
    }

    /// Takes out each seat that is in, at a table of more than two: the position after that is one, and a seat that is out stays it.
    fn put_out(&self, game: &dyn Referee, place: &str) {
        for seat in Seat::all(game.seats()).filter(|_| game.seats() > 2 && game.outcome().is_none()) {
            let was_out = game.out().iter().any(|out| out.seat == seat);
            let mut after = game.fork();
            match after.fault(seat) {
                Ok(()) => assert!(!was_out, "{place}: {seat} is out twice"),
                Err(Rejection::Illegal(why)) => {
                    assert!(was_out, "{place}: {seat} is in: {why}");
                    continue;
                }
                Err(other) => panic!("{place}: {seat}: {other}"),
            }
            let text = after.position();
            let place = format!("{place}: {seat} is put out: {text}");
            let loaded = self.setup.referee(Some(&text)).unwrap_or_else(|error| panic!("{place}: {error}"));
            assert_eq!((loaded.position(), loaded.legal()), (text, after.legal()), "{place}");
            let places = |game: &dyn Referee| match game.outcome() {
                Some(verdict) => verdict.outcome.places(game.seats()).iter().collect::<Vec<_>>(),
                None => game.out().iter().map(|out| (out.seat, out.place)).collect(),
            };
            assert_eq!(places(&*loaded), places(&*after), "{place}");
            assert!(places(&*after).iter().any(|(out, _)| *out == seat), "{place}");
        }
    }

    fn tamper(&mut self, text: &str) -> String {
        tamper(text, |count| self.dice.below(count))
    }
}

/// Adds the plies to which clicks lead.
fn paths(clicks: &[Click], plies: &mut Vec<String>) {
    for click in clicks {
        assert_eq!(click.ply.is_none(), !click.next.is_empty(), "{click:?}");
        plies.extend(click.ply.clone());
        paths(&click.next, plies);
    }
}

#[test]
fn shipped_games_keep_the_laws() {
    for setup in shipped::all() {
        let mut laws = Laws { setup: &setup, dice: Dice::new(1), seen: Vec::new(), composed: 0, refused: 0 };
        for _ in 0..GAMES_EACH {
            laws.play();
        }
        assert!(laws.refused > 0 && !laws.seen.is_empty(), "{}: nothing was tried", setup.label());
    }
}
