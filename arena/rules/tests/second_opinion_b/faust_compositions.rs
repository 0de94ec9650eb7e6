//! Options and random positions of Faust: dense boards, painted rectangles, bands and planted patterns.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use crate::board::{Board, Cell};
use crate::faust::{placed, rotations};
use crate::harness::{Chosen, pick};

/// Chooses options at random, small boards more often than large ones.
pub(crate) fn options(rng: &mut ChaCha8Rng) -> Chosen {
    let mut options = Chosen::default();
    let size = match rng.random_range(0..40) {
        0 => rng.random_range(9..=19),
        1..=5 => 8,
        6..=10 => 2,
        _ => rng.random_range(3..=7),
    };
    if size != 8 || rng.random_bool(0.5) {
        options.give("size", &size);
    }
    if rng.random_bool(0.2) {
        options.give("swap", pick(rng, &["on", "off"]));
    }
    if rng.random_bool(0.4) {
        options.give("perimeter", pick(rng, &["walls", "walls", "cells"]));
    }
    if rng.random_bool(0.15) {
        options.give("max-moves", &rng.random_range(1..60));
    }
    options
}

/// Writes a random position.
pub(crate) fn compose(options: &Chosen, rng: &mut ChaCha8Rng) -> String {
    let size = options.number("size", 8) as usize;
    let mut board = Board::new(size);
    let fill = *pick(rng, &[0.0, 0.3, 0.7, 0.9, 0.97, 1.0, 1.0]);
    let black = *pick(rng, &[0.0, 0.05, 0.2, 0.5, 0.5, 0.8, 0.95, 1.0]);
    for place in board.cells() {
        if rng.random_bool(fill) {
            board.put(place, if rng.random_bool(black) { 'b' } else { 'w' });
        }
    }
    for _ in 0..*pick(rng, &[0, 0, 1, 2, 4, 8]) {
        let (one, other) = (random_cell(size, rng), random_cell(size, rng));
        let letter = *pick(rng, &['b', 'w']);
        paint(
            &mut board,
            (one.0.min(other.0), one.1.min(other.1)),
            (one.0.max(other.0), one.1.max(other.1)),
            letter,
        );
    }
    // A band from edge to edge, between two others.
    if rng.random_bool(0.2) {
        let near = rng.random_range(0..size);
        let far = (near + rng.random_range(0..2)).min(size - 1);
        let letter = *pick(rng, &['b', 'w']);
        let wall = if letter == 'b' { 'w' } else { 'b' };
        paint(&mut board, (0, near.saturating_sub(1)), (size - 1, (far + 1).min(size - 1)), wall);
        paint(&mut board, (0, near), (size - 1, far), letter);
        if rng.random_bool(0.5) {
            board = turned(&board);
        }
    }
    for _ in 0..*pick(rng, &[0, 0, 1, 2]) {
        let pattern = pick(rng, &rotations()).clone();
        for (place, letter) in placed(&pattern, random_cell(size, rng)) {
            if place.0 < size && place.1 < size && letter != '.' {
                board.put(place, letter.to_ascii_lowercase());
            }
        }
    }
    let cap = options.number("max-moves", 6 * (size * size) as u64);
    let n = match rng.random_range(0..10) {
        0 => cap.saturating_sub(rng.random_range(0..4)),
        1 => 1,
        2 => 2,
        3 => 3,
        _ => rng.random_range(0..cap + 2),
    };
    let colours = pick(rng, &["bw", "wb"]);
    format!("{} {} c={colours} n={n}", board.rows(), pick(rng, &["p1", "p2"]))
}

fn random_cell(size: usize, rng: &mut ChaCha8Rng) -> Cell {
    (rng.random_range(0..size), rng.random_range(0..size))
}

fn paint(board: &mut Board, from: Cell, to: Cell, letter: char) {
    for file in from.0..=to.0 {
        for rank in from.1..=to.1 {
            board.put((file, rank), letter);
        }
    }
}

fn turned(board: &Board) -> Board {
    let mut other = Board::new(board.size());
    for (file, rank) in board.cells() {
        other.put((rank, file), board.at((file, rank)));
    }
    other
}
