//! Sophia: two-sided stones on a square board. One seat wants a line of light stones, the other a line of dark ones, whoever
//! owns them.
//!
//! The rules are those of the page `sophia` in `protocol-spec/games/`. This module does not handle repetition; the referee
//! does.

mod geometry;
mod notation;
mod options;
mod ply;
#[cfg(test)]
mod tests;

use std::hash::{Hash, Hasher};

use crate::notation::spelling::misspelt;
use crate::{Cell, NotationError, Position, Proof, ProofShape, Reason, Rejection, Seat, Verdict};

use geometry::{
    Cells, GRID, MOST_SMALL, Way, board, for_each, for_each_line, for_each_move, for_each_whole_line,
    has_line, is_diagonal, jumps,
};

pub use geometry::Directions;
pub use options::{BothLines, DropSide, SophiaOptions};
pub use ply::{Side, SophiaPly};

/// How plies are spelled, for error messages.
const FORMS: &str = "Lb2 drops a stone light side up, Db2 dark side up, a1b1 steps or jumps";

/// A position of Sophia.
#[derive(Clone, Copy, Debug)]
pub struct Sophia {
    options: SophiaOptions,
    /// The cells of the stones of the sets A and B.
    sets: [u128; 2],
    /// The cells of the stones of both sets whose light side is up.
    light: u128,
    /// The stones of the sets A and B not dropped yet.
    stock: [u8; 2],
    /// Whether `p1` plays the set B.
    is_swapped: bool,
    seat: Seat,
    n: u32,
}

impl Sophia {
    /// Returns the cells of all stones, whoever owns them, that show the side this seat needs. Bit `10 * rank + file` is the
    /// cell on this rank and file, both from 0.
    #[must_use]
    pub fn goal_stones(&self, seat: Seat) -> u128 {
        if seat == self.light_seat() { self.light } else { self.stones() & !self.light }
    }

    /// Returns how many adjacent stones of one side make a line.
    #[must_use]
    pub const fn line_length(&self) -> u32 {
        self.options.line() as u32
    }

    /// Visits every set of cells that forms a winning line of the shortest length.
    pub fn for_each_line(&self, visit: impl FnMut(u128)) {
        for_each_line(board(self.options.size()), self.options.line(), self.options.lines, visit);
    }

    fn stones(&self) -> u128 {
        self.sets[0] | self.sets[1]
    }

    fn empty(&self) -> u128 {
        board(self.options.size()) & !self.stones()
    }

    /// Returns the set of the seat to decide: 0 is A, whose goal is light, 1 is B.
    fn set(&self) -> usize {
        self.seat.index() ^ usize::from(self.is_swapped)
    }

    /// Returns the seat that plays the set A: its goal is light.
    const fn light_seat(&self) -> Seat {
        if self.is_swapped { Seat::P2 } else { Seat::P1 }
    }

    /// Returns whether 64-bit masks are large enough for the board.
    const fn is_small(&self) -> bool {
        self.options.size() <= MOST_SMALL
    }

    /// Returns whether there is a line of light stones, and whether there is one of dark stones.
    fn lines<C: Cells>(&self) -> (bool, bool) {
        let has_line = |cells| has_line(C::of(cells), self.options.line(), self.options.lines);
        (has_line(self.light), has_line(self.stones() & !self.light))
    }

    fn visit_plies<C: Cells>(&self, visit: &mut impl FnMut(SophiaPly)) {
        if self.n >= self.options.max_moves || self.lines::<C>() != (false, false) {
            return;
        }
        let mut is_stuck = true;
        let mut found = |ply| {
            is_stuck = false;
            visit(ply);
        };
        if self.may_swap() {
            found(SophiaPly::Swap);
        }
        let empty = C::of(self.empty());
        if self.stock[self.set()] > 0 {
            for side in [Side::Light, Side::Dark] {
                if self.may_show(side) {
                    for_each(empty, |cell| found(SophiaPly::Drop { side, cell }));
                }
            }
        } else {
            let (own, taken) = (C::of(self.sets[self.set()]), C::of(self.stones()));
            for_each_move(own, taken, empty, self.options.moves, &mut |from, distance| {
                found(SophiaPly::Move { from, to: from.wrapping_add_signed(distance) });
            });
        }
        if is_stuck {
            visit(SophiaPly::Pass);
        }
    }

    #[inline(never)]
    fn play_on_large(&mut self, ply: SophiaPly) {
        self.play_on::<u128>(ply);
    }

    // If the kind of ply is known, as in perft, the compiler removes most of this.
    #[inline(always)]
    fn play_on<C: Cells>(&mut self, ply: SophiaPly) {
        let set = self.set();
        match ply {
            SophiaPly::Drop { side, cell } => {
                let cell = C::repeat(1, cell).into();
                self.sets[set] |= cell;
                self.stock[set] -= 1;
                match side {
                    Side::Light => self.light |= cell,
                    Side::Dark => {}
                }
            }
            SophiaPly::Move { from, to } => {
                self.sets[set] ^= (C::repeat(1, from) | C::repeat(1, to)).into();
                // Without branches, because the side and the kind of move are unpredictable.
                let (light, over) = (C::of(self.light).has(from), from.midpoint(to));
                let path = C::repeat(light, from) | C::repeat(light, to);
                self.light ^= (path | C::repeat(jumps(from, to), over)).into();
            }
            SophiaPly::Swap => self.is_swapped = !self.is_swapped,
            SophiaPly::Pass => {}
        }
        self.seat = self.seat.other();
        self.n += 1;
    }

    fn may_swap(&self) -> bool {
        self.options.swap && self.n == 1 && !self.is_swapped
    }

    /// Returns whether the rule on sides lets the seat to decide drop a stone with this side up.
    fn may_show(&self, side: Side) -> bool {
        match self.options.drop {
            DropSide::Any => true,
            DropSide::Goal => (side == Side::Light) == (self.seat == self.light_seat()),
        }
    }

    /// Checks whether a well-spelled ply is legal here, and says why not.
    fn check(&self, ply: SophiaPly) -> Result<(), Rejection> {
        if let Some(verdict) = self.outcome() {
            return illegal(format!("the game is over ({})", verdict.reason));
        }
        match ply {
            SophiaPly::Drop { side, cell } => self.check_drop(side, cell),
            SophiaPly::Move { from, to } => self.check_move(from, to),
            SophiaPly::Swap if !self.options.swap => illegal("swap is off in this game"),
            SophiaPly::Swap if !self.may_swap() => {
                illegal("swap is legal only as the second ply of the game")
            }
            SophiaPly::Swap => Ok(()),
            SophiaPly::Pass if self.is_legal(ply) => Ok(()),
            SophiaPly::Pass => illegal("pass is legal only when there is no other ply"),
        }
    }

    fn check_drop(&self, side: Side, cell: u8) -> Result<(), Rejection> {
        if self.stock[self.set()] == 0 {
            return illegal("you have no stone left to drop");
        }
        if !self.may_show(side) {
            return illegal("only the side of your own goal may be up when you drop a stone");
        }
        self.check_empty(cell)
    }

    fn check_move(&self, from: u8, to: u8) -> Result<(), Rejection> {
        let Some(way) = Way::between(from, to) else {
            let fault = format!("{} is neither a step nor a jump away from {}", name(to), name(from));
            return Err(Rejection::NotAPly(fault));
        };
        if self.stock[self.set()] > 0 {
            return illegal("stones move only after you have dropped all of yours");
        }
        if self.sets[self.set()] & 1 << from == 0 {
            return illegal(format!("no own stone on {}", name(from)));
        }
        self.check_empty(to)?;
        if self.options.moves == Directions::Orthogonal && is_diagonal(from, to) {
            return illegal("stones do not move diagonally in this game");
        }
        match way {
            Way::Jump { over } if self.stones() & 1 << over == 0 => {
                illegal(format!("no stone on {} to jump over", name(over)))
            }
            Way::Jump { .. } | Way::Step => Ok(()),
        }
    }

    fn check_empty(&self, cell: u8) -> Result<(), Rejection> {
        if self.empty() & 1 << cell != 0 { Ok(()) } else { illegal(format!("{} is not empty", name(cell))) }
    }

    /// Returns the parts that distinguish positions: all except the counter and the options.
    const fn identity(&self) -> ([u128; 2], u128, [u8; 2], bool, Seat) {
        (self.sets, self.light, self.stock, self.is_swapped, self.seat)
    }
}

impl Position for Sophia {
    type Options = SophiaOptions;
    type Ply = SophiaPly;

    const HAS_REPETITION: bool = true;
    const NOTATION: &'static str =
        "`Lb2` drops a stone light side up, `Db2` dark side up; `a1b1` steps, `a1c1` jumps; `swap`; `pass`";

    fn start(options: &SophiaOptions) -> Self {
        let stock = [options.stones(); 2];
        Self { options: *options, sets: [0; 2], light: 0, stock, is_swapped: false, seat: Seat::P1, n: 0 }
    }

    fn read(options: &SophiaOptions, text: &str) -> Result<Self, NotationError> {
        notation::read(options, text)
    }

    fn seat(&self) -> Seat {
        self.seat
    }

    fn legal_plies(&self, visit: &mut impl FnMut(SophiaPly)) {
        if self.is_small() { self.visit_plies::<u64>(visit) } else { self.visit_plies::<u128>(visit) }
    }

    #[inline(always)]
    fn play_unchecked(&mut self, ply: SophiaPly) {
        if self.is_small() { self.play_on::<u64>(ply) } else { self.play_on_large(ply) }
    }

    fn outcome(&self) -> Option<Verdict> {
        let lines = if self.is_small() { self.lines::<u64>() } else { self.lines::<u128>() };
        let options = &self.options;
        match lines {
            (true, false) => Some(Verdict::win(self.light_seat(), Reason::Line)),
            (false, true) => Some(Verdict::win(self.light_seat().other(), Reason::Line)),
            // Only a jump can do this, and the seat that is not to move has made it.
            (true, true) => Some(match options.both {
                BothLines::Jumper => Verdict::win(self.seat.other(), Reason::BothLines),
                BothLines::Opponent => Verdict::win(self.seat, Reason::BothLines),
            }),
            (false, false) if self.n >= options.max_moves => Some(Verdict::draw(Reason::MaxMoves)),
            (false, false) => None,
        }
    }

    fn proofs(&self) -> Vec<Proof> {
        let winner = self.outcome().and_then(|verdict| verdict.outcome.winner());
        let mut proofs = Vec::new();
        for seat in winner.into_iter().flat_map(|seat| [seat, seat.other()]) {
            let (stones, options) = (self.goal_stones(seat), &self.options);
            for_each_whole_line(stones, options.line(), options.lines, |line| {
                proofs.push(Proof {
                    shape: ProofShape::Row,
                    seat,
                    cells: line.iter().copied().map(name).collect(),
                });
            });
        }
        proofs
    }

    fn horizon(&self, _plies: u32) -> u32 {
        self.n
    }

    fn read_ply(&self, token: &str) -> Result<SophiaPly, Rejection> {
        let ply = SophiaPly::parse(token, &self.options).ok_or_else(|| misspelt(self, token, FORMS))?;
        self.check(ply)?;
        Ok(ply)
    }
}

impl PartialEq for Sophia {
    fn eq(&self, other: &Self) -> bool {
        self.identity() == other.identity()
    }
}

impl Eq for Sophia {}

impl Hash for Sophia {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.identity().hash(state);
    }
}

fn name(cell: u8) -> Cell {
    GRID.cell(cell.into())
}

fn illegal(reason: impl Into<String>) -> Result<(), Rejection> {
    Err(Rejection::Illegal(reason.into()))
}
