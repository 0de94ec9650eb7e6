//! How good a position looks, game by game.
//!
//! Scores are in hundredths of the game's unit (a stone, a disc, a fish) and stay far below a win. A game
//! without an evaluation of its own gets zero: search then sees only how games end.

mod farook;
mod faust;
mod frenzy;
mod sophia;

use std::any::Any;

use rules::{Fanorona, Farook, Faust, Frenzy, Position, Seat, Sophia, TwoFrenzy};

/// Scores a position that is not over for `seat`.
#[must_use]
pub fn evaluate<P: Position>(position: &P, seat: Seat) -> i32 {
    let score = for_p1(position);
    match seat {
        Seat::P1 => score,
        _ => -score,
    }
}

/// Scores a position for `p1`. Each test below is decided when the function is compiled for its type.
fn for_p1<P: Position>(position: &P) -> i32 {
    let any = position as &dyn Any;
    if let Some(position) = any.downcast_ref::<Farook>() {
        farook::evaluate(position)
    } else if let Some(position) = any.downcast_ref::<Faust>() {
        faust::evaluate(position)
    } else if let Some(position) = any.downcast_ref::<Frenzy>() {
        frenzy::evaluate_frenzy(position)
    } else if let Some(position) = any.downcast_ref::<TwoFrenzy>() {
        frenzy::evaluate_two_frenzy(position)
    } else if let Some(position) = any.downcast_ref::<Sophia>() {
        sophia::evaluate(position)
    } else if let Some(position) = any.downcast_ref::<Fanorona>() {
        100 * (count(position.stones(Seat::P1)) - count(position.stones(Seat::P2)))
    } else {
        0
    }
}

fn count(set: u64) -> i32 {
    set.count_ones() as i32
}
