//! Random positions of 2-Frenzy: sparse and dense boards, woven fish, and schools that live in peace.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use crate::board::{Board, SEATS, name};
use crate::harness::{Chosen, pick, turns};
use crate::school::weave;
use crate::two_frenzy::{ANIMALS, SHARKS};

/// Writes a string that is laid out like a position, and mostly is one.
pub(crate) fn compose(options: &Chosen, rng: &mut ChaCha8Rng) -> String {
    let is_peaceful = rng.random_bool(0.15);
    let board = if is_peaceful { compose_peace(rng) } else { compose_board(rng) };
    let n = match options.number("max-turns", 300).checked_sub(8) {
        // The third occurrence of a position that is repeated at once, on the cap.
        Some(n) if is_peaceful && rng.random_bool(0.5) => n,
        _ => turns(options, rng),
    };
    let seat_to_move = rng.random_range(0..2);
    let seat = SEATS[seat_to_move];
    let animals = if rng.random_bool(0.2) { ".FSfs" } else { ANIMALS[seat_to_move] };
    let cells = board.with(animals);
    let used = if cells.is_empty() { (0, 0) } else { *pick(rng, &cells) };
    let tail = match rng.random_range(0..12) {
        0 => format!("phase=sharks left={} used=- n={}", rng.random_range(0..4), pick(rng, &[0, 0, 1])),
        1 | 2 => format!("phase=play left=1 used={} n={n}", name(used)),
        3 | 4 => format!("phase=keep left=0 used=- school={} n={n}", pick(rng, &SEATS)),
        _ => format!("phase=play left=2 used=- n={n}"),
    };
    format!("{} {seat} {tail}", board.rows())
}

fn compose_board(rng: &mut ChaCha8Rng) -> Board {
    let mut board = Board::new(8);
    let fill = *pick(rng, &[0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 0.8, 0.95, 1.0]);
    let is_divided = rng.random_bool(0.5);
    for place in board.cells() {
        if rng.random_bool(fill) {
            let is_upper = if is_divided { place.1 > 3 } else { rng.random_bool(0.5) };
            board.put(place, if is_upper { 'f' } else { 'F' });
        }
    }
    if rng.random_bool(0.15) {
        weave(&mut board, &['F', 'f'], rng);
    }
    for sharks in SHARKS {
        for _ in 0..*pick(rng, &[0, 1, 1, 2, 2, 2, 2, 4]) {
            let shark = sharks.chars().next().expect("a letter");
            board.put((rng.random_range(0..8), rng.random_range(0..8)), shark);
        }
    }
    board
}

/// Keeps the schools apart, and the sharks alive by each other: games go on until a position is repeated.
fn compose_peace(rng: &mut ChaCha8Rng) -> Board {
    let mut board = Board::new(8);
    let (files, ranks) = (rng.random_range(2..4), rng.random_range(1..4));
    for file in 0..files {
        for rank in 0..ranks {
            board.put((file, rank), 'F');
            board.put((7 - file, 7 - rank), 'f');
        }
    }
    board.put((3, 4), *pick(rng, &['s', 'S']));
    board.put((4, 3), *pick(rng, &['s', 'S']));
    board.put((4, 4), 'S');
    board.put((3, 3), 's');
    board
}
