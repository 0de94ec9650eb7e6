//! The lines of the boards: which points are joined, for every size.

use crate::Board;

/// The eight directions as changes of file and rank. A direction and the opposite one differ in the lowest
/// bit; even ones lead to points with higher numbers.
pub(super) const DIRECTIONS: [(i8, i8); 8] =
    [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (-1, 1), (1, -1)];

/// The sizes, files before ranks.
pub(super) const SIZES: [&str; 12] =
    ["3x3", "3x5", "3x7", "5x3", "5x5", "5x7", "7x3", "7x5", "7x7", "9x3", "9x5", "9x7"];

/// The lines of each of the [`SIZES`].
pub(super) static LINES: [Lines; SIZES.len()] = {
    let mut all = [Lines::of(Board::new(3, 3)); SIZES.len()];
    let mut index = 0;
    while index < SIZES.len() {
        let size = SIZES[index].as_bytes();
        all[index] = Lines::of(Board::new(size[0] - b'0', size[2] - b'0'));
        index += 1;
    }
    all
};

/// A board with its lines; sets of points are masks.
#[derive(Clone, Copy)]
pub(super) struct Lines {
    pub(super) board: Board,
    /// All points.
    pub(super) points: u64,
    /// For each direction, the points from which a line leads that way.
    pub(super) ahead: [u64; 8],
    /// For each pair of opposite directions, by how much the numbers of neighbours differ.
    steps: [u32; 4],
}

impl Lines {
    const fn of(board: Board) -> Self {
        let (files, ranks) = (board.files as i8, board.ranks as i8);
        let mut ahead = [0; 8];
        let mut direction = 0;
        while direction < 8 {
            let (right, up) = DIRECTIONS[direction];
            let is_diagonal = right != 0 && up != 0;
            let mut point = 0;
            while point < board.cells() {
                let cell = board.cell(point);
                let (file, rank) = (cell.file as i8, cell.rank as i8);
                // Counted from 0 or from 1, file and rank have the same parity of their sum.
                let is_crossing = (file + rank) % 2 == 0;
                let is_inside =
                    file + right >= 0 && file + right < files && rank + up >= 0 && rank + up < ranks;
                if is_inside && (is_crossing || !is_diagonal) {
                    ahead[direction] |= 1 << point;
                }
                point += 1;
            }
            direction += 1;
        }
        let files = board.files as u32;
        Self { board, points: (1 << board.cells()) - 1, ahead, steps: [1, files, files + 1, files - 1] }
    }

    /// Returns the points one step from `from` in this direction.
    pub(super) const fn step(&self, from: u64, direction: usize) -> u64 {
        self.shift(from & self.ahead[direction], direction)
    }

    /// Returns the points from which one step in this direction leads to a point of `to`.
    pub(super) const fn before(&self, to: u64, direction: usize) -> u64 {
        self.shift(to, direction ^ 1) & self.ahead[direction]
    }

    /// Returns the unbroken row of points of `stones` that begins next to `from` in this direction.
    pub(super) const fn row(&self, from: u64, direction: usize, stones: u64) -> u64 {
        let mut row = 0;
        let mut next = self.step(from, direction) & stones;
        while next != 0 {
            row |= next;
            next = self.step(next, direction) & stones;
        }
        row
    }

    /// Returns the direction of the line that joins two neighbours.
    pub(super) fn direction(&self, from: u64, to: u64) -> Option<usize> {
        (0..8).find(|direction| self.step(from, *direction) == to)
    }

    const fn shift(&self, points: u64, direction: usize) -> u64 {
        let step = self.steps[direction / 2];
        if direction.is_multiple_of(2) { points << step } else { points >> step }
    }
}
