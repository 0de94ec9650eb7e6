//! Sophia, naively: a map from cells to stones, and the list of all positions reached.

use std::rc::Rc;

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use crate::board::{self, AROUND, Cell, Stones};
use crate::compose;
use crate::harness::{Naive, Taste};

/// A position with its options and its history.
#[derive(Clone)]
pub(crate) struct Sophia {
    options: Options,
    stones: Stones,
    /// Stones in hand of the sets A and B.
    hand: [u64; 2],
    is_swapped: bool,
    seat: usize,
    plies: u64,
    /// Every position of the game so far, the current one included, without its counter.
    history: Vec<Rc<str>>,
}

/// The values of the options.
#[derive(Clone)]
pub(crate) struct Options {
    pub(crate) size: i32,
    pub(crate) stones: u64,
    pub(crate) line: i32,
    pub(crate) drops_any_side: bool,
    pub(crate) both_wins_jumper: bool,
    pub(crate) moves_diagonally: bool,
    pub(crate) lines_diagonally: bool,
    pub(crate) has_swap: bool,
    pub(crate) max_moves: u64,
}

impl Naive for Sophia {
    type Options = Options;

    const GAME: &'static str = "sophia";
    const WITNESSES: &'static [&'static str] = &[
        "result p1win line",
        "result p2win line",
        "result p1win both-lines",
        "result p2win both-lines",
        "result draw max-moves",
        "result draw repetition",
        "both-lines made by play, jumper wins",
        "both-lines made by play, opponent wins",
        "repetition at the cap",
        "line at the cap",
        "third time not in a row",
        "ply drop light",
        "ply drop dark",
        "ply drop with drop=goal",
        "ply step",
        "ply step, orthogonal",
        "ply jump over an own stone",
        "ply jump over an enemy stone",
        "ply jump, orthogonal",
        "ply jump that turns a stone and decides",
        "ply swap",
        "ply pass",
        "ply pass with stones in hand",
        "ply after a swap",
        "swap refused",
        "the other seat's line is made",
        "diagonals do not win",
        "a line of three wins",
        "a line of five or more wins",
        "size=4",
        "size=5",
        "size=6",
        "size=7",
        "size=8",
        "size=9",
        "drop=goal",
        "both=opponent",
        "moves=orthogonal",
        "lines=orthogonal",
        "swap=on",
        "composition taken",
        "composition refused",
        "spoilt string taken",
        "spoilt string refused",
    ];
    const TASTES: &'static [Taste<Self>] = &[
        |_, _| true,
        |naive, ply| naive.after(ply).outcome().is_none(),
        |naive, ply| naive.after(ply).outcome().is_none_or(|outcome| outcome.contains("repetition")),
        |naive, ply| naive.has_seen(&naive.after(ply)),
        |naive, ply| naive.takes_back(ply),
        |naive, ply| naive.is_jump(ply),
        |naive, ply| naive.after(ply).outcome().is_some_and(|outcome| outcome.contains("both")),
        |_, ply| ply == "swap",
    ];

    fn draw_options(rng: &mut ChaCha8Rng) -> Options {
        let size = [4, 4, 4, 4, 5, 5, 6, 7, 8, 9][rng.random_range(0..10)];
        let caps = [1, 2, 8, 13, 20, 30, 40, 60, 100, 200];
        let most = most_stones(size);
        Options {
            size,
            stones: if rng.random_bool(0.5) { most } else { rng.random_range(1..=most) },
            line: if rng.random_bool(0.5) { 4 } else { rng.random_range(3..=size) },
            drops_any_side: rng.random_bool(0.7),
            both_wins_jumper: rng.random_bool(0.5),
            moves_diagonally: rng.random_bool(0.7),
            lines_diagonally: rng.random_bool(0.7),
            has_swap: rng.random_bool(0.5),
            max_moves: caps[rng.random_range(0..caps.len())],
        }
    }

    fn pairs(options: &Options) -> Vec<(&'static str, String, String)> {
        let word = |yes: bool, words: [&str; 2]| words[usize::from(!yes)].to_owned();
        let ways = ["all", "orthogonal"];
        vec![
            ("size", options.size.to_string(), "4".to_owned()),
            ("stones", options.stones.to_string(), most_stones(options.size).to_string()),
            ("line", options.line.to_string(), "4".to_owned()),
            ("drop", word(options.drops_any_side, ["any", "goal"]), "any".to_owned()),
            ("both", word(options.both_wins_jumper, ["jumper", "opponent"]), "jumper".to_owned()),
            ("moves", word(options.moves_diagonally, ways), "all".to_owned()),
            ("lines", word(options.lines_diagonally, ways), "all".to_owned()),
            ("swap", word(options.has_swap, ["on", "off"]), "off".to_owned()),
            ("max-moves", options.max_moves.to_string(), "200".to_owned()),
        ]
    }

    fn start(options: &Options) -> Self {
        let mut naive = Self {
            options: options.clone(),
            stones: Stones::new(),
            hand: [options.stones; 2],
            is_swapped: false,
            seat: 0,
            plies: 0,
            history: Vec::new(),
        };
        naive.history.push(naive.memory().into());
        naive
    }

    fn compose(options: &Options, rng: &mut ChaCha8Rng) -> String {
        compose::sophia(options, rng)
    }

    fn read(options: &Options, text: &str) -> Option<Self> {
        let fields: Vec<&str> = text.split(' ').collect();
        let [rows, seat, stock, sets, n] = fields[..] else { return None };
        let mut naive = Self::start(options);
        naive.stones = board::read_rows(rows, options.size, options.size, "AaBb")?;
        naive.seat = board::read_seat(seat)?;
        let [a, b] = board::read_numbers(stock.strip_prefix("stock=")?)?[..] else { return None };
        naive.hand = [a, b];
        naive.is_swapped = sets == "c=BA";
        naive.plies = n.strip_prefix("n=")?.parse().ok()?;
        naive.history = vec![naive.memory().into()];
        let is_sound = a <= options.stones && b <= options.stones;
        (is_sound && naive.position() == text).then_some(naive)
    }

    fn seat(&self) -> usize {
        self.seat
    }

    fn position(&self) -> String {
        format!("{} n={}", self.memory(), self.plies)
    }

    fn legal(&self) -> Vec<String> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        let mut plies = Vec::new();
        if self.may_swap() {
            plies.push("swap".to_owned());
        }
        let set = self.set_of(self.seat);
        for cell in board::cells(self.options.size, self.options.size) {
            let here = self.stones.get(&cell);
            if self.hand[set] > 0 {
                if here.is_none() {
                    for (side, goal_of) in [("L", 0), ("D", 1)] {
                        if self.options.drops_any_side || set == goal_of {
                            plies.push(side.to_owned() + &board::name(cell));
                        }
                    }
                }
            } else if here.is_some_and(|stone| stone.eq_ignore_ascii_case(&['a', 'b'][set])) {
                for direction in AROUND {
                    if direction.0 != 0 && direction.1 != 0 && !self.options.moves_diagonally {
                        continue;
                    }
                    let (next, behind) = (board::ahead(cell, direction, 1), board::ahead(cell, direction, 2));
                    if self.is_empty(next) {
                        plies.push(board::name(cell) + &board::name(next));
                    } else if self.is_empty(behind) {
                        plies.push(board::name(cell) + &board::name(behind));
                    }
                }
            }
        }
        if plies.is_empty() {
            plies.push("pass".to_owned());
        }
        plies.sort();
        plies
    }

    fn play(&mut self, ply: &str) {
        if ply == "swap" {
            self.is_swapped = true;
        } else if ply != "pass" {
            let set = self.set_of(self.seat);
            if let Some(cell) = ply.strip_prefix(['L', 'D']) {
                let letter = if ply.starts_with('L') { ['A', 'B'][set] } else { ['a', 'b'][set] };
                self.stones.insert(board::read_cell(cell).expect("a cell"), letter);
                self.hand[set] -= 1;
            } else {
                let (from, over, to) = path(ply);
                let stone = self.stones.remove(&from).expect("a stone moves");
                self.stones.insert(to, stone);
                if let Some(over) = over {
                    let turned = self.stones.get_mut(&over).expect("a stone is jumped");
                    let is_light = turned.is_ascii_uppercase();
                    *turned =
                        if is_light { turned.to_ascii_lowercase() } else { turned.to_ascii_uppercase() };
                }
            }
        }
        self.seat = 1 - self.seat;
        self.plies += 1;
        self.history.push(self.memory().into());
    }

    fn outcome(&self) -> Option<String> {
        let mover = 1 - self.seat;
        let met = [0, 1].map(|seat| self.has_line(self.set_of(seat) == 0, self.options.lines_diagonally));
        let win = |seat: usize, reason: &str| Some(format!("p{}win {reason}", seat + 1));
        match met {
            [true, true] if self.options.both_wins_jumper => win(mover, "both-lines"),
            [true, true] => win(1 - mover, "both-lines"),
            [true, false] => win(0, "line"),
            [false, true] => win(1, "line"),
            [false, false] if self.times_seen() >= 3 => Some("draw repetition".to_owned()),
            [false, false] => (self.plies >= self.options.max_moves).then(|| "draw max-moves".to_owned()),
        }
    }

    fn remarks(&self) -> Vec<&'static str> {
        let mut remarks = Vec::new();
        match self.outcome() {
            Some(outcome) if self.options.line > 4 && outcome.contains("win") => {
                remarks.push("a line of five or more wins");
            }
            Some(outcome) if self.options.line == 3 && outcome.contains("win") => {
                remarks.push("a line of three wins");
            }
            None if self.options.has_swap && self.plies != 1 => remarks.push("swap refused"),
            Some(outcome) if self.plies >= self.options.max_moves => {
                if outcome.contains("repetition") {
                    remarks.push("repetition at the cap");
                } else if outcome.contains("line") {
                    remarks.push("line at the cap");
                }
            }
            _ => {}
        }
        if matches!(self.gaps()[..], [first, second] if first != second) {
            remarks.push("third time not in a row");
        }
        if self.outcome().is_none() && (self.has_line(true, true) || self.has_line(false, true)) {
            remarks.push("diagonals do not win");
        }
        remarks
    }

    fn describe(&self, ply: &str) -> Vec<&'static str> {
        let mut words = Vec::new();
        if ply == "pass" {
            words.push("ply pass");
            if self.hand[self.set_of(self.seat)] > 0 {
                words.push("ply pass with stones in hand");
            }
        } else if ply == "swap" {
            words.push("ply swap");
        } else if ply.starts_with(['L', 'D']) {
            words.push(if ply.starts_with('L') { "ply drop light" } else { "ply drop dark" });
            if !self.options.drops_any_side {
                words.push("ply drop with drop=goal");
            }
        } else if let (_, Some(over), _) = path(ply) {
            let is_own = self.stones[&over].eq_ignore_ascii_case(&['a', 'b'][self.set_of(self.seat)]);
            words.push(if is_own { "ply jump over an own stone" } else { "ply jump over an enemy stone" });
            if !self.options.moves_diagonally {
                words.push("ply jump, orthogonal");
            }
        } else {
            words.push(if self.options.moves_diagonally { "ply step" } else { "ply step, orthogonal" });
        }
        if self.is_swapped {
            words.push("ply after a swap");
        }
        let outcome = self.after(ply).outcome().unwrap_or_default();
        if outcome.contains("both") {
            let jumper = self.options.both_wins_jumper;
            words.push(if jumper {
                "both-lines made by play, jumper wins"
            } else {
                "both-lines made by play, opponent wins"
            });
        } else if outcome.contains("line") {
            if self.is_jump(ply) {
                words.push("ply jump that turns a stone and decides");
            }
            if outcome.starts_with(["p2", "p1"][self.seat]) {
                words.push("the other seat's line is made");
            }
        }
        words
    }
}

impl Sophia {
    /// Returns the position string without its counter: what repetition compares.
    fn memory(&self) -> String {
        format!(
            "{} {} stock={},{} c={}",
            board::write_rows(&self.stones, self.options.size, self.options.size),
            ["p1", "p2"][self.seat],
            self.hand[0],
            self.hand[1],
            if self.is_swapped { "BA" } else { "AB" },
        )
    }

    fn times_seen(&self) -> usize {
        let now = self.memory();
        self.history.iter().filter(|past| ***past == *now).count()
    }

    fn has_seen(&self, other: &Self) -> bool {
        let other = other.memory();
        self.history.iter().any(|past| **past == *other)
    }

    /// Returns whether a step leads back to where the stone, or its like, stood two plies ago.
    fn takes_back(&self, ply: &str) -> bool {
        if self.history.len() < 3 || ply.starts_with(['L', 'D']) || ply == "pass" || ply == "swap" {
            return false;
        }
        let (from, _, to) = path(ply);
        let past = self.history[self.history.len() - 3].split(' ').next().expect("rows");
        let past = board::read_rows(past, self.options.size, self.options.size, "AaBb").expect("rows");
        past.get(&to) == self.stones.get(&from) && !past.contains_key(&from)
    }

    /// Returns how many plies apart the occurrences of this position are.
    fn gaps(&self) -> Vec<usize> {
        let now = self.memory();
        let seen: Vec<_> = (0..self.history.len()).filter(|i| *self.history[*i] == *now).collect();
        seen.windows(2).map(|pair| pair[1] - pair[0]).collect()
    }

    /// Returns the set of a seat: 0 for A, whose goal is light, and 1 for B.
    fn set_of(&self, seat: usize) -> usize {
        if self.is_swapped { 1 - seat } else { seat }
    }

    /// Returns whether `swap` is legal: as the second ply, and not in a composition that has swapped already.
    fn may_swap(&self) -> bool {
        self.options.has_swap && self.plies == 1 && !self.is_swapped
    }

    fn is_empty(&self, cell: Cell) -> bool {
        board::is_on(cell, self.options.size, self.options.size) && !self.stones.contains_key(&cell)
    }

    fn has_line(&self, is_light: bool, with_diagonals: bool) -> bool {
        let is_bright =
            |cell| self.stones.get(&cell).is_some_and(|stone| stone.is_ascii_uppercase() == is_light);
        let directions: &[Cell] =
            if with_diagonals { &[(1, 0), (0, 1), (1, 1), (1, -1)] } else { &[(1, 0), (0, 1)] };
        self.stones.keys().any(|cell| {
            directions.iter().any(|direction| {
                (0..self.options.line).all(|i| is_bright(board::ahead(*cell, *direction, i)))
            })
        })
    }

    fn is_jump(&self, ply: &str) -> bool {
        let is_move = ply != "pass" && ply != "swap" && !ply.starts_with(['L', 'D']);
        is_move && path(ply).1.is_some()
    }
}

/// The largest number that leaves at least two cells empty.
fn most_stones(size: i32) -> u64 {
    let cells = u64::from(size.unsigned_abs()).pow(2);
    (1..cells).filter(|stones| 2 * stones + 2 <= cells).max().expect("there is room for a stone each")
}

/// Returns where a step or jump leads from, what it jumps, and where it leads to.
fn path(ply: &str) -> (Cell, Option<Cell>, Cell) {
    let end = |text| board::read_cell(text).expect("a cell");
    let (from, to) = (end(&ply[..2]), end(&ply[2..]));
    let middle = ((from.0 + to.0) / 2, (from.1 + to.1) / 2);
    let is_jump = (from.0 - to.0).abs() == 2 || (from.1 - to.1).abs() == 2;
    (from, is_jump.then_some(middle), to)
}
