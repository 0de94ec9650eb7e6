//! Counting the leaves of a game's tree.

use crate::Position;

/// Returns the number of lines of exactly `depth` plies.
///
/// Repetition is ignored, a forced pass is a ply, and a game that has ended has no successors.
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut leaves = 0;
    position.legal_plies(&mut |ply| {
        let mut next = position.clone();
        next.play_unchecked(ply);
        leaves += perft(&next, depth - 1);
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
