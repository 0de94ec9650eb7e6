//! Compares the engine with a second implementation of the rules: cell by cell, straight from the page.

use std::collections::BTreeSet;

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::{Faust, FaustOptions, Options, Position};

/// A board as letters, `board[rank][file]` from the lower left.
#[derive(Clone, PartialEq)]
struct Naive(Vec<Vec<char>>);

/// Left, bottom, right, top.
type Rectangle = [i32; 4];

impl Naive {
    fn size(&self) -> i32 {
        self.0.len() as i32
    }

    /// Returns the letter on a cell, `.` for an empty one; `None` off the board.
    fn at(&self, file: i32, rank: i32) -> Option<char> {
        let row = self.0.get(usize::try_from(rank).ok()?)?;
        row.get(usize::try_from(file).ok()?).copied()
    }

    fn string(&self, mover: char, plies: u32) -> String {
        let mut rows = Vec::new();
        for rank in self.0.iter().rev() {
            let mut row = String::new();
            let mut run = 0;
            for letter in rank.iter().chain(&['#']) {
                if *letter == '.' {
                    run += 1;
                    continue;
                }
                if run > 0 {
                    row += &run.to_string();
                    run = 0;
                }
                row.push(*letter);
            }
            rows.push(row.trim_end_matches('#').to_owned());
        }
        // p1 is always to move here, with the mover's colour.
        let colours = if mover == 'b' { "bw" } else { "wb" };
        format!("{} p1 c={colours} n={plies}", rows.join("/"))
    }

    /// Returns the colour of a wall: `Ok(None)` off the board, `Err` if it has several colours.
    fn wall(&self, cells: &[(i32, i32)]) -> Result<Option<char>, ()> {
        let letters: BTreeSet<_> = cells.iter().map(|(file, rank)| self.at(*file, *rank)).collect();
        match letters.into_iter().collect::<Vec<_>>()[..] {
            [None] => Ok(None),
            [Some(letter)] if letter != '.' => Ok(Some(letter)),
            _ => Err(()),
        }
    }

    fn qualifies(&self, [left, bottom, right, top]: Rectangle, mover: char, perimeter: &str) -> bool {
        for file in left..=right {
            for rank in bottom..=top {
                if self.at(file, rank) != Some(enemy_of(mover)) {
                    return false;
                }
            }
        }
        let row = |rank: i32| (left..=right).map(|file| (file, rank)).collect::<Vec<_>>();
        let column = |file: i32| (bottom..=top).map(|rank| (file, rank)).collect::<Vec<_>>();
        let pairs = [[row(bottom - 1), row(top + 1)], [column(left - 1), column(right + 1)]];
        let (mut own, mut enemy) = (0, 0);
        for walls in pairs {
            let (Ok(one), Ok(other)) = (self.wall(&walls[0]), self.wall(&walls[1])) else { return false };
            for colour in [one.or(other), other.or(one)].into_iter().flatten() {
                let length = if perimeter == "cells" { walls[0].len() } else { 1 };
                *(if colour == mover { &mut own } else { &mut enemy }) += length;
            }
        }
        own > enemy
    }

    /// Returns every rectangle that may be flipped, and how many qualifying ones others contain.
    fn rectangles(&self, mover: char, perimeter: &str) -> (Vec<Rectangle>, usize) {
        let mut all = Vec::new();
        for left in 0..self.size() {
            for bottom in 0..self.size() {
                for right in left..self.size() {
                    for top in bottom..self.size() {
                        let rectangle = [left, bottom, right, top];
                        if self.qualifies(rectangle, mover, perimeter) {
                            all.push(rectangle);
                        }
                    }
                }
            }
        }
        let contains = |large: &Rectangle, small: &Rectangle| {
            large != small
                && large[0] <= small[0]
                && large[1] <= small[1]
                && large[2] >= small[2]
                && large[3] >= small[3]
        };
        let largest: Vec<_> =
            all.iter().filter(|small| !all.iter().any(|large| contains(large, small))).copied().collect();
        let nested = all.len() - largest.len();
        (largest, nested)
    }

    /// Returns every instance of the pattern: the block and the cells of its discs.
    fn patterns(&self) -> Vec<(Rectangle, Vec<(i32, i32)>)> {
        let mut found = Vec::new();
        for pattern in rotations() {
            let (width, height) = (pattern[0].len() as i32, pattern.len() as i32);
            for left in 0..=self.size() - width {
                for bottom in 0..=self.size() - height {
                    let mut cells = Vec::new();
                    let mut is_there = true;
                    for (row, line) in pattern.iter().enumerate() {
                        for (column, letter) in line.iter().enumerate() {
                            let cell = (left + column as i32, bottom + height - 1 - row as i32);
                            if *letter != '.' {
                                is_there &= self.at(cell.0, cell.1) == Some(*letter);
                                cells.push(cell);
                            }
                        }
                    }
                    if is_there {
                        found.push(([left, bottom, left + width - 1, bottom + height - 1], cells));
                    }
                }
            }
        }
        found
    }

    fn flip(&self, mover: char, cells: impl IntoIterator<Item = (i32, i32)>) -> Self {
        let mut next = self.clone();
        for (file, rank) in cells {
            next.0[rank as usize][file as usize] = mover;
        }
        next
    }

    /// Returns every placement and capture of the mover, with the board after it.
    fn plies(&self, mover: char, perimeter: &str) -> Vec<(String, Self)> {
        let mut plies = Vec::new();
        for rank in 0..self.size() {
            for file in 0..self.size() {
                if self.at(file, rank) == Some('.') {
                    plies.push((name(file, rank), self.flip(mover, [(file, rank)])));
                }
            }
        }
        for block in self.rectangles(mover, perimeter).0 {
            let [left, bottom, right, top] = block;
            let cells = (left..=right).flat_map(|file| (bottom..=top).map(move |rank| (file, rank)));
            plies.push((block_name(block), self.flip(mover, cells)));
        }
        for (block, cells) in self.patterns() {
            plies.push((format!("B{}", block_name(block)), self.flip(mover, cells)));
        }
        plies.sort_by(|one, other| one.0.cmp(&other.0));
        plies
    }
}

fn enemy_of(mover: char) -> char {
    if mover == 'b' { 'w' } else { 'b' }
}

fn name(file: i32, rank: i32) -> String {
    format!("{}{}", char::from(b'a' + file as u8), rank + 1)
}

fn block_name([left, bottom, right, top]: Rectangle) -> String {
    format!("{}x{}", name(left, bottom), name(right, top))
}

/// Returns the pattern of the page and its rotations by 90 degrees.
fn rotations() -> Vec<Vec<Vec<char>>> {
    let mut pattern: Vec<Vec<char>> =
        [".bw.", "bwbw", ".bw."].iter().map(|row| row.chars().collect()).collect();
    let mut all = Vec::new();
    for _ in 0..4 {
        all.push(pattern.clone());
        pattern =
            (0..pattern[0].len()).map(|file| pattern.iter().rev().map(|row| row[file]).collect()).collect();
    }
    all
}

/// Returns a board with random blocks and patterns, and random discs and holes on top.
fn random_board(rng: &mut ChaCha8Rng, size: usize) -> Naive {
    let mut board = Naive(vec![vec!['.'; size]; size]);
    let letters = ['b', 'w'];
    let ground = letters[rng.random_range(0..2)];
    for row in &mut board.0 {
        row.fill(ground);
    }
    for _ in 0..rng.random_range(0..=2 * size) {
        let letter = letters[rng.random_range(0..2)];
        let (left, bottom) = (rng.random_range(0..size), rng.random_range(0..size));
        let (right, top) = (rng.random_range(left..size), rng.random_range(bottom..size));
        for row in &mut board.0[bottom..=top] {
            row[left..=right].fill(letter);
        }
    }
    if rng.random_bool(0.3) {
        let pattern = rotations().swap_remove(rng.random_range(0..4));
        let (height, width) = (pattern.len(), pattern[0].len());
        if height <= size && width <= size {
            let (left, bottom) = (rng.random_range(0..=size - width), rng.random_range(0..=size - height));
            for (row, line) in pattern.iter().enumerate() {
                for (column, letter) in line.iter().enumerate().filter(|(_, letter)| **letter != '.') {
                    board.0[bottom + height - 1 - row][left + column] = *letter;
                }
            }
        }
    }
    let (holes, discs) = ([0.0, 0.05, 0.3][rng.random_range(0..3)], [0.0, 0.1, 0.5][rng.random_range(0..3)]);
    for letter in board.0.iter_mut().flatten() {
        if rng.random_bool(discs) {
            *letter = letters[rng.random_range(0..2)];
        }
        if rng.random_bool(holes) {
            *letter = '.';
        }
    }
    board
}

/// Returns the position after three plies with the mover as p1.
fn load(board: &Naive, mover: char, perimeter: &str) -> Faust {
    let size = board.size().to_string();
    let pairs = [("size", size.as_str()), ("perimeter", perimeter), ("swap", "off")];
    let options = FaustOptions::from_pairs(&pairs).expect("the options are valid");
    Faust::read(&options, &board.string(mover, 3)).expect("the string is valid")
}

/// Checks that the engine lists exactly the plies of the naive implementation, and evaluates them alike.
fn check(board: &Naive, mover: char, perimeter: &str) {
    let position = load(board, mover, perimeter);
    let text = position.to_string();
    let mut found = Vec::new();
    position.legal_plies(&mut |ply| found.push((ply.to_string(), ply)));
    found.sort_by(|one, other| one.0.cmp(&other.0));

    let has_disc = board.0.iter().flatten().any(|letter| *letter == mover);
    let mut expected = board.plies(mover, perimeter);
    let mut outcome = None;
    if !has_disc {
        expected.clear();
        outcome = Some("annihilated");
    } else if expected.is_empty() {
        if board.plies(enemy_of(mover), perimeter).is_empty() {
            outcome = Some("no-legal-ply");
        } else {
            expected.push(("pass".to_owned(), board.clone()));
        }
    }
    assert_eq!(position.outcome().map(|verdict| verdict.reason.code()), outcome, "{perimeter} {text}");
    let names = |plies: Vec<&String>| plies.into_iter().cloned().collect::<Vec<_>>();
    assert_eq!(
        names(found.iter().map(|(token, _)| token).collect()),
        names(expected.iter().map(|(token, _)| token).collect()),
        "{perimeter} {text}"
    );
    for ((token, ply), (_, after)) in found.iter().zip(&expected) {
        assert!(
            position.is_legal(*ply) && position.read_ply(token) == Ok(*ply),
            "{perimeter} {text} {token}"
        );
        let mut next = position.clone();
        next.play_unchecked(*ply);
        // The same board with the other seat to move.
        let expected = after.string(mover, 4).replace(" p1 ", " p2 ");
        assert_eq!(next.to_string(), expected, "{perimeter} {text} {token}");
        let again = Faust::read(position.options(), &expected).expect("the string is valid");
        assert_eq!((next.count_both(), next), (again.count_both(), again.clone()));
    }
}

/// Checks that the engine accepts exactly the captures that it lists, for blocks of moderate size.
fn check_refusals(board: &Naive, mover: char, perimeter: &str) {
    let position = load(board, mover, perimeter);
    let mut taken = BTreeSet::new();
    position.legal_plies(&mut |ply| {
        taken.insert(ply.to_string());
    });
    for left in 0..board.size() {
        for bottom in 0..board.size() {
            for right in left..board.size().min(left + 5) {
                for top in bottom..board.size().min(bottom + 5) {
                    let token = block_name([left, bottom, right, top]);
                    for token in [format!("B{token}"), token] {
                        let is_taken = position.read_ply(&token).is_ok();
                        assert_eq!(is_taken, taken.contains(&token), "{perimeter} {position} {token}");
                    }
                }
            }
        }
    }
}

impl Faust {
    fn count_both(&self) -> [u16; 2] {
        [crate::FaustColour::Black, crate::FaustColour::White].map(|colour| self.count(colour))
    }
}

#[test]
fn captures_are_those_of_the_page() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let (mut rectangles, mut nested, mut patterns, mut full) = (0, 0, 0, 0);
    for index in 0..1600 {
        let board = random_board(&mut rng, 2 + index % 8);
        for perimeter in ["cells", "walls"] {
            for mover in ['b', 'w'] {
                check(&board, mover, perimeter);
                if index % 64 < 8 {
                    check_refusals(&board, mover, perimeter);
                }
                let (largest, contained) = board.rectangles(mover, perimeter);
                rectangles += largest.len();
                nested += contained;
            }
        }
        patterns += board.patterns().len();
        full += usize::from(!board.0.iter().flatten().any(|letter| *letter == '.'));
    }
    // The boards contain what the test needs.
    assert!(
        rectangles > 5000 && nested > 500 && patterns > 200 && full > 500,
        "{rectangles} {nested} {patterns} {full}"
    );
}

#[test]
fn captures_are_those_of_the_page_on_the_largest_board() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for _ in 0..2 {
        check(&random_board(&mut rng, 19), 'b', "cells");
    }
}

#[test]
fn captures_too_many_to_keep_are_those_of_the_page() {
    // Every part of a white row between black rows may be flipped.
    let row = |rank| if rank % 2 == 0 { 'b' } else { 'w' };
    let mut board = Naive((0..19).map(|rank| vec![row(rank); 19]).collect());
    for (rank, file) in [(1, 4), (3, 9), (5, 0), (7, 18), (8, 3), (12, 12)] {
        board.0[rank][file] = '.';
    }
    let (largest, contained) = board.rectangles('b', "cells");
    assert!(largest.len() + contained > 192, "{} {contained}", largest.len());
    check(&board, 'b', "cells");
}

#[test]
fn cells_have_the_files_and_ranks_of_their_numbers() {
    for size in 2..=19 {
        let grid = super::grid::Grid::empty(size);
        for number in 0..usize::from(size) * usize::from(size) {
            let cell = grid.cell(number);
            assert_eq!(usize::from(cell.rank) * usize::from(size) + usize::from(cell.file), number);
            assert!(cell.file < size);
        }
    }
}

#[test]
fn a_block_holds_one_rotation_at_most() {
    let all = rotations();
    assert_eq!(all.iter().map(Vec::len).collect::<Vec<_>>(), [3, 4, 3, 4]);
    for (one, other) in [(0, 2), (1, 3)] {
        for (a, b) in all[one].iter().flatten().zip(all[other].iter().flatten()) {
            assert!((*a == '.' && *b == '.') || (a != b), "half a turn exchanges the colours");
        }
    }
}
