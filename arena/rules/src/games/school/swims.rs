//! The cells to which fish can swim, for all fish of a position at once.

use std::iter::repeat_n;

use arrayvec::ArrayVec;

use crate::games::school::{BOARD, FILE_A, FILE_H, FILES_AB, FILES_GH, cells, neighbours_of, only};

/// The four axes of hops: the difference between the numbers of adjacent cells, and the cells on which a hop to the higher or
/// lower number can land without leaving its rank or diagonal.
const AXES: [(u32, u64, u64); 4] = [
    (1, !FILES_AB, !FILES_GH),
    (7, !FILES_GH, !FILES_AB),
    (8, u64::MAX, u64::MAX),
    (9, !FILES_AB, !FILES_GH),
];

/// The cells of each parity of file and rank, which hops do not change.
const PARITIES: [u64; 4] = {
    let even = 0x0055_0055_0055_0055;
    [even, even << 1, even << 8, even << 9]
};

/// The cells to which fish can swim: a step to an adjacent empty cell, or a chain of hops over adjacent fish to the empty cell
/// right behind each, without hopping over any fish twice.
///
/// These sets serve every fish of a position, although the moving fish's own cell counts as empty during its chain. A chain
/// keeps the parity of file and rank, so the moving fish is never hopped, and landing on its own cell opens no new cells.
pub(crate) struct Swims<'a> {
    movers: u64,
    empty: u64,
    hops: Hops,
    areas: &'a Areas,
    /// The movers for which plain reachability may be wrong: see [`Swims::hop_targets`].
    may_cross: u64,
}

/// Storage for the results of [`Swims`]. A variable of the caller holds it, so it is never copied.
pub(crate) type Areas = ArrayVec<Area, { BOARD.cells() }>;

/// Empty cells connected by hops, in both directions, and the movers that can enter them.
pub(crate) struct Area {
    cells: u64,
    starts: u64,
}

impl<'a> Swims<'a> {
    /// Finds where `movers`, a subset of the `fish` of all seats, can swim on these `empty` cells. It overwrites `areas`.
    pub(crate) fn of(movers: u64, fish: u64, empty: u64, areas: &'a mut Areas) -> Self {
        let hops = Hops::over(fish, empty);
        areas.clear();
        let mut rest = hops.from(movers);
        while rest != 0 {
            // One area of each parity at a time, because they cannot meet.
            let seeds = PARITIES.map(|parity| rest & parity & (rest & parity).wrapping_neg());
            let seeds = seeds.iter().fold(0, |all, seed| all | seed);
            let (reached, starts) = hops.flood_back(seeds, empty);
            rest &= !reached;
            for parity in PARITIES.iter().filter(|parity| reached & **parity != 0) {
                areas.push(Area { cells: reached & parity, starts: starts & movers & parity });
            }
        }
        let mut swims = Self { movers, empty, hops, areas, may_cross: 0 };
        swims.may_cross = swims.crossers() & movers;
        swims
    }

    /// Returns the fish whose moves these are.
    pub(super) const fn movers(&self) -> u64 {
        self.movers
    }

    /// Returns the fish that reach all four diagonal neighbours of some fish, and some that reach only three.
    fn crossers(&self) -> u64 {
        let [south_west, south_east, north_west, north_east] = diagonal_neighbours(self.empty);
        let (south, north) =
            (south_west & south_east & self.hops.fish, north_west & north_east & self.hops.fish);
        // The neighbour that is not empty may be the one that hops.
        let mut crossers = (north & south_east) >> 9
            | (north & south_west) >> 7
            | (south & north_east) << 7
            | (south & north_west) << 9;
        for centre in cells(south & north) {
            // A hop over the fish between them connects each pair of opposite neighbours.
            let entering = |corner: u64| {
                let areas = self.areas.iter().filter(|area| area.cells & corner != 0);
                areas.fold(0, |starts, area| starts | area.starts)
            };
            crossers |= entering(only(centre) << 9) & entering(only(centre) << 7);
        }
        crossers
    }

    /// Returns the cells to which the mover on this cell can swim.
    pub(crate) fn targets(&self, from: u8) -> u64 {
        neighbours_of(from) & self.empty | self.hop_targets(from)
    }

    /// Returns the cells, except its own, on which a chain of hops from a mover's cell can end.
    ///
    /// Plain reachability is not enough. A fish could be hopped twice in two ways: along the same line, or along both of its
    /// diagonals. (Its rank, its file and its diagonals connect cells of different parity, so one chain never uses two of
    /// these.) Hopping twice along one line visits a cell twice; leaving out the part between the two visits gives a chain to
    /// the same end over fewer fish. But crossing one fish along both diagonals is sometimes unavoidable: with fish on b2 and
    /// c2 only, a1-c3-c1 is a chain, but a1-c3-c1-a3 hops over b2 twice, so a3 is out of reach. That needs a fish whose four
    /// diagonal neighbours are all reachable; without such a fish, plain reachability is exact.
    fn hop_targets(&self, from: u8) -> u64 {
        let start = only(from);
        // Checking all without a branch is faster than skipping some.
        let enter = |area: &Area| area.cells & u64::from(area.starts & start != 0).wrapping_neg();
        let reached = self.areas.iter().fold(0, |reached, area| reached | enter(area));
        if self.may_cross & start == 0 {
            return reached;
        }
        let corners = diagonal_neighbours(reached | start);
        let crossings = corners.iter().fold(self.hops.fish, |all, corner| all & corner);
        if crossings == 0 { reached } else { self.hops.flood_once(start, reached, crossings) }
    }

    /// Returns the number of moves from each rank: one byte each, the first rank in the lowest.
    pub(super) fn counts(&self) -> u64 {
        // A hop never ends on an adjacent cell. So a fish has at most 8 steps, and hops to the 15 other cells of its
        // parity: 8 fish of a rank have fewer than 256 moves.
        let digits = (0..).zip(count_neighbours(self.empty));
        let steps = digits.map(|(digit, cells)| count_by_rank(cells & self.movers) << digit);
        steps.sum::<u64>() + self.hop_counts()
    }

    fn hop_counts(&self) -> u64 {
        let areas = self
            .areas
            .iter()
            .map(|area| count_by_rank(area.starts & !self.may_cross) * u64::from(area.cells.count_ones()));
        let crossing =
            cells(self.may_cross).map(|from| u64::from(self.hop_targets(from).count_ones()) << (from & 0o70));
        areas.sum::<u64>() + crossing.sum::<u64>()
    }
}

/// Returns the number of adjacent cells in the set for each cell outside of it, as binary digits, the lowest first.
const fn count_neighbours(set: u64) -> [u64; 4] {
    // First over three adjacent cells of a rank, then over three such ranks.
    let (ones, twos) = add([(set & !FILE_H) << 1, set, (set & !FILE_A) >> 1]);
    let (ones, carried) = add([ones << 8, ones, ones >> 8]);
    let (sum, fours) = add([twos << 8, twos, twos >> 8]);
    [ones, sum ^ carried, fours ^ sum & carried, fours & sum & carried]
}

/// Adds three digits in every bit: returns the sums and the carries.
const fn add([a, b, c]: [u64; 3]) -> (u64, u64) {
    (a ^ b ^ c, a & b | (a ^ b) & c)
}

/// Returns the number of cells of the set on each rank: one byte each, the first rank in the lowest.
const fn count_by_rank(set: u64) -> u64 {
    let pairs = set - (set >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f
}

/// The cells from which a single hop is possible.
#[derive(Clone, Copy)]
struct Hops {
    fish: u64,
    /// For each axis the cells from which a hop to the higher number is possible.
    up: [u64; 4],
    /// The same to the lower number.
    down: [u64; 4],
}

impl Hops {
    fn over(fish: u64, empty: u64) -> Self {
        let up = AXES.map(|(step, high, _)| fish >> step & (empty & high) >> (2 * step));
        let down = AXES.map(|(step, _, low)| fish << step & (empty & low) << (2 * step));
        Self { fish, up, down }
    }

    /// Returns the cells to which single hops lead from a set of cells.
    fn from(&self, cells: u64) -> u64 {
        let mut next = 0;
        for (axis, (step, ..)) in AXES.iter().enumerate() {
            next |= (cells & self.up[axis]) << (2 * step) | (cells & self.down[axis]) >> (2 * step);
        }
        next
    }

    /// Returns the cells from which single hops lead to a set of cells.
    fn back(&self, cells: u64) -> u64 {
        let mut previous = 0;
        for (axis, (step, ..)) in AXES.iter().enumerate() {
            previous |= cells >> (2 * step) & self.up[axis] | cells << (2 * step) & self.down[axis];
        }
        previous
    }

    /// Returns the cells of `empty` from which hops lead to one of `ends`, including `ends`, and all cells from which a single
    /// hop leads to one of these.
    fn flood_back(&self, ends: u64, empty: u64) -> (u64, u64) {
        let (mut reached, mut edge, mut starts) = (ends, ends, 0);
        while edge != 0 {
            let previous = self.back(edge);
            starts |= previous;
            edge = previous & empty & !reached;
            reached |= edge;
        }
        (reached, starts)
    }

    /// Returns the cells that hops reach from a set of cells, without limiting how often each fish is hopped.
    fn flood(&self, from: u64) -> u64 {
        let (mut reached, mut edge) = (from, from);
        while edge != 0 {
            edge = self.from(edge) & !reached;
            reached |= edge;
        }
        reached
    }

    /// Returns which of the `ends` hops reach from `start` if each fish of `crossings` is hopped at most once. There are at
    /// most 9 crossings: the centres between the 16 cells of one parity. It is rarely needed, and inlined, its table would
    /// enlarge the stack of every search.
    #[inline(never)]
    fn flood_once(&self, start: u64, ends: u64, crossings: u64) -> u64 {
        let mut others = *self;
        for (axis, (step, ..)) in AXES.iter().enumerate() {
            others.up[axis] &= !(crossings >> step);
            others.down[axis] &= !(crossings << step);
        }
        // By the set of used crossings, the cells to which they lead. Crossings are only added, so each set comes after all
        // sets that lead to it.
        let mut by_used = ArrayVec::<u64, 512>::new();
        by_used.push(start);
        by_used.extend(repeat_n(0, (1 << crossings.count_ones()) - 1));
        let mut reached = 0;
        for used in 0..by_used.len() {
            if by_used[used] == 0 {
                continue;
            }
            let here = others.flood(by_used[used]);
            reached |= here;
            if reached & ends == ends {
                break;
            }
            for (index, centre) in cells(crossings).enumerate() {
                if used & 1 << index == 0 {
                    by_used[used | 1 << index] |= across(here, only(centre));
                }
            }
        }
        reached & ends
    }
}

/// Returns the cells whose neighbour to the lower left, lower right, upper left and upper right is in the set.
const fn diagonal_neighbours(set: u64) -> [u64; 4] {
    let west = (set & !FILE_H) << 1;
    let east = (set & !FILE_A) >> 1;
    [west << 8, east << 8, west >> 8, east >> 8]
}

/// Returns where diagonal hops over `centre` from `from` land. All four corners are possible.
const fn across(from: u64, centre: u64) -> u64 {
    (from & centre >> 9) << 18
        | (from & centre << 9) >> 18
        | (from & centre >> 7) << 14
        | (from & centre << 7) >> 14
}

#[cfg(test)]
mod tests {
    use rand::rngs::ChaCha8Rng;
    use rand::{Rng, SeedableRng};

    use super::*;

    fn set(names: &str) -> u64 {
        let cell = |name| BOARD.read_cell(name).expect("a cell");
        names.split_whitespace().map(|name| 1_u64 << cell(name)).sum()
    }

    /// The rule literally: one chain after the other, with the set of fish that it hopped over.
    fn chain(fish: u64, empty: u64, at: (i32, i32), hopped: u64, ends: &mut u64) {
        let bit = |(file, rank): (i32, i32)| {
            let is_on_board = (0..8).contains(&file) && (0..8).contains(&rank);
            if is_on_board { 1_u64 << (rank * 8 + file) } else { 0 }
        };
        for (file, rank) in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)] {
            let over = bit((at.0 + file, at.1 + rank));
            let next = (at.0 + 2 * file, at.1 + 2 * rank);
            if over & fish & !hopped != 0 && bit(next) & empty != 0 {
                *ends |= bit(next);
                chain(fish, empty, next, hopped | over, ends);
            }
        }
    }

    /// Checks the hops of `movers`; returns for how many of them the rule against hopping twice matters.
    fn check(movers: u64, fish: u64, empty: u64) -> u32 {
        let mut areas = Areas::new();
        let swims = Swims::of(movers, fish, empty, &mut areas);
        let (mut hops, mut all, mut crossed) = ([0; 8], [0; 8], 0);
        for start in cells(movers) {
            let mut ends = 0;
            let at = (i32::from(start % 8), i32::from(start / 8));
            chain(fish & !only(start), empty | only(start), at, 0, &mut ends);
            ends &= !only(start);
            assert_eq!(swims.hop_targets(start), ends, "fish {fish:#x} empty {empty:#x} start {start}");
            hops[usize::from(start / 8)] += ends.count_ones() as u8;
            all[usize::from(start / 8)] += swims.targets(start).count_ones() as u8;
            crossed += u32::from(swims.hops.flood(only(start)) & !only(start) != ends);
        }
        assert_eq!(
            swims.hop_counts(),
            u64::from_le_bytes(hops),
            "fish {fish:#x} empty {empty:#x} of {movers:#x}"
        );
        assert_eq!(swims.counts(), u64::from_le_bytes(all), "fish {fish:#x} empty {empty:#x} of {movers:#x}");
        crossed
    }

    #[test]
    fn hops_are_those_of_the_rule_on_random_boards() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut board = || (rng.next_u64(), rng.next_u64(), rng.next_u64());
        for _ in 0..1500 {
            let (one, two, three) = board();
            for fish in [one, one & two, one & two & three] {
                let sharks = !fish & two & !one & three;
                check(fish, fish, !(fish | sharks));
                check(fish & (two ^ three), fish, !(fish | sharks));
            }
        }
    }

    #[test]
    fn hops_are_those_of_the_rule_where_diagonals_cross() {
        // Fish on few of the cells between those of one parity: chains over crossings, but few enough to list.
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let mut crossed = 0;
        for _ in 0..3000 {
            let fish = (rng.next_u64() & rng.next_u64() & !PARITIES[0]) | 1 << 18;
            crossed += check(1 << 18, fish, !fish);
        }
        assert!(crossed > 100, "{crossed}");
    }

    #[test]
    fn no_fish_is_crossed_twice() {
        let fish = set("a1 b2 c2");
        let mut areas = Areas::new();
        assert_eq!(Swims::of(fish, fish, !fish, &mut areas).hop_targets(0), set("c3 c1"));
    }

    #[test]
    fn hops_stay_on_the_board() {
        let fish = set("g4 h5 a5 b4 g1 g8 b8");
        check(fish, fish, !fish);
    }
}
