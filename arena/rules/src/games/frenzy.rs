//! Frenzy: two sharks against a school of fish.

use std::fmt;
use std::hash::{Hash, Hasher};

use crate::games::school::ply::{
    KEEP_FAULT, PASS_FAULT, PLACING_FAULT, fault_of_keep, fault_of_swim, unknown_phase,
};
use crate::games::school::{
    Areas, BOARD, Moves, Swims, cells, enclosed, group, largest, largest_groups, name, named, neighbours,
    neighbours_of, only, stay_whole, stay_whole_by_swim,
};
use crate::position::random_listed;
use crate::{
    Dice, Fields, NotationError, Position, Proof, ProofShape, Reason, Rejection, SchoolOptions, SchoolPly,
    Seat, Turn, Verdict,
};

/// A position of Frenzy.
///
/// ```
/// use rules::{Frenzy, Position, SchoolOptions};
///
/// let text = "8/6s1/8/f1f5/1f1f4/2fs4/f1f5/1f1f4 p1 phase=play n=17";
/// let mut position = Frenzy::read(&SchoolOptions::default(), text)?;
/// position.play("d3c3")?;
/// assert_eq!(position.to_string(), "8/6s1/8/f1f5/1f1f4/2s5/f1f5/1f1f4 p1 phase=keep turn=p1 n=17");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Frenzy {
    fish: u64,
    sharks: u64,
    /// Whether the fish are known to form one group. Then the end of a turn needs no search for others.
    is_whole: bool,
    phase: Phase,
    turns: u32,
    max_turns: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Phase {
    /// The number of sharks that p1 has to place, 1 or 2.
    Sharks { left: u8 },
    /// This seat is about to take its turn.
    Play(Seat),
    /// p1 chooses the group that survives the turn of this seat.
    Keep { turn: Seat },
}

impl Frenzy {
    /// The fish of a full school: those of the start minus those that sharks replace.
    pub const FULL_SCHOOL: u32 = 30;

    /// Returns the cells of the fish: bit `n` is the cell with the number `n` (a1, b1, … h8).
    #[must_use]
    pub const fn fish(&self) -> u64 {
        self.fish
    }

    /// Returns the cells of the sharks.
    #[must_use]
    pub const fn sharks(&self) -> u64 {
        self.sharks
    }

    /// Returns the parts that distinguish positions.
    const fn identity(&self) -> (u64, u64, Phase) {
        (self.fish, self.sharks, self.phase)
    }

    const fn empty(&self) -> u64 {
        !(self.fish | self.sharks)
    }

    /// Returns the moves of these fish.
    fn swims<'a>(&self, movers: u64, areas: &'a mut Areas) -> Swims<'a> {
        Swims::of(movers, self.fish, self.empty(), areas)
    }

    /// Returns the moves of the seat that takes its turn.
    fn moves<'a>(&self, seat: Seat, areas: &'a mut Areas) -> Moves<'a> {
        match seat {
            Seat::P1 => Moves { swims: None, sharks: self.sharks, prey: self.fish },
            _ => Moves { swims: Some(self.swims(self.fish, areas)), sharks: 0, prey: 0 },
        }
    }

    /// Visits all plies except `pass` of a position whose game is not over.
    fn visit_plies(&self, visit: &mut impl FnMut(SchoolPly)) {
        match self.phase {
            Phase::Sharks { .. } => cells(self.fish).for_each(|cell| visit(SchoolPly::Place(cell))),
            Phase::Keep { .. } => {
                largest_groups(self.fish).for_each(|group| visit(SchoolPly::Keep(name(group))));
            }
            Phase::Play(seat) => self.moves(seat, &mut Areas::new()).visit(visit),
        }
    }

    fn place(&mut self) {
        // The steps at the end of a turn are skipped after the placing turn, which does not count either.
        self.phase = match self.phase {
            Phase::Sharks { left: 2 } => Phase::Sharks { left: 1 },
            _ => Phase::Play(Seat::P2),
        };
    }

    fn end_turn(&mut self, turn: Seat) {
        let school = if self.is_whole { Some(self.fish) } else { largest(self.fish) };
        match school {
            Some(school) => self.settle(turn, school),
            None => self.phase = Phase::Keep { turn },
        }
    }

    fn settle(&mut self, turn: Seat, school: u64) {
        self.fish = school;
        self.is_whole = true;
        if turn == Seat::P2 {
            let born = enclosed(self.empty());
            self.fish |= born;
            // A fish may be born with only sharks around it.
            self.is_whole = born == 0 || born & !neighbours(school) == 0;
        }
        self.turns = self.turns.saturating_add(1);
        self.phase = Phase::Play(turn.other());
    }

    /// Returns why a ply is not legal here, or nothing if it is.
    fn fault(&self, ply: SchoolPly) -> Option<String> {
        if let Some(verdict) = self.outcome() {
            return Some(format!("the game is over ({})", verdict.reason));
        }
        match (self.phase, ply) {
            (Phase::Sharks { .. }, SchoolPly::Place(cell)) => self.fault_of_place(cell),
            (Phase::Sharks { .. }, SchoolPly::Pass) if self.fish == 0 => None,
            (Phase::Sharks { .. }, _) => {
                Some("p1 places its sharks first: S and the cell of a fish".to_owned())
            }
            (Phase::Keep { .. }, SchoolPly::Keep(cell)) => fault_of_keep(self.fish, cell),
            (Phase::Keep { .. }, _) => Some("p1 has to choose the group that survives with keep=".to_owned()),
            (Phase::Play(_), SchoolPly::Place(_)) => Some("all sharks have been placed".to_owned()),
            (Phase::Play(_), SchoolPly::Keep(_)) => Some("there is no group to choose now".to_owned()),
            (Phase::Play(Seat::P1), SchoolPly::Move { from, to }) => self.fault_of_shark(from, to),
            (Phase::Play(_), SchoolPly::Move { from, to }) => self.fault_of_fish(from, to),
            // Sharks that cannot eat have lost, so p1 never passes.
            (Phase::Play(Seat::P2), SchoolPly::Pass)
                if self.moves(Seat::P2, &mut Areas::new()).is_empty() =>
            {
                None
            }
            (Phase::Play(_), SchoolPly::Pass) => Some(PASS_FAULT.to_owned()),
        }
    }

    fn fault_of_place(&self, cell: u8) -> Option<String> {
        if self.fish & only(cell) != 0 {
            None
        } else if self.sharks & only(cell) != 0 {
            Some(format!("{} already holds a shark", named(cell)))
        } else {
            Some(format!("no fish on {} to put a shark on", named(cell)))
        }
    }

    fn fault_of_shark(&self, from: u8, to: u8) -> Option<String> {
        if self.fish & only(from) != 0 {
            Some(format!("p1 moves only sharks, and {} holds a fish", named(from)))
        } else if self.sharks & only(from) == 0 {
            Some(format!("no shark of yours on {}", named(from)))
        } else if neighbours_of(from) & self.fish & only(to) == 0 {
            Some("sharks only move to an adjacent cell that holds a fish".to_owned())
        } else {
            None
        }
    }

    fn fault_of_fish(&self, from: u8, to: u8) -> Option<String> {
        if self.fish & only(from) == 0 {
            Some(format!("no fish of yours on {}", named(from)))
        } else {
            fault_of_swim(self.swims(only(from), &mut Areas::new()).targets(from), self.empty(), from, to)
        }
    }
}

impl PartialEq for Frenzy {
    fn eq(&self, other: &Self) -> bool {
        self.identity() == other.identity()
    }
}

impl Eq for Frenzy {}

impl Hash for Frenzy {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.identity().hash(state);
    }
}

impl fmt::Display for Frenzy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        BOARD.write_rows(f, |cell| {
            let cell = only(cell as u8);
            if self.fish & cell != 0 { Some(b'f') } else { (self.sharks & cell != 0).then_some(b's') }
        })?;
        write!(f, " {} ", self.seat())?;
        match self.phase {
            Phase::Sharks { left } => write!(f, "phase=sharks left={left}")?,
            Phase::Play(_) => f.write_str("phase=play")?,
            Phase::Keep { turn } => write!(f, "phase=keep turn={turn}")?,
        }
        write!(f, " n={}", self.turns)
    }
}

impl Position for Frenzy {
    type Options = SchoolOptions;
    type Ply = SchoolPly;

    const HAS_REPETITION: bool = false;
    const NOTATION: &'static str =
        "`Sd4` places a shark; `c2c1` moves a fish or a shark; `keep=a5` chooses a school; `pass`";

    fn start(options: &SchoolOptions) -> Self {
        Self {
            fish: 0x003c_7e7e_7e7e_3c00,
            sharks: 0,
            is_whole: false,
            phase: Phase::Sharks { left: 2 },
            turns: 0,
            max_turns: options.max_turns(),
        }
    }

    fn read(options: &SchoolOptions, text: &str) -> Result<Self, NotationError> {
        let mut fields = Fields::of(text);
        let (mut fish, mut sharks) = (0, 0);
        BOARD.read_rows(fields.rows()?, |cell, letter| {
            let set = match letter {
                b'f' => &mut fish,
                b's' => &mut sharks,
                _ => return false,
            };
            *set |= only(cell as u8);
            true
        })?;
        let seat = fields.seat()?;
        let phase = match fields.value("phase")? {
            "sharks" => match fields.number("left", 2)? {
                0 => return Err(NotationError::new("left", "1 or 2 sharks are left to place")),
                left => Phase::Sharks { left: left as u8 },
            },
            "play" => Phase::Play(seat),
            "keep" => Phase::Keep { turn: fields.seat_value("turn", 2)? },
            other => return Err(unknown_phase(other)),
        };
        let turns = fields.number("n", u32::MAX)?;
        fields.end()?;
        if phase != Phase::Play(seat) && seat == Seat::P2 {
            return Err(NotationError::new("seat", "p1 places the sharks and chooses groups"));
        }
        match phase {
            Phase::Sharks { .. } if turns > 0 => return Err(NotationError::new("n", PLACING_FAULT)),
            Phase::Keep { .. } if largest(fish).is_some() => {
                return Err(NotationError::new("phase", KEEP_FAULT));
            }
            Phase::Sharks { .. } | Phase::Play(_) | Phase::Keep { .. } => {}
        }
        Ok(Self { fish, sharks, is_whole: false, phase, turns, max_turns: options.max_turns() })
    }

    fn seat(&self) -> Seat {
        match self.phase {
            Phase::Sharks { .. } | Phase::Keep { .. } => Seat::P1,
            Phase::Play(seat) => seat,
        }
    }

    fn turn(&self) -> Turn {
        match self.phase {
            Phase::Sharks { left } => Turn { seat: Seat::P1, is_fresh: left == 2 },
            Phase::Play(seat) => Turn { seat, is_fresh: true },
            Phase::Keep { turn } => Turn { seat: turn, is_fresh: false },
        }
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
            Phase::Play(seat) => self.moves(seat, &mut Areas::new()).random(dice).or(Some(SchoolPly::Pass)),
            Phase::Sharks { .. } | Phase::Keep { .. } => random_listed(self, dice, plies),
        }
    }

    fn play_unchecked(&mut self, ply: SchoolPly) {
        let turn = self.turn().seat;
        match ply {
            SchoolPly::Place(cell) => {
                self.fish &= !only(cell);
                self.sharks |= only(cell);
                self.place();
            }
            SchoolPly::Move { from, to } => {
                match turn {
                    Seat::P1 => {
                        self.sharks ^= only(from) | only(to);
                        self.fish &= !only(to);
                        self.is_whole &= stay_whole(self.fish, to);
                    }
                    _ => {
                        self.fish ^= only(from) | only(to);
                        self.is_whole &= stay_whole_by_swim(self.fish, from, to);
                    }
                }
                self.end_turn(turn);
            }
            SchoolPly::Keep(cell) => self.settle(turn, group(self.fish, only(cell))),
            SchoolPly::Pass => match self.phase {
                Phase::Sharks { .. } => self.place(),
                Phase::Play(_) | Phase::Keep { .. } => self.end_turn(turn),
            },
        }
    }

    fn outcome(&self) -> Option<Verdict> {
        match self.phase {
            // No condition is checked before the end of a turn.
            Phase::Sharks { .. } | Phase::Keep { .. } => None,
            Phase::Play(_) if self.fish == 0 => Some(Verdict::win(Seat::P1, Reason::NoFish)),
            Phase::Play(_) if neighbours(self.sharks) & self.fish == 0 => {
                Some(Verdict::win(Seat::P2, Reason::SharksImmobilized))
            }
            Phase::Play(_) => (self.turns >= self.max_turns).then_some(Verdict::draw(Reason::MaxTurns)),
        }
    }

    fn proofs(&self) -> Vec<Proof> {
        let are_stuck = self.outcome().is_some_and(|verdict| verdict.reason == Reason::SharksImmobilized);
        let sharks: Vec<_> = cells(self.sharks).map(named).collect();
        // The end of a game without sharks has no cells to show.
        let is_shown = are_stuck && !sharks.is_empty();
        is_shown
            .then_some(Proof { shape: ProofShape::Stuck, seat: Seat::P1, cells: sharks })
            .into_iter()
            .collect()
    }

    fn count(&self) -> Option<Vec<u32>> {
        let fish = self.fish.count_ones();
        Some(vec![Self::FULL_SCHOOL.saturating_sub(fish), fish])
    }

    fn horizon(&self, plies: u32) -> u32 {
        // A cap that is out of reach has no effect.
        self.max_turns.saturating_sub(self.turns).min(plies)
    }

    fn read_ply(&self, token: &str) -> Result<SchoolPly, Rejection> {
        let ply = SchoolPly::parse(token).ok_or_else(|| SchoolPly::misspelt(self, token))?;
        self.fault(ply).map_or(Ok(ply), |fault| Err(Rejection::Illegal(fault)))
    }
}
