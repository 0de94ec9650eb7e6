//! Random games with faults, from the start and from compositions, by the rules and by the naive implementation side by side.

use std::collections::{BTreeMap, HashMap};

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use rules::Referee;

use crate::naive::{Naive, Phase};
use crate::table;

/// What happened in how many games.
type Seen = BTreeMap<String, u32>;

fn compare(naive: &Naive, referee: &dyn Referee) {
    let place = referee.position();
    assert_eq!(naive.position(), place);
    assert_eq!(naive.legal(), referee.legal(), "{place}");
    assert_eq!(naive.legal() == ["pass"], referee.must_pass(), "{place}");
    let end = referee.outcome().map(|verdict| {
        let places = verdict.outcome.places(naive.players).iter();
        (places.map(|(_, place)| usize::from(place)).collect::<Vec<_>>(), verdict.reason.code())
    });
    assert_eq!(naive.end, end, "{place}");
    let out = naive.out.iter().enumerate().filter_map(|(seat, place)| Some((seat, (*place)?)));
    let found = referee.out().into_iter().map(|out| (out.seat.index(), usize::from(out.place)));
    assert_eq!(out.collect::<Vec<_>>(), found.collect::<Vec<_>>(), "{place}");
}

/// Plays one game; `hunger` is how much likelier captures are, and `faults` how many plies in a thousand are faults.
fn play(mut naive: Naive, rng: &mut ChaCha8Rng, hunger: u32, faults: u32, seen: &mut Seen) {
    let setup = table(naive.players, naive.max_turns as u32);
    let mut referee = setup
        .referee(Some(&naive.position()))
        .unwrap_or_else(|error| panic!("{}: {error}", naive.position()));
    let mut note = |what: &str| *seen.entry(what.to_owned()).or_insert(0) += 1;
    compare(&naive, &*referee);
    for _ in 0..600 {
        let legal = naive.legal();
        if legal.is_empty() {
            break;
        }
        let out = referee.out().len();
        if rng.random_range(0..1000) < faults {
            referee.fault(referee.seat()).expect("the seat is in");
            naive.fault();
            note("fault");
        } else {
            let is_capture = |ply: &String| {
                let to = ply.get(2..4).filter(|_| !ply.contains('='));
                to.is_some_and(|to| {
                    let cell = ((to.as_bytes()[0] - b'a') as usize, (to.as_bytes()[1] - b'1') as usize);
                    naive.board.contains_key(&cell)
                })
            };
            let captures: Vec<_> = legal.iter().filter(|ply| is_capture(ply)).collect();
            let ply = match rng.random_range(0..10) < hunger && !captures.is_empty() {
                true => captures[rng.random_range(0..captures.len())].clone(),
                false => legal[rng.random_range(0..legal.len())].clone(),
            };
            if ply.starts_with("keep=") || ply == "pass" {
                note(&ply[..4]);
            }
            referee
                .submit(&ply)
                .unwrap_or_else(|rejection| panic!("{}: {ply}: {rejection}", naive.position()));
            naive.play(&ply);
        }
        note(match referee.out().len() - out {
            0 => "nobody out",
            1 => "one out",
            _ => "two out",
        });
        compare(&naive, &*referee);
    }
    let (_, reason) = naive.end.expect("the game is over");
    note(reason);
}

/// Returns a board with few animals of every seat, at the beginning of a turn.
fn composition(rng: &mut ChaCha8Rng, players: usize, is_placing: bool) -> Naive {
    let files = if players == 3 { 9 } else { 8 };
    let mut board = HashMap::new();
    let letters: Vec<_> = "FfGg".chars().take(players).zip("SsTt".chars()).collect();
    let clusters = rng.random_range(1..6);
    let density = rng.random_range(1..9);
    for (fish, shark) in letters {
        for _ in 0..clusters {
            let (file, rank) = (rng.random_range(0..files), rng.random_range(0..8));
            for (right, up) in [(0, 0), (1, 0), (0, 1), (1, 1), (2, 0)] {
                if rng.random_range(0..9) < density && rank + up < 8 {
                    board.insert(((file + right) % files, rank + up), fish);
                }
            }
        }
        let sharks = if is_placing { 0 } else { rng.random_range(1..4) };
        for _ in 0..sharks {
            board.insert((rng.random_range(0..files), rng.random_range(0..8)), shark);
        }
    }
    let phase = if is_placing { Phase::Placing(2) } else { Phase::Turn { used: None } };
    Naive::new(players, rng.random_range(2..60), board, rng.random_range(0..players), phase)
}

#[test]
fn random_games_are_the_same_by_both() {
    let mut seen = Seen::new();
    let mut rng = ChaCha8Rng::seed_from_u64(25);
    for players in [3, 4] {
        for game in 0..14 {
            play(Naive::start(players, 300), &mut rng, game % 4 * 3, game % 3 * 4, &mut seen);
        }
    }
    for game in 0..700 {
        let composed = composition(&mut rng, 3 + game % 2, game % 9 == 0);
        play(composed, &mut rng, (game % 7) as u32, (game % 4) as u32 * 6, &mut seen);
    }
    for what in ["no-fish", "no-sharks", "all-lost", "fault", "max-turns", "keep", "pass", "two out"] {
        assert!(seen.get(what).is_some_and(|count| *count > 5), "{what}: {seen:?}");
    }
}
