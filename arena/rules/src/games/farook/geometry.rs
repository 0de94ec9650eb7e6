//! The 4x4 board as masks of 16 bits: bit 0 is a1, bit 1 is b1, bit 15 is d4.

use crate::{Board, ProofShape};

/// The board.
pub(super) const BOARD: Board = Board::new(4, 4);

const CELLS: usize = BOARD.cells();

/// The cells adjacent to each cell.
pub(super) const NEIGHBOURS: [u16; CELLS] = neighbours();

/// A jump from a cell.
#[derive(Clone, Copy)]
pub(super) struct Jump {
    /// The cell that is jumped over, as a mask.
    pub(super) over: u16,
    /// The number of the cell behind it.
    pub(super) to: u8,
}

/// The jumps from each cell: on four files and ranks exactly one along the rank, one along the file and one
/// along a diagonal.
pub(super) const JUMPS: [[Jump; 3]; CELLS] = jumps();

const fn neighbours() -> [u16; CELLS] {
    let mut table = [0; CELLS];
    let mut from = 0;
    while from < CELLS {
        let mut to = 0;
        while to < CELLS {
            let (files, ranks) = ((from % 4).abs_diff(to % 4), (from / 4).abs_diff(to / 4));
            if from != to && files <= 1 && ranks <= 1 {
                table[from] |= 1 << to;
            }
            to += 1;
        }
        from += 1;
    }
    table
}

const fn jumps() -> [[Jump; 3]; CELLS] {
    let mut table = [[Jump { over: 0, to: 0 }; 3]; CELLS];
    let mut from = 0;
    while from < CELLS {
        let (file, rank) = (from % 4, from / 4);
        // Two cells further there is space in one direction only.
        let (over_file, to_file) = if file < 2 { (file + 1, file + 2) } else { (file - 1, file - 2) };
        let (over_rank, to_rank) = if rank < 2 { (rank + 1, rank + 2) } else { (rank - 1, rank - 2) };
        table[from] = [
            jump(over_file, rank, to_file, rank),
            jump(file, over_rank, file, to_rank),
            jump(over_file, over_rank, to_file, to_rank),
        ];
        from += 1;
    }
    table
}

const fn jump(over_file: usize, over_rank: usize, to_file: usize, to_rank: usize) -> Jump {
    Jump { over: 1 << BOARD.number(over_file, over_rank), to: BOARD.number(to_file, to_rank) as u8 }
}

/// All patterns: four rows, four columns, two diagonals, nine squares, the corners.
pub(super) const PATTERNS: [(ProofShape, u16); 20] = patterns();

const fn patterns() -> [(ProofShape, u16); 20] {
    let mut table = [(ProofShape::Corners, 0x9009); 20];
    let mut i = 0;
    while i < 4 {
        table[i] = (ProofShape::Row, 0x000f << (4 * i));
        table[4 + i] = (ProofShape::Row, 0x1111 << i);
        i += 1;
    }
    table[8] = (ProofShape::Row, 0x8421);
    table[9] = (ProofShape::Row, 0x1248);
    let mut i = 0;
    while i < 9 {
        table[10 + i] = (ProofShape::Square, 0x0033 << (4 * (i / 3) + i % 3));
        i += 1;
    }
    table
}

/// Returns whether these cells hold four in a row, a 2x2 square or the four corners.
pub(super) const fn has_pattern(cells: u16) -> bool {
    const FIRST_FILE: u16 = 0x1111;
    const FIRST_RANK: u16 = 0x000f;
    const SQUARES: u16 = 0x0777;
    let pairs_along_ranks = cells & cells >> 1;
    let pairs_along_files = cells & cells >> 4;
    let found = (pairs_along_ranks & pairs_along_ranks >> 2 & FIRST_FILE)
        | (pairs_along_files & pairs_along_files >> 8 & FIRST_RANK)
        | (pairs_along_ranks & pairs_along_ranks >> 4 & SQUARES);
    found != 0 || contains(cells, 0x8421) || contains(cells, 0x1248) || contains(cells, 0x9009)
}

const fn contains(cells: u16, part: u16) -> bool {
    cells & part == part
}

/// Returns the numbers of the cells of a mask, in order.
pub(super) fn each(mut mask: u16) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let cell = (mask != 0).then(|| mask.trailing_zeros() as u8)?;
        mask &= mask - 1;
        Some(cell)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_of_cells_has_a_pattern_exactly_if_it_contains_a_listed_one() {
        let mut masks = PATTERNS.map(|(_, pattern)| pattern);
        masks.sort_unstable();
        assert!(
            masks.iter().all(|mask| mask.count_ones() == 4) && masks.windows(2).all(|two| two[0] < two[1])
        );
        for cells in 0..=u16::MAX {
            let expected = PATTERNS.iter().any(|(_, pattern)| cells & pattern == *pattern);
            assert_eq!(has_pattern(cells), expected, "{cells:016b}");
        }
    }

    #[test]
    fn steps_and_jumps_go_both_ways() {
        let steps: u32 = NEIGHBOURS.iter().map(|cells| cells.count_ones()).sum();
        assert_eq!(steps, 84);
        for (from, jumps) in JUMPS.iter().enumerate() {
            for jump in jumps {
                let back = JUMPS[usize::from(jump.to)];
                let is_mutual = back.iter().any(|other| other.over == jump.over && other.to as usize == from);
                assert!(is_mutual, "{} to {}", BOARD.cell(from), BOARD.cell(jump.to.into()));
                assert_ne!(NEIGHBOURS[from] & jump.over, 0);
            }
        }
    }
}
