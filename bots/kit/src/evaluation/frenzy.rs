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

/// Returns the largest group of fish: the others die at the end of the turn.
fn school(mut fish: u64) -> u64 {
    let mut largest: u64 = 0;
    while fish != 0 {
        let mut group = fish & fish.wrapping_neg();
        loop {
            let grown = (group | around(group)) & fish;
            if grown == group {
                break;
            }
            group = grown;
        }
        fish ^= group;
        if group.count_ones() > largest.count_ones() {
            largest = group;
        }
    }
    largest
}

/// What a fish costs the sharks. It is little: a side that counts fish above all never gets them away from the
/// sharks, and draws.
const FISH: i32 = 40;

/// What a fish beside a shark is worth to the sharks, and one that is a step further away.
const NEAR: i32 = 20;
const FAR: i32 = 10;

/// What it costs that a shark has one fish beside it, that it has none, and that both have none.
const STARVING: i32 = 200;
const STUCK: i32 = 400;
const BOTH_STUCK: i32 = 1000;

/// The sharks want fish beside them; the fish want to be elsewhere.
pub(super) fn evaluate_frenzy(position: &Frenzy) -> i32 {
    let fish = position.fish();
    let mut score = -FISH * count(fish);
    let mut stuck = 0;
    for shark in each(position.sharks()) {
        let ring = around(shark);
        let near = count(ring & fish);
        score += NEAR * near + FAR * count(around(ring) & !shark & fish);
        match near {
            0 => {
                score -= STUCK;
                stuck += 1;
            }
            1 => score -= STARVING,
            _ => {}
        }
    }
    if stuck == 2 { score - BOTH_STUCK } else { score }
}

/// What a shark is worth, by the number of enemies beside it: with none it dies at the end of the turn.
const FEEDING: [i32; 9] = [0, 350, 550, 680, 740, 770, 790, 800, 810];

/// Fish of the school, and sharks that will not be alone soon.
pub(super) fn evaluate_two_frenzy(position: &TwoFrenzy) -> i32 {
    // Half of all positions are in the middle of a turn, where what is cut off still swims.
    let schools = Seat::BOTH.map(|seat| school(position.fish(seat)));
    let worth = |seat: Seat| -> i32 {
        let own = schools[seat.index()];
        let sharks = position.sharks(seat);
        let enemies = schools[seat.other().index()] | position.sharks(seat.other());
        let feeding = each(sharks).map(|shark| FEEDING[count(around(shark) & enemies) as usize]);
        let reached = around(position.sharks(seat.other()));
        100 * count(own) + feeding.sum::<i32>() - 10 * count(reached & own) - 110 * count(reached & sharks)
    };
    worth(Seat::P1) - worth(Seat::P2)
}
