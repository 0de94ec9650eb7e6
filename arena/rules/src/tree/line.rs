//! A long line of plies, for measurements.

use crate::{Dice, Setup};

/// The number of random games from which the line is chosen.
const TRIES: u64 = 20;

/// Returns the plies of the longest of a few random games of these rules. The result is always the same.
///
/// # Panics
/// Never: every game has a start, and what it lists as legal is.
#[must_use]
pub fn longest_line(setup: &Setup) -> Vec<String> {
    (0..TRIES).map(|seed| random(setup, seed)).max_by_key(Vec::len).unwrap_or_default()
}

fn random(setup: &Setup, seed: u64) -> Vec<String> {
    let mut dice = Dice::new(seed);
    let mut referee = setup.referee(None).expect("every game has a start of its own");
    let mut line = Vec::new();
    while referee.outcome().is_none() {
        let mut legal = referee.legal();
        let ply = legal.swap_remove(dice.below(legal.len()));
        referee.submit(&ply).expect("a ply from the list of legal plies is legal");
        line.push(ply);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_whole_game_and_always_the_same() {
        for game in crate::GAMES {
            let setup = game.setup(&[]).expect("the defaults are valid");
            let line = longest_line(&setup);
            let mut referee = setup.referee(None).expect("it has a start");
            assert!(line.iter().all(|ply| referee.submit(ply).is_ok()) && referee.outcome().is_some());
            assert_eq!(line, longest_line(&setup), "{}", game.id);
        }
    }
}
