//! A chain of captures under construction: one stone, leg after leg.

use std::fmt::Write as _;

use crate::games::fanorona::lines::{Lines, bits};
use crate::games::fanorona::ply::{Capture, FanoronaPly, Leg};

/// A stone that is capturing, and what it may still capture.
#[derive(Clone, Copy)]
pub(super) struct Chain {
    ply: FanoronaPly,
    /// The current point of the stone.
    at: usize,
    /// The other stones of its side.
    own: u64,
    enemy: u64,
    /// The points visited, including the start and the current one.
    visited: u64,
    /// The next point in the direction of the last leg, which the stone may not enter.
    barred: u64,
}

impl Chain {
    /// Returns the chain without legs for the stone on `from`.
    pub(super) fn start(lines: &Lines, from: usize, own: u64, enemy: u64) -> Self {
        let (ply, start) = (FanoronaPly::stay(lines.board, from), 1 << from);
        Self { ply, at: from, own: own & !start, enemy, visited: start, barred: 0 }
    }

    /// Returns the ply so far.
    pub(super) const fn ply(&self) -> FanoronaPly {
        self.ply
    }

    /// Visits every chain that begins with this one and is longer.
    pub(super) fn extensions(&self, lines: &Lines, visit: &mut impl FnMut(FanoronaPly)) {
        let free = lines.neighbours(self.at) & !(self.own | self.enemy | self.visited | self.barred);
        for to in bits(free) {
            self.extensions_by(lines, lines.direction_of_neighbours(self.at, to), to, visit);
        }
    }

    /// Visits those [`Chain::extensions`] whose next leg runs in this direction to this free neighbour. Inlined, so that one
    /// call serves a leg, and the many neighbours without a capture cost nothing.
    #[inline(always)]
    pub(super) fn extensions_by(
        &self,
        lines: &Lines,
        direction: usize,
        to: usize,
        visit: &mut impl FnMut(FanoronaPly),
    ) {
        let rows = lines.rows(self.at, to, direction, self.enemy);
        for (capture, captured) in [Capture::Approach, Capture::Withdrawal].into_iter().zip(rows) {
            if captured != 0 {
                let longer = self.then(lines, Leg { direction, capture }, to, captured);
                visit(longer.ply);
                longer.extensions(lines, visit);
            }
        }
    }

    /// Returns the chain with one more leg, if it is legal.
    ///
    /// # Errors
    /// If the leg is not legal. The error gives the reason, as a fragment.
    pub(super) fn leg(&self, lines: &Lines, to: usize, capture: Capture) -> Result<Self, String> {
        let (from, point) = (self.at, 1 << to);
        let (from_cell, to_cell) = (lines.board.cell(from), lines.board.cell(to));
        let Some(direction) = lines.direction(from, to) else {
            return Err(format!("no line joins {from_cell} and {to_cell}"));
        };
        if self.visited & point != 0 {
            return Err(format!("{to_cell} was visited before"));
        }
        if (self.own | self.enemy) & point != 0 {
            return Err(format!("{to_cell} is occupied"));
        }
        if self.barred & point != 0 {
            return Err("the stone moves twice running in the same direction".to_owned());
        }
        let captured = self.row(lines, to, direction, capture);
        if captured == 0 {
            let mut reason = match capture {
                Capture::Approach => format!("no enemy stone next to {to_cell} in that direction"),
                Capture::Withdrawal => format!("no enemy stone behind {from_cell} in that direction"),
            };
            let (other, name) = match capture {
                Capture::Approach => (Capture::Withdrawal, "withdrawal"),
                Capture::Withdrawal => (Capture::Approach, "approach"),
            };
            if self.row(lines, to, direction, other) != 0 {
                let _ = write!(reason, "; the capture by {name} is spelled {to_cell}{}", other.sign());
            }
            return Err(reason);
        }
        Ok(self.then(lines, Leg { direction, capture }, to, captured))
    }

    /// Returns the stones that a leg to `to` removes.
    fn row(&self, lines: &Lines, to: usize, direction: usize, capture: Capture) -> u64 {
        lines.rows(self.at, to, direction, self.enemy)[capture as usize]
    }

    fn then(&self, lines: &Lines, leg: Leg, to: usize, captured: u64) -> Self {
        Self {
            ply: self.ply.then(leg, to, captured),
            at: to,
            own: self.own,
            enemy: self.enemy & !captured,
            visited: self.visited | 1 << to,
            barred: lines.next(to, leg.direction),
        }
    }
}
