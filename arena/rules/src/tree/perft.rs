//! Counting the leaves of a game's tree: plainly, or with threads and a table of counts.
//!
//! Counts do not depend on threads and tables. The threads do not violate the purity of this crate: they end before a function
//! returns, and have no visible effect.

mod branches;
mod count_table;

use std::hint::black_box;
use std::num::NonZeroUsize;

use crate::Position;

use branches::Branches;
use count_table::CountTable;

/// The resources of a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PerftResources {
    /// The number of threads.
    pub threads: NonZeroUsize,
    /// The most bytes of a table that answers for positions that are reached again; 0 for no table. It uses less if there is
    /// less memory.
    pub table: usize,
}

impl Default for PerftResources {
    /// Returns a single thread that makes every ply.
    fn default() -> Self {
        Self { threads: NonZeroUsize::MIN, table: 0 }
    }
}

/// Returns the number of lines of exactly `depth` plies.
///
/// It makes every ply, including those to the leaves. Repetition is ignored, a forced pass is a ply, and a game that has ended
/// has no successors.
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

/// Returns the number of plies, making each of them.
fn leaves<P: Position>(position: &P) -> u64 {
    let mut leaves = 0;
    position.legal_plies(&mut |ply| {
        let mut next = position.clone();
        next.play_unchecked(ply);
        // No code reads a leaf, but its ply must be made anyway.
        black_box(&next);
        leaves += 1;
    });
    leaves
}

/// Returns the same count as [`perft`] with threads and a table.
pub fn perft_with<P: Position>(position: &P, depth: u32, effort: PerftResources) -> u64 {
    if effort == PerftResources::default() {
        return perft(position, depth);
    }
    Branches::of([position.clone()], depth).count(effort).into_iter().sum()
}

/// Returns the legal plies in byte order, each with the number of lines of `depth` plies that begin with it.
///
/// Empty for `depth` 0.
pub fn divide<P: Position>(position: &P, depth: u32) -> Vec<(String, u64)> {
    divide_with(position, depth, PerftResources::default())
}

/// Returns the same counts as [`divide`] with threads and a table.
pub fn divide_with<P: Position>(position: &P, depth: u32, effort: PerftResources) -> Vec<(String, u64)> {
    let Some(rest) = depth.checked_sub(1) else { return Vec::new() };
    let (mut names, mut parts) = (Vec::new(), Vec::new());
    position.legal_plies(&mut |ply| {
        let mut next = position.clone();
        next.play_unchecked(ply);
        names.push(ply.to_string());
        parts.push(next);
    });
    let counts = Branches::of(parts, rest).count(effort);
    let mut parts: Vec<_> = names.into_iter().zip(counts).collect();
    parts.sort_unstable();
    parts
}

/// Returns the same count as [`perft`], counting equal positions once while the table holds them.
fn perft_by<P: Position>(position: &P, depth: u32, table: &CountTable<P>) -> u64 {
    if depth < CountTable::<P>::LEAST_DEPTH {
        return perft(position, depth);
    }
    if let Some(leaves) = table.find(position, depth) {
        return leaves;
    }
    let mut leaves = 0;
    position.legal_plies(&mut |ply| {
        let mut next = position.clone();
        next.play_unchecked(ply);
        leaves += perft_by(&next, depth - 1, table);
    });
    table.store(position, depth, leaves);
    leaves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Fanorona, Farook, Faust, Frenzy, Options as _, Sophia, TwoFrenzy};

    /// Counts positions that differ only in the counter at their end, with one table for all of them.
    fn check<P: Position>(option: (&str, &str), text: &str, counters: [u32; 2]) {
        const DEPTH: u32 = 4;
        let options = P::Options::from_pairs(&[option]).expect("options");
        let positions =
            counters.map(|n| P::read(&options, &format!("{text}{n}")).expect("a position of the game"));
        assert!(positions[0] == positions[1]);
        let table = CountTable::new(1 << 22);
        let counts = positions.each_ref().map(|position| perft_by(position, DEPTH, &table));
        assert_eq!(counts, positions.each_ref().map(|position| perft(position, DEPTH)));
        assert!(counts[0] != counts[1], "{text}");
    }

    #[test]
    fn the_table_tells_counters_apart() {
        check::<Farook>(
            ("max-moves", "20"),
            "1x1b/wwb1/bw1w/wb1w p1 stock=0,2,1 last=d2,- ko=- n=",
            [16, 18],
        );
        check::<Faust>(("max-moves", "60"), "2b4b/5b2/5wb1/3b3w/bw6/8/w4bw1/4w3 p1 c=bw n=", [20, 58]);
        check::<Frenzy>(("max-turns", "40"), "8/2f5/1f1sf3/2ff4/1f6/1ff5/2s5/8 p2 phase=play n=", [32, 38]);
        check::<TwoFrenzy>(
            ("max-turns", "40"),
            "1ff5/1S6/8/8/4F3/1F2F3/2FF1s2/sFFFF3 p2 phase=play left=2 used=- n=",
            [33, 39],
        );
        check::<Sophia>(("max-moves", "50"), "bAbb/BBba/aaAA/1b1A p1 stock=0,0 c=AB n=", [24, 48]);
        check::<Fanorona>(("quiet-cap", "30"), "9/2b3w2/b8/9/2b5w p1 quiet=", [21, 28]);
    }
}
