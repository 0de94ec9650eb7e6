//! 2-Frenzy for three and four seats: one school of fish per seat, each with two sharks, two plies per turn.
//!
//! The fish of seats that are out become neutral: they do not move and belong to no school, but fish hop over them and sharks
//! capture them.

mod notation;
pub(crate) mod ring;
pub(crate) mod sea;

use std::hash::{Hash, Hasher};

use arrayvec::ArrayVec;

use crate::games::frenzy_table::ring::Ring;
use crate::games::frenzy_table::sea::{CellSet, Sea, Square};
use crate::games::school::ply::{PASS_FAULT, fault_of_choice, fault_of_target};
use crate::position::random_listed;
use crate::{
    Dice, NotationError, Outcome, Places, Position, Reason, Rejection, SchoolPly, Seat, SeatOut, Turn,
    TwoFrenzyOptions, Verdict,
};

/// A position of 2-Frenzy for three, on the ring of 9x8.
///
/// ```
/// use rules::{Position, Seat, ThreeFrenzy, TwoFrenzyOptions};
///
/// let mut position = ThreeFrenzy::start(&TwoFrenzyOptions::default());
/// for ply in ["Sd7", "Sg7", "Sa2", "Sg2", "Sa7", "Sd2"] {
///     position.play(ply)?;
/// }
/// assert!(position.to_string().ends_with(" p1 phase=play left=2 used=- out=- n=0"));
/// assert_eq!(position.fault(Seat::P1), None, "two are left");
/// assert!(position.to_string().ends_with(" p2 phase=play left=2 used=- out=p1:3 n=0"));
/// # Ok::<(), rules::Rejection>(())
/// ```
pub type ThreeFrenzy = FrenzyTable<Ring, 3, 9>;

/// A position of 2-Frenzy for four, on 8x8.
pub type FourFrenzy = FrenzyTable<Square, 4, 8>;

/// The most animals of one seat that can move: fish and sharks on all cells.
const MOST_ANIMALS: usize = 72;

/// A position of 2-Frenzy for `N` seats on a sea with `FILES` files.
#[derive(Clone, Debug)]
pub struct FrenzyTable<S: Sea, const N: usize, const FILES: u8> {
    /// The fish by seat. Those of seats that are out are neutral.
    fish: [S::Cells; N],
    sharks: [S::Cells; N],
    /// Which schools are known to form one group. Then the end of a turn needs no search for others.
    are_whole: [bool; N],
    /// The places of the seats that are out; 0 for the others.
    places: [u8; N],
    /// Why seats are out, if known.
    reasons: [Option<Reason>; N],
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

/// The animals that can move, each with its target cells.
type Moves<C> = ArrayVec<(u8, C), MOST_ANIMALS>;

impl<S: Sea, const N: usize, const FILES: u8> FrenzyTable<S, N, FILES> {
    /// Returns the cells of a seat's fish, neutral if the seat is out. Bit `n` is the cell with the number `n` (a1, b1, …).
    #[must_use]
    pub fn fish(&self, seat: Seat) -> S::Cells {
        self.fish.get(seat.index()).copied().unwrap_or(S::Cells::NONE)
    }

    /// Returns the cells of a seat's sharks.
    #[must_use]
    pub fn sharks(&self, seat: Seat) -> S::Cells {
        self.sharks.get(seat.index()).copied().unwrap_or(S::Cells::NONE)
    }

    /// Returns the parts that distinguish positions.
    #[expect(clippy::type_complexity, reason = "the fields that count, and nothing else")]
    const fn identity(&self) -> (&[S::Cells; N], &[S::Cells; N], &[u8; N], Seat, Phase) {
        (&self.fish, &self.sharks, &self.places, self.seat, self.phase)
    }

    fn all_fish(&self) -> S::Cells {
        self.fish.iter().fold(S::Cells::NONE, |all, fish| all | *fish)
    }

    fn all_animals(&self) -> S::Cells {
        self.sharks.iter().fold(self.all_fish(), |all, sharks| all | *sharks)
    }

    fn animals(&self, seat: Seat) -> S::Cells {
        self.fish[seat.index()] | self.sharks[seat.index()]
    }

    fn empty(&self) -> S::Cells {
        S::ALL & !self.all_animals()
    }

    /// Returns the fish that the seat may replace by a shark: those of all others.
    fn hosts(&self) -> S::Cells {
        self.all_fish() & !self.fish[self.seat.index()]
    }

    /// Returns the cells that the sharks of a seat can capture: the animals of all others, including neutral fish.
    fn prey(&self, seat: Seat) -> S::Cells {
        self.all_animals() & !self.animals(seat)
    }

    /// Returns the animals that may not move: the one that has moved this turn.
    fn used(&self) -> S::Cells {
        match self.phase {
            Phase::Second { used } => S::Cells::only(used),
            Phase::Sharks { .. } | Phase::First | Phase::Keep { .. } => S::Cells::NONE,
        }
    }

    /// Returns the moves of the seat that takes its turn: those of its fish, from a1 on, then those of its sharks.
    fn moves(&self) -> Moves<S::Cells> {
        let own = self.seat.index();
        let mut moves = Moves::new();
        let mut add = |from, targets: S::Cells| {
            if targets.has_any() {
                moves.push((from, targets));
            }
        };
        S::swims(self.fish[own] & !self.used(), self.all_fish(), self.empty(), &mut add);
        let prey = self.prey(self.seat);
        for from in (self.sharks[own] & !self.used()).cells() {
            add(from, S::neighbours(S::Cells::only(from)) & prey);
        }
        moves
    }

    /// Visits all plies except `pass` of a position whose game is not over.
    fn visit_plies(&self, visit: &mut impl FnMut(SchoolPly<FILES>)) {
        match self.phase {
            Phase::Sharks { .. } => self.hosts().cells().for_each(|cell| visit(SchoolPly::Place(cell))),
            Phase::Keep { school } => {
                let groups = S::largest_groups(self.fish[school.index()]);
                groups.for_each(|group| visit(SchoolPly::Keep(S::name(group))));
            }
            Phase::First | Phase::Second { .. } => {
                for (from, targets) in self.moves() {
                    targets.cells().for_each(|to| visit(SchoolPly::Move { from, to }));
                }
            }
        }
    }

    fn is_in(&self, seat: Seat) -> bool {
        self.places[seat.index()] == 0
    }

    /// Iterates over the seats that are in.
    fn seats_in(&self) -> impl Iterator<Item = Seat> + '_ {
        Seat::all(N).filter(|seat| self.is_in(*seat))
    }

    /// Returns the next seat that is in, in the order of turns.
    fn next_in(&self, seat: Seat) -> Seat {
        let mut next = seat.next(N);
        while next != seat && !self.is_in(next) {
            next = next.next(N);
        }
        next
    }

    /// Ends the placing of the seat that decides.
    fn end_placing(&mut self) {
        // The steps at the end of a turn are skipped after a placing turn, which does not count either.
        let next = self.next_in(self.seat);
        // All lower seats have had their turn to place, so the first seat that is in begins to play.
        self.phase = if next > self.seat { Phase::Sharks { left: 2 } } else { Phase::First };
        self.seat = next;
    }

    /// Continues the end of a turn with this school; the earlier ones are whole.
    fn end_turn(&mut self, from: Seat) {
        let mut school = from;
        loop {
            let index = school.index();
            if self.is_in(school) && !self.are_whole[index] {
                match S::largest(self.fish[index]) {
                    Some(largest) => (self.fish[index], self.are_whole[index]) = (largest, true),
                    None => {
                        self.phase = Phase::Keep { school };
                        return;
                    }
                }
            }
            school = school.next(N);
            if school == self.seat {
                return self.settle();
            }
        }
    }

    /// Ends the turn when all schools are whole.
    fn settle(&mut self) {
        // All sharks at once: the order does not matter, because isolated sharks are not next to enemies.
        let all = self.all_animals();
        for seat in 0..N {
            let others = all & !(self.fish[seat] | self.sharks[seat]);
            self.sharks[seat] &= S::neighbours(others);
        }
        self.turns = self.turns.saturating_add(1);
        self.phase = Phase::First;
        let elimination = self.elimination();
        if !elimination.is_over {
            self.eliminate(&elimination);
        }
        self.seat = self.next_in(self.seat);
    }

    /// Returns why a seat has lost, if it has.
    fn loss(&self, seat: Seat) -> Option<Reason> {
        if !self.fish[seat.index()].has_any() {
            Some(Reason::NoFish)
        } else if !self.sharks[seat.index()].has_any() {
            Some(Reason::NoSharks)
        } else {
            None
        }
    }

    /// Finds the seats that go out now, because they have no fish or no sharks.
    fn elimination(&self) -> Elimination {
        let (mut lost, mut left) = (ArrayVec::new(), 0);
        for seat in self.seats_in() {
            match self.loss(seat) {
                Some(reason) => lost.push((seat, reason)),
                None => left += 1,
            }
        }
        Elimination { lost, left, is_over: left < 2 }
    }

    /// Removes seats from the game: their sharks are removed, and their fish become neutral.
    fn eliminate(&mut self, elimination: &Elimination) {
        for (seat, reason) in &elimination.lost {
            self.take_out(*seat, elimination.left + 1, *reason);
        }
    }

    fn take_out(&mut self, seat: Seat, place: u8, reason: Reason) {
        let index = seat.index();
        self.places[index] = place;
        self.reasons[index] = Some(reason);
        self.sharks[index] = S::Cells::NONE;
    }

    /// Returns the end of the game if these seats go out. The remaining seats share the first place.
    fn end(&self, elimination: &Elimination) -> Verdict {
        let mut places = self.places.map(|place| if place == 0 { 1 } else { place });
        // If all go out at once, they share the first place.
        for (seat, _) in &elimination.lost {
            places[seat.index()] = elimination.left + 1;
        }
        let has_no_fish = elimination.lost.iter().any(|(_, reason)| *reason == Reason::NoFish);
        let reason = match elimination.left {
            0 => Reason::AllLost,
            _ if has_no_fish => Reason::NoFish,
            _ => Reason::NoSharks,
        };
        Self::verdict(&places, reason)
    }

    fn verdict(places: &[u8; N], reason: Reason) -> Verdict {
        // The game has an end even if the position has inconsistent places.
        let places = Places::new(places).unwrap_or_else(|_| Places::shared(N));
        Verdict { outcome: Outcome::Places(places), reason }
    }

    /// Breaks off the unfinished turn of the seat that decides.
    fn break_off(&mut self) {
        match self.phase {
            Phase::Sharks { .. } => self.end_placing(),
            Phase::First | Phase::Second { .. } | Phase::Keep { .. } => {
                self.phase = Phase::First;
                self.seat = self.next_in(self.seat);
            }
        }
    }

    /// Returns why a ply is not legal here, or nothing if it is.
    fn refusal(&self, ply: SchoolPly<FILES>) -> Option<String> {
        if let Some(verdict) = self.outcome() {
            return Some(format!("the game is over ({})", verdict.reason));
        }
        match (self.phase, ply) {
            (Phase::Sharks { .. }, SchoolPly::Place(cell)) => self.fault_of_place(cell),
            (Phase::Sharks { .. }, SchoolPly::Pass) if !self.hosts().has_any() => None,
            (Phase::Sharks { .. }, _) => {
                Some(format!("{} places its sharks first: S and the cell of an enemy fish", self.seat))
            }
            (Phase::Keep { school }, SchoolPly::Keep(cell)) => {
                let groups = S::largest_groups(self.fish[school.index()]);
                fault_of_choice(groups.map(|group| S::named(S::name(group))), S::named(cell))
            }
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
                (!self.moves().is_empty()).then(|| PASS_FAULT.to_owned())
            }
        }
    }

    fn fault_of_place(&self, cell: u8) -> Option<String> {
        let (only, named) = (S::Cells::only(cell), S::named(cell));
        if (self.hosts() & only).has_any() {
            None
        } else if (self.fish[self.seat.index()] & only).has_any() {
            Some(format!("the fish on {named} is your own: sharks are put on enemy fish"))
        } else if (self.all_animals() & only).has_any() {
            Some(format!("{named} already holds a shark"))
        } else {
            Some(format!("no enemy fish on {named} to put a shark on"))
        }
    }

    fn fault_of_move(&self, from: u8, to: u8) -> Option<String> {
        let (mover, target) = (S::Cells::only(from), S::Cells::only(to));
        if !(self.animals(self.seat) & mover).has_any() {
            let is_neutral = self.seats_out().any(|seat| (self.fish[seat.index()] & mover).has_any());
            let whose = if is_neutral { "the fish there is neutral" } else { "no animal of yours" };
            Some(format!("{whose} on {}", S::named(from)))
        } else if (self.used() & mover).has_any() {
            Some("this animal has already moved this turn".to_owned())
        } else if (self.fish[self.seat.index()] & mover).has_any() {
            let mut can_swim = false;
            S::swims(mover, self.all_fish(), self.empty(), |_, targets| {
                can_swim = (targets & target).has_any();
            });
            fault_of_target(can_swim, (self.empty() & target).has_any(), S::named(from), S::named(to))
        } else if !(S::neighbours(mover) & self.prey(self.seat) & target).has_any() {
            Some("sharks only move to an adjacent cell that holds an enemy animal".to_owned())
        } else {
            None
        }
    }

    fn seats_out(&self) -> impl Iterator<Item = Seat> + '_ {
        Seat::all(N).filter(|seat| !self.is_in(*seat))
    }
}

/// The seats that go out at the same time.
struct Elimination {
    /// The seats, each with its reason.
    lost: ArrayVec<(Seat, Reason), { Seat::MOST }>,
    /// The number of seats that stay in.
    left: u8,
    /// Whether these are too few to continue.
    is_over: bool,
}

impl<S: Sea, const N: usize, const FILES: u8> PartialEq for FrenzyTable<S, N, FILES> {
    fn eq(&self, other: &Self) -> bool {
        self.identity() == other.identity()
    }
}

impl<S: Sea, const N: usize, const FILES: u8> Eq for FrenzyTable<S, N, FILES> {}

impl<S: Sea, const N: usize, const FILES: u8> Hash for FrenzyTable<S, N, FILES> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.identity().hash(state);
    }
}

impl<S: Sea, const N: usize, const FILES: u8> Position for FrenzyTable<S, N, FILES> {
    type Options = TwoFrenzyOptions;
    type Ply = SchoolPly<FILES>;

    const HAS_REPETITION: bool = true;
    const NOTATION: &'static str =
        "`Sd7` places a shark; `c2c1` moves a fish or a shark; `keep=a2` chooses a school; `pass`";

    fn start(options: &TwoFrenzyOptions) -> Self {
        Self {
            fish: std::array::from_fn(S::home),
            sharks: [S::Cells::NONE; N],
            are_whole: [false; N],
            places: [0; N],
            reasons: [None; N],
            seat: Seat::P1,
            phase: Phase::Sharks { left: 2 },
            turns: 0,
            max_turns: options.max_turns(),
        }
    }

    fn read(options: &TwoFrenzyOptions, text: &str) -> Result<Self, NotationError> {
        Self::from_notation(options, text)
    }

    fn seats(&self) -> usize {
        N
    }

    fn out(&self) -> Vec<SeatOut> {
        let out = |seat: Seat| SeatOut {
            seat,
            place: self.places[seat.index()],
            reason: self.reasons[seat.index()],
        };
        self.seats_out().map(out).collect()
    }

    fn fault(&mut self, seat: Seat) -> Option<Verdict> {
        let place = self.seats_in().count() as u8;
        let is_broken_off = seat == self.seat && !matches!(self.phase, Phase::Sharks { .. });
        // At the end of a game nothing is removed, so the following state is calculated on a copy.
        let mut after = self.clone();
        after.take_out(seat, place, Reason::Fault);
        let verdict = if place <= 2 {
            Some(after.undecided(Reason::Fault))
        } else if is_broken_off {
            let elimination = after.elimination();
            after.eliminate(&elimination);
            elimination.is_over.then(|| after.end(&elimination))
        } else {
            None
        };
        if verdict.is_none() {
            *self = after;
        }
        match self.phase {
            _ if seat == self.seat => self.break_off(),
            // The school no longer exists, so no group is chosen.
            Phase::Keep { school } if school == seat && verdict.is_none() => self.end_turn(school),
            _ => {}
        }
        verdict
    }

    fn undecided(&self, reason: Reason) -> Verdict {
        Self::verdict(&self.places.map(|place| if place == 0 { 1 } else { place }), reason)
    }

    fn seat(&self) -> Seat {
        self.seat
    }

    fn turn(&self) -> Turn {
        Turn { seat: self.seat, is_fresh: matches!(self.phase, Phase::Sharks { left: 2 } | Phase::First) }
    }

    fn legal_plies(&self, visit: &mut impl FnMut(SchoolPly<FILES>)) {
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

    fn random_ply(&self, dice: &mut Dice, plies: &mut Vec<SchoolPly<FILES>>) -> Option<SchoolPly<FILES>> {
        match self.phase {
            _ if self.outcome().is_some() => None,
            Phase::First | Phase::Second { .. } => {
                let moves = self.moves();
                let count: u32 = moves.iter().map(|(_, targets)| targets.size()).sum();
                let mut place = if count > 0 { dice.below(count as usize) } else { 0 };
                for (from, targets) in moves {
                    match place.checked_sub(targets.size() as usize) {
                        Some(rest) => place = rest,
                        None => return targets.cells().nth(place).map(|to| SchoolPly::Move { from, to }),
                    }
                }
                Some(SchoolPly::Pass)
            }
            Phase::Sharks { .. } | Phase::Keep { .. } => random_listed(self, dice, plies),
        }
    }

    fn play_unchecked(&mut self, ply: SchoolPly<FILES>) {
        let own = self.seat.index();
        match ply {
            SchoolPly::Place(cell) => {
                let cell = S::Cells::only(cell);
                for fish in &mut self.fish {
                    *fish &= !cell;
                }
                self.sharks[own] |= cell;
            }
            SchoolPly::Move { from, to } => {
                let (from, to) = (S::Cells::only(from), S::Cells::only(to));
                if (self.fish[own] & from).has_any() {
                    self.fish[own] ^= from | to;
                    self.are_whole[own] = false;
                } else {
                    for seat in 0..N {
                        if (self.fish[seat] & to).has_any() {
                            self.fish[seat] ^= to;
                            self.are_whole[seat] = false;
                        }
                        self.sharks[seat] &= !to;
                    }
                    self.sharks[own] ^= from | to;
                }
            }
            SchoolPly::Keep(cell) => {
                if let Phase::Keep { school } = self.phase {
                    let index = school.index();
                    self.fish[index] = S::group(self.fish[index], S::Cells::only(cell));
                    self.are_whole[index] = true;
                }
            }
            SchoolPly::Pass => {}
        }
        match (self.phase, ply) {
            (Phase::Sharks { left: 2 }, _) => self.phase = Phase::Sharks { left: 1 },
            (Phase::Sharks { .. }, _) => self.end_placing(),
            // No condition is checked between the two plies of a turn.
            (Phase::First, SchoolPly::Move { to, .. }) => self.phase = Phase::Second { used: to },
            (Phase::First | Phase::Second { .. }, _) => self.end_turn(self.seat),
            (Phase::Keep { school }, _) => self.end_turn(school),
        }
    }

    fn outcome(&self) -> Option<Verdict> {
        // No condition is checked before the end of a turn.
        if self.phase != Phase::First {
            return None;
        }
        let elimination = self.elimination();
        if elimination.is_over {
            return Some(self.end(&elimination));
        }
        (self.turns >= self.max_turns).then(|| self.undecided(Reason::MaxTurns))
    }

    fn count(&self) -> Option<Vec<u32>> {
        let count = |seat| if self.is_in(seat) { self.animals(seat).size() } else { 0 };
        Some(Seat::all(N).map(count).collect())
    }

    fn horizon(&self, plies: u32) -> u32 {
        // A cap that is out of reach has no effect.
        self.max_turns.saturating_sub(self.turns).min(plies)
    }

    fn read_ply(&self, token: &str) -> Result<SchoolPly<FILES>, Rejection> {
        let ply = SchoolPly::parse(token).ok_or_else(|| SchoolPly::misspelt(self, token))?;
        self.refusal(ply).map_or(Ok(ply), |why| Err(Rejection::Illegal(why)))
    }

    fn counts_for_repetition(&self) -> bool {
        self.turn().is_fresh
    }
}
