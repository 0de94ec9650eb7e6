//! Faust, naively.

use rand::rngs::ChaCha8Rng;

use crate::board::{Board, Cell, SEATS, cell, field, name, seat};
use crate::faust_compositions::{compose, options};
use crate::harness::{Chosen, Naive};

const PATTERN: [&str; 3] = [".BW.", "BWBW", ".BW."];
const PATTERN_EVENTS: [&str; 4] = ["pattern 0", "pattern 90", "pattern 180", "pattern 270"];

/// A game of Faust.
#[derive(Clone, Debug)]
pub(crate) struct Faust {
    has_swap: bool,
    counts_walls: bool,
    max_moves: u64,
    board: Board,
    colours: [char; 2],
    seat: usize,
    n: u64,
    result: Option<String>,
}

/// Lower left and upper right cell.
type Block = (Cell, Cell);

/// What bounds a rectangle on one side.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wall {
    OffBoard,
    Broken,
    Of(char),
}

impl Naive for Faust {
    const GAME: &'static str = "faust";
    const EVENTS: &'static [&'static str] = &[
        "place",
        "pass",
        "swap",
        "one disc",
        "several discs",
        "one edge",
        "corner",
        "neutral walls",
        "enemy walls",
        "nested",
        "only by cells",
        "pattern 0",
        "pattern 90",
        "pattern 180",
        "pattern 270",
        "annihilated by p1",
        "annihilated by p2",
        "p1win annihilated",
        "p2win annihilated",
        "draw no-legal-ply",
        "draw max-moves",
    ];

    fn options(rng: &mut ChaCha8Rng) -> Chosen {
        options(rng)
    }

    fn start(options: &Chosen) -> Self {
        let size = options.number("size", 8);
        Self {
            has_swap: options.text("swap") != Some("off"),
            counts_walls: options.text("perimeter") == Some("walls"),
            max_moves: options.number("max-moves", 6 * size * size),
            board: Board::new(size as usize),
            colours: ['b', 'w'],
            seat: 0,
            n: 0,
            result: None,
        }
    }

    fn read(options: &Chosen, text: &str) -> Option<Self> {
        let mut game = Self::start(options);
        let mut parts = text.split(' ');
        game.board = Board::read(game.board.size(), parts.next()?, "bw")?;
        game.seat = seat(parts.next())?;
        game.colours = match field(parts.next(), "c")? {
            "bw" => ['b', 'w'],
            "wb" => ['w', 'b'],
            _ => return None,
        };
        game.n = field(parts.next(), "n")?.parse().ok()?;
        game.result = game.judge();
        (game.position() == text).then_some(game)
    }

    fn compose(options: &Chosen, rng: &mut ChaCha8Rng) -> String {
        compose(options, rng)
    }

    fn legal(&self) -> Vec<String> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        let mut plies = self.plies_of(self.seat);
        if self.can_swap() {
            plies.push("swap".to_owned());
        }
        if plies.is_empty() {
            plies.push("pass".to_owned());
        }
        plies.sort();
        plies
    }

    fn play(&mut self, ply: &str) -> Vec<&'static str> {
        let own = self.colours[self.seat];
        let enemy = self.colours[1 - self.seat];
        let mut events = Vec::new();
        let qualified = self.qualified(own, enemy, self.counts_walls);
        if qualified.len() > widest(&qualified).len() {
            events.push("nested");
        }
        if ply == "swap" {
            events.push("swap");
            self.colours.reverse();
        } else if ply == "pass" {
            events.push("pass");
        } else if let Some(block) = ply.strip_prefix('B') {
            let block = corners(block);
            let rotations = rotations();
            let is_meant = |i: &usize| {
                opposite(&rotations[*i], block.0) == block.1 && self.shows(&rotations[*i], block.0)
            };
            let i = (0..4).find(is_meant).expect("the block shows the pattern");
            events.push(PATTERN_EVENTS[i]);
            for (place, letter) in placed(&rotations[i], block.0) {
                if letter != '.' {
                    self.board.put(place, own);
                }
            }
        } else if ply.contains('x') {
            let block = corners(ply);
            events.extend(self.remarks(block, own, enemy));
            for place in inside(block) {
                self.board.put(place, own);
            }
        } else {
            events.push("place");
            self.board.put(cell(ply).expect("a placement is a cell"), own);
        }
        self.n += 1;
        self.seat = 1 - self.seat;
        self.result = self.judge();
        if !self.board.has(&enemy.to_string()) && self.n >= 3 {
            events.push(["annihilated by p1", "annihilated by p2"][1 - self.seat]);
        }
        events
    }

    fn position(&self) -> String {
        let [first, second] = self.colours;
        format!("{} {} c={first}{second} n={}", self.board.rows(), SEATS[self.seat], self.n)
    }

    fn seat(&self) -> usize {
        self.seat
    }

    fn turn(&self) -> (usize, bool) {
        (self.seat, true)
    }

    fn outcome(&self) -> Option<String> {
        self.result.clone()
    }

    fn is_rare(&self, ply: &str) -> bool {
        ply.contains('x')
    }
}

impl Faust {
    fn can_swap(&self) -> bool {
        self.has_swap && self.n == 1 && self.colours == ['b', 'w']
    }

    fn judge(&self) -> Option<String> {
        let own = self.colours[self.seat];
        if self.n >= 3 && !self.board.has(&own.to_string()) {
            return Some(format!("{}win annihilated", SEATS[1 - self.seat]));
        }
        if !self.board.has(".")
            && self.plies_of(0).is_empty()
            && self.plies_of(1).is_empty()
            && !self.can_swap()
        {
            return Some("draw no-legal-ply".to_owned());
        }
        (self.n >= self.max_moves).then(|| "draw max-moves".to_owned())
    }

    /// Returns the placements and captures that `seat` has, were it to move.
    fn plies_of(&self, seat: usize) -> Vec<String> {
        let own = self.colours[seat];
        let enemy = self.colours[1 - seat];
        let mut plies: Vec<String> = self.board.with(".").into_iter().map(name).collect();
        for (from, to) in widest(&self.qualified(own, enemy, self.counts_walls)) {
            plies.push(format!("{}x{}", name(from), name(to)));
        }
        for pattern in rotations() {
            for from in self.board.cells() {
                if self.shows(&pattern, from) {
                    plies.push(format!("B{}x{}", name(from), name(opposite(&pattern, from))));
                }
            }
        }
        plies
    }

    /// Returns the rectangles that meet the criteria, contained in others or not.
    fn qualified(&self, own: char, enemy: char, counts_walls: bool) -> Vec<Block> {
        let mut blocks = Vec::new();
        for from in self.board.with(&enemy.to_string()) {
            for right in from.0..self.board.size() {
                for top in from.1..self.board.size() {
                    let block = (from, (right, top));
                    if inside(block).any(|place| self.board.at(place) != enemy) {
                        break;
                    }
                    if self.owns_majority(block, own, counts_walls) {
                        blocks.push(block);
                    }
                }
            }
        }
        blocks
    }

    fn owns_majority(&self, block: Block, own: char, counts_walls: bool) -> bool {
        let mut owned = 0;
        let mut lost = 0;
        for (length, walls) in self.walls(block) {
            let weight = if counts_walls { 1 } else { length };
            let colours = match walls {
                [Wall::Broken, _] | [_, Wall::Broken] => return false,
                [Wall::OffBoard, Wall::OffBoard] => vec![],
                [Wall::OffBoard, Wall::Of(colour)] | [Wall::Of(colour), Wall::OffBoard] => {
                    vec![colour, colour]
                }
                [Wall::Of(one), Wall::Of(other)] => vec![one, other],
            };
            for colour in colours {
                if colour == own { owned += weight } else { lost += weight }
            }
        }
        owned > lost
    }

    /// Returns the two pairs of opposite walls, with their lengths.
    fn walls(&self, ((left, bottom), (right, top)): Block) -> [(usize, [Wall; 2]); 2] {
        let last = self.board.size() - 1;
        let upright = |file| self.wall((bottom..=top).map(|rank| (file, rank)));
        let level = |rank| self.wall((left..=right).map(|file| (file, rank)));
        let west = if left == 0 { Wall::OffBoard } else { upright(left - 1) };
        let east = if right == last { Wall::OffBoard } else { upright(right + 1) };
        let south = if bottom == 0 { Wall::OffBoard } else { level(bottom - 1) };
        let north = if top == last { Wall::OffBoard } else { level(top + 1) };
        [(top - bottom + 1, [west, east]), (right - left + 1, [south, north])]
    }

    fn wall(&self, cells: impl Iterator<Item = Cell>) -> Wall {
        let mut colours = cells.map(|place| self.board.at(place));
        let colour = colours.next().expect("a side has a length");
        let is_whole = colour != '.' && colours.all(|other| other == colour);
        if is_whole { Wall::Of(colour) } else { Wall::Broken }
    }

    /// Returns whether the pattern stands with its lower left corner on `from`.
    fn shows(&self, pattern: &[Vec<char>], from: Cell) -> bool {
        let to = opposite(pattern, from);
        to.0 < self.board.size()
            && to.1 < self.board.size()
            && placed(pattern, from).all(|(place, letter)| match letter {
                'B' => self.board.at(place) == 'b',
                'W' => self.board.at(place) == 'w',
                _ => true,
            })
    }

    fn remarks(&self, block: Block, own: char, enemy: char) -> Vec<&'static str> {
        let mut events = vec![if block.0 == block.1 { "one disc" } else { "several discs" }];
        let pairs = self.walls(block);
        let edges = pairs.iter().flat_map(|(_, walls)| walls).filter(|wall| **wall == Wall::OffBoard).count();
        if edges == 1 {
            events.push("one edge");
        }
        let is_neutral = |walls: &[Wall; 2]| *walls == [Wall::OffBoard, Wall::OffBoard];
        if pairs.iter().any(|(_, walls)| is_neutral(walls)) {
            events.push("neutral walls");
        } else if edges == 2 {
            events.push("corner");
        }
        if pairs.iter().any(|(_, walls)| walls.contains(&Wall::Of(enemy))) {
            events.push("enemy walls");
        }
        // Three walls of four are always longer than the fourth, so nothing qualifies only by walls.
        if !self.owns_majority(block, own, true) {
            events.push("only by cells");
        }
        events
    }
}

fn corners(block: &str) -> Block {
    let (from, to) = block.split_once('x').expect("a block has two corners");
    (cell(from).expect("a corner is a cell"), cell(to).expect("a corner is a cell"))
}

fn inside((from, to): Block) -> impl Iterator<Item = Cell> {
    (from.0..=to.0).flat_map(move |file| (from.1..=to.1).map(move |rank| (file, rank)))
}

/// Returns the blocks that are not contained in another of them.
fn widest(blocks: &[Block]) -> Vec<Block> {
    let contains = |outer: &Block, inner: &Block| {
        outer != inner
            && outer.0.0 <= inner.0.0
            && outer.0.1 <= inner.0.1
            && outer.1.0 >= inner.1.0
            && outer.1.1 >= inner.1.1
    };
    blocks.iter().filter(|inner| !blocks.iter().any(|outer| contains(outer, inner))).copied().collect()
}

/// Returns the pattern, rows from the top, turned by 0, 90, 180 and 270 degrees.
pub(crate) fn rotations() -> Vec<Vec<Vec<char>>> {
    let mut turned = vec![PATTERN.iter().map(|row| row.chars().collect::<Vec<_>>()).collect::<Vec<_>>()];
    for i in 0..3 {
        let rows: &Vec<Vec<char>> = &turned[i];
        let columns = 0..rows[0].len();
        turned.push(columns.map(|column| rows.iter().rev().map(|row| row[column]).collect()).collect());
    }
    turned
}

/// Returns the upper right corner of the pattern with its lower left corner on `from`.
fn opposite(pattern: &[Vec<char>], from: Cell) -> Cell {
    (from.0 + pattern[0].len() - 1, from.1 + pattern.len() - 1)
}

/// Returns the cells of the pattern with its lower left corner on `from`.
pub(crate) fn placed(pattern: &[Vec<char>], from: Cell) -> impl Iterator<Item = (Cell, char)> {
    pattern.iter().rev().enumerate().flat_map(move |(up, row)| {
        row.iter().enumerate().map(move |(right, letter)| ((from.0 + right, from.1 + up), *letter))
    })
}
