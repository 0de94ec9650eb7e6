//! What each seat has on the board, checked against the letters of position strings.

use rules::{Frenzy, GAMES, Position, Referee, SchoolOptions, find};

/// Counts the letters of a position string's board.
fn letters(position: &str, wanted: &[char]) -> u32 {
    let board = position.split(' ').next().expect("a position string begins with its board");
    board.chars().filter(|letter| wanted.contains(letter)).count() as u32
}

/// What the count of a game must be, by the letters of its position string.
fn expected(game: &str, position: &str) -> Option<[u32; 2]> {
    let count = |first: &[char], second: &[char]| Some([letters(position, first), letters(position, second)]);
    match game {
        "fanorona" => count(&['w'], &['b']),
        "faust" if position.contains(" c=wb ") => count(&['w'], &['b']),
        "faust" => count(&['b'], &['w']),
        "2-frenzy" => count(&['F', 'S'], &['f', 's']),
        "frenzy" => {
            let fish = letters(position, &['f']);
            Some([30_u32.saturating_sub(fish), fish])
        }
        _ => None,
    }
}

/// Plays one line of a game, choosing plies by a plain generator, and calls `see` at every position.
fn walk(game: &str, options: &[(&str, &str)], mut state: u64, mut see: impl FnMut(&dyn Referee)) {
    let setup = find(game).expect("the game is in the list").setup(options).expect("the options are valid");
    let mut referee = setup.referee(None).expect("a game's own start can be set up");
    for _ in 0..400 {
        see(referee.as_ref());
        let legal = referee.legal();
        if legal.is_empty() {
            break;
        }
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let ply = &legal[(state >> 33) as usize % legal.len()];
        referee.submit(ply).expect("a ply of the list is legal");
    }
}

#[test]
fn a_count_is_what_stands_on_the_board() {
    for game in GAMES {
        for seed in 0..20 {
            let mut positions = 0;
            walk(game.id, &[], seed, |referee| {
                let position = referee.position();
                assert_eq!(
                    referee.count().as_deref(),
                    expected(game.id, &position).as_ref().map(|both| &both[..]),
                    "{}: {position}",
                    game.id
                );
                positions += 1;
            });
            assert!(positions > 1, "{}", game.id);
        }
    }
}

#[test]
fn discs_belong_to_the_colour_that_a_seat_has_now() {
    let setup = find("faust").expect("a game").setup(&[("swap", "on")]).expect("it has a swap");
    let mut referee = setup.referee(None).expect("the start");
    let first = referee.legal()[0].clone();
    referee.submit(&first).expect("legal");
    assert_eq!(referee.count(), Some(vec![1, 0]));
    referee.submit("swap").expect("legal");
    assert_eq!(referee.count(), Some(vec![0, 1]), "{}", referee.position());
}

#[test]
fn a_full_school_is_what_the_placing_of_sharks_leaves() {
    let mut position = Frenzy::start(&SchoolOptions::default());
    for _ in 0..2 {
        let mut first = None;
        position.legal_plies(&mut |ply| first = first.or(Some(ply)));
        position.play_unchecked(first.expect("a shark can be placed"));
    }
    assert_eq!(position.count(), Some(vec![0, Frenzy::FULL_SCHOOL]));
}
