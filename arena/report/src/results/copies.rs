//! Games and pairs that repeat earlier ones ply for ply: they tell nothing new and count once.

use std::collections::HashSet;

use rustc_hash::FxBuildHasher;
use stats::TableResult;

/// What a game has in common with one that is the same ply for ply, of the same game, with the same players in the same
/// seats and the same result: among a million different games two have the same one with a chance of 2^-25.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Mark(u64);

impl Mark {
    /// That of a game of the group with this number, by players in their seats, their places, and
    /// [`record::GameSummary::fingerprint`].
    pub(crate) fn new(group: usize, result: &TableResult, fingerprint: u64) -> Self {
        let places = (0..result.seats()).map(|seat| result.place(seat).into());
        let numbers = std::iter::once(group).chain(result.players()).chain(places);
        numbers.fold(Self(fingerprint), |mark, number| mark.with(number as u64))
    }

    /// That of a block, in whatever order its games come: with two seats of a pair.
    fn of_block(games: &mut [Self]) -> Self {
        games.sort_unstable();
        games.iter().skip(1).fold(games[0], |mark, other| mark.with(other.0))
    }

    /// Goes on with the hash of the plies, so that marks with different hashes stay different.
    const fn with(self, number: u64) -> Self {
        // The step of MurmurHash3, which loses nothing.
        let mixed = (self.0 ^ (self.0 >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        Self((mixed ^ (mixed >> 33)).wrapping_add(number).wrapping_mul(0xc4ce_b9fe_1a85_ec53))
    }
}

/// What was seen before.
#[derive(Clone, Debug, Default)]
pub(crate) struct Copies {
    seen: HashSet<Mark, FxBuildHasher>,
}

impl Copies {
    /// Takes a game, or the games of a block, and returns whether it is a copy. What has no plies, which has no mark, never
    /// is.
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
        // The games of a pair on their own are others, and so are those of other seats, games and plies.
        assert!(!copies.is_copy(&[one]) && copies.is_copy(&[one]));
        assert!(!copies.is_copy(&[mark([1, 0], 7)]) && !copies.is_copy(&[mark([0, 1], 9)]));
        assert!(!copies.is_copy(&[of(1, [0, 1], GameScore::Win, 7)]));
        assert!(!copies.is_copy(&[of(0, [0, 1], GameScore::Draw, 7)]));
        assert!(!copies.is_copy(&[None]) && !copies.is_copy(&[None]));
        assert!(!copies.is_copy(&[one, None]) && !copies.is_copy(&[one, None]));
    }
}
