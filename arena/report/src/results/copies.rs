//! Detecting games and pairs that repeat earlier ones ply for ply. They are no new evidence and count once.

use std::collections::HashSet;

use rustc_hash::FxBuildHasher;
use stats::TableResult;

/// A hash that games of the same game share if they have the same plies, the same players in the same seats and the same
/// result. Any two among a million different games share one with a chance of 2^-25.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Mark(u64);

impl Mark {
    /// Returns the mark of a game of the group with this number, from the players in their seats, their places, and
    /// [`record::GameSummary::fingerprint`].
    pub(crate) fn new(group: usize, result: &TableResult, fingerprint: u64) -> Self {
        let places = (0..result.seats()).map(|seat| result.place(seat).into());
        let numbers = std::iter::once(group).chain(result.players()).chain(places);
        numbers.fold(Self(fingerprint), |mark, number| mark.with(number as u64))
    }

    /// Returns the mark of a block for any order of its games. With two seats a block is a pair.
    fn of_block(games: &mut [Self]) -> Self {
        games.sort_unstable();
        games.iter().skip(1).fold(games[0], |mark, other| mark.with(other.0))
    }

    /// Mixes a number into the hash so that different marks stay different.
    const fn with(self, number: u64) -> Self {
        // This step of MurmurHash3 is a bijection.
        let mixed = (self.0 ^ (self.0 >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        Self((mixed ^ (mixed >> 33)).wrapping_add(number).wrapping_mul(0xc4ce_b9fe_1a85_ec53))
    }
}

/// The marks seen so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Copies {
    seen: HashSet<Mark, FxBuildHasher>,
}

impl Copies {
    /// Adds a game, or the games of a block, and returns whether it is a copy. A game without plies has no mark and is never a
    /// copy.
    pub(crate) fn is_copy(&mut self, games: &[Option<Mark>]) -> bool {
        match games {
            [Some(game)] => !self.seen.insert(*game),
            _ => {
                games.iter().copied().collect::<Option<Vec<Mark>>>().is_some_and(|mut games| {
                    !games.is_empty() && !self.seen.insert(Mark::of_block(&mut games))
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use stats::GameScore;

    use super::*;

    #[test]
    fn what_comes_again_is_a_copy_whatever_the_order_of_a_pair() {
        let mut copies = Copies::default();
        let of = |group, [one, two]: [usize; 2], score, plies| {
            Some(Mark::new(group, &TableResult::of_two(one, two, score), plies))
        };
        let mark = |seats, plies| of(0, seats, GameScore::Win, plies);
        let (one, two) = (mark([0, 1], 7), mark([1, 0], 8));
        assert!(!copies.is_copy(&[one, two]) && copies.is_copy(&[two, one]));
        // A game of a pair on its own is different, and so are other seats, games and plies.
        assert!(!copies.is_copy(&[one]) && copies.is_copy(&[one]));
        assert!(!copies.is_copy(&[mark([1, 0], 7)]) && !copies.is_copy(&[mark([0, 1], 9)]));
        assert!(!copies.is_copy(&[of(1, [0, 1], GameScore::Win, 7)]));
        assert!(!copies.is_copy(&[of(0, [0, 1], GameScore::Draw, 7)]));
        assert!(!copies.is_copy(&[None]) && !copies.is_copy(&[None]));
        assert!(!copies.is_copy(&[one, None]) && !copies.is_copy(&[one, None]));
    }
}
