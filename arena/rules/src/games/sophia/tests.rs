//! Tests that need a search: the example of the rules page.

use std::collections::HashMap;

use crate::{Outcome, Position, Seat};

use super::{Sophia, SophiaOptions};

const EXAMPLE: &str = "aAaB/a1AB/B1Ab/bABB p1 stock=0,0 c=AB n=14";

/// The searched positions: the number of plies in which `p1` is known to win, and the number in which it is known not to.
#[derive(Default)]
struct Solver {
    known: HashMap<Sophia, (u32, u32)>,
}

impl Solver {
    /// Returns whether `p1` wins in at most `plies` more plies, whatever `p2` does.
    fn wins(&mut self, position: &Sophia, plies: u32) -> bool {
        if let Some(verdict) = position.outcome() {
            return verdict.outcome == Outcome::Win(Seat::P1);
        }
        if plies == 0 {
            return false;
        }
        let (won, open) = self.known.get(position).copied().unwrap_or((u32::MAX, 0));
        if plies >= won || plies <= open {
            return plies >= won;
        }
        let mut replies = Vec::new();
        position.legal_plies(&mut |ply| {
            let mut next = *position;
            next.play_unchecked(ply);
            replies.push(next);
        });
        let is_won = match position.seat() {
            Seat::P1 => replies.iter().any(|next| self.wins(next, plies - 1)),
            _ => replies.iter().all(|next| self.wins(next, plies - 1)),
        };
        let bounds = if is_won { (plies, open) } else { (won, plies) };
        self.known.insert(*position, bounds);
        is_won
    }

    /// Returns the number of plies after which `p1` has won against the best defence, up to `most`.
    fn distance(&mut self, position: &Sophia, most: u32) -> Option<u32> {
        (0..=most).find(|plies| self.wins(position, *plies))
    }
}

#[test]
fn first_wins_eight_plies_after_b1b2_in_the_example_of_the_seed() {
    let mut position = Sophia::read(&SophiaOptions::default(), EXAMPLE).expect("it is canonical");
    position.play("b1b2").expect("it is legal");
    assert_eq!(Solver::default().distance(&position, 8), Some(8));
}

#[test]
fn b1b2_is_not_the_only_winning_ply_of_the_example() {
    let position = Sophia::read(&SophiaOptions::default(), EXAMPLE).expect("it is canonical");
    let mut solver = Solver::default();
    let mut winning = Vec::new();
    position.legal_plies(&mut |ply| {
        let mut next = position;
        next.play_unchecked(ply);
        if solver.distance(&next, 8).is_some() {
            winning.push(ply.to_string());
        }
    });
    assert!(winning.contains(&"b1b2".to_owned()) && winning.len() > 1, "{winning:?}");
}
