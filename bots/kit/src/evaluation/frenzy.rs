//! Frenzy and 2-Frenzy: fish, sharks, and what the sharks can reach.

use rules::{Frenzy, Seat, TwoFrenzy};

use super::count;

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

/// Returns the cells next to a set of cells.
const fn around(set: u64) -> u64 {
    let row = set | (set & !FILE_H) << 1 | (set & !FILE_A) >> 1;
    (row | row << 8 | row >> 8) & !set
}

fn each(mut set: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let cell = set & set.wrapping_neg();
        set ^= cell;
        (cell != 0).then_some(cell)
    })
}

/// The sharks want few fish, all of them near; a shark without fish beside it is half lost.
pub(super) fn evaluate_frenzy(position: &Frenzy) -> i32 {
    let fish = position.fish();
    let near = each(position.sharks()).map(|shark| match count(around(shark) & fish) {
        0 => -400,
        near => 20 * near,
    });
    near.sum::<i32>() - 100 * count(fish)
}

/// Fish, and sharks that have something to eat; a shark that is about to be alone is a shark lost.
pub(super) fn evaluate_two_frenzy(position: &TwoFrenzy) -> i32 {
    let worth = |seat: Seat| -> i32 {
        let enemies = position.fish(seat.other()) | position.sharks(seat.other());
        let sharks = each(position.sharks(seat)).map(|shark| match count(around(shark) & enemies) {
            0 => 100,
            near => 700 + 15 * near,
        });
        let exposed = count(around(position.sharks(seat.other())) & position.fish(seat));
        100 * count(position.fish(seat)) + sharks.sum::<i32>() - 10 * exposed
    };
    worth(Seat::P1) - worth(Seat::P2)
}
