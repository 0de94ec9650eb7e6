//! 2-Frenzy: two schools of fish, each with two sharks, two plies a turn.

use std::fmt;
use std::hash::{Hash, Hasher};

use crate::school::{BOARD, Hops, cells, group, largest, largest_groups, name, named, neighbours, only};
use crate::school_ply::{
    KEEP_FAULT, PASS_FAULT, PLACING_FAULT, fault_of_keep, fault_of_swim, read_seat, unknown_phase,
};
use crate::{
    Fields, NotationError, Position, Reason, Rejection, SchoolOptions, SchoolPly, Seat, Turn, Verdict,
};

/// A position of 2-Frenzy.
///
/// ```
/// use rules::{Position, SchoolOptions, TwoFrenzy};
///
/// let mut position = TwoFrenzy::start(&SchoolOptions::default());
/// for ply in ["Sd7", "Se7", "Sd2", "Se2", "d7d6"] {
///     position.play(ply)?;
/// }
/// assert!(position.to_string().ends_with(" p1 phase=play left=1 used=d6 n=0"));
/// # Ok::<(), rules::Rejection>(())
/// ```
#[derive(Clone, Debug)]
pub struct TwoFrenzy {
    fish: [u64; 2],
    sharks: [u64; 2],
    seat: Seat,
    phase: Phase,
    turns: u32,
    max_turns: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Phase {
    /// The seat has so many sharks to place, 1 or 2.
    Sharks { left: u8 },
    /// The seat is about to take its turn.
    First,
    /// The seat has moved the animal that now stands on `used`, and moves another one.
    Second { used: u8 },
    /// The seat, at the end of its turn, chooses the group of this school that survives.
    Keep { school: Seat },
}

impl TwoFrenzy {
    /// What tells positions apart.
    const fn identity(&self) -> ([u64; 2], [u64; 2], Seat, Phase) {
        (self.fish, self.sharks, self.seat, self.phase)
    }

    const fn animals(&self, seat: Seat) -> u64 {
        self.fish[seat.index()] | self.sharks[seat.index()]
    }

    const fn empty(&self) -> u64 {
        !(self.animals(Seat::P1) | self.animals(Seat::P2))
    }

    fn hops(&self) -> Hops {
        Hops::over(self.fish[0] | self.fish[1], self.empty())
    }

    fn fish_targets(&self, hops: &Hops, from: u8) -> u64 {
        neighbours(only(from)) & self.empty() | hops.targets(only(from))
    }

    const fn shark_targets(&self, from: u8) -> u64 {
        neighbours(only(from)) & self.animals(self.seat.other())
    }

    /// Returns the animals that may not move: the one that has moved this turn.
    const fn used(&self) -> u64 {
        match self.phase {
            Phase::Second { used } => only(used),
            Phase::Sharks { .. } | Phase::First | Phase::Keep { .. } => 0,
        }
    }

    fn has_ply(&self) -> bool {
        let own = self.seat.index();
        let hops = self.hops();
        cells(self.sharks[own] & !self.used()).any(|from| self.shark_targets(from) != 0)
            || cells(self.fish[own] & !self.used()).any(|from| self.fish_targets(&hops, from) != 0)
    }

    /// Visits the plies of a position whose game is not over, but `pass`.
    fn visit_plies(&self, visit: &mut impl FnMut(SchoolPly)) {
        let own = self.seat.index();
        match self.phase {
            Phase::Sharks { .. } => {
                cells(self.fish[self.seat.other().index()]).for_each(|cell| visit(SchoolPly::Place(cell)));
            }
            Phase::Keep { school } => {
                let groups = largest_groups(self.fish[school.index()]);
                groups.for_each(|group| visit(SchoolPly::Keep(name(group))));
            }
            Phase::First | Phase::Second { .. } => {
                let hops = self.hops();
                for from in cells(self.fish[own] & !self.used()) {
                    cells(self.fish_targets(&hops, from)).for_each(|to| visit(SchoolPly::Move { from, to }));
                }
                for from in cells(self.sharks[own] & !self.used()) {
                    cells(self.shark_targets(from)).for_each(|to| visit(SchoolPly::Move { from, to }));
                }
            }
        }
    }

    fn place(&mut self) {
        // The steps at the end of a turn are skipped after a placing turn, which is not counted either.
        (self.seat, self.phase) = match (self.seat, self.phase) {
            (seat, Phase::Sharks { left: 2 }) => (seat, Phase::Sharks { left: 1 }),
            (Seat::P1, _) => (Seat::P2, Phase::Sharks { left: 2 }),
            (Seat::P2, _) => (Seat::P1, Phase::First),
        };
    }

    fn end_turn(&mut self) {
        let own = self.seat.index();
        match largest(self.fish[own]) {
            Some(school) => {
                self.fish[own] = school;
                self.end_turn_of_other();
            }
            None => self.phase = Phase::Keep { school: self.seat },
        }
    }

    /// Goes on at the end of a turn when the mover's school is whole.
    fn end_turn_of_other(&mut self) {
        let other = self.seat.other();
        match largest(self.fish[other.index()]) {
            Some(school) => {
                self.fish[other.index()] = school;
                self.settle();
            }
            None => self.phase = Phase::Keep { school: other },
        }
    }

    /// Ends the turn when both schools are whole.
    fn settle(&mut self) {
        // All isolated sharks die at once: a dying shark still keeps the one beside it alive.
        self.sharks =
            Seat::BOTH.map(|seat| self.sharks[seat.index()] & neighbours(self.animals(seat.other())));
        self.turns = self.turns.saturating_add(1);
        self.seat = self.seat.other();
        self.phase = Phase::First;
    }

    fn loss(&self, seat: Seat) -> Option<Reason> {
        if self.fish[seat.index()] == 0 {
            Some(Reason::NoFish)
        } else if self.sharks[seat.index()] == 0 {
            Some(Reason::NoSharks)
        } else {
            None
        }
    }

    /// Returns why a ply is not legal here, or nothing if it is.
    fn fault(&self, ply: SchoolPly) -> Option<String> {
        if let Some(verdict) = self.outcome() {
            return Some(format!("the game is over ({})", verdict.reason));
        }
        match (self.phase, ply) {
            (Phase::Sharks { .. }, SchoolPly::Place(cell)) => self.fault_of_place(cell),
            (Phase::Sharks { .. }, SchoolPly::Pass) if self.fish[self.seat.other().index()] == 0 => None,
            (Phase::Sharks { .. }, _) => {
                Some(format!("{} places its sharks first: S and the cell of an enemy fish", self.seat))
            }
            (Phase::Keep { school }, SchoolPly::Keep(cell)) => fault_of_keep(self.fish[school.index()], cell),
            (Phase::Keep { school }, _) => {
                Some(format!("{} has to choose the group of {school} that survives with keep=", self.seat))
            }
            (Phase::First | Phase::Second { .. }, SchoolPly::Place(_)) => {
                Some("all sharks have been placed".to_owned())
            }
            (Phase::First | Phase::Second { .. }, SchoolPly::Keep(_)) => {
                Some("there is no group to choose now".to_owned())
            }
            (Phase::First | Phase::Second { .. }, SchoolPly::Move { from, to }) => {
                self.fault_of_move(from, to)
            }
            (Phase::First | Phase::Second { .. }, SchoolPly::Pass) => {
                self.has_ply().then(|| PASS_FAULT.to_owned())
            }
        }
    }

    fn fault_of_place(&self, cell: u8) -> Option<String> {
        let other = self.seat.other();
        if self.fish[other.index()] & only(cell) != 0 {
            None
        } else if self.fish[self.seat.index()] & only(cell) != 0 {
            Some(format!("the fish on {} is your own: sharks are put on enemy fish", named(cell)))
        } else if self.empty() & only(cell) == 0 {
            Some(format!("{} already holds a shark", named(cell)))
        } else {
            Some(format!("no enemy fish on {} to put a shark on", named(cell)))
        }
    }

    fn fault_of_move(&self, from: u8, to: u8) -> Option<String> {
        let own = self.seat.index();
        if self.animals(self.seat) & only(from) == 0 {
            Some(format!("no animal of yours on {}", named(from)))
        } else if self.used() & only(from) != 0 {
            Some("this animal has already moved this turn".to_owned())
        } else if self.fish[own] & only(from) != 0 {
            fault_of_swim(self.fish_targets(&self.hops(), from), self.empty(), from, to)
        } else if self.shark_targets(from) & only(to) == 0 {
            Some("sharks only move to an adjacent cell that holds an enemy animal".to_owned())
        } else {
            None
        }
    }

    fn read_animals(rows: &str) -> Result<([u64; 2], [u64; 2]), NotationError> {
        let (mut fish, mut sharks) = ([0; 2], [0; 2]);
        BOARD.read_rows(rows, |cell, letter| {
            let set = match letter {
                b'F' => &mut fish[0],
                b'f' => &mut fish[1],
                b'S' => &mut sharks[0],
                b's' => &mut sharks[1],
                _ => return false,
            };
            *set |= only(cell as u8);
            true
        })?;
        Ok((fish, sharks))
    }

    fn read_phase(fields: &mut Fields<'_>) -> Result<Phase, NotationError> {
        let phase = fields.value("phase")?;
        let left = fields.number("left", 2)?;
        let used = fields.value("used")?;
        let phase = match (phase, left) {
            ("sharks", 1 | 2) => Phase::Sharks { left: left as u8 },
            ("sharks", _) => return Err(NotationError::new("left", "1 or 2 sharks are left to place")),
            ("play", 2) => Phase::First,
            ("play", 1) => match BOARD.read_cell(used) {
                Some(cell) => return Ok(Phase::Second { used: cell as u8 }),
                None => return Err(NotationError::new("used", "not the cell of the animal that has moved")),
            },
            ("play", _) => return Err(NotationError::new("left", "1 or 2 plies are left to play")),
            ("keep", 0) => Phase::Keep { school: read_seat(fields, "school")? },
            ("keep", _) => return Err(NotationError::new("left", "0 plies are left at the end of a turn")),
            (other, _) => return Err(unknown_phase(other)),
        };
        if used != "-" {
            return Err(NotationError::new("used", "`-` stands here when no animal has moved this turn"));
        }
        Ok(phase)
    }

    /// Returns what in a position that was read contradicts itself.
    fn contradiction(&self) -> Option<NotationError> {
        let own = self.seat.index();
        match self.phase {
            Phase::Sharks { .. } if self.turns > 0 => Some(NotationError::new("n", PLACING_FAULT)),
            Phase::Second { used } if self.animals(self.seat) & only(used) == 0 => {
                let fault = format!("no animal of {} stands on {}", self.seat, named(used));
                Some(NotationError::new("used", fault))
            }
            Phase::Keep { school } if largest(self.fish[school.index()]).is_some() => {
                Some(NotationError::new("phase", KEEP_FAULT))
            }
            // The mover's school is made whole before the other one.
            Phase::Keep { school }
                if school != self.seat && largest(self.fish[own]) != Some(self.fish[own]) =>
            {
                Some(NotationError::new("school", format!("{} still has several groups", self.seat)))
            }
            Phase::Sharks { .. } | Phase::First | Phase::Second { .. } | Phase::Keep { .. } => None,
        }
    }
}

impl PartialEq for TwoFrenzy {
    fn eq(&self, other: &Self) -> bool {
        self.identity() == other.identity()
    }
}

impl Eq for TwoFrenzy {}

impl Hash for TwoFrenzy {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.identity().hash(state);
    }
}

impl fmt::Display for TwoFrenzy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        BOARD.write_rows(f, |cell| {
            let letters = [(self.fish[0], b'F'), (self.fish[1], b'f'), (self.sharks[0], b'S')];
            let letters = letters.into_iter().chain([(self.sharks[1], b's')]);
            letters.into_iter().find(|(set, _)| set & only(cell as u8) != 0).map(|(_, letter)| letter)
        })?;
        write!(f, " {} ", self.seat)?;
        match self.phase {
            Phase::Sharks { left } => write!(f, "phase=sharks left={left} used=-")?,
            Phase::First => f.write_str("phase=play left=2 used=-")?,
            Phase::Second { used } => write!(f, "phase=play left=1 used={}", named(used))?,
            Phase::Keep { school } => write!(f, "phase=keep left=0 used=- school={school}")?,
        }
        write!(f, " n={}", self.turns)
    }
}

impl Position for TwoFrenzy {
    type Options = SchoolOptions;
    type Ply = SchoolPly;

    const HAS_REPETITION: bool = true;

    fn start(options: &SchoolOptions) -> Self {
        Self {
            fish: [0x0000_0000_ffff_ffff, 0xffff_ffff_0000_0000],
            sharks: [0; 2],
            seat: Seat::P1,
            phase: Phase::Sharks { left: 2 },
            turns: 0,
            max_turns: options.max_turns(),
        }
    }

    fn read(options: &SchoolOptions, text: &str) -> Result<Self, NotationError> {
        let mut fields = Fields::of(text);
        let (fish, sharks) = Self::read_animals(fields.rows()?)?;
        let seat = fields.seat()?;
        let phase = Self::read_phase(&mut fields)?;
        let turns = fields.number("n", u32::MAX)?;
        fields.end()?;
        let position = Self { fish, sharks, seat, phase, turns, max_turns: options.max_turns() };
        position.contradiction().map_or(Ok(position), Err)
    }

    fn seat(&self) -> Seat {
        self.seat
    }

    fn turn(&self) -> Turn {
        Turn { seat: self.seat, is_fresh: matches!(self.phase, Phase::Sharks { left: 2 } | Phase::First) }
    }

    fn legal_plies(&self, visit: &mut impl FnMut(SchoolPly)) {
        if self.outcome().is_some() {
            return;
        }
        let mut has_ply = false;
        self.visit_plies(&mut |ply| {
            has_ply = true;
            visit(ply);
        });
        if !has_ply {
            visit(SchoolPly::Pass);
        }
    }

    fn play_unchecked(&mut self, ply: SchoolPly) {
        let (own, other) = (self.seat.index(), self.seat.other().index());
        match ply {
            SchoolPly::Place(cell) => {
                self.fish[other] &= !only(cell);
                self.sharks[own] |= only(cell);
                self.place();
            }
            SchoolPly::Move { from, to } => {
                if self.fish[own] & only(from) != 0 {
                    self.fish[own] ^= only(from) | only(to);
                } else {
                    self.sharks[own] ^= only(from) | only(to);
                    self.fish[other] &= !only(to);
                    self.sharks[other] &= !only(to);
                }
                match self.phase {
                    // Nothing is tested between the two plies of a turn.
                    Phase::First => self.phase = Phase::Second { used: to },
                    Phase::Sharks { .. } | Phase::Second { .. } | Phase::Keep { .. } => self.end_turn(),
                }
            }
            SchoolPly::Keep(cell) => match self.phase {
                Phase::Keep { school } if school != self.seat => {
                    self.fish[other] = group(self.fish[other], only(cell));
                    self.settle();
                }
                _ => {
                    self.fish[own] = group(self.fish[own], only(cell));
                    self.end_turn_of_other();
                }
            },
            SchoolPly::Pass => match self.phase {
                Phase::Sharks { .. } => self.place(),
                Phase::First | Phase::Second { .. } | Phase::Keep { .. } => self.end_turn(),
            },
        }
    }

    fn outcome(&self) -> Option<Verdict> {
        // Nothing is tested before the end of a turn.
        if self.phase != Phase::First {
            return None;
        }
        match (self.loss(Seat::P1), self.loss(Seat::P2)) {
            (Some(_), Some(_)) => Some(Verdict::draw(Reason::BothLost)),
            (Some(reason), None) => Some(Verdict::win(Seat::P2, reason)),
            (None, Some(reason)) => Some(Verdict::win(Seat::P1, reason)),
            (None, None) => (self.turns >= self.max_turns).then_some(Verdict::draw(Reason::MaxTurns)),
        }
    }

    fn read_ply(&self, token: &str) -> Result<SchoolPly, Rejection> {
        let ply = SchoolPly::parse(token).ok_or_else(|| SchoolPly::misspelt(self, token))?;
        self.fault(ply).map_or(Ok(ply), |fault| Err(Rejection::Illegal(fault)))
    }

    fn counts_for_repetition(&self) -> bool {
        self.turn().is_fresh
    }
}
