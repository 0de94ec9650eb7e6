//! Compares the engine with a second implementation of the rules, point by point, and tests the limits of chains.

use std::collections::BTreeMap;

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::games::fanorona::lines::SIZES;
use crate::{Fanorona, FanoronaOptions, Options, Position, Rejection, Seat};

type Point = (i32, i32);

/// Stones by point; `.` for empty points.
#[derive(Clone)]
struct Naive(BTreeMap<Point, char>);

impl Naive {
    fn of(position: &Fanorona) -> Self {
        let board = position.lines().board;
        let points = (0..board.cells()).map(|number| {
            let cell = board.cell(number);
            let letter = match Seat::BOTH.map(|seat| position.stones(seat) >> number & 1) {
                [1, _] => 'w',
                [_, 1] => 'b',
                _ => '.',
            };
            ((i32::from(cell.file) + 1, i32::from(cell.rank) + 1), letter)
        });
        Self(points.collect())
    }

    fn at(&self, point: Point) -> Option<char> {
        self.0.get(&point).copied()
    }

    /// The directions of the lines through a point.
    fn directions(point: Point) -> Vec<Point> {
        let mut all = vec![(0, 1), (1, 0), (0, -1), (-1, 0)];
        if (point.0 + point.1) % 2 == 0 {
            all.extend([(1, 1), (1, -1), (-1, -1), (-1, 1)]);
        }
        all
    }

    /// Removes the row of stones of the enemy that begins on this point.
    fn remove(&mut self, mut point: Point, direction: Point, enemy: char) -> usize {
        let mut count = 0;
        while self.at(point) == Some(enemy) {
            self.0.insert(point, '.');
            point = (point.0 + direction.0, point.1 + direction.1);
            count += 1;
        }
        count
    }

    fn chains(
        &self,
        text: &str,
        path: &[Point],
        last: Option<Point>,
        enemy: char,
        found: &mut BTreeMap<String, Self>,
    ) {
        let from = *path.last().expect("a chain begins somewhere");
        for direction in Self::directions(from) {
            let to = (from.0 + direction.0, from.1 + direction.1);
            if self.at(to) != Some('.') || path.contains(&to) || last == Some(direction) {
                continue;
            }
            let back = (-direction.0, -direction.1);
            for (sign, first, way) in [
                ('+', (to.0 + direction.0, to.1 + direction.1), direction),
                ('-', (from.0 + back.0, from.1 + back.1), back),
            ] {
                let mut next = self.clone();
                if next.remove(first, way, enemy) > 0 {
                    let stone = next.0.insert(from, '.').expect("on the board");
                    next.0.insert(to, stone);
                    let text = format!("{text}{}{sign}", name(to));
                    let path: Vec<_> = path.iter().copied().chain([to]).collect();
                    next.chains(&text, &path, Some(direction), enemy, found);
                    found.insert(text, next);
                }
            }
        }
    }

    /// Returns every ply with the board after it.
    fn plies(&self, own: char, enemy: char) -> BTreeMap<String, Self> {
        let mut found = BTreeMap::new();
        if !self.0.values().any(|letter| *letter == enemy) {
            return found;
        }
        let stones = || self.0.iter().filter(|(_, letter)| **letter == own).map(|(point, _)| *point);
        for from in stones() {
            self.chains(&name(from), &[from], None, enemy, &mut found);
        }
        if found.is_empty() {
            for from in stones() {
                for direction in Self::directions(from) {
                    let to = (from.0 + direction.0, from.1 + direction.1);
                    if self.at(to) == Some('.') {
                        let mut next = self.clone();
                        next.0.insert(from, '.');
                        next.0.insert(to, own);
                        found.insert(name(from) + &name(to), next);
                    }
                }
            }
        }
        found
    }
}

fn name(point: Point) -> String {
    format!("{}{}", char::from(b'`' + point.0 as u8), point.1)
}

fn options(size: &str) -> FanoronaOptions {
    FanoronaOptions::from_pairs(&[("size", size)]).expect("the size is valid")
}

fn load(size: &str, text: &str) -> Fanorona {
    Fanorona::read(&options(size), text).expect("the string is valid")
}

/// A board with stones of both sides, each on a share of the points.
fn random_board(rng: &mut ChaCha8Rng, size: &str, own: f64, enemy: f64) -> Fanorona {
    let board = options(size).board();
    let letters: Vec<_> = (0..board.cells())
        .map(|_| match rng.random_range(0.0..1.0) {
            share if share < own => Some(b'w'),
            share if share < own + enemy => Some(b'b'),
            _ => None,
        })
        .collect();
    let mut rows = String::new();
    board.write_rows(&mut rows, |number| letters[number]).expect("a string takes everything");
    load(size, &format!("{rows} p1 quiet=7"))
}

/// Checks that the engine lists exactly the plies of the naive implementation; returns the longest chain.
fn check(position: &Fanorona) -> usize {
    let [own, enemy] = if position.seat() == Seat::P1 { ['w', 'b'] } else { ['b', 'w'] };
    let expected = Naive::of(position).plies(own, enemy);
    let mut found = BTreeMap::new();
    let mut count = 0;
    position.legal_plies(&mut |ply| {
        count += 1;
        let text = ply.to_string();
        assert_eq!(position.read_ply(&text), Ok(ply), "{position} {text}");
        assert!(position.is_legal(ply), "{position} {text}");
        found.insert(text, ply);
    });
    assert_eq!(found.len(), count, "{position}: no ply is listed twice");
    assert!(found.keys().eq(expected.keys()), "{position}\n{:?}\n{:?}", found.keys(), expected.keys());
    for (text, ply) in &found {
        let mut next = position.clone();
        next.play_unchecked(*ply);
        assert_eq!(Naive::of(&next).0, expected[text].0, "{position} {text}");
        assert_eq!(next.quiet(), if text.len() == 4 { position.quiet() + 1 } else { 0 }, "{position} {text}");
        assert_ne!(next.seat(), position.seat());
    }
    found.values().map(|ply| ply.legs().count()).max().unwrap_or(0)
}

#[test]
fn plies_are_those_of_the_page() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut longest = 0;
    for index in 0..3000 {
        let size = SIZES[index % SIZES.len()];
        let (own, enemy) = [(0.1, 0.2), (0.05, 0.35), (0.3, 0.3), (0.45, 0.5)][index / SIZES.len() % 4];
        longest = longest.max(check(&random_board(&mut rng, size, own, enemy)));
    }
    assert!(longest >= 8, "the boards reach long chains: {longest}");
}

#[test]
fn plies_of_random_games_are_those_of_the_page() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for size in SIZES {
        let mut position = Fanorona::start(&options(size));
        while position.outcome().is_none() {
            check(&position);
            let mut plies = Vec::new();
            position.legal_plies(&mut |ply| plies.push(ply));
            position.play_unchecked(plies[rng.random_range(0..plies.len())]);
        }
    }
}

/// Returns the longest of some random chains of `p1`, built leg by leg with `read_ply` alone.
fn long_walk(position: &Fanorona, rng: &mut ChaCha8Rng) -> String {
    let board = position.lines().board;
    let cells: Vec<_> = (0..board.cells()).map(|number| board.cell(number).to_string()).collect();
    let starts: Vec<_> = (0..board.cells())
        .filter(|number| position.own() >> number & 1 == 1)
        .map(|number| board.cell(number))
        .collect();
    let mut longest = String::new();
    for index in 0..200 {
        let mut walk = starts[index % starts.len()].to_string();
        loop {
            let legs = cells.iter().flat_map(|cell| ['+', '-'].map(|sign| format!("{walk}{cell}{sign}")));
            let mut legal: Vec<_> = legs.filter(|token| position.read_ply(token).is_ok()).collect();
            if legal.is_empty() {
                break;
            }
            walk = legal.swap_remove(rng.random_range(0..legal.len()));
        }
        if walk.len() > longest.len() {
            longest = walk;
        }
    }
    longest
}

#[test]
fn a_long_chain_is_read_leg_by_leg() {
    // One stone that can capture in 42024 ways.
    let rows = "bbbbbbb1b/1bb1bb1bb/bb1bb2bb/bb1bw1b1b/bbb2b2b/b2bb2bb/b1bbbbbbb";
    let position = load("9x7", &format!("{rows} p1 quiet=0"));
    let walk = long_walk(&position, &mut ChaCha8Rng::seed_from_u64(3));
    let legs = position.read_ply(&walk).expect("the walk is legal").legs().count();
    assert!(legs >= 12, "{walk}");
    for end in (5..walk.len()).step_by(3) {
        assert!(position.read_ply(&walk[..end]).is_ok(), "every prefix of a chain is a ply: {walk}");
    }
    assert!(matches!(position.read_ply(&walk[..4]), Err(Rejection::Illegal(_))));
    assert!(matches!(position.read_ply(&format!("{walk}{walk}!")), Err(Rejection::NotAPly(_))));
}
