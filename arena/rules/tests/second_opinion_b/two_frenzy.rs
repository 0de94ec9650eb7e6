//! 2-Frenzy, naively.

use std::collections::BTreeSet;

use rand::rngs::ChaCha8Rng;

use crate::board::{Board, Cell, SEATS, cell, field, from_and_to, name, seat};
use crate::harness::{Chosen, Naive, caps};
use crate::school::{Reach, group_name, groups, largest};
use crate::two_frenzy_compositions::compose;

const START: &str = "ffffffff/ffffffff/ffffffff/ffffffff/FFFFFFFF/FFFFFFFF/FFFFFFFF/FFFFFFFF \
                     p1 phase=sharks left=2 used=- n=0";
const FISH: [&str; 2] = ["F", "f"];
/// The letters of the sharks of both seats.
pub(crate) const SHARKS: [&str; 2] = ["S", "s"];
/// The letters of all animals of both seats.
pub(crate) const ANIMALS: [&str; 2] = ["FS", "fs"];

/// A game of 2-Frenzy.
#[derive(Clone, Debug)]
pub(crate) struct TwoFrenzy {
    max_turns: u64,
    board: Board,
    seat: usize,
    phase: Phase,
    n: u64,
    /// The starts of turns so far, without the counter.
    history: Vec<String>,
    /// How many plies `keep` this turn has had.
    kept: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Sharks { left: u32 },
    First,
    Second { used: Cell },
    Keep { school: usize },
}

impl Naive for TwoFrenzy {
    const GAME: &'static str = "2-frenzy";
    const EVENTS: &'static [&'static str] = &[
        "place p1",
        "place p2",
        "step",
        "one hop",
        "several hops",
        "no fish is hopped twice",
        "hop over an enemy",
        "shark eats fish",
        "shark eats shark",
        "pass while placing",
        "pass as a turn",
        "pass as the second ply",
        "keep p1's school after p1",
        "keep p2's school after p1",
        "keep p1's school after p2",
        "keep p2's school after p2",
        "keep twice",
        "stray own",
        "stray enemy",
        "one isolated",
        "several isolated",
        "isolated of both",
        "second ply without enemy",
        "p1win no-fish",
        "p2win no-fish",
        "p1win no-sharks",
        "p2win no-sharks",
        "draw both-lost",
        "draw max-turns",
        "draw repetition",
        "repetition and cap",
        "result and repetition or cap",
    ];

    fn options(rng: &mut ChaCha8Rng) -> Chosen {
        caps(rng)
    }

    fn start(options: &Chosen) -> Self {
        Self::read(options, START).expect("the start is a position")
    }

    fn read(options: &Chosen, text: &str) -> Option<Self> {
        let mut parts = text.split(' ');
        let board = Board::read(8, parts.next()?, "FSfs")?;
        let seat_to_move = seat(parts.next())?;
        let phase = field(parts.next(), "phase")?;
        let left: u32 = field(parts.next(), "left")?.parse().ok()?;
        let used = field(parts.next(), "used")?;
        let phase = match (phase, left, used) {
            ("sharks", 1..=2, "-") => Phase::Sharks { left },
            ("play", 2, "-") => Phase::First,
            ("play", 1, _) => Phase::Second { used: cell(used).filter(|used| used.0 < 8 && used.1 < 8)? },
            ("keep", 0, "-") => Phase::Keep { school: seat(field(parts.next(), "school"))? },
            _ => return None,
        };
        let n = field(parts.next(), "n")?.parse().ok()?;
        let max_turns = options.number("max-turns", 300);
        let mut game = Self { max_turns, board, seat: seat_to_move, phase, n, history: Vec::new(), kept: 0 };
        let is_sound = match phase {
            Phase::Second { used } => ANIMALS[seat_to_move].contains(game.board.at(used)),
            // The mover's own school is settled before the other one.
            Phase::Keep { school } => {
                let own = groups(&game.board, &game.board.with(FISH[seat_to_move]));
                game.schools(school).len() > 1 && (school == seat_to_move || own.len() < 2)
            }
            Phase::Sharks { .. } => n == 0,
            Phase::First => true,
        };
        if !is_sound || game.position() != text {
            return None;
        }
        game.remember();
        Some(game)
    }

    fn compose(options: &Chosen, rng: &mut ChaCha8Rng) -> String {
        compose(options, rng)
    }

    fn legal(&self) -> Vec<String> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        let mut plies = match self.phase {
            Phase::Sharks { .. } => {
                self.board.with(FISH[1 - self.seat]).into_iter().map(|to| format!("S{}", name(to))).collect()
            }
            Phase::First => self.moves(None),
            Phase::Second { used } => self.moves(Some(used)),
            Phase::Keep { school } => {
                self.schools(school).iter().map(|group| format!("keep={}", group_name(group))).collect()
            }
        };
        if plies.is_empty() {
            plies.push("pass".to_owned());
        }
        plies.sort();
        plies
    }

    fn play(&mut self, ply: &str) -> Vec<&'static str> {
        let mut events = Vec::new();
        match self.phase {
            Phase::Sharks { left } => {
                if ply == "pass" {
                    events.push("pass while placing");
                } else {
                    events.push(["place p1", "place p2"][self.seat]);
                    let shark = SHARKS[self.seat].chars().next().expect("a letter");
                    self.board.put(cell(&ply[1..]).expect("a placement is a cell"), shark);
                }
                self.phase = match (left, self.seat) {
                    (2, _) => Phase::Sharks { left: 1 },
                    (_, 0) => Phase::Sharks { left: 2 },
                    (_, _) => Phase::First,
                };
                if left == 1 {
                    self.seat = 1 - self.seat;
                }
            }
            Phase::First if ply == "pass" => {
                events.push("pass as a turn");
                self.end_turn(&mut events);
            }
            Phase::First => {
                let used = self.make_move(ply, &mut events);
                self.phase = Phase::Second { used };
                if !self.board.has(FISH[1 - self.seat]) || !self.board.has(SHARKS[1 - self.seat]) {
                    events.push("second ply without enemy");
                }
            }
            Phase::Second { .. } => {
                if ply == "pass" {
                    events.push("pass as the second ply");
                } else {
                    self.make_move(ply, &mut events);
                }
                self.end_turn(&mut events);
            }
            Phase::Keep { school } => {
                events.push(
                    [
                        ["keep p1's school after p1", "keep p2's school after p1"],
                        ["keep p1's school after p2", "keep p2's school after p2"],
                    ][self.seat][school],
                );
                self.kept += 1;
                events.extend((self.kept == 2).then_some("keep twice"));
                let schools = self.schools(school);
                let kept = schools.iter().find(|group| format!("keep={}", group_name(group)) == ply);
                self.keep(school, kept.expect("the ply names a group"));
                if school == self.seat {
                    self.end_enemy_school(&mut events);
                } else {
                    self.finish(&mut events);
                }
            }
        }
        self.remember();
        let is_capped = self.phase == Phase::First && self.n >= self.max_turns;
        if is_capped && self.is_repeated() {
            events.push("repetition and cap");
        }
        if self.lost().is_some() && (is_capped || self.is_repeated()) {
            events.push("result and repetition or cap");
        }
        events
    }

    fn position(&self) -> String {
        format!("{} n={}", self.without_counter(), self.n)
    }

    fn seat(&self) -> usize {
        self.seat
    }

    fn turn(&self) -> (usize, bool) {
        (self.seat, matches!(self.phase, Phase::Sharks { left: 2 } | Phase::First))
    }

    fn outcome(&self) -> Option<String> {
        if self.phase != Phase::First {
            return None;
        }
        if let Some(outcome) = self.lost() {
            return Some(outcome);
        }
        if self.is_repeated() {
            return Some("draw repetition".to_owned());
        }
        (self.n >= self.max_turns).then(|| "draw max-turns".to_owned())
    }

    fn is_rare(&self, ply: &str) -> bool {
        from_and_to(ply).is_some_and(|(from, to)| {
            from.0.abs_diff(to.0).max(from.1.abs_diff(to.1)) > 1 || self.board.at(to) != '.'
        })
    }
}

impl TwoFrenzy {
    fn without_counter(&self) -> String {
        let phase = match self.phase {
            Phase::Sharks { left } => format!("sharks left={left} used=-"),
            Phase::First => "play left=2 used=-".to_owned(),
            Phase::Second { used } => format!("play left=1 used={}", name(used)),
            Phase::Keep { school } => format!("keep left=0 used=- school={}", SEATS[school]),
        };
        format!("{} {} phase={phase}", self.board.rows(), SEATS[self.seat])
    }

    fn remember(&mut self) {
        if self.phase == Phase::First {
            self.history.push(self.without_counter());
        }
    }

    fn is_repeated(&self) -> bool {
        let now = self.without_counter();
        self.history.iter().filter(|then| **then == now).count() >= 3
    }

    /// Returns the result if a seat, or both, has no fish or no shark left.
    fn lost(&self) -> Option<String> {
        if self.phase != Phase::First {
            return None;
        }
        let has_no = |animals: [&str; 2], seat: usize| !self.board.has(animals[seat]);
        let has_lost = |seat| has_no(FISH, seat) || has_no(SHARKS, seat);
        let loser = match (has_lost(0), has_lost(1)) {
            (false, false) => return None,
            (true, true) => return Some("draw both-lost".to_owned()),
            (true, false) => 0,
            (false, true) => 1,
        };
        let reason = if has_no(FISH, loser) { "no-fish" } else { "no-sharks" };
        Some(format!("{}win {reason}", SEATS[1 - loser]))
    }

    fn moves(&self, used: Option<Cell>) -> Vec<String> {
        let mut plies = Vec::new();
        for from in self.board.with(ANIMALS[self.seat]) {
            if Some(from) == used {
                continue;
            }
            if FISH[self.seat].contains(self.board.at(from)) {
                for to in Reach::new(&self.board, from, "Ff").all() {
                    plies.push(format!("{}{}", name(from), name(to)));
                }
            } else {
                for to in self.board.neighbours(from) {
                    if ANIMALS[1 - self.seat].contains(self.board.at(to)) {
                        plies.push(format!("{}{}", name(from), name(to)));
                    }
                }
            }
        }
        plies
    }

    /// Moves an animal and returns the cell where it stands then.
    fn make_move(&mut self, ply: &str, events: &mut Vec<&'static str>) -> Cell {
        let (from, to) = from_and_to(ply).expect("a move has two cells");
        let event = match self.board.at(to) {
            '.' => {
                let reach = Reach::new(&self.board, from, "Ff");
                events.extend(reach.is_bounded.then_some("no fish is hopped twice"));
                let is_needed = |enemy| !Reach::new(&self.board, from, enemy).all().contains(&to);
                events.extend(is_needed(FISH[self.seat]).then_some("hop over an enemy"));
                match () {
                    () if reach.steps.contains(&to) => "step",
                    () if reach.hops.contains(&to) => "one hop",
                    () => "several hops",
                }
            }
            'F' | 'f' => "shark eats fish",
            _ => "shark eats shark",
        };
        events.push(event);
        self.board.put(to, self.board.at(from));
        self.board.put(from, '.');
        to
    }

    /// Returns the largest groups of the seat's fish.
    fn schools(&self, seat: usize) -> Vec<BTreeSet<Cell>> {
        largest(groups(&self.board, &self.board.with(FISH[seat])))
    }

    fn keep(&mut self, seat: usize, school: &BTreeSet<Cell>) {
        for fish in self.board.with(FISH[seat]) {
            if !school.contains(&fish) {
                self.board.put(fish, '.');
            }
        }
    }

    fn end_turn(&mut self, events: &mut Vec<&'static str>) {
        self.kept = 0;
        if self.settle(self.seat, events) {
            self.end_enemy_school(events);
        }
    }

    fn end_enemy_school(&mut self, events: &mut Vec<&'static str>) {
        if self.settle(1 - self.seat, events) {
            self.finish(events);
        }
    }

    /// Leaves the largest group of a school, or asks the mover if there are several.
    fn settle(&mut self, school: usize, events: &mut Vec<&'static str>) -> bool {
        match &self.schools(school)[..] {
            [] => true,
            [group] => {
                if group.len() < self.board.with(FISH[school]).len() {
                    events.push(if school == self.seat { "stray own" } else { "stray enemy" });
                }
                self.keep(school, group);
                true
            }
            _ => {
                self.phase = Phase::Keep { school };
                false
            }
        }
    }

    fn finish(&mut self, events: &mut Vec<&'static str>) {
        let mut dead = Vec::new();
        for seat in 0..2 {
            for shark in self.board.with(SHARKS[seat]) {
                let mut around = self.board.neighbours(shark);
                if !around.any(|place| ANIMALS[1 - seat].contains(self.board.at(place))) {
                    dead.push(shark);
                }
            }
        }
        events.extend((dead.len() == 1).then_some("one isolated"));
        events.extend((dead.len() > 1).then_some("several isolated"));
        let has = |letter| dead.iter().any(|shark| self.board.at(*shark) == letter);
        events.extend((has('S') && has('s')).then_some("isolated of both"));
        for shark in dead {
            self.board.put(shark, '.');
        }
        self.n += 1;
        self.phase = Phase::First;
        self.seat = 1 - self.seat;
    }
}
