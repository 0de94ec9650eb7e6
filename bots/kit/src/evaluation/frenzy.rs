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

/// What a shark is worth to the sharks' side with so many fish beside it: none, and it is half lost; few, and
/// the fish are about to be gone.
const HUNTING: [i32; 9] = [-600, -150, 0, 60, 100, 130, 150, 160, 170];

/// The sharks want few fish, and those near; a shark without fish beside it is half lost.
pub(super) fn evaluate_frenzy(position: &Frenzy) -> i32 {
    let fish = position.fish();
    let hunting = each(position.sharks()).map(|shark| HUNTING[count(around(shark) & fish) as usize]);
    hunting.sum::<i32>() - 100 * count(fish)
}

/// What a shark is worth with so many enemies beside it: with none it dies at the end of the turn.
const FEEDING: [i32; 9] = [0, 350, 550, 680, 740, 770, 790, 800, 810];

/// Fish, and sharks that will not be alone soon.
pub(super) fn evaluate_two_frenzy(position: &TwoFrenzy) -> i32 {
    let worth = |seat: Seat| -> i32 {
        let enemies = position.fish(seat.other()) | position.sharks(seat.other());
        let feeding =
            each(position.sharks(seat)).map(|shark| FEEDING[count(around(shark) & enemies) as usize]);
        let exposed = around(position.sharks(seat.other())) & (position.fish(seat) | position.sharks(seat));
        let endangered = count(around(position.sharks(seat.other())) & position.sharks(seat));
        100 * count(position.fish(seat)) + feeding.sum::<i32>() - 10 * count(exposed) - 100 * endangered
    };
    worth(Seat::P1) - worth(Seat::P2)
}
