//! Sophia: a line that holds no stone of the wrong brightness is worth the more, the more of it is there.

use rules::{Seat, Sophia};

/// What a line is worth, by the number of the stones it needs that it has.
fn worth(stones: u32, needed: u32) -> i32 {
    match needed - stones {
        0 => 120,
        1 => 60,
        2 => 12,
        _ if stones > 0 => 2,
        _ => 0,
    }
}

pub(super) fn evaluate(position: &Sophia) -> i32 {
    let [p1, p2] = Seat::BOTH.map(|seat| position.goal_stones(seat));
    let needed = position.line_length();
    let mut score = 0;
    position.for_each_line(|line| {
        if line & p2 == 0 {
            score += worth((line & p1).count_ones(), needed);
        }
        if line & p1 == 0 {
            score -= worth((line & p2).count_ones(), needed);
        }
    });
    score
}
