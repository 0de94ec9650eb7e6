//! A chain of captures in the making: one stone, leg after leg.

use std::fmt::Write as _;

use crate::fanorona::lines::{Lines, bits};
use crate::fanorona::ply::{Capture, FanoronaPly, Leg};

/// A stone that is capturing, with what it may still capture.
#[derive(Clone, Copy)]
pub(super) struct Chain {
    ply: FanoronaPly,
    /// Where the stone stands.
    at: usize,
    /// The other stones of its side.
    own: u64,
    enemy: u64,
    /// Where it has been, the start and its present point among them.
    visited: u64,
    /// The direction of its last leg.
    last: Option<usize>,
}

impl Chain {
    /// Returns the chain without legs of the stone on `from`.
    pub(super) fn start(lines: &Lines, from: usize, own: u64, enemy: u64) -> Self {
        let (ply, start) = (FanoronaPly::stay(lines.board, from), 1 << from);
        Self { ply, at: from, own: own & !start, enemy, visited: start, last: None }
    }

    /// Returns the ply so far.
    pub(super) const fn ply(&self) -> FanoronaPly {
        self.ply
    }

    /// Visits every chain that begins with this one and is longer.
    pub(super) fn extensions(&self, lines: &Lines, visit: &mut impl FnMut(FanoronaPly)) {
        let free = lines.neighbours[self.at] & !(self.own | self.enemy | self.visited);
        for to in bits(free) {
            let direction = lines.direction_of_neighbours(self.at, to);
            if self.last != Some(direction) {
                self.extensions_by(lines, direction, to, visit);
            }
        }
    }

    /// Visits those of the [`Chain::extensions`] whose next leg runs in this direction to this free neighbour.
    pub(super) fn extensions_by(
        &self,
        lines: &Lines,
        direction: usize,
        to: usize,
        visit: &mut impl FnMut(FanoronaPly),
    ) {
        for capture in [Capture::Approach, Capture::Withdrawal] {
            let captured = self.row(lines, to, direction, capture);
            if captured != 0 {
                let longer = self.then(Leg { direction, capture }, to, captured);
                visit(longer.ply);
                longer.extensions(lines, visit);
            }
        }
    }

    /// Returns the chain with one more leg, if it is legal.
    ///
    /// # Errors
    /// Says why the leg is not legal, as a fragment.
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
        if self.last == Some(direction) {
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
        Ok(self.then(Leg { direction, capture }, to, captured))
    }

    /// Returns the stones that a leg to `to` removes.
    fn row(&self, lines: &Lines, to: usize, direction: usize, capture: Capture) -> u64 {
        match capture {
            Capture::Approach => lines.row(to, direction, self.enemy),
            Capture::Withdrawal => lines.row(self.at, direction ^ 1, self.enemy),
        }
    }

    fn then(&self, leg: Leg, to: usize, captured: u64) -> Self {
        Self {
            ply: self.ply.then(leg, to, captured),
            at: to,
            own: self.own,
            enemy: self.enemy & !captured,
            visited: self.visited | 1 << to,
            last: Some(leg.direction),
        }
    }
}
