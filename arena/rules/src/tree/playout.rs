//! Games of random plies: what simulations and benchmarks are made of.

use std::ops::AddAssign;

use crate::Position;

/// A stream of numbers that a seed determines, the same on every platform (SplitMix64). It is fast and good
/// enough to choose plies by, and nothing more.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// Returns the stream of this seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns a number below `count`.
    pub const fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        ((mixed as u128 * count as u128) >> 64) as usize
    }
}

/// How many games were played, and how many plies in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Playouts {
    /// The games.
    pub games: u64,
    /// The plies of all games.
    pub plies: u64,
    /// The games won by each seat; the others are draws.
    pub wins: [u64; 2],
}

impl AddAssign for Playouts {
    fn add_assign(&mut self, other: Self) {
        self.games += other.games;
        self.plies += other.plies;
        for (wins, more) in self.wins.iter_mut().zip(other.wins) {
            *wins += more;
        }
    }
}

/// Plays `games` games of random plies from `position` to their ends by the rules and caps. Repetition is
/// ignored.
///
/// `plies` is where the legal plies are listed; with it kept between calls, nothing is allocated a ply.
pub fn playouts<P: Position>(position: &P, games: u64, dice: &mut Dice, plies: &mut Vec<P::Ply>) -> Playouts {
    let mut played = Playouts { games, ..Playouts::default() };
    for _ in 0..games {
        let mut game = position.clone();
        loop {
            plies.clear();
            game.legal_plies(&mut |ply| plies.push(ply));
            if plies.is_empty() {
                break;
            }
            game.play_unchecked(plies[dice.below(plies.len())]);
            played.plies += 1;
        }
        if let Some(winner) = game.outcome().and_then(|verdict| verdict.outcome.winner()) {
            played.wins[winner.index()] += 1;
        }
    }
    played
}
