//! The 8x8 board of Frenzy and 2-Frenzy as sets of cells: neighbours, groups of fish, hops.
//!
//! A set of cells is a `u64` whose bit `n` is the cell with the number `n` (a1, b1, … h8). Nothing here knows
//! whose animals they are or whose turn it is.

pub(crate) mod ply;

use arrayvec::ArrayVec;

use crate::{Board, Cell, Dice, SchoolPly};

/// The board of both games.
pub(crate) const BOARD: Board = Board::new(8, 8);

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;
const FILES_AB: u64 = FILE_A | FILE_A << 1;
const FILES_GH: u64 = FILE_H | FILE_H >> 1;

/// Returns the set of one cell.
pub(crate) const fn only(cell: u8) -> u64 {
    1 << cell
}

/// Returns the name of a cell.
pub(crate) const fn named(cell: u8) -> Cell {
    BOARD.cell(cell as usize)
}

/// Iterates over the cells of a set, a1 first.
pub(crate) fn cells(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let cell = (set != 0).then(|| set.trailing_zeros() as u8)?;
        set &= set - 1;
        Some(cell)
    })
}

/// The cells adjacent to each cell.
const NEIGHBOURS: [u64; BOARD.cells()] = {
    let mut table = [0; BOARD.cells()];
    let mut cell = 0;
    while cell < table.len() {
        table[cell] = neighbours(only(cell as u8));
        cell += 1;
    }
    table
};

/// Returns the cells that are adjacent to a cell.
pub(crate) const fn neighbours_of(cell: u8) -> u64 {
    NEIGHBOURS[cell as usize % NEIGHBOURS.len()]
}

/// Returns the cells that are adjacent to at least one cell of the set, in any of 8 directions.
pub(crate) const fn neighbours(set: u64) -> u64 {
    let sides = (set & !FILE_H) << 1 | (set & !FILE_A) >> 1;
    let row = set | sides;
    sides | row << 8 | row >> 8
}

/// Returns the empty cells all of whose 8 neighbours are occupied; cells on the edge do not have 8.
pub(crate) const fn enclosed(empty: u64) -> u64 {
    const INNER: u64 = 0x007e_7e7e_7e7e_7e00;
    empty & INNER & !neighbours(empty)
}

/// Returns the group of fish that contains `seed`.
pub(crate) const fn group(fish: u64, seed: u64) -> u64 {
    let mut group = seed;
    loop {
        let grown = (group | neighbours(group)) & fish;
        if grown == group {
            return group;
        }
        group = grown;
    }
}

/// Returns whether `fish` are certainly one group, if they were one with another fish on `left`. The answer
/// depends on the neighbours of that cell alone: no means that somebody has to look at the whole board.
pub(crate) const fn stay_whole(fish: u64, left: u8) -> bool {
    // With the cell moved to b2 its neighbours are in the lower left corner, which takes nine bits.
    const CENTRE: u8 = 9;
    let ring = (fish & neighbours_of(left)).rotate_right(left as u32 + 64 - CENTRE as u32);
    let index = ring & 0x7 | ring >> 5 & 0x38 | ring >> 10 & 0x1c0;
    WHOLE_RINGS[index as usize / 64] >> (index % 64) & 1 != 0
}

/// Which sets of neighbours of a cell are one group or empty: a bit for each set of cells of a 3x3 block.
const WHOLE_RINGS: [u64; 8] = {
    let mut table = [0; 8];
    let mut index = 0;
    while index < 512 {
        let ring = index & 0x7 | (index & 0x38) << 5 | (index & 0x1c0) << 10;
        if group(ring, ring & ring.wrapping_neg()) == ring {
            table[index as usize / 64] |= 1 << (index % 64);
        }
        index += 1;
    }
    table
};

/// Returns whether `fish` are certainly one group, if they were one before a fish swam to `to` from `from`.
pub(crate) const fn stay_whole_by_swim(fish: u64, from: u8, to: u8) -> bool {
    let others = fish & !only(to);
    stay_whole(others, from) && (neighbours_of(to) & others != 0 || others == 0)
}

/// The moves of a position: the cells of animals that can move, each with the cells to which it can.
#[derive(Default)]
pub(crate) struct Moves(ArrayVec<(u8, u64), { BOARD.cells() }>);

impl Moves {
    /// Adds the moves of the animals on these cells.
    pub(crate) fn add(&mut self, animals: u64, mut targets: impl FnMut(u8) -> u64) {
        self.0.extend(cells(animals).map(|from| (from, targets(from))));
    }

    /// Visits all moves, those of one animal after those of another.
    pub(crate) fn visit(&self, visit: &mut impl FnMut(SchoolPly)) {
        for (from, targets) in &self.0 {
            cells(*targets).for_each(|to| visit(SchoolPly::Move { from: *from, to }));
        }
    }

    /// Returns a random one, as if all had been listed, or nothing when there are none.
    pub(crate) fn random(&self, dice: &mut Dice) -> Option<SchoolPly> {
        let count: u32 = self.0.iter().map(|(_, targets)| targets.count_ones()).sum();
        let mut place = (count > 0).then(|| dice.below(count as usize))?;
        for (from, targets) in &self.0 {
            let count = targets.count_ones() as usize;
            if place < count {
                return cells(*targets).nth(place).map(|to| SchoolPly::Move { from: *from, to });
            }
            place -= count;
        }
        None
    }
}

fn groups(mut fish: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let next = (fish != 0).then(|| group(fish, fish & fish.wrapping_neg()))?;
        fish &= !next;
        Some(next)
    })
}

/// Returns the only largest group, or nothing when several are largest. No fish are one group without fish.
pub(crate) fn largest(fish: u64) -> Option<u64> {
    let mut best = 0;
    let mut size = 0;
    let mut is_tied = false;
    let mut rest = fish;
    while rest != 0 {
        let next = group(fish, rest & rest.wrapping_neg());
        rest &= !next;
        // Mostly there is one group, which need not be counted.
        if next == fish {
            return Some(fish);
        }
        let count = next.count_ones();
        is_tied = count == size || (is_tied && count < size);
        if count > size {
            (best, size) = (next, count);
        }
    }
    if is_tied { None } else { Some(best) }
}

/// Iterates over the largest groups.
pub(crate) fn largest_groups(fish: u64) -> impl Iterator<Item = u64> {
    let size = groups(fish).map(u64::count_ones).max();
    groups(fish).filter(move |group| Some(group.count_ones()) == size)
}

/// Returns the cell by which a group is named: of its lowest file the lowest rank.
pub(crate) fn name(group: u64) -> u8 {
    (0..8).map(|file| group & FILE_A << file).find(|column| *column != 0).map_or(0, u64::trailing_zeros) as u8
}

/// The four axes of hops: how far apart the numbers of adjacent cells are, and the cells on which a hop to the
/// higher and to the lower number can land without leaving its rank or diagonal.
const AXES: [(u32, u64, u64); 4] = [
    (1, !FILES_AB, !FILES_GH),
    (7, !FILES_GH, !FILES_AB),
    (8, u64::MAX, u64::MAX),
    (9, !FILES_AB, !FILES_GH),
];

/// Where a fish can get by hops: chains over adjacent fish to the empty cell right behind each, no fish hopped
/// twice.
///
/// The boards that this holds serve every fish of a position, although the moving fish's own cell counts as
/// empty during its chain: a chain keeps the parity of file and rank, so the moving fish is never the one that
/// is hopped, and landing on its own cell leads nowhere that it could not go before.
pub(crate) struct Hops {
    steps: HopSteps,
    /// The empty cells from which hops lead on, but those of `chains`.
    rest: u64,
    /// The sets of empty cells that hops join, both ways, as far as somebody asked: none has a single cell.
    chains: ArrayVec<u64, { BOARD.cells() / 2 }>,
}

impl Hops {
    /// Prepares the hops over `fish` to `empty` cells.
    pub(crate) fn over(fish: u64, empty: u64) -> Self {
        let steps = HopSteps::over(fish, empty);
        Self { steps, rest: steps.any & empty, chains: ArrayVec::new() }
    }

    /// Returns the cells on which a chain from `start` (one cell) can end; `start` is none of them.
    ///
    /// Mere reachability is not enough. A fish could be hopped twice in two ways: along the same line, or along
    /// both of its diagonals (its rank, its file and its diagonals join cells of different parity, so one chain
    /// never uses two of these). Hopping twice along one line visits a cell twice; cutting out what lies
    /// between the two visits leaves a chain to the same end that hops over fewer fish. Crossing one fish
    /// along both diagonals cannot always be avoided: with fish on b2 and c2 only, a1-c3-c1 is a chain, but
    /// a1-c3-c1-a3 hops over b2 twice and a3 is out of reach. That needs a fish whose four diagonal neighbours
    /// are all reachable; without such a fish mere reachability is exact.
    pub(crate) fn targets(&mut self, start: u64) -> u64 {
        if self.steps.any & start == 0 {
            return 0;
        }
        let first = self.steps.from(start);
        while first & self.rest != 0 {
            let next = first & self.rest;
            let chain = self.steps.flood(next & next.wrapping_neg());
            self.rest &= !chain;
            self.chains.push(chain);
        }
        let chained = self.chains.iter().map(|chain| if first & chain == 0 { 0 } else { *chain });
        let reached = chained.fold(start | first, |reached, chain| reached | chain);
        let crossings = self.steps.fish & centres(reached);
        let reached = if crossings == 0 { reached } else { self.steps.flood_once(start, crossings) };
        reached & !start
    }
}

/// From where a single hop is possible.
#[derive(Clone, Copy)]
struct HopSteps {
    fish: u64,
    /// For each axis the cells from which a hop to the higher number is possible.
    up: [u64; 4],
    /// The same to the lower number.
    down: [u64; 4],
    any: u64,
}

impl HopSteps {
    fn over(fish: u64, empty: u64) -> Self {
        let up = AXES.map(|(step, high, _)| fish >> step & (empty & high) >> (2 * step));
        let down = AXES.map(|(step, _, low)| fish << step & (empty & low) << (2 * step));
        let any = up.iter().chain(&down).fold(0, |any, from| any | from);
        Self { fish, up, down, any }
    }

    /// Returns the cells that single hops from a set of cells lead to.
    fn from(&self, cells: u64) -> u64 {
        let mut next = 0;
        for (axis, (step, ..)) in AXES.iter().enumerate() {
            next |= (cells & self.up[axis]) << (2 * step) | (cells & self.down[axis]) >> (2 * step);
        }
        next
    }

    /// Returns what hops reach from a set of cells, however often each fish is hopped.
    fn flood(&self, from: u64) -> u64 {
        let (mut reached, mut edge) = (from, from);
        loop {
            edge = self.from(edge) & !reached;
            reached |= edge;
            // Most chains end after a hop or two.
            if edge & self.any == 0 {
                return reached;
            }
        }
    }

    /// Returns what hops reach when each fish of `crossings` is hopped at most once. They are at most 9: the centres
    /// between the 16 cells of one parity.
    // It is rare, and its tables would weigh on the stack of every search.
    #[inline(never)]
    fn flood_once(&self, start: u64, crossings: u64) -> u64 {
        match crossings.count_ones() {
            1 => self.flood_once_in::<2>(start, crossings),
            2 => self.flood_once_in::<4>(start, crossings),
            _ => self.flood_once_in::<512>(start, crossings),
        }
    }

    /// Searches over the cell and the set of crossings used, of which there are as many as `SETS`.
    fn flood_once_in<const SETS: usize>(&self, start: u64, crossings: u64) -> u64 {
        let mut others = *self;
        for (axis, (step, ..)) in AXES.iter().enumerate() {
            others.up[axis] &= !(crossings >> step);
            others.down[axis] &= !(crossings << step);
        }
        let mut reached = 0;
        let mut by_used = [0_u64; SETS];
        by_used[0] = start;
        // A crossing is only ever added, so each set of used ones comes after all that lead to it.
        for used in 0..1_usize << crossings.count_ones() {
            if by_used[used] == 0 {
                continue;
            }
            let here = others.flood(by_used[used]);
            reached |= here;
            for (index, centre) in cells(crossings).enumerate() {
                if used & 1 << index == 0 {
                    by_used[used | 1 << index] |= across(here, only(centre));
                }
            }
        }
        reached
    }
}

/// Returns the cells whose four diagonal neighbours are all in the set.
const fn centres(set: u64) -> u64 {
    let west = (set & !FILE_H) << 1;
    let east = (set & !FILE_A) >> 1;
    west << 8 & east << 8 & west >> 8 & east >> 8
}

/// Returns where diagonal hops over `centre` land that start in `from`. All four corners can be landed on.
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

    /// The rule word for word: one chain after the other, with the set of fish that it hopped over.
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

    fn check_hops(fish: u64, empty: u64, start: u8) {
        let mut ends = 0;
        let at = (i32::from(start % 8), i32::from(start / 8));
        chain(fish & !only(start), empty | only(start), at, 0, &mut ends);
        let found = Hops::over(fish, empty).targets(only(start));
        assert_eq!(found, ends & !only(start), "fish {fish:#x} empty {empty:#x} start {start}");
    }

    #[test]
    fn hops_are_those_of_the_rule_on_random_boards() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut board = || (rng.next_u64(), rng.next_u64(), rng.next_u64());
        for _ in 0..1500 {
            let (one, two, three) = board();
            for fish in [one, one & two, one & two & three] {
                let sharks = !fish & two & !one & three;
                for start in cells(fish) {
                    check_hops(fish, !(fish | sharks), start);
                }
            }
        }
    }

    #[test]
    fn hops_are_those_of_the_rule_where_diagonals_cross() {
        // Fish on few of the cells between those of one parity: chains over crossings, yet few enough to list.
        let lattice = 0x0055_0055_0055_0055_u64;
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let mut crossed = 0;
        for _ in 0..3000 {
            let fish = (rng.next_u64() & rng.next_u64() & !lattice) | 1 << 18;
            check_hops(fish, !fish, 18);
            let mut hops = Hops::over(fish, !fish);
            crossed += u32::from(hops.targets(1 << 18) != hops.steps.flood(1 << 18) & !(1 << 18));
        }
        assert!(crossed > 100, "{crossed}");
    }

    #[test]
    fn no_fish_is_crossed_twice() {
        let fish = set("a1 b2 c2");
        assert_eq!(Hops::over(fish, !fish).targets(set("a1")), set("c3 c1"));
    }

    #[test]
    fn hops_stay_on_the_board() {
        let fish = set("g4 h5 a5 b4 g1 g8 b8");
        for start in cells(fish) {
            check_hops(fish, !fish, start);
        }
    }

    #[test]
    fn the_name_of_a_group_has_the_lowest_file_first() {
        assert_eq!(name(set("b1 a3 a4")), 16);
        assert_eq!(name(set("h8")), 63);
    }

    #[test]
    fn the_largest_group_is_alone_or_tied() {
        assert_eq!(largest(0), Some(0));
        assert_eq!(largest(set("a1 b2 d1")), Some(set("a1 b2")));
        assert_eq!(largest(set("a1 c1 e1 e2")), Some(set("e1 e2")));
        assert_eq!(largest(set("a1 a2 c1 e1 e2")), None);
        assert_eq!(largest(set("h1 a2")), None);
        let tied: Vec<_> = largest_groups(set("a1 a2 c1 e1 e2")).collect();
        assert_eq!(tied, [set("a1 a2"), set("e1 e2")]);
    }

    #[test]
    fn what_stays_whole_is_whole() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let (mut whole, mut unknown) = (0, 0);
        for _ in 0..3000 {
            let fish = rng.next_u64() & rng.next_u64();
            let Some(school) = largest(fish) else { continue };
            for from in cells(school) {
                let rest = school & !only(from);
                let is_whole = largest(rest) == Some(rest);
                assert!(is_whole || !stay_whole(rest, from), "{school:#x} {from}");
                whole += u32::from(stay_whole(rest, from));
                unknown += u32::from(!stay_whole(rest, from) && is_whole);
                for to in cells(!school) {
                    let next = rest | only(to);
                    assert!(!stay_whole_by_swim(next, from, to) || largest(next) == Some(next));
                }
            }
        }
        assert!(whole > unknown, "{whole} {unknown}");
    }

    #[test]
    fn only_inner_cells_are_enclosed() {
        assert_eq!(enclosed(set("a1 c3 e5 f6 h8")), set("c3"));
        assert_eq!(enclosed(set("b2 g7 d1")), set("b2 g7"));
    }
}
