//! Farook, naively: a list of stones, each knowing its cell.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use crate::board::{self, AROUND, Cell, Stones};
use crate::compose;
use crate::harness::{Naive, Taste};

/// The side of the board.
pub(crate) const SIDE: i32 = 4;

/// A position with its options.
#[derive(Clone)]
pub(crate) struct Farook {
    options: Options,
    /// The stones on the board. A stone is its place in this list, so that it stays itself when it moves.
    stones: Vec<Stone>,
    /// Own stones in hand, by seat.
    hand: [u64; 2],
    wild_hand: u64,
    seat: usize,
    /// The stone that each seat moved on its own previous turn.
    moved: [Option<usize>; 2],
    /// The wild step of the ply just before, from and to.
    wild_step: Option<(Cell, Cell)>,
    plies: u64,
}

/// The values of the options.
#[derive(Clone)]
pub(crate) struct Options {
    pub(crate) is_strict: bool,
    pub(crate) max_moves: u64,
}

#[derive(Clone, Copy)]
struct Stone {
    /// `w`, `b` or `x`.
    letter: char,
    cell: Cell,
}

impl Naive for Farook {
    type Options = Options;

    const GAME: &'static str = "farook";
    const WITNESSES: &'static [&'static str] = &[
        "result p1win pattern",
        "result p2win pattern",
        "result draw both-patterns",
        "result draw max-moves",
        "ply drop",
        "ply step",
        "ply jump",
        "ply pass",
        "ply wild drop, strict",
        "ply wild step, strict",
        "ply wild drop, pattern",
        "ply wild step, pattern",
        "wild stones used before they count, pattern",
        "a stone is banned",
        "a wild stone is banned",
        "a wild stone that the opponent moved since is banned",
        "ko",
        "a ban is all that forces a pass",
        "a sixth stone makes wild stones count and decides",
        "the other seat's pattern is made",
        "a pattern at the cap",
        "wilds=strict",
        "wilds=pattern",
        "composition taken",
        "composition refused",
        "spoilt string taken",
        "spoilt string refused",
    ];
    const TASTES: &'static [Taste<Self>] = &[
        |_, _| true,
        |naive, ply| naive.goes_on(ply),
        |naive, ply| ply.len() == 4 && naive.goes_on(ply),
        |naive, ply| naive.is_wild(ply) && naive.goes_on(ply),
        |naive, ply| naive.is_wild(ply) && ply.len() == 4 && naive.goes_on(ply),
        |naive, ply| naive.after(ply).outcome().is_some_and(|outcome| outcome.contains("both")),
    ];

    fn draw_options(rng: &mut ChaCha8Rng) -> Options {
        let caps = [1, 2, 7, 16, 30, 50, 50, 50, 100, 300];
        Options { is_strict: rng.random_bool(0.5), max_moves: caps[rng.random_range(0..caps.len())] }
    }

    fn pairs(options: &Options) -> Vec<(&'static str, String, String)> {
        let wilds = if options.is_strict { "strict" } else { "pattern" };
        vec![
            ("wilds", wilds.to_owned(), "strict".to_owned()),
            ("max-moves", options.max_moves.to_string(), "50".to_owned()),
        ]
    }

    fn start(options: &Options) -> Self {
        Self {
            options: options.clone(),
            stones: Vec::new(),
            hand: [6, 6],
            wild_hand: 2,
            seat: 0,
            moved: [None, None],
            wild_step: None,
            plies: 0,
        }
    }

    fn compose(options: &Options, rng: &mut ChaCha8Rng) -> String {
        compose::farook(options, rng)
    }

    fn read(options: &Options, text: &str) -> Option<Self> {
        let fields: Vec<&str> = text.split(' ').collect();
        let [rows, seat, stock, last, ko, n] = fields[..] else { return None };
        let mut naive = Self::start(options);
        for (cell, letter) in board::read_rows(rows, SIDE, SIDE, "wbx")? {
            naive.stones.push(Stone { letter, cell });
        }
        naive.seat = board::read_seat(seat)?;
        let [p1, p2, wild] = board::read_numbers(stock.strip_prefix("stock=")?)?[..] else { return None };
        naive.hand = [p1, p2];
        naive.wild_hand = wild;
        let (last_p1, last_p2) = last.strip_prefix("last=")?.split_once(',')?;
        for (seat, cell, foreign) in [(0, last_p1, 'b'), (1, last_p2, 'w')] {
            if cell != "-" {
                let stone = naive.stone_on(board::read_cell(cell)?)?;
                if naive.stones[stone].letter == foreign {
                    return None;
                }
                naive.moved[seat] = Some(stone);
            }
        }
        let ko = ko.strip_prefix("ko=")?;
        if ko != "-" {
            let (to, from) = (board::read_cell(ko.get(..2)?)?, board::read_cell(ko.get(2..)?)?);
            let stone = naive.stone_on(to)?;
            let is_sound = naive.stones[stone].letter == 'x'
                && naive.moved[1 - naive.seat] == Some(stone)
                && neighbours(to).contains(&from)
                && naive.stone_on(from).is_none();
            if !is_sound {
                return None;
            }
            naive.wild_step = Some((from, to));
        }
        naive.plies = n.strip_prefix("n=")?.parse().ok()?;
        let is_sound = p1 <= 6 && p2 <= 6 && wild <= 2;
        (is_sound && naive.position() == text).then_some(naive)
    }

    fn seat(&self) -> usize {
        self.seat
    }

    fn position(&self) -> String {
        let stones: Stones = self.stones.iter().map(|stone| (stone.cell, stone.letter)).collect();
        let last = self.moved.map(|moved| cell_or_dash(moved.map(|stone| self.stones[stone].cell)));
        let ko = self.wild_step.map_or("-".to_owned(), |(from, to)| board::name(to) + &board::name(from));
        format!(
            "{} {} stock={},{},{} last={},{} ko={ko} n={}",
            board::write_rows(&stones, SIDE, SIDE),
            ["p1", "p2"][self.seat],
            self.hand[0],
            self.hand[1],
            self.wild_hand,
            last[0],
            last[1],
            self.plies,
        )
    }

    fn legal(&self) -> Vec<String> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        let mut plies = Vec::new();
        for cell in board::cells(SIDE, SIDE) {
            if self.stone_on(cell).is_some() {
                continue;
            }
            if self.hand[self.seat] > 0 {
                plies.push(board::name(cell));
            }
            if self.wild_hand > 0 && self.may_use_wild() {
                plies.push(format!("W{}", board::name(cell)));
            }
        }
        for stone in 0..self.stones.len() {
            if self.moved[self.seat] != Some(stone) {
                let from = self.stones[stone].cell;
                let undone = self.wild_step.filter(|(_, to)| *to == from).map(|(back, _)| back);
                let targets = self.targets(stone).into_iter().filter(|to| Some(*to) != undone);
                plies.extend(targets.map(|to| board::name(from) + &board::name(to)));
            }
        }
        if plies.is_empty() {
            plies.push("pass".to_owned());
        }
        plies.sort();
        plies
    }

    fn play(&mut self, ply: &str) {
        self.moved[self.seat] = None;
        self.wild_step = None;
        if let Some(cell) = ply.strip_prefix('W') {
            self.wild_hand -= 1;
            self.stones.push(Stone { letter: 'x', cell: board::read_cell(cell).expect("a cell") });
        } else if ply.len() == 2 {
            self.hand[self.seat] -= 1;
            let cell = board::read_cell(ply).expect("a cell");
            self.stones.push(Stone { letter: ['w', 'b'][self.seat], cell });
        } else if ply != "pass" {
            let (from, to) = ends(ply);
            let stone = self.stone_on(from).expect("a stone moves");
            self.stones[stone].cell = to;
            self.moved[self.seat] = Some(stone);
            if self.stones[stone].letter == 'x' {
                self.wild_step = Some((from, to));
            }
        }
        self.seat = 1 - self.seat;
        self.plies += 1;
    }

    fn outcome(&self) -> Option<String> {
        match (self.has_pattern(0), self.has_pattern(1)) {
            (true, true) => Some("draw both-patterns".to_owned()),
            (true, false) => Some("p1win pattern".to_owned()),
            (false, true) => Some("p2win pattern".to_owned()),
            (false, false) => (self.plies >= self.options.max_moves).then(|| "draw max-moves".to_owned()),
        }
    }

    fn remarks(&self) -> Vec<&'static str> {
        let mut remarks = Vec::new();
        if let Some(outcome) = self.outcome() {
            if outcome.contains("pattern") && self.plies >= self.options.max_moves {
                remarks.push("a pattern at the cap");
            }
            return remarks;
        }
        if let Some(stone) = self.moved[self.seat].filter(|stone| !self.targets(*stone).is_empty()) {
            remarks.push("a stone is banned");
            if self.legal() == ["pass"] {
                remarks.push("a ban is all that forces a pass");
            }
            if self.stones[stone].letter == 'x' {
                remarks.push("a wild stone is banned");
                if self.moved[1 - self.seat] == Some(stone) {
                    remarks.push("a wild stone that the opponent moved since is banned");
                }
            }
        }
        if let Some((from, to)) = self.wild_step {
            let stone = self.stone_on(to).expect("the stone that stepped");
            if self.moved[self.seat] != Some(stone) && self.targets(stone).contains(&from) {
                remarks.push("ko");
            }
        }
        remarks
    }

    fn describe(&self, ply: &str) -> Vec<&'static str> {
        let is_step = ply.len() == 4 && neighbours(ends(ply).0).contains(&ends(ply).1);
        let mut words = vec![match (self.is_wild(ply), self.options.is_strict) {
            (true, true) if ply.len() == 3 => "ply wild drop, strict",
            (true, true) => "ply wild step, strict",
            (true, false) if ply.len() == 3 => "ply wild drop, pattern",
            (true, false) => "ply wild step, pattern",
            _ if ply == "pass" => "ply pass",
            _ if ply.len() == 2 => "ply drop",
            _ if is_step => "ply step",
            _ => "ply jump",
        }];
        if self.is_wild(ply) && !self.hand.contains(&0) {
            words.push("wild stones used before they count, pattern");
        }
        let next = self.after(ply);
        if let Some(outcome) = next.outcome() {
            if outcome == ["p2win pattern", "p1win pattern"][self.seat] {
                words.push("the other seat's pattern is made");
            }
            let mut without = next.clone();
            without.hand = [1, 1];
            if !self.hand.contains(&0) && outcome.contains("pattern") && !without.has_any_pattern() {
                words.push("a sixth stone makes wild stones count and decides");
            }
        }
        words
    }
}

impl Farook {
    fn stone_on(&self, cell: Cell) -> Option<usize> {
        self.stones.iter().position(|stone| stone.cell == cell)
    }

    fn may_use_wild(&self) -> bool {
        !self.options.is_strict || self.hand[0] == 0 || self.hand[1] == 0
    }

    /// Returns where a stone could step or jump for the seat to move, bans aside.
    fn targets(&self, stone: usize) -> Vec<Cell> {
        let Stone { letter, cell } = self.stones[stone];
        let is_own = letter == ['w', 'b'][self.seat];
        let mut targets = Vec::new();
        if is_own || letter == 'x' && self.may_use_wild() {
            for direction in AROUND {
                let (next, behind) = (board::ahead(cell, direction, 1), board::ahead(cell, direction, 2));
                if board::is_on(next, SIDE, SIDE) && self.stone_on(next).is_none() {
                    targets.push(next);
                }
                let is_free = board::is_on(behind, SIDE, SIDE) && self.stone_on(behind).is_none();
                if is_own && self.stone_on(next).is_some() && is_free {
                    targets.push(behind);
                }
            }
        }
        targets
    }

    fn has_any_pattern(&self) -> bool {
        self.has_pattern(0) || self.has_pattern(1)
    }

    fn has_pattern(&self, seat: usize) -> bool {
        let wild_counts = self.hand[0] == 0 || self.hand[1] == 0;
        patterns().iter().any(|pattern| {
            pattern.iter().all(|cell| match self.stone_on(*cell).map(|stone| self.stones[stone].letter) {
                Some('x') => wild_counts,
                Some(letter) => letter == ['w', 'b'][seat],
                None => false,
            })
        })
    }

    fn is_wild(&self, ply: &str) -> bool {
        ply.starts_with('W')
            || ply.len() == 4
                && ply != "pass"
                && self.stone_on(ends(ply).0).is_some_and(|stone| self.stones[stone].letter == 'x')
    }

    fn goes_on(&self, ply: &str) -> bool {
        self.after(ply).outcome().is_none()
    }
}

fn patterns() -> Vec<Vec<Cell>> {
    let side = || 0..SIDE;
    let mut patterns: Vec<Vec<Cell>> = Vec::new();
    for i in side() {
        patterns.push(side().map(|file| (file, i)).collect());
        patterns.push(side().map(|rank| (i, rank)).collect());
    }
    patterns.push(side().map(|i| (i, i)).collect());
    patterns.push(side().map(|i| (i, SIDE - 1 - i)).collect());
    for (file, rank) in board::cells(SIDE - 1, SIDE - 1) {
        patterns.push(vec![(file, rank), (file + 1, rank), (file, rank + 1), (file + 1, rank + 1)]);
    }
    patterns.push(vec![(0, 0), (0, SIDE - 1), (SIDE - 1, 0), (SIDE - 1, SIDE - 1)]);
    patterns
}

pub(crate) fn neighbours(cell: Cell) -> Vec<Cell> {
    let around = AROUND.iter().map(|direction| board::ahead(cell, *direction, 1));
    around.filter(|next| board::is_on(*next, SIDE, SIDE)).collect()
}

/// Returns where a step or jump leads from and to.
fn ends(ply: &str) -> (Cell, Cell) {
    let end = |text| board::read_cell(text).unwrap_or((-9, -9));
    (end(&ply[..2]), end(&ply[2..]))
}

pub(crate) fn cell_or_dash(cell: Option<Cell>) -> String {
    cell.map_or("-".to_owned(), board::name)
}
