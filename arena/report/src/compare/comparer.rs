//! The input of a comparison: the lines of two journals.

use record::JournalLine;

use crate::compare::comparison::Comparison;
use crate::compare::nodes::Twins;
use crate::compare::side::{Side, Which};

/// The counted content of two runs.
///
/// Memory depends on bots, match-ups and pairs (a few bytes each), not on plies. Add the lines of both journals alternately, so
/// that a game waits only until the same game of the other run arrives.
#[derive(Clone, Debug, Default)]
pub struct Comparer {
    sides: [Side; 2],
    twins: Twins,
}

impl Comparer {
    /// Adds the next line of one of the journals.
    pub fn take(&mut self, which: Which, line: &JournalLine) {
        match line {
            JournalLine::Run(run) => self.sides[which as usize].configure(run),
            JournalLine::Game(game) => {
                self.sides[which as usize].push(game);
                self.twins.push(which, game);
            }
            // A void game does not count.
            JournalLine::Void(_) => {}
        }
    }

    /// Returns the differences between the lines so far.
    #[must_use]
    pub fn comparison(&self) -> Comparison {
        Comparison::of(&self.sides, &self.twins)
    }
}
