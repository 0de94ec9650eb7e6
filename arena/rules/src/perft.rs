//! Counting the leaves of a game's tree.

use std::hint::black_box;

use crate::Position;

/// Returns the number of lines of exactly `depth` plies.
///
/// Every ply is made, those to the leaves too. Repetition is ignored, a forced pass is a ply, and a game that
/// has ended has no successors.
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => leaves(position),
        _ => {
            let mut leaves = 0;
            position.legal_plies(&mut |ply| {
                let mut next = position.clone();
                next.play_unchecked(ply);
                leaves += perft(&next, depth - 1);
            });
            leaves
        }
    }
}

/// Returns the number of plies, each of which is made.
fn leaves<P: Position>(position: &P) -> u64 {
    let mut leaves = 0;
    position.legal_plies(&mut |ply| {
        let mut next = position.clone();
        next.play_unchecked(ply);
        // Nobody looks at a leaf, but its ply is to be made all the same.
        black_box(&next);
        leaves += 1;
    });
    leaves
}

/// Returns the legal plies in byte order, each with the number of lines of `depth` plies that begin with it.
///
/// Empty for `depth` 0.
pub fn divide<P: Position>(position: &P, depth: u32) -> Vec<(String, u64)> {
    let mut parts = Vec::new();
    if depth > 0 {
        position.legal_plies(&mut |ply| {
            let mut next = position.clone();
            next.play_unchecked(ply);
            parts.push((ply.to_string(), perft(&next, depth - 1)));
        });
    }
    parts.sort_unstable();
    parts
}
