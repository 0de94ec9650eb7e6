//! Games of random plies, for simulations and benchmarks.

use std::ops::AddAssign;

use crate::{Dice, Position, Referee, Seat, StartError};

/// The number of games played, and of plies in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Playouts {
    /// The games.
    pub games: u64,
    /// The plies of all games.
    pub plies: u64,
    /// The games in which each seat is the only one in first place, `p1` first. In the others several seats share it.
    pub wins: [u64; Seat::MOST],
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
/// `plies` is scratch space for legal plies. If the caller keeps it, no ply needs an allocation.
pub fn playouts<P: Position>(position: &P, games: u64, dice: &mut Dice, plies: &mut Vec<P::Ply>) -> Playouts {
    let mut played = Playouts { games, ..Playouts::default() };
    for _ in 0..games {
        let mut game = position.clone();
        while let Some(ply) = game.random_ply(dice, plies) {
            game.play_unchecked(ply);
            played.plies += 1;
        }
        if let Some(winner) = game.outcome().and_then(|verdict| verdict.outcome.winner()) {
            played.wins[winner.index()] += 1;
        }
    }
    played
}

/// Plays `games` games of random plies from the position of `start` to their ends by the rules, repetition and caps.
///
/// # Errors
/// If the rules of a game of one's own fail.
pub(crate) fn refereed_playouts(
    start: &dyn Referee,
    games: u64,
    dice: &mut Dice,
) -> Result<Playouts, StartError> {
    let mut played = Playouts { games, ..Playouts::default() };
    for _ in 0..games {
        let mut game = start.fork();
        loop {
            let plies = game.legal();
            if plies.is_empty() {
                break;
            }
            let ply = &plies[dice.below(plies.len())];
            game.submit(ply).map_err(|rejection| rejection.into_fault(ply))?;
            played.plies += 1;
        }
        if let Some(winner) = game.outcome().and_then(|verdict| verdict.outcome.winner()) {
            played.wins[winner.index()] += 1;
        }
    }
    Ok(played)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::random_listed;
    use crate::{GAMES, Visitor};

    struct Compare(&'static str);

    impl Visitor for Compare {
        type Output = ();

        fn visit<P: Position>(self, options: &P::Options) {
            let (mut listed, mut unlisted) = (Dice::new(7), Dice::new(7));
            let mut plies = Vec::new();
            for _ in 0..30 {
                let mut game = P::start(options);
                loop {
                    let ply = random_listed(&game, &mut listed, &mut plies);
                    assert_eq!(game.random_ply(&mut unlisted, &mut Vec::new()), ply, "{}: {game}", self.0);
                    let Some(ply) = ply else { break };
                    game.play_unchecked(ply);
                }
                assert!(game.outcome().is_some());
            }
        }
    }

    #[test]
    fn a_random_ply_is_one_of_the_list() {
        for game in GAMES {
            let setup = game.setup(&[]).expect("the defaults are valid");
            assert!(setup.visit(Compare(game.id)).is_some(), "{} is built in", game.id);
        }
        let faust = crate::find("faust").expect("a game");
        for size in ["3", "9", "19"] {
            let setup = faust.setup(&[("size", size)]).expect("a size of Faust");
            assert!(setup.visit(Compare("faust")).is_some());
        }
    }
}
