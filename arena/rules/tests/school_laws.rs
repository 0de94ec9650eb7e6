//! Laws that hold in every position of Frenzy and 2-Frenzy, checked in random games and compositions.

use std::collections::BTreeSet;

use rand::rngs::ChaCha8Rng;
use rand::{Rng, RngExt, SeedableRng};
use rules::{Frenzy, Position, Rejection, SchoolPly, Seat, Turn, TwoFrenzy};

trait School: Position<Options: Default, Ply = SchoolPly> {
    /// The letters of the animals.
    const ANIMALS: &'static [u8];
    /// What can follow the rows, with `*` for a random cell.
    const TAILS: &'static [&'static str];
}

impl School for Frenzy {
    const ANIMALS: &'static [u8] = b"fffs";
    const TAILS: &'static [&'static str] = &[
        "p1 phase=sharks left=2 n=0",
        "p1 phase=sharks left=1 n=0",
        "p1 phase=play n=7",
        "p2 phase=play n=298",
        "p1 phase=keep turn=p1 n=5",
        "p1 phase=keep turn=p2 n=6",
    ];
}

impl School for TwoFrenzy {
    const ANIMALS: &'static [u8] = b"FFFSfffs";
    const TAILS: &'static [&'static str] = &[
        "p1 phase=sharks left=2 used=- n=0",
        "p2 phase=sharks left=1 used=- n=0",
        "p1 phase=play left=2 used=- n=8",
        "p2 phase=play left=2 used=- n=298",
        "p1 phase=play left=1 used=* n=6",
        "p2 phase=play left=1 used=* n=9",
        "p1 phase=keep left=0 used=- school=p1 n=4",
        "p1 phase=keep left=0 used=- school=p2 n=4",
        "p2 phase=keep left=0 used=- school=p2 n=5",
    ];
}

fn cell_name(number: u8) -> String {
    format!("{}{}", char::from(b'a' + number % 8), number / 8 + 1)
}

fn pick<'a, T: ?Sized>(rng: &mut ChaCha8Rng, items: &[&'a T]) -> &'a T {
    items[rng.random_range(0..items.len())]
}

/// Returns a string that is laid out like a position; it need not be one.
fn composition<P: School>(rng: &mut ChaCha8Rng) -> String {
    let fill = rng.random_range(1..20);
    let board = rules::Board::new(8, 8);
    let animals: Vec<_> = (0..board.cells())
        .map(|_| (rng.random_range(0..20) < fill).then(|| P::ANIMALS[rng.random_range(0..P::ANIMALS.len())]))
        .collect();
    let mut text = String::new();
    board.write_rows(&mut text, |cell| animals[cell]).expect("a string takes everything");
    let cell = cell_name(rng.random_range(0..64));
    format!("{text} {}", pick(rng, P::TAILS).replace('*', &cell))
}

/// Plays random games from the start and from compositions and calls `check` at every position.
fn wander<P: School>(seed: u64, games: usize, mut check: impl FnMut(&mut ChaCha8Rng, &P)) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let options = P::Options::default();
    for game in 0..games {
        let mut position = P::start(&options);
        if game > 0 {
            let mut compositions = std::iter::repeat_with(|| P::read(&options, &composition::<P>(&mut rng)));
            position = compositions.find_map(Result::ok).expect("it goes on until one is a position");
        }
        for _ in 0..60 {
            check(&mut rng, &position);
            let plies = plies(&position);
            if plies.is_empty() {
                break;
            }
            position.play_unchecked(plies[rng.random_range(0..plies.len())]);
        }
    }
}

fn plies<P: School>(position: &P) -> Vec<SchoolPly> {
    let mut plies = Vec::new();
    position.legal_plies(&mut |ply| plies.push(ply));
    plies
}

fn listed<P: School>(position: &P) -> BTreeSet<String> {
    plies(position).iter().map(ToString::to_string).collect()
}

fn every_listed_ply_is_read_back<P: School>() {
    wander::<P>(1, 150, |_, position| {
        let plies = plies(position);
        assert_eq!(plies.is_empty(), position.outcome().is_some(), "{position}");
        assert_eq!(plies.len(), listed(position).len(), "{position}");
        for ply in plies {
            assert_eq!(position.read_ply(&ply.to_string()), Ok(ply), "{position}");
        }
    });
}

fn no_other_spelled_ply_is_read<P: School>() {
    let cells: Vec<_> = (0..64).map(cell_name).collect();
    let mut tokens = vec!["pass".to_owned()];
    for cell in &cells {
        tokens.extend([format!("S{cell}"), format!("keep={cell}")]);
        tokens.extend(cells.iter().map(|to| format!("{cell}{to}")));
    }
    wander::<P>(2, 40, |rng, position| {
        if rng.random_range(0..12) > 0 {
            return;
        }
        let listed = listed(position);
        for token in &tokens {
            let reading = position.read_ply(token);
            assert_eq!(reading.is_ok(), listed.contains(token), "{position} {token} {reading:?}");
            assert!(!matches!(reading, Err(Rejection::NotAPly(_))), "{token} is spelled like a ply");
        }
    });
}

fn damaged(rng: &mut ChaCha8Rng, text: &str) -> String {
    const LETTERS: [char; 21] = [
        'a', 'b', 'h', 'x', 'S', 'F', 'f', 's', '0', '1', '8', '9', '=', '-', '/', ' ', 'k', 'p', '.', 'é',
        '\0',
    ];
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..rng.random_range(1..4) {
        let place = rng.random_range(0..=letters.len());
        let letter = LETTERS[rng.random_range(0..LETTERS.len())];
        match rng.random_range(0..4) {
            0 => letters.insert(place, letter),
            1 if place < letters.len() => letters[place] = letter,
            2 if place < letters.len() => drop(letters.remove(place)),
            _ => letters.truncate(place.max(1)),
        }
    }
    letters.into_iter().collect()
}

fn damaged_tokens_are_plies_only_if_listed<P: School>() {
    wander::<P>(3, 60, |rng, position| {
        let listed = listed(position);
        for token in listed.iter().take(12) {
            let token = damaged(rng, token);
            let reading = position.read_ply(&token);
            assert_eq!(reading.is_ok(), listed.contains(&token), "{position} {token:?} {reading:?}");
            let Err(Rejection::NotAPly(why) | Rejection::Illegal(why)) = reading else { continue };
            assert!(!why.is_empty() && !why.ends_with('.'), "{why}");
            if let Some(meant) = why.strip_prefix("did you mean ").and_then(|rest| rest.strip_suffix('?')) {
                assert!(listed.contains(meant), "{position} {token:?} {why}");
            }
        }
    });
}

fn positions_are_read_as_they_are_written<P: School>() {
    wander::<P>(4, 150, |_, position| {
        let text = position.to_string();
        let read =
            P::read(&P::Options::default(), &text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(read.to_string(), text);
        assert_eq!(&read, position);
        assert_eq!(read.key(), position.key());
        assert_eq!(read.outcome(), position.outcome());
        assert_eq!(listed(&read), listed(position));
    });
}

fn damaged_strings_are_refused_or_canonical<P: School>() {
    let options = P::Options::default();
    wander::<P>(5, 40, |rng, position| {
        let text = damaged(rng, &position.to_string());
        if let Ok(read) = P::read(&options, &text) {
            assert_eq!(read.to_string(), text);
            for ply in plies(&read) {
                let mut next = read.clone();
                next.play_unchecked(ply);
                let _ = (next.outcome(), next.to_string());
            }
        }
        let noise: Vec<u8> = (0..rng.random_range(0..40)).map(|_| rng.next_u32() as u8).collect();
        let noise = String::from_utf8_lossy(&noise);
        assert!(P::read(&options, &noise).is_err());
        assert!(position.read_ply(&noise).is_err());
    });
}

fn a_turn_is_fresh_until_its_first_ply<P: School>() {
    wander::<P>(6, 150, |_, position| {
        let before = position.turn();
        for ply in plies(position) {
            let mut next = position.clone();
            next.play_unchecked(ply);
            let after = next.turn();
            assert!(after.is_fresh || after.seat == before.seat, "{position} {ply} {next}");
            let is_other = Turn { seat: before.seat.other(), is_fresh: true };
            // After the placing turns p1 may move first.
            let is_placing = matches!(ply, SchoolPly::Place(_));
            assert!(!after.is_fresh || after == is_other || is_placing, "{position} {ply} {next}");
        }
        let decides_for_other = position.seat() != before.seat;
        assert!(!decides_for_other || (position.seat() == Seat::P1 && !before.is_fresh), "{position}");
    });
}

macro_rules! laws {
    ($($law:ident)*) => {
        mod frenzy {
            $(#[test] fn $law() { super::$law::<rules::Frenzy>(); })*
        }

        mod two_frenzy {
            $(#[test] fn $law() { super::$law::<rules::TwoFrenzy>(); })*
        }
    };
}

laws! {
    every_listed_ply_is_read_back
    no_other_spelled_ply_is_read
    damaged_tokens_are_plies_only_if_listed
    positions_are_read_as_they_are_written
    damaged_strings_are_refused_or_canonical
    a_turn_is_fresh_until_its_first_ply
}
