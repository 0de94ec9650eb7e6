//! Fanorona, naively: a map from points to stones, and the list of all positions reached.

use std::collections::BTreeSet;
use std::rc::Rc;

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use crate::board::{self, AROUND, Cell, Stones};
use crate::compose;
use crate::harness::{Naive, PLIES_LIMIT, Taste};

/// A position with its options and its history.
#[derive(Clone)]
pub(crate) struct Fanorona {
    options: Options,
    stones: Stones,
    seat: usize,
    quiet: u64,
    /// Every position of the game so far, the current one included, without its counter.
    history: Vec<Rc<str>>,
}

/// The values of the options.
#[derive(Clone)]
pub(crate) struct Options {
    pub(crate) width: i32,
    pub(crate) height: i32,
    pub(crate) quiet_cap: u64,
}

/// A chain on its way.
struct Chain {
    text: String,
    stones: Stones,
    /// Every point visited, the last one is where the stone stands.
    visited: Vec<Cell>,
    direction: Option<Cell>,
}

/// All chains of a seat, and what the limits on them kept out.
#[derive(Default)]
struct Captures {
    plies: Vec<String>,
    is_visit_refused: bool,
    is_straight_on_refused: bool,
}

impl Naive for Fanorona {
    type Options = Options;

    const GAME: &'static str = "fanorona";
    const WITNESSES: &'static [&'static str] = &[
        "result p1win no-stones",
        "result p2win no-stones",
        "result p1win no-legal-ply",
        "result p2win no-legal-ply",
        "result draw quiet-cap",
        "result draw repetition",
        "repetition at the cap",
        "no legal ply at the cap",
        "third time not in a row",
        "ply plain",
        "ply approach",
        "ply withdrawal",
        "ply that takes a row of three or more",
        "ply chain of 2",
        "ply chain of 3",
        "ply chain of 4",
        "ply chain of 5 or more",
        "ply stops where the chain could go on",
        "ply that takes all",
        "approach and withdrawal both possible",
        "two chains reach the same position",
        "a visited point is refused",
        "straight on is refused",
        "a row ends at an own stone",
        "size=3x3",
        "size=5x3",
        "size=7x3",
        "size=9x3",
        "size=3x5",
        "size=5x5",
        "size=7x5",
        "size=9x5",
        "size=3x7",
        "size=5x7",
        "size=7x7",
        "size=9x7",
        "composition taken",
        "composition refused",
        "spoilt string taken",
        "spoilt string refused",
    ];
    const TASTES: &'static [Taste<Self>] = &[
        |_, _| true,
        |naive, ply| naive.has_seen(&naive.after(ply)),
        |naive, ply| naive.takes_back(ply),
        |naive, ply| naive.after(ply).outcome().is_none(),
        |naive, ply| legs(ply) > 1 && !naive.can_go_on(ply),
        |naive, ply| naive.after(ply).captures().plies.is_empty(),
        |naive, ply| naive.after(ply).outcome().is_some_and(|outcome| outcome.contains("no-legal")),
    ];

    fn draw_options(rng: &mut ChaCha8Rng) -> Options {
        let caps = [1, 2, 8, 9, 12, 16, 25, 40, 100, 150];
        let (width, height) = match rng.random_range(0..4) {
            0 => (9, 5),
            1 => [(3, 3), (5, 5), (5, 3), (3, 5)][rng.random_range(0..4)],
            _ => (3 + 2 * rng.random_range(0..4), 3 + 2 * rng.random_range(0..3)),
        };
        Options { width, height, quiet_cap: caps[rng.random_range(0..caps.len())] }
    }

    fn pairs(options: &Options) -> Vec<(&'static str, String, String)> {
        vec![
            ("size", format!("{}x{}", options.width, options.height), "9x5".to_owned()),
            ("quiet-cap", options.quiet_cap.to_string(), "100".to_owned()),
        ]
    }

    fn start(options: &Options) -> Self {
        let middle = (options.width / 2, options.height / 2);
        let mut stones = Stones::new();
        let mut is_black = true;
        for (file, rank) in board::cells(options.width, options.height) {
            if (file, rank) == middle {
                continue;
            }
            let letter = if rank < middle.1 {
                'w'
            } else if rank > middle.1 {
                'b'
            } else {
                is_black = !is_black;
                if is_black { 'w' } else { 'b' }
            };
            stones.insert((file, rank), letter);
        }
        let mut naive = Self { options: options.clone(), stones, seat: 0, quiet: 0, history: Vec::new() };
        naive.history.push(naive.memory().into());
        naive
    }

    fn compose(options: &Options, rng: &mut ChaCha8Rng) -> String {
        compose::fanorona(options, rng)
    }

    fn read(options: &Options, text: &str) -> Option<Self> {
        let fields: Vec<&str> = text.split(' ').collect();
        let [rows, seat, quiet] = fields[..] else { return None };
        let mut naive = Self::start(options);
        naive.stones = board::read_rows(rows, options.width, options.height, "wb")?;
        naive.seat = board::read_seat(seat)?;
        naive.quiet = quiet.strip_prefix("quiet=")?.parse().ok()?;
        naive.history = vec![naive.memory().into()];
        (naive.position() == text).then_some(naive)
    }

    fn seat(&self) -> usize {
        self.seat
    }

    fn position(&self) -> String {
        format!("{} quiet={}", self.memory(), self.quiet)
    }

    fn legal(&self) -> Vec<String> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        let mut plies = self.captures().plies;
        if plies.is_empty() {
            plies = self.plain_moves();
        }
        plies.sort();
        plies
    }

    fn play(&mut self, ply: &str) {
        let mut from = board::read_cell(&ply[..2]).expect("a point");
        self.quiet += 1;
        for (to, sign) in read_legs(ply) {
            match sign {
                None => {
                    let stone = self.stones.remove(&from).expect("a stone moves");
                    self.stones.insert(to, stone);
                }
                Some(is_approach) => {
                    let taken = self.taken(&self.stones, from, to, is_approach);
                    self.stones = moved(&self.stones, from, to, &taken);
                    self.quiet = 0;
                }
            }
            from = to;
        }
        self.seat = 1 - self.seat;
        self.history.push(self.memory().into());
    }

    fn outcome(&self) -> Option<String> {
        let win = |seat: usize, reason: &str| Some(format!("p{}win {reason}", seat + 1));
        for seat in [self.seat, 1 - self.seat] {
            if !self.stones.values().any(|stone| *stone == ['w', 'b'][seat]) {
                return win(1 - seat, "no-stones");
            }
        }
        // Whoever can capture along a line can also step along it.
        if self.plain_moves().is_empty() {
            return win(1 - self.seat, "no-legal-ply");
        }
        if self.times_seen() >= 3 {
            return Some("draw repetition".to_owned());
        }
        (self.quiet >= self.options.quiet_cap).then(|| "draw quiet-cap".to_owned())
    }

    fn remarks(&self) -> Vec<&'static str> {
        let mut remarks = Vec::new();
        if let Some(outcome) = self.outcome() {
            if self.quiet >= self.options.quiet_cap {
                if outcome.contains("repetition") {
                    remarks.push("repetition at the cap");
                } else if outcome.contains("no-legal-ply") {
                    remarks.push("no legal ply at the cap");
                }
            }
            if matches!(self.gaps()[..], [first, second] if first != second) {
                remarks.push("third time not in a row");
            }
            return remarks;
        }
        let captures = self.captures();
        if captures.is_visit_refused {
            remarks.push("a visited point is refused");
        }
        if captures.is_straight_on_refused {
            remarks.push("straight on is refused");
        }
        let plies: BTreeSet<&str> = captures.plies.iter().map(String::as_str).collect();
        let is_both =
            |ply: &&str| ply.strip_suffix('+').is_some_and(|leg| plies.contains(&*format!("{leg}-")));
        if plies.iter().any(is_both) {
            remarks.push("approach and withdrawal both possible");
        }
        if plies.len() < 60 {
            let ends: BTreeSet<String> = plies.iter().map(|ply| self.after(ply).memory()).collect();
            if ends.len() < plies.len() {
                remarks.push("two chains reach the same position");
            }
        }
        remarks
    }

    fn describe(&self, ply: &str) -> Vec<&'static str> {
        let legs = read_legs(ply);
        let (to, sign) = legs[0];
        let Some(is_approach) = sign else { return vec!["ply plain"] };
        let mut words = vec![if is_approach { "ply approach" } else { "ply withdrawal" }];
        words.extend(match legs.len() {
            1 => None,
            2 => Some("ply chain of 2"),
            3 => Some("ply chain of 3"),
            4 => Some("ply chain of 4"),
            _ => Some("ply chain of 5 or more"),
        });
        if self.can_go_on(ply) {
            words.push("ply stops where the chain could go on");
        }
        let from = board::read_cell(&ply[..2]).expect("a point");
        let taken = self.taken(&self.stones, from, to, is_approach);
        if taken.len() >= 3 {
            words.push("ply that takes a row of three or more");
        }
        let stride =
            if is_approach { (to.0 - from.0, to.1 - from.1) } else { (from.0 - to.0, from.1 - to.1) };
        let beyond = board::ahead(taken[taken.len() - 1], stride, 1);
        if self.stones.get(&beyond) == Some(&['w', 'b'][self.seat]) {
            words.push("a row ends at an own stone");
        }
        if self.after(ply).outcome().is_some_and(|outcome| outcome.contains("no-stones")) {
            words.push("ply that takes all");
        }
        words
    }
}

impl Fanorona {
    /// Returns the position string without its counter: what repetition compares.
    fn memory(&self) -> String {
        let rows = board::write_rows(&self.stones, self.options.width, self.options.height);
        format!("{rows} {}", ["p1", "p2"][self.seat])
    }

    fn times_seen(&self) -> usize {
        let now = self.memory();
        self.history.iter().filter(|past| ***past == *now).count()
    }

    fn has_seen(&self, other: &Self) -> bool {
        let other = other.memory();
        self.history.iter().any(|past| **past == *other)
    }

    /// Returns whether a plain step leads back to where the stone, or its like, stood two plies ago.
    fn takes_back(&self, ply: &str) -> bool {
        if self.history.len() < 3 || ply.len() != 4 {
            return false;
        }
        let (from, to) = (board::read_cell(&ply[..2]).expect("a point"), read_legs(ply)[0].0);
        let past = self.history[self.history.len() - 3].split(' ').next().expect("rows");
        let past = board::read_rows(past, self.options.width, self.options.height, "wb").expect("rows");
        past.get(&to) == self.stones.get(&from) && !past.contains_key(&from)
    }

    /// Returns how many plies apart the occurrences of this position are.
    fn gaps(&self) -> Vec<usize> {
        let now = self.memory();
        let seen: Vec<_> = (0..self.history.len()).filter(|i| *self.history[*i] == *now).collect();
        seen.windows(2).map(|pair| pair[1] - pair[0]).collect()
    }

    /// Returns the directions of the lines through a point.
    fn lines(&self, point: Cell) -> Vec<Cell> {
        let has_diagonals = (point.0 + 1 + point.1 + 1) % 2 == 0;
        AROUND.into_iter().filter(|direction| direction.0 == 0 || direction.1 == 0 || has_diagonals).collect()
    }

    fn is_empty(&self, stones: &Stones, point: Cell) -> bool {
        board::is_on(point, self.options.width, self.options.height) && !stones.contains_key(&point)
    }

    fn own_points(&self) -> Vec<Cell> {
        let own = ['w', 'b'][self.seat];
        self.stones.iter().filter(|(_, stone)| **stone == own).map(|(point, _)| *point).collect()
    }

    fn plain_moves(&self) -> Vec<String> {
        let mut plies = Vec::new();
        for from in self.own_points() {
            for direction in self.lines(from) {
                let to = board::ahead(from, direction, 1);
                if self.is_empty(&self.stones, to) {
                    plies.push(board::name(from) + &board::name(to));
                }
            }
        }
        plies
    }

    fn captures(&self) -> Captures {
        let mut captures = Captures::default();
        for from in self.own_points() {
            self.extend(&self.chain_from(from), &mut captures);
        }
        captures
    }

    fn chain_from(&self, from: Cell) -> Chain {
        Chain { text: board::name(from), stones: self.stones.clone(), visited: vec![from], direction: None }
    }

    /// Adds every chain that begins with this one and is longer.
    fn extend(&self, chain: &Chain, captures: &mut Captures) {
        let from = chain.visited[chain.visited.len() - 1];
        for direction in self.lines(from) {
            let to = board::ahead(from, direction, 1);
            if captures.plies.len() > PLIES_LIMIT || !self.is_empty(&chain.stones, to) {
                continue;
            }
            for (is_approach, sign) in [(true, '+'), (false, '-')] {
                let taken = self.taken(&chain.stones, from, to, is_approach);
                if taken.is_empty() {
                    continue;
                }
                if chain.visited.contains(&to) {
                    captures.is_visit_refused = true;
                } else if chain.direction == Some(direction) {
                    captures.is_straight_on_refused = true;
                } else {
                    let text = format!("{}{}{sign}", chain.text, board::name(to));
                    captures.plies.push(text.clone());
                    let stones = moved(&chain.stones, from, to, &taken);
                    let visited = [&chain.visited[..], &[to]].concat();
                    self.extend(&Chain { text, stones, visited, direction: Some(direction) }, captures);
                }
            }
        }
    }

    /// Returns the enemy stones that a leg takes, the nearest first.
    fn taken(&self, stones: &Stones, from: Cell, to: Cell, is_approach: bool) -> Vec<Cell> {
        let enemy = ['b', 'w'][self.seat];
        let forward = (to.0 - from.0, to.1 - from.1);
        let (mut point, stride) = if is_approach { (to, forward) } else { (from, (-forward.0, -forward.1)) };
        let mut taken = Vec::new();
        loop {
            point = board::ahead(point, stride, 1);
            if stones.get(&point) != Some(&enemy) {
                return taken;
            }
            taken.push(point);
        }
    }

    fn can_go_on(&self, ply: &str) -> bool {
        let mut captures = Captures::default();
        self.extend(&self.chain_from(board::read_cell(&ply[..2]).expect("a point")), &mut captures);
        captures.plies.iter().any(|longer| longer.len() > ply.len() && longer.starts_with(ply))
    }
}

fn moved(stones: &Stones, from: Cell, to: Cell, taken: &[Cell]) -> Stones {
    let mut stones = stones.clone();
    let stone = stones.remove(&from).expect("a stone moves");
    stones.insert(to, stone);
    for point in taken {
        stones.remove(point);
    }
    stones
}

fn legs(ply: &str) -> usize {
    read_legs(ply).len()
}

/// Reads where each leg leads, and whether it approaches or withdraws; a plain step does neither.
fn read_legs(ply: &str) -> Vec<(Cell, Option<bool>)> {
    let point = |text| board::read_cell(text).expect("a point");
    if ply.len() == 4 {
        return vec![(point(&ply[2..]), None)];
    }
    let mut legs = Vec::new();
    let mut rest = &ply[2..];
    while !rest.is_empty() {
        legs.push((point(&rest[..2]), Some(&rest[2..3] == "+")));
        rest = &rest[3..];
    }
    legs
}
