//! Taking two journals.

use record::JournalLine;

use crate::compare::comparison::Comparison;
use crate::compare::nodes::Twins;
use crate::compare::side::{Side, Which};

/// What a comparison needs of two runs.
///
/// Memory is bounded by bots, match-ups and pairs (a few bytes each), not by plies: take the lines of both journals
/// alternately, so that a game waits only until the same game of the other run comes.
#[derive(Clone, Debug, Default)]
pub struct Comparer {
    sides: [Side; 2],
    twins: Twins,
}

impl Comparer {
    /// Takes the next line of one of the journals.
    pub fn take(&mut self, which: Which, line: &JournalLine) {
        match line {
            JournalLine::Run(run) => self.sides[which as usize].configure(run),
            JournalLine::Game(game) => {
                self.sides[which as usize].push(game);
                self.twins.push(which, game);
            }
            // It counts nowhere.
            JournalLine::Void(_) => {}
        }
    }

    /// Returns what differs between the lines taken so far.
    #[must_use]
    pub fn comparison(&self) -> Comparison {
        Comparison::of(&self.sides, &self.twins)
    }
}
