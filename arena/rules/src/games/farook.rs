//! Farook: 4x4, six stones per seat and two wild ones; four in a row, a square or the corners win.
//!
//! The rules are those of the page `farook` in `protocol-spec/games/`. This module keeps no history: the ban on moving the same
//! stone twice and KO are part of the position.

mod geometry;
mod notation;
mod options;
mod ply;

use std::hash::{Hash, Hasher};

use crate::notation::spelling::misspelt;
use crate::{Cell, NotationError, Position, Proof, Reason, Rejection, Seat, Verdict};

use geometry::{BOARD, JUMPS, NEIGHBOURS, PATTERNS, each, has_pattern};
use ply::Way;

pub use options::{FarookOptions, Wilds};
pub use ply::FarookPly;

/// The index of the wild stones, after those of the seats.
const WILD: usize = 2;

/// The number of stones: of `p1`, of `p2`, wild.
const MOST: [u8; 3] = [6, 6, 2];

/// How plies are spelled, for error messages.
const FORMS: &str = "c4 drops an own stone, Wc4 a wild one, a2a1 steps or jumps";

const TOO_EARLY: &str = "wild stones may be used only once a seat has dropped all its stones";

/// A position of Farook.
#[derive(Clone, Copy, Debug)]
pub struct Farook {
    options: FarookOptions,
    /// The cells of the stones of `p1`, of `p2`, and of the wild ones.
    stones: [u16; 3],
    /// The stones not dropped yet, in the same order.
    stock: [u8; 3],
    /// For each seat the cell of the stone that it moved on its previous turn, or none.
    last: [u16; 2],
    /// The cell that the opponent's wild stone just left, if its last ply was a wild step. That stone is on the opponent's
    /// `last`.
    ko: u16,
    seat: Seat,
    n: u32,
}

impl Farook {
    /// Returns the cells of a seat's stones: bit `n` is the cell with the number `n` (a1, b1, … d4).
    #[must_use]
    pub const fn stones(&self, seat: Seat) -> u16 {
        self.stones[seat.index()]
    }

    /// Returns the cells of the wild stones.
    #[must_use]
    pub const fn wild_stones(&self) -> u16 {
        self.stones[WILD]
    }

    fn empty(&self) -> u16 {
        !(self.stones[0] | self.stones[1] | self.stones[WILD])
    }

    /// Returns whether a seat has dropped all its stones. Wild stones then count in patterns.
    const fn has_emptied_stock(&self) -> bool {
        self.stock[0] == 0 || self.stock[1] == 0
    }

    /// Returns the stones that count in the patterns of a seat.
    const fn counting(&self, seat: Seat) -> u16 {
        let wild = if self.has_emptied_stock() { self.stones[WILD] } else { 0 };
        self.stones[seat.index()] | wild
    }

    fn may_use_wild(&self) -> bool {
        self.options.wilds == Wilds::Pattern || self.has_emptied_stock()
    }

    /// Returns the cells to which the wild stone on `from` may not step.
    fn forbidden(&self, from: u8) -> u16 {
        if self.last[self.seat.other().index()] == 1 << from { self.ko } else { 0 }
    }

    /// Checks whether a well-spelled ply is legal here, and says why not.
    fn check(&self, ply: FarookPly) -> Result<(), Rejection> {
        if let Some(verdict) = self.outcome() {
            return illegal(format!("the game is over ({})", verdict.reason));
        }
        match ply {
            FarookPly::Drop { .. } if self.stock[self.seat.index()] == 0 => {
                illegal("you have no stone left to drop")
            }
            FarookPly::DropWild { .. } if !self.may_use_wild() => illegal(TOO_EARLY),
            FarookPly::DropWild { .. } if self.stock[WILD] == 0 => illegal("no wild stone is left to drop"),
            FarookPly::Drop { cell } | FarookPly::DropWild { cell } => self.check_empty(cell),
            FarookPly::Move { from, to } => self.check_move(from, to),
            FarookPly::Pass if self.is_legal(ply) => Ok(()),
            FarookPly::Pass => illegal("pass is legal only when there is no other ply"),
        }
    }

    fn check_empty(&self, cell: u8) -> Result<(), Rejection> {
        if self.empty() & 1 << cell != 0 { Ok(()) } else { illegal(format!("{} is not empty", name(cell))) }
    }

    fn check_move(&self, from: u8, to: u8) -> Result<(), Rejection> {
        let Some(way) = Way::between(from, to) else {
            let fault = format!("{} is neither a step nor a jump away from {}", name(to), name(from));
            return Err(Rejection::NotAPly(fault));
        };
        let stone = 1 << from;
        let is_wild = self.stones[WILD] & stone != 0;
        if !is_wild && self.stones[self.seat.index()] & stone == 0 {
            return illegal(format!("no own stone on {}", name(from)));
        }
        if is_wild && matches!(way, Way::Jump(_)) {
            return illegal("a wild stone cannot jump");
        }
        if is_wild && !self.may_use_wild() {
            return illegal(TOO_EARLY);
        }
        if self.last[self.seat.index()] == stone {
            return illegal("this stone was moved on your previous turn");
        }
        self.check_empty(to)?;
        match way {
            Way::Jump(jump) if self.empty() & jump.over != 0 => {
                illegal(format!("no stone on {} to jump over", name(jump.over.trailing_zeros() as u8)))
            }
            Way::Step if self.forbidden(from) == 1 << to => {
                illegal("this step undoes the opponent's wild step (ko)")
            }
            Way::Jump(_) | Way::Step => Ok(()),
        }
    }

    /// Returns the parts that distinguish positions: all except the counter and the options.
    const fn identity(&self) -> ([u16; 3], [u8; 3], [u16; 2], u16, Seat) {
        (self.stones, self.stock, self.last, self.ko, self.seat)
    }
}

impl Position for Farook {
    type Options = FarookOptions;
    type Ply = FarookPly;

    const HAS_REPETITION: bool = false;
    const NOTATION: &'static str = "`c4` drops a stone, `Wc4` a wild one; `a2a1` steps, `a4c4` jumps; `pass`";

    fn start(options: &FarookOptions) -> Self {
        Self { options: *options, stones: [0; 3], stock: MOST, last: [0; 2], ko: 0, seat: Seat::P1, n: 0 }
    }

    fn read(options: &FarookOptions, text: &str) -> Result<Self, NotationError> {
        notation::read(options, text)
    }

    fn seat(&self) -> Seat {
        self.seat
    }

    fn legal_plies(&self, visit: &mut impl FnMut(FarookPly)) {
        if self.outcome().is_some() {
            return;
        }
        let me = self.seat.index();
        let empty = self.empty();
        let mut is_stuck = true;
        let mut found = |ply| {
            is_stuck = false;
            visit(ply);
        };
        if self.stock[me] > 0 {
            each(empty).for_each(|cell| found(FarookPly::Drop { cell }));
        }
        for from in each(self.stones[me] & !self.last[me]) {
            let index = usize::from(from);
            each(NEIGHBOURS[index] & empty).for_each(|to| found(FarookPly::Move { from, to }));
            for jump in JUMPS[index] {
                if empty & jump.over == 0 && empty & 1 << jump.to != 0 {
                    found(FarookPly::Move { from, to: jump.to });
                }
            }
        }
        if self.may_use_wild() {
            if self.stock[WILD] > 0 {
                each(empty).for_each(|cell| found(FarookPly::DropWild { cell }));
            }
            for from in each(self.stones[WILD] & !self.last[me]) {
                let free = NEIGHBOURS[usize::from(from)] & empty & !self.forbidden(from);
                each(free).for_each(|to| found(FarookPly::Move { from, to }));
            }
        }
        if is_stuck {
            visit(FarookPly::Pass);
        }
    }

    // If the kind of ply is known, as in perft, the compiler removes most of this.
    #[inline(always)]
    fn play_unchecked(&mut self, ply: FarookPly) {
        let me = self.seat.index();
        self.last[me] = 0;
        self.ko = 0;
        match ply {
            FarookPly::Drop { cell } => {
                self.stones[me] |= 1 << cell;
                self.stock[me] -= 1;
            }
            FarookPly::DropWild { cell } => {
                self.stones[WILD] |= 1 << cell;
                self.stock[WILD] -= 1;
            }
            FarookPly::Move { from, to } => {
                let (stone, target) = (1 << from, 1 << to);
                self.last[me] = target;
                if self.stones[WILD] & stone != 0 {
                    self.stones[WILD] ^= stone | target;
                    self.ko = stone;
                    // The opponent's ban concerns the stone, not the cell.
                    let other = &mut self.last[self.seat.other().index()];
                    if *other == stone {
                        *other = target;
                    }
                } else {
                    self.stones[me] ^= stone | target;
                }
            }
            FarookPly::Pass => {}
        }
        self.seat = self.seat.other();
        self.n += 1;
    }

    fn outcome(&self) -> Option<Verdict> {
        match Seat::BOTH.map(|seat| has_pattern(self.counting(seat))) {
            [true, true] => Some(Verdict::draw(Reason::BothPatterns)),
            [true, false] => Some(Verdict::win(Seat::P1, Reason::Pattern)),
            [false, true] => Some(Verdict::win(Seat::P2, Reason::Pattern)),
            [false, false] if self.n >= self.options.max_moves => Some(Verdict::draw(Reason::MaxMoves)),
            [false, false] => None,
        }
    }

    fn proofs(&self) -> Vec<Proof> {
        let of = |seat: Seat| {
            let stones = self.counting(seat);
            let made = PATTERNS.iter().filter(move |(_, pattern)| stones & pattern == *pattern);
            made.map(move |(shape, pattern)| Proof {
                shape: *shape,
                seat,
                cells: each(*pattern).map(name).collect(),
            })
        };
        Seat::BOTH.into_iter().flat_map(of).collect()
    }

    fn horizon(&self, _plies: u32) -> u32 {
        self.n
    }

    fn read_ply(&self, token: &str) -> Result<FarookPly, Rejection> {
        let ply = FarookPly::parse(token).ok_or_else(|| misspelt(self, token, FORMS))?;
        self.check(ply)?;
        Ok(ply)
    }
}

impl PartialEq for Farook {
    fn eq(&self, other: &Self) -> bool {
        self.identity() == other.identity()
    }
}

impl Eq for Farook {}

impl Hash for Farook {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.identity().hash(state);
    }
}

fn name(cell: u8) -> Cell {
    BOARD.cell(cell.into())
}

fn illegal(reason: impl Into<String>) -> Result<(), Rejection> {
    Err(Rejection::Illegal(reason.into()))
}
