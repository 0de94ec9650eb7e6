//! Frenzy, naively.

use std::collections::BTreeSet;

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use crate::board::{Board, Cell, SEATS, cell, field, from_and_to, name, seat};
use crate::harness::{Chosen, Naive, caps, pick, turns};
use crate::school::{Reach, group_name, groups, largest, weave};

const START: &str = "8/2ffff2/1ffffff1/1ffffff1/1ffffff1/1ffffff1/2ffff2/8 p1 phase=sharks left=2 n=0";

/// A game of Frenzy.
#[derive(Clone, Debug)]
pub(crate) struct Frenzy {
    max_turns: u64,
    board: Board,
    seat: usize,
    phase: Phase,
    n: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Sharks { left: u32 },
    Play,
    Keep { turn: usize },
}

impl Naive for Frenzy {
    const GAME: &'static str = "frenzy";
    const EVENTS: &'static [&'static str] = &[
        "place",
        "step",
        "one hop",
        "several hops",
        "no fish is hopped twice",
        "eat",
        "pass",
        "pass while placing",
        "keep after p1",
        "keep after p2",
        "keep of three or more",
        "stray",
        "spawn",
        "several spawn",
        "revived",
        "p1win no-fish",
        "p2win sharks-immobilized",
        "draw max-turns",
        "sharks-immobilized by p1",
    ];

    fn options(rng: &mut ChaCha8Rng) -> Chosen {
        caps(rng)
    }

    fn start(options: &Chosen) -> Self {
        Self::read(options, START).expect("the start is a position")
    }

    fn read(options: &Chosen, text: &str) -> Option<Self> {
        let mut parts = text.split(' ');
        let board = Board::read(8, parts.next()?, "fs")?;
        let seat_to_move = seat(parts.next())?;
        let phase = match field(parts.next(), "phase")? {
            "sharks" => Phase::Sharks { left: field(parts.next(), "left")?.parse().ok()? },
            "play" => Phase::Play,
            "keep" => Phase::Keep { turn: seat(field(parts.next(), "turn"))? },
            _ => return None,
        };
        let n = field(parts.next(), "n")?.parse().ok()?;
        let game = Self { max_turns: options.number("max-turns", 300), board, seat: seat_to_move, phase, n };
        let is_sound = match phase {
            Phase::Sharks { left } => seat_to_move == 0 && (1..=2).contains(&left) && n == 0,
            Phase::Play => true,
            Phase::Keep { .. } => seat_to_move == 0 && game.schools().len() > 1,
        };
        (is_sound && game.position() == text).then_some(game)
    }

    fn compose(options: &Chosen, rng: &mut ChaCha8Rng) -> String {
        let mut board = Board::new(8);
        let fill = *pick(rng, &[0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 0.8, 0.95, 1.0]);
        for place in board.cells() {
            if rng.random_bool(fill) {
                board.put(place, 'f');
            }
        }
        if rng.random_bool(0.15) {
            weave(&mut board, &['f'], rng);
        }
        for _ in 0..*pick(rng, &[0, 1, 2, 2, 2, 2, 2, 3, 6]) {
            board.put((rng.random_range(0..8), rng.random_range(0..8)), 's');
        }
        let n = turns(options, rng);
        let seat = pick(rng, &SEATS);
        let tail = match rng.random_range(0..10) {
            0 => format!("{seat} phase=sharks left={} n={}", rng.random_range(0..4), pick(rng, &[0, 0, 1])),
            1..=3 => format!("p1 phase=keep turn={} n={n}", pick(rng, &SEATS)),
            4 => format!("{seat} phase=keep turn={} n={n}", pick(rng, &SEATS)),
            _ => format!("{seat} phase=play n={n}"),
        };
        format!("{} {tail}", board.rows())
    }

    fn legal(&self) -> Vec<String> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        let mut plies = Vec::new();
        match self.phase {
            Phase::Sharks { .. } => {
                plies.extend(self.board.with("f").into_iter().map(|to| format!("S{}", name(to))));
            }
            Phase::Keep { .. } => {
                plies.extend(self.schools().iter().map(|group| format!("keep={}", group_name(group))));
            }
            Phase::Play if self.seat == 0 => {
                for from in self.board.with("s") {
                    for to in self.board.neighbours(from) {
                        if self.board.at(to) == 'f' {
                            plies.push(format!("{}{}", name(from), name(to)));
                        }
                    }
                }
            }
            Phase::Play => {
                for from in self.board.with("f") {
                    for to in Reach::new(&self.board, from, "f").all() {
                        plies.push(format!("{}{}", name(from), name(to)));
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

    fn play(&mut self, ply: &str) -> Vec<&'static str> {
        let mut events = Vec::new();
        let stuck: Vec<Cell> =
            self.board.with("s").into_iter().filter(|shark| !self.can_eat(*shark)).collect();
        match self.phase {
            Phase::Sharks { left } => {
                if ply == "pass" {
                    events.push("pass while placing");
                } else {
                    events.push("place");
                    self.board.put(cell(&ply[1..]).expect("a placement is a cell"), 's');
                }
                if left > 1 {
                    self.phase = Phase::Sharks { left: left - 1 };
                } else {
                    self.phase = Phase::Play;
                    self.seat = 1;
                }
            }
            Phase::Keep { turn } => {
                events.push(["keep after p1", "keep after p2"][turn]);
                let schools = self.schools();
                if schools.len() > 2 {
                    events.push("keep of three or more");
                }
                let kept = schools.iter().find(|group| format!("keep={}", group_name(group)) == ply);
                self.keep(kept.expect("the ply names a group"));
                self.finish(turn, &mut events);
            }
            Phase::Play => {
                if ply == "pass" {
                    events.push("pass");
                } else {
                    let (from, to) = from_and_to(ply).expect("a move has two cells");
                    if self.seat == 1 {
                        let reach = Reach::new(&self.board, from, "f");
                        events.extend(reach.is_bounded.then_some("no fish is hopped twice"));
                        events.push(match () {
                            () if reach.steps.contains(&to) => "step",
                            () if reach.hops.contains(&to) => "one hop",
                            () => "several hops",
                        });
                    } else {
                        events.push("eat");
                    }
                    self.board.put(to, self.board.at(from));
                    self.board.put(from, '.');
                }
                self.end_turn(&mut events);
            }
        }
        if self.seat == 0 && self.phase == Phase::Play && stuck.iter().any(|shark| self.can_eat(*shark)) {
            events.push("revived");
        }
        if self.seat == 1 && self.outcome().is_some_and(|outcome| outcome.ends_with("immobilized")) {
            events.push("sharks-immobilized by p1");
        }
        events
    }

    fn position(&self) -> String {
        let phase = match self.phase {
            Phase::Sharks { left } => format!("sharks left={left}"),
            Phase::Play => "play".to_owned(),
            Phase::Keep { turn } => format!("keep turn={}", SEATS[turn]),
        };
        format!("{} {} phase={phase} n={}", self.board.rows(), SEATS[self.seat], self.n)
    }

    fn seat(&self) -> usize {
        self.seat
    }

    fn turn(&self) -> (usize, bool) {
        match self.phase {
            Phase::Sharks { left } => (self.seat, left == 2),
            Phase::Play => (self.seat, true),
            Phase::Keep { turn } => (turn, false),
        }
    }

    fn outcome(&self) -> Option<String> {
        if self.phase != Phase::Play {
            return None;
        }
        if !self.board.has("f") {
            return Some("p1win no-fish".to_owned());
        }
        if !self.board.with("s").into_iter().any(|shark| self.can_eat(shark)) {
            return Some("p2win sharks-immobilized".to_owned());
        }
        (self.n >= self.max_turns).then(|| "draw max-turns".to_owned())
    }

    fn is_rare(&self, ply: &str) -> bool {
        from_and_to(ply).is_some_and(|(from, to)| from.0.abs_diff(to.0).max(from.1.abs_diff(to.1)) > 1)
    }
}

impl Frenzy {
    fn can_eat(&self, shark: Cell) -> bool {
        self.board.neighbours(shark).any(|place| self.board.at(place) == 'f')
    }

    /// Returns the largest groups of fish.
    fn schools(&self) -> Vec<BTreeSet<Cell>> {
        largest(groups(&self.board, &self.board.with("f")))
    }

    fn keep(&mut self, school: &BTreeSet<Cell>) {
        for fish in self.board.with("f") {
            if !school.contains(&fish) {
                self.board.put(fish, '.');
            }
        }
    }

    fn end_turn(&mut self, events: &mut Vec<&'static str>) {
        let turn = self.seat;
        match &self.schools()[..] {
            [] => self.finish(turn, events),
            [school] => {
                if school.len() < self.board.with("f").len() {
                    events.push("stray");
                }
                self.keep(school);
                self.finish(turn, events);
            }
            _ => {
                self.phase = Phase::Keep { turn };
                self.seat = 0;
            }
        }
    }

    fn finish(&mut self, turn: usize, events: &mut Vec<&'static str>) {
        if turn == 1 {
            let is_enclosed = |place: &Cell| {
                let around: Vec<char> =
                    self.board.neighbours(*place).map(|other| self.board.at(other)).collect();
                around.len() == 8 && !around.contains(&'.')
            };
            let born: Vec<Cell> = self.board.with(".").into_iter().filter(is_enclosed).collect();
            events.extend((!born.is_empty()).then_some("spawn"));
            events.extend((born.len() > 1).then_some("several spawn"));
            for place in born {
                self.board.put(place, 'f');
            }
        }
        self.n += 1;
        self.phase = Phase::Play;
        self.seat = 1 - turn;
    }
}
