//! 2-Frenzy: two schools of fish, each with two sharks, two plies per turn.

mod notation;
pub(crate) mod options;

use std::hash::{Hash, Hasher};

use crate::games::school::ply::{PASS_FAULT, fault_of_keep, fault_of_swim};
use crate::games::school::{
    Areas, Moves, Swims, cells, group, largest, largest_groups, name, named, neighbours, neighbours_of, only,
    stay_whole, stay_whole_by_swim,
};
use crate::position::random_listed;
use crate::{
    Dice, NotationError, Position, Reason, Rejection, SchoolPly, Seat, Turn, TwoFrenzyOptions, Verdict,
};

/// A position of 2-Frenzy.
///
/// ```
/// use rules::{Position, TwoFrenzy, TwoFrenzyOptions};
///
/// let mut position = TwoFrenzy::start(&TwoFrenzyOptions::default());
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
    /// Which schools are known to form one group. Then the end of a turn needs no search for others.
    are_whole: [bool; 2],
    seat: Seat,
    phase: Phase,
    turns: u32,
    max_turns: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Phase {
    /// The number of sharks that the seat has to place, 1 or 2.
    Sharks { left: u8 },
    /// The seat is about to take its turn.
    First,
    /// The seat has moved the animal that now stands on `used`, and moves another one.
    Second { used: u8 },
    /// The seat, at the end of its turn, chooses the group of this school that survives.
    Keep { school: Seat },
}

impl TwoFrenzy {
    /// Returns the cells of a seat's fish: bit `n` is the cell with the number `n` (a1, b1, … h8).
    #[must_use]
    pub const fn fish(&self, seat: Seat) -> u64 {
        self.fish[seat.index()]
    }

    /// Returns the cells of a seat's sharks.
    #[must_use]
    pub const fn sharks(&self, seat: Seat) -> u64 {
        self.sharks[seat.index()]
    }

    /// Returns the parts that distinguish positions.
    const fn identity(&self) -> ([u64; 2], [u64; 2], Seat, Phase) {
        (self.fish, self.sharks, self.seat, self.phase)
    }

    const fn animals(&self, seat: Seat) -> u64 {
        self.fish[seat.index()] | self.sharks[seat.index()]
    }

    const fn empty(&self) -> u64 {
        !(self.animals(Seat::P1) | self.animals(Seat::P2))
    }

    /// Returns the moves of these fish.
    fn swims<'a>(&self, movers: u64, areas: &'a mut Areas) -> Swims<'a> {
        Swims::of(movers, self.fish[0] | self.fish[1], self.empty(), areas)
    }

    /// Returns the animals that may not move: the one that has moved this turn.
    const fn used(&self) -> u64 {
        match self.phase {
            Phase::Second { used } => only(used),
            Phase::Sharks { .. } | Phase::First | Phase::Keep { .. } => 0,
        }
    }

    /// Returns the moves of the seat that takes its turn.
    fn moves<'a>(&self, areas: &'a mut Areas) -> Moves<'a> {
        let own = self.seat.index();
        Moves {
            swims: Some(self.swims(self.fish[own] & !self.used(), areas)),
            sharks: self.sharks[own] & !self.used(),
            prey: self.animals(self.seat.other()),
        }
    }

    /// Visits all plies except `pass` of a position whose game is not over.
    fn visit_plies(&self, visit: &mut impl FnMut(SchoolPly)) {
        match self.phase {
            Phase::Sharks { .. } => {
                cells(self.fish[self.seat.other().index()]).for_each(|cell| visit(SchoolPly::Place(cell)));
            }
            Phase::Keep { school } => {
                let groups = largest_groups(self.fish[school.index()]);
                groups.for_each(|group| visit(SchoolPly::Keep(name(group))));
            }
            Phase::First | Phase::Second { .. } => self.moves(&mut Areas::new()).visit(visit),
        }
    }

    fn place(&mut self) {
        // The steps at the end of a turn are skipped after a placing turn, which does not count either.
        (self.seat, self.phase) = match (self.seat, self.phase) {
            (seat, Phase::Sharks { left: 2 }) => (seat, Phase::Sharks { left: 1 }),
            (Seat::P1, _) => (Seat::P2, Phase::Sharks { left: 2 }),
            _ => (Seat::P1, Phase::First),
        };
    }

    /// Returns the only largest group of a seat's fish; `None` if several are largest.
    fn school(&self, seat: usize) -> Option<u64> {
        if self.are_whole[seat] { Some(self.fish[seat]) } else { largest(self.fish[seat]) }
    }

    fn end_turn(&mut self) {
        let own = self.seat.index();
        match self.school(own) {
            Some(school) => {
                self.fish[own] = school;
                self.end_turn_of_other();
            }
            None => self.phase = Phase::Keep { school: self.seat },
        }
    }

    /// Continues at the end of a turn when the mover's school is whole.
    fn end_turn_of_other(&mut self) {
        let other = self.seat.other();
        match self.school(other.index()) {
            Some(school) => {
                self.fish[other.index()] = school;
                self.settle();
            }
            None => self.phase = Phase::Keep { school: other },
        }
    }

    /// Ends the turn when both schools are whole.
    fn settle(&mut self) {
        // All sharks at once: the order does not matter, because isolated sharks are not next to enemies.
        self.sharks =
            Seat::BOTH.map(|seat| self.sharks[seat.index()] & neighbours(self.animals(seat.other())));
        self.are_whole = [true; 2];
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
                (!self.moves(&mut Areas::new()).is_empty()).then(|| PASS_FAULT.to_owned())
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
            fault_of_swim(self.swims(only(from), &mut Areas::new()).targets(from), self.empty(), from, to)
        } else if neighbours_of(from) & self.animals(self.seat.other()) & only(to) == 0 {
            Some("sharks only move to an adjacent cell that holds an enemy animal".to_owned())
        } else {
            None
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

impl Position for TwoFrenzy {
    type Options = TwoFrenzyOptions;
    type Ply = SchoolPly;

    const HAS_REPETITION: bool = true;
    const NOTATION: &'static str =
        "`Sd7` places a shark; `c2c1` moves a fish or a shark; `keep=a2` chooses a school; `pass`";

    fn start(options: &TwoFrenzyOptions) -> Self {
        Self {
            fish: [0x0000_0000_ffff_ffff, 0xffff_ffff_0000_0000],
            sharks: [0; 2],
            are_whole: [false; 2],
            seat: Seat::P1,
            phase: Phase::Sharks { left: 2 },
            turns: 0,
            max_turns: options.max_turns(),
        }
    }

    fn read(options: &TwoFrenzyOptions, text: &str) -> Result<Self, NotationError> {
        Self::from_notation(options, text)
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

    fn random_ply(&self, dice: &mut Dice, plies: &mut Vec<SchoolPly>) -> Option<SchoolPly> {
        match self.phase {
            _ if self.outcome().is_some() => None,
            Phase::First | Phase::Second { .. } => {
                self.moves(&mut Areas::new()).random(dice).or(Some(SchoolPly::Pass))
            }
            Phase::Sharks { .. } | Phase::Keep { .. } => random_listed(self, dice, plies),
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
                    self.are_whole[own] &= stay_whole_by_swim(self.fish[own], from, to);
                } else {
                    self.sharks[own] ^= only(from) | only(to);
                    if self.fish[other] & only(to) != 0 {
                        self.fish[other] ^= only(to);
                        self.are_whole[other] &= stay_whole(self.fish[other], to);
                    }
                    self.sharks[other] &= !only(to);
                }
                match self.phase {
                    // No condition is checked between the two plies of a turn.
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
        // No condition is checked before the end of a turn.
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

    fn count(&self) -> Option<Vec<u32>> {
        Some(Seat::BOTH.map(|seat| self.animals(seat).count_ones()).to_vec())
    }

    fn horizon(&self, plies: u32) -> u32 {
        // A cap that is out of reach has no effect.
        self.max_turns.saturating_sub(self.turns).min(plies)
    }

    fn read_ply(&self, token: &str) -> Result<SchoolPly, Rejection> {
        let ply = SchoolPly::parse(token).ok_or_else(|| SchoolPly::misspelt(self, token))?;
        self.fault(ply).map_or(Ok(ply), |fault| Err(Rejection::Illegal(fault)))
    }

    fn counts_for_repetition(&self) -> bool {
        self.turn().is_fresh
    }
}
