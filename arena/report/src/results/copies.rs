//! Detecting games and pairs that repeat earlier ones ply for ply. They are no new evidence and count once.

use std::collections::{HashMap, HashSet};

use rustc_hash::FxBuildHasher;
use stats::{RatedGame, TableResult};

/// A game that counts, with what it shares with its copies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CountedGame {
    pub game: RatedGame,
    /// `None` if it has no plies.
    pub mark: Option<Mark>,
}

impl CountedGame {
    /// Returns a game with its [`record::GameSummary::fingerprint`], which is `None` for one without plies.
    pub(crate) fn new(game: RatedGame, fingerprint: Option<u64>) -> Self {
        Self { game, mark: fingerprint.map(|plies| Mark::new(game.group, &game.result, plies)) }
    }

    /// Returns games in the form of the statistics.
    pub(crate) fn games(counted: &[Self]) -> Vec<RatedGame> {
        counted.iter().map(|counted| counted.game).collect()
    }
}

/// A hash that games of the same game share if they have the same plies, the same players in the same seats and the same
/// result. Any two among a million different games share one with a chance of 2^-25.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Mark(u64);

impl Mark {
    /// Returns the mark of a game of the group with this number, from the players in their seats, their places, and
    /// [`record::GameSummary::fingerprint`].
    fn new(group: usize, result: &TableResult, fingerprint: u64) -> Self {
        let places = (0..result.seats()).map(|seat| result.place(seat).into());
        let numbers = std::iter::once(group).chain(result.players()).chain(places);
        numbers.fold(Self(fingerprint), |mark, number| mark.with(number as u64))
    }

    /// Returns the mark of a game on its own, or of a block, for any order of its games; with two seats a block is a pair. `None`
    /// if one of them has no plies and thus no mark.
    pub(crate) fn of_unit(games: &[CountedGame]) -> Option<Self> {
        let mut marks = games.iter().map(|counted| counted.mark).collect::<Option<Vec<_>>>()?;
        marks.sort_unstable();
        marks.into_iter().reduce(|mark, other| mark.with(other.0))
    }

    /// Mixes a number into the hash so that different marks stay different.
    const fn with(self, number: u64) -> Self {
        // This step of MurmurHash3 is a bijection.
        let mixed = (self.0 ^ (self.0 >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        Self((mixed ^ (mixed >> 33)).wrapping_add(number).wrapping_mul(0xc4ce_b9fe_1a85_ec53))
    }
}

/// The marks seen so far, of games that come one by one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Copies {
    seen: HashSet<Mark, FxBuildHasher>,
}

impl Copies {
    /// Adds a game or block and returns whether it is a copy. Without a mark it is never one.
    pub(crate) fn is_copy(&mut self, mark: Option<Mark>) -> bool {
        mark.is_some_and(|mark| !self.seen.insert(mark))
    }
}

/// The copies among marks that are all known beforehand: those that occur several times, each with whether it was seen. Sorting
/// finds them in half the memory of a set of all marks.
#[derive(Clone, Debug)]
pub(crate) struct KnownCopies {
    repeated: HashMap<Mark, bool, FxBuildHasher>,
    count: u64,
}

impl KnownCopies {
    /// Prepares for games or blocks with these marks, or with some of them, in any order.
    pub(crate) fn among(mut marks: Vec<Mark>) -> Self {
        marks.sort_unstable();
        let several = || marks.chunk_by(|one, two| one == two).filter(|equal| equal.len() > 1);
        Self {
            repeated: several().map(|equal| (equal[0], false)).collect(),
            count: several().map(|equal| equal.len() as u64 - 1).sum(),
        }
    }

    /// Returns how many of them are copies of others.
    pub(crate) const fn count(&self) -> u64 {
        self.count
    }

    /// Does the same as [`Copies::is_copy`].
    pub(crate) fn is_copy(&mut self, mark: Option<Mark>) -> bool {
        let seen = mark.and_then(|mark| self.repeated.get_mut(&mark));
        seen.is_some_and(|seen| std::mem::replace(seen, true))
    }
}

#[cfg(test)]
mod tests {
    use stats::GameScore;

    use super::*;

    #[test]
    fn what_comes_again_is_a_copy_whatever_the_order_of_a_pair() {
        let of = |group, [one, two]: [usize; 2], score, plies| {
            let game = RatedGame { group, ..RatedGame::new(one, two, score) };
            CountedGame::new(game, plies)
        };
        let won = |seats, plies| of(0, seats, GameScore::Win, Some(plies));
        let (one, two) = (won([0, 1], 7), won([1, 0], 8));
        let without_plies = of(0, [0, 1], GameScore::Win, None);
        let units: [(&[CountedGame], bool); 11] = [
            (&[one, two], false),
            (&[two, one], true),
            // A game of a pair on its own is different, and so are other seats, games and plies.
            (&[one], false),
            (&[one], true),
            (&[won([1, 0], 7)], false),
            (&[won([0, 1], 9)], false),
            (&[of(1, [0, 1], GameScore::Win, Some(7))], false),
            (&[of(0, [0, 1], GameScore::Draw, Some(7))], false),
            (&[one], true),
            (&[without_plies], false),
            (&[one, without_plies], false),
        ];
        // What has no mark comes twice.
        let units = || units.iter().chain(&units[9..]);
        let marks = || units().map(|(games, _)| Mark::of_unit(games));
        let (mut copies, mut known) = (Copies::default(), KnownCopies::among(marks().flatten().collect()));
        assert_eq!(known.count(), units().filter(|(_, is_copy)| *is_copy).count() as u64);
        for (mark, (games, is_copy)) in marks().zip(units()) {
            assert_eq!([copies.is_copy(mark), known.is_copy(mark)], [*is_copy; 2], "{games:?}");
        }
    }
}
