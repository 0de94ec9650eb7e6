//! Convention A: rectangles of enemy discs and their walls.

use std::fmt;

use crate::Cell;
use crate::games::faust::Perimeter;
use crate::games::faust::grid::{Colour, Grid, files};
use crate::games::faust::ply::Block;

/// A side of a rectangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Below,
    Above,
    Left,
    Right,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Below => "below",
            Self::Above => "above",
            Self::Left => "on the left",
            Self::Right => "on the right",
        })
    }
}

/// Why a rectangle may not be flipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flaw {
    /// A cell of the rectangle is empty.
    Empty(Cell),
    /// A cell of the rectangle holds an own disc.
    Own(Cell),
    /// A cell of the wall is empty.
    Hole(Side, Cell),
    /// The wall holds discs of both colours.
    Mixed(Side),
    /// The mover's walls (first) are not longer than the enemy's (second).
    Minority(usize, usize),
    /// A larger rectangle qualifies.
    Contained(Block),
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty(cell) => write!(f, "{cell} in the rectangle is empty"),
            Self::Own(cell) => write!(f, "{cell} in the rectangle holds an own disc"),
            Self::Hole(side, cell) => write!(f, "{cell} in the wall {side} is empty"),
            Self::Mixed(side) => write!(f, "the wall {side} holds discs of both colours"),
            Self::Minority(own, enemy) => {
                write!(f, "own walls count {own} and the enemy's {enemy}: no majority")
            }
            Self::Contained(block) => write!(f, "contained in the larger rectangle {block}"),
        }
    }
}

impl Grid {
    /// Returns why `mover` may not flip the rectangle.
    pub(super) fn flaw(&self, block: Block, mover: Colour, perimeter: Perimeter) -> Option<Flaw> {
        self.flaw_alone(block, mover, perimeter)
            .or_else(|| self.container(block, mover, perimeter).map(Flaw::Contained))
    }

    /// Returns a largest rectangle that qualifies for `mover` and properly contains the block of enemy discs.
    fn container(&self, block: Block, mover: Colour, perimeter: Perimeter) -> Option<Block> {
        let mut largest = None;
        while let Some(larger) = self.larger(largest.unwrap_or(block), mover, perimeter) {
            largest = Some(larger);
        }
        largest
    }

    /// Returns some rectangle that qualifies for `mover` and properly contains the block of enemy discs.
    pub(super) fn larger(&self, block: Block, mover: Colour, perimeter: Perimeter) -> Option<Block> {
        let enemy = |rank| self.rank(mover.other(), rank);
        let mut below = (block.bottom()..=block.top()).fold(!0, |body, rank| body & enemy(rank));
        for bottom in (0..=block.bottom()).rev() {
            below &= enemy(bottom);
            if below & block.files() != block.files() {
                break;
            }
            let mut body = below;
            for top in block.top()..self.size() {
                body &= enemy(top);
                if body & block.files() != block.files() {
                    break;
                }
                let gaps = !body & ((1 << block.left()) - 1);
                let leftmost = (u32::BITS - gaps.leading_zeros()) as usize;
                let rightmost = block.right() + (body >> (block.right() + 1)).trailing_ones() as usize;
                for left in leftmost..=block.left() {
                    for right in block.right()..=rightmost {
                        let low = Cell { file: left as u8, rank: bottom as u8 };
                        let larger = Block::of(low, right + 1 - left, top + 1 - bottom);
                        if larger != block
                            && self.balance(larger, mover, perimeter).is_ok_and(Balance::is_won)
                        {
                            return Some(larger);
                        }
                    }
                }
            }
        }
        None
    }

    /// Returns the first flaw of the rectangle itself, ignoring those that contain it.
    fn flaw_alone(&self, block: Block, mover: Colour, perimeter: Perimeter) -> Option<Flaw> {
        for rank in block.bottom()..=block.top() {
            if let Some(file) = files(block.files() & !self.rank(mover.other(), rank)).next() {
                let cell = Cell { file: file as u8, rank: rank as u8 };
                let is_own = self.rank(mover, rank) >> file & 1 == 1;
                return Some(if is_own { Flaw::Own(cell) } else { Flaw::Empty(cell) });
            }
        }
        match self.balance(block, mover, perimeter) {
            Ok(balance) if balance.is_won() => None,
            Ok(Balance { own, enemy }) => Some(Flaw::Minority(own, enemy)),
            Err(flaw) => Some(flaw),
        }
    }

    /// Measures the walls of a rectangle.
    fn balance(&self, block: Block, mover: Colour, perimeter: Perimeter) -> Result<Balance, Flaw> {
        let pairs = [(Side::Below, Side::Above, block.width()), (Side::Left, Side::Right, block.height())];
        let mut balance = Balance { own: 0, enemy: 0 };
        for (one, other, length) in pairs {
            let (one, other) = (self.wall(block, one)?, self.wall(block, other)?);
            for colour in [one.or(other), other.or(one)].into_iter().flatten() {
                let count = if colour == mover { &mut balance.own } else { &mut balance.enemy };
                *count += match perimeter {
                    Perimeter::Cells => length,
                    Perimeter::Walls => 1,
                };
            }
        }
        Ok(balance)
    }

    /// Returns the colour of a wall; `None` if it is off the board.
    fn wall(&self, block: Block, side: Side) -> Result<Option<Colour>, Flaw> {
        let (bottom, top, files_of_wall) = match side {
            Side::Below if block.bottom() == 0 => return Ok(None),
            Side::Above if block.top() + 1 == self.size() => return Ok(None),
            Side::Left if block.left() == 0 => return Ok(None),
            Side::Right if block.right() + 1 == self.size() => return Ok(None),
            Side::Below => (block.bottom() - 1, block.bottom() - 1, block.files()),
            Side::Above => (block.top() + 1, block.top() + 1, block.files()),
            Side::Left => (block.bottom(), block.top(), 1 << (block.left() - 1)),
            Side::Right => (block.bottom(), block.top(), 1 << (block.right() + 1)),
        };
        let mut colours = [true; 2];
        for rank in bottom..=top {
            let discs = [self.rank(Colour::Black, rank), self.rank(Colour::White, rank)];
            if let Some(file) = files(files_of_wall & !(discs[0] | discs[1])).next() {
                return Err(Flaw::Hole(side, Cell { file: file as u8, rank: rank as u8 }));
            }
            for (is_whole, discs) in colours.iter_mut().zip(discs) {
                *is_whole &= discs & files_of_wall == files_of_wall;
            }
        }
        match colours {
            [true, _] => Ok(Some(Colour::Black)),
            [_, true] => Ok(Some(Colour::White)),
            _ => Err(Flaw::Mixed(side)),
        }
    }
}

/// The lengths of the walls of each side.
#[derive(Clone, Copy)]
struct Balance {
    own: usize,
    enemy: usize,
}

impl Balance {
    const fn is_won(self) -> bool {
        self.own > self.enemy
    }
}
