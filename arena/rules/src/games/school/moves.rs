//! The moves of a position, as a list or as a random choice without a list.

use crate::games::school::{Swims, cells, neighbours_of};
use crate::{Dice, SchoolPly};

/// The moves of a seat: those of its fish, from a1 to h8, then those of its sharks.
pub(crate) struct Moves<'a> {
    /// The moves of the fish.
    pub(crate) swims: Option<Swims<'a>>,
    /// The sharks that can move.
    pub(crate) sharks: u64,
    /// The cells that sharks can capture: they step to adjacent ones.
    pub(crate) prey: u64,
}

impl Moves<'_> {
    fn captures(&self, from: u8) -> u64 {
        neighbours_of(from) & self.prey
    }

    /// Visits all moves, animal by animal.
    pub(crate) fn visit(&self, visit: &mut impl FnMut(SchoolPly)) {
        let mut visit = |from, targets| cells(targets).for_each(|to| visit(SchoolPly::Move { from, to }));
        if let Some(swims) = &self.swims {
            cells(swims.movers()).for_each(|from| visit(from, swims.targets(from)));
        }
        cells(self.sharks).for_each(|from| visit(from, self.captures(from)));
    }

    /// Returns whether there is no move.
    pub(crate) fn is_empty(&self) -> bool {
        cells(self.sharks).all(|from| self.captures(from) == 0)
            && self.swims.as_ref().is_none_or(|swims| swims.counts() == 0)
    }

    /// Returns a random move, as if chosen from a list of all, or `None` if there are none.
    pub(crate) fn random(&self, dice: &mut Dice) -> Option<SchoolPly> {
        let by_rank = self.swims.as_ref().map_or(0, Swims::counts);
        let swims = by_rank.to_le_bytes().into_iter().map(usize::from).sum::<usize>();
        let captures = cells(self.sharks).map(|from| count(self.captures(from))).sum::<usize>();
        let mut place = (swims + captures > 0).then(|| dice.below(swims + captures))?;
        match &self.swims {
            Some(fish) if place < swims => {
                let mut rank = 0;
                while place >= usize::from(by_rank.to_le_bytes()[rank]) {
                    place -= usize::from(by_rank.to_le_bytes()[rank]);
                    rank += 1;
                }
                nth(place, fish.movers() & 0xff << (8 * rank), |from| fish.targets(from))
            }
            _ => nth(place - swims, self.sharks, |from| self.captures(from)),
        }
    }
}

const fn count(set: u64) -> usize {
    set.count_ones() as usize
}

/// Returns the move of these animals with this index, from 0.
fn nth(mut place: usize, animals: u64, targets: impl Fn(u8) -> u64) -> Option<SchoolPly> {
    for from in cells(animals) {
        let targets = targets(from);
        match place.checked_sub(count(targets)) {
            Some(rest) => place = rest,
            None => return cells(targets).nth(place).map(|to| SchoolPly::Move { from, to }),
        }
    }
    None
}
