//! The sea for three seats: nine files that wrap, so that file a is next to file i, and eight ranks that do not.

use arrayvec::ArrayVec;

use crate::Board;
use crate::games::frenzy_table::sea::{CellSet, Sea};

/// The sea for three seats: 9x8, with three files for each seat.
#[derive(Clone, Copy, Debug)]
pub struct Ring;

const FILES: u32 = 9;
const CELLS: usize = 72;
const ALL: u128 = (1 << CELLS) - 1;
const FILE_A: u128 = {
    let mut file = 0;
    let mut rank = 0;
    while rank < 8 {
        file |= 1 << (FILES * rank);
        rank += 1;
    }
    file
};

/// The eight directions, as steps of files and ranks.
const DIRECTIONS: [(i8, i8); 8] = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (-1, 1), (1, -1)];

/// The directions along a rank: east and west.
const ALONG_RANK: std::ops::Range<usize> = 0..2;

/// The least number of cells that chains reach, including their start, if a fish could be hopped along two lines.
const LEAST_CROSSED: u32 = 4;

/// Moves every cell of a set by files, which wrap.
const fn shift_files(set: u128, files: i8) -> u128 {
    match files {
        1 => (set & !(FILE_A << 8)) << 1 | set >> 8 & FILE_A,
        2 => (set & !(FILE_A << 7 | FILE_A << 8)) << 2 | set >> 7 & (FILE_A | FILE_A << 1),
        -1 => set >> 1 & !(FILE_A << 8) | (set & FILE_A) << 8,
        -2 => set >> 2 & !(FILE_A << 7 | FILE_A << 8) | (set & (FILE_A | FILE_A << 1)) << 7,
        _ => set,
    }
}

/// Moves every cell of a set, losing those that leave the board.
const fn shift(set: u128, (files, ranks): (i8, i8)) -> u128 {
    let set = shift_files(set, files);
    match ranks {
        0 => set,
        up @ 1.. => set << (FILES * up as u32) & ALL,
        down => set >> (FILES * down.unsigned_abs() as u32),
    }
}

/// Moves every cell of a set by a hop.
const fn shift_twice(set: u128, (files, ranks): (i8, i8)) -> u128 {
    shift(set, (2 * files, 2 * ranks))
}

const fn opposite((files, ranks): (i8, i8)) -> (i8, i8) {
    (-files, -ranks)
}

impl Sea for Ring {
    type Cells = u128;

    const BOARD: Board = Board::new(FILES as u8, 8);
    const ALL: u128 = ALL;

    fn home(seat: usize) -> u128 {
        (FILE_A | FILE_A << 1 | FILE_A << 2) << (3 * (seat % 3))
    }

    fn neighbours(set: u128) -> u128 {
        let sides = shift_files(set, 1) | shift_files(set, -1);
        let row = set | sides;
        sides | row << FILES & ALL | row >> FILES
    }

    fn swims(movers: u128, fish: u128, empty: u128, mut visit: impl FnMut(u8, u128)) {
        let hops = RingHops::over(fish, empty);
        for from in movers.cells() {
            let start = u128::only(from);
            visit(from, Self::neighbours(start) & empty | hops.targets(start));
        }
    }
}

/// The cells that a fish can reach by hops: chains over adjacent fish to the empty cell right behind each, without hopping over
/// any fish twice.
///
/// A chain around the ring returns with the other parity of files. So, unlike on a board without a seam, it may reach the
/// moving fish's own cell, which counts as empty, and cross a fish both along its file and along its diagonals.
struct RingHops {
    fish: u128,
    empty: u128,
    /// For each direction the cells from which a hop is possible.
    from: [u128; 8],
    any: u128,
}

impl RingHops {
    fn over(fish: u128, empty: u128) -> Self {
        let from = DIRECTIONS.map(|direction| {
            let back = opposite(direction);
            shift(fish, back) & shift_twice(empty, back)
        });
        let any = from.iter().fold(0, |any, from| any | from);
        Self { fish, empty, from, any }
    }

    /// Returns the cells, except `start` itself, on which a chain from `start` (one cell) can end.
    ///
    /// If a chain reaches a cell twice, the part between the two visits can be left out: the rest leads to the same end over
    /// fewer fish. So a chain need never return to `start`, nor hop over a fish twice along one line. A fish hopped along its
    /// rank is on a rank of the chain's cells. A fish hopped along its file or a diagonal is between two of these ranks,
    /// because ranks do not wrap. So only the latter could be hopped twice, along two of these three lines.
    fn targets(&self, start: u128) -> u128 {
        if self.any & start == 0 {
            return 0;
        }
        let hops = self.without(start);
        let reached = hops.flood(start);
        if reached.size() < LEAST_CROSSED || hops.crossed(reached) == 0 {
            return reached & !start;
        }
        hops.flood_once(start, reached) & !start
    }

    /// Returns the hops without those over the fish on `start`.
    fn without(&self, start: u128) -> Self {
        let mut from = self.from;
        // Ranks do not wrap, so a chain passes its start on the same rank only.
        for direction in ALONG_RANK {
            from[direction] &= !shift(start, opposite(DIRECTIONS[direction]));
        }
        Self { fish: self.fish & !start, empty: self.empty, from, any: self.any }
    }

    /// Returns the cells that hops reach from `start`, without limiting how often each fish is hopped.
    fn flood(&self, start: u128) -> u128 {
        let (mut reached, mut edge) = (start, start);
        loop {
            let mut next = 0;
            for (direction, from) in DIRECTIONS.into_iter().zip(self.from) {
                next |= shift_twice(edge & from, direction);
            }
            edge = next & !reached;
            reached |= edge;
            // Most chains end after one or two hops.
            if edge & self.any == 0 {
                return reached;
            }
        }
    }

    /// Returns the fish that chains reaching these cells could hop along two lines.
    fn crossed(&self, reached: u128) -> u128 {
        let line = |direction| shift(reached, direction) & shift(reached, opposite(direction));
        let (file, rising, falling) = (line((0, 1)), line((1, 1)), line((-1, 1)));
        self.fish & (file & (rising | falling) | rising & falling)
    }

    /// Returns the hop from a cell in a direction: the hopped fish and the cell behind it.
    fn hop(&self, cell: u128, direction: usize) -> Option<(u128, u128)> {
        let (from, step) = (self.from[direction], DIRECTIONS[direction]);
        (from & cell != 0).then(|| (shift(cell, step), shift_twice(cell, step)))
    }

    /// Returns the cells that hops reach from `start` if no fish is hopped twice. `most` is what they reach without that rule.
    /// It is rarely needed, and inlined, its list would enlarge the stack of every search.
    #[inline(never)]
    fn flood_once(mut self, start: u128, mut most: u128) -> u128 {
        let mut known = self.some_chains(start);
        while most & !known != 0 {
            // The nearest of the other cells: a hop leads there from a known one.
            let nearest = (most & !known).cells().map(u128::only).find(|cell| {
                (0..8).any(|direction| self.hop_back(*cell, direction).is_some_and(|(_, at)| known & at != 0))
            });
            let Some(cell) = nearest else { break };
            match self.chain_to(cell, start, 0, cell) {
                0 => {
                    // No chain leads to this cell, so none continues from it.
                    self = self.barred(0, cell);
                    most = self.flood(start);
                }
                chain => known |= chain,
            }
        }
        known
    }

    /// Returns cells that chains reach, usually all of them: it only follows the first chain found to each cell.
    fn some_chains(&self, start: u128) -> u128 {
        let mut known = start;
        let mut chains: ArrayVec<(u128, u128), CELLS> = ArrayVec::new();
        chains.push((start, 0));
        let mut next = 0;
        while let Some((cell, hopped)) = chains.get(next).copied() {
            next += 1;
            for (over, to) in (0..8).filter_map(|direction| self.hop(cell, direction)) {
                if hopped & over == 0 && known & to == 0 {
                    known |= to;
                    chains.push((to, hopped | over));
                }
            }
        }
        known
    }

    /// Returns the hop that leads to a cell in a direction: the hopped fish and the cell where it begins.
    fn hop_back(&self, cell: u128, direction: usize) -> Option<(u128, u128)> {
        let back = opposite(DIRECTIONS[direction]);
        let at = shift_twice(cell, back);
        (at & self.from[direction] != 0).then(|| (shift(cell, back), at))
    }

    /// Returns the cells of a chain from `start` to `cell` that neither hops over `hopped` nor enters `path`; empty if there is
    /// none. It searches from the end, and only where hops lead at all.
    fn chain_to(&self, cell: u128, start: u128, hopped: u128, path: u128) -> u128 {
        if cell == start {
            return path;
        }
        let reached = self.barred(hopped, path & !cell).flood(start);
        if reached & cell == 0 {
            return 0;
        }
        for direction in 0..8 {
            let Some((over, at)) = self.hop_back(cell, direction) else { continue };
            if over & hopped == 0 && at & path == 0 && at & reached != 0 {
                let chain = self.chain_to(at, start, hopped | over, path | at);
                if chain != 0 {
                    return chain;
                }
            }
        }
        0
    }

    /// Returns the hops that neither cross these fish nor land on these cells.
    fn barred(&self, fish: u128, cells: u128) -> Self {
        Self::over(self.fish & !fish, self.empty & !cells)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rand::rngs::ChaCha8Rng;
    use rand::{Rng, SeedableRng};

    use super::*;

    /// The rule literally: every chain, by its current cell and the fish that it has hopped over.
    fn chains(fish: u128, empty: u128, at: i32, hopped: u128, seen: &mut HashSet<(i32, u128)>) {
        if !seen.insert((at, hopped)) {
            return;
        }
        let cell = |files: i32, ranks: i32| {
            let (file, rank) = ((at % 9 + files).rem_euclid(9), at / 9 + ranks);
            (0..8).contains(&rank).then_some(rank * 9 + file)
        };
        for (files, ranks) in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)] {
            if let (Some(over), Some(to)) = (cell(files, ranks), cell(2 * files, 2 * ranks))
                && fish & !hopped & 1 << over != 0
                && empty & 1 << to != 0
            {
                chains(fish, empty, to, hopped | 1 << over, seen);
            }
        }
    }

    /// Compares the targets of a fish with the rule; returns whether plain reachability would be wrong.
    fn check(fish: u128, empty: u128, start: u8) -> bool {
        let mut seen = HashSet::new();
        let only = u128::only(start);
        chains(fish & !only, empty | only, i32::from(start), 0, &mut seen);
        let ends = seen.iter().fold(0, |ends, (at, _)| ends | 1 << at) & !only;
        let hops = RingHops::over(fish, empty);
        assert_eq!(hops.targets(only), ends, "fish {fish:#x} empty {empty:#x} start {start}");
        hops.without(only).flood(only) & !only != ends
    }

    #[test]
    fn hops_are_those_of_the_rule_on_random_boards() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut board = || (u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64())) & ALL;
        for _ in 0..600 {
            let (one, two, three) = (board(), board(), board());
            for fish in [one, one & two, one & two & three] {
                let sharks = !fish & two & !one & three;
                for start in fish.cells() {
                    check(fish, ALL & !(fish | sharks), start);
                }
            }
        }
    }

    #[test]
    fn hops_are_those_of_the_rule_where_lines_cross() {
        // Fish on few of the ranks between those of a chain, and on its own ranks: around the ring, but few enough to list.
        let even = (0..4).fold(0, |ranks, rank| ranks | 0x1ff << (18 * rank));
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let mut board = || (u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64())) & ALL;
        let mut crossed = 0;
        for _ in 0..1500 {
            let fish = board() & board() & !even | board() & board() & board() | 1;
            crossed += u32::from(check(fish, ALL & !fish, 0));
        }
        assert!(crossed > 50, "{crossed}");
    }
}
