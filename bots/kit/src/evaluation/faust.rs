//! Faust: discs, and the most that the seat to move can turn over at once.

use rules::{Faust, FaustPly, Position, Seat};

/// A disc on the board.
const DISC: i32 = 100;

/// What a disc is worth that the seat to move can turn over: it counts twice, but the other seat answers.
const HANGING: i32 = 150;

pub(super) fn evaluate(position: &Faust) -> i32 {
    let discs = |seat| i32::from(position.count(position.colour(seat)));
    let mut most = 0;
    position.legal_plies(&mut |ply| {
        let turned = match ply {
            FaustPly::Rectangle(block) => {
                let width = i32::from(block.high.file - block.low.file) + 1;
                width * (i32::from(block.high.rank - block.low.rank) + 1)
            }
            FaustPly::Pattern(_) => 4,
            FaustPly::Place(_) | FaustPly::Swap | FaustPly::Pass => 0,
        };
        most = most.max(turned);
    });
    let hanging = match position.seat() {
        Seat::P1 => most,
        _ => -most,
    };
    DISC * (discs(Seat::P1) - discs(Seat::P2)) + HANGING * hanging
}
