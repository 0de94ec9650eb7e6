//! The lines of the boards: which points are joined, for every size.

use crate::Board;

/// The eight directions as changes of file and rank. A direction and the opposite one differ in the lowest
/// bit; even ones lead to points with higher numbers.
pub(super) const DIRECTIONS: [(i8, i8); 8] =
    [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (-1, 1), (1, -1)];

/// The sizes, files before ranks.
pub(super) const SIZES: [&str; 12] =
    ["3x3", "3x5", "3x7", "5x3", "5x5", "5x7", "7x3", "7x5", "7x7", "9x3", "9x5", "9x7"];

/// The largest number of points.
const MAX_POINTS: usize = 63;

/// The largest difference between the numbers of neighbours.
const MAX_STEP: usize = 10;

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
    /// For each point, those to which lines lead.
    pub(super) neighbours: [u64; MAX_POINTS],
    /// For each direction and point, all points that lie that way.
    rays: [[u64; MAX_POINTS]; 8],
    /// For each pair of opposite directions, by how much the numbers of neighbours differ.
    steps: [u32; 4],
    /// The direction for each such difference, which has [`MAX_STEP`] added.
    directions: [u8; 2 * MAX_STEP + 1],
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
        let mut lines = Self {
            board,
            points: (1 << board.cells()) - 1,
            ahead,
            neighbours: [0; MAX_POINTS],
            rays: [[0; MAX_POINTS]; 8],
            steps: [1, files, files + 1, files - 1],
            directions: [0; 2 * MAX_STEP + 1],
        };
        let mut direction = 0;
        while direction < 8 {
            lines.directions[lines.neighbour(MAX_STEP, direction)] = direction as u8;
            let mut point = 0;
            while point < board.cells() {
                let mut next = lines.step(1 << point, direction);
                lines.neighbours[point] |= next;
                while next != 0 {
                    lines.rays[direction][point] |= next;
                    next = lines.step(next, direction);
                }
                point += 1;
            }
            direction += 1;
        }
        lines
    }

    /// Returns the points one step from `from` in this direction.
    pub(super) const fn step(&self, from: u64, direction: usize) -> u64 {
        self.shift(from & self.ahead[direction], direction)
    }

    /// Returns the points from which one step in this direction leads to a point of `to`.
    pub(super) const fn before(&self, to: u64, direction: usize) -> u64 {
        self.shift(to, direction ^ 1) & self.ahead[direction]
    }

    /// Returns the unbroken row of points of `stones` that begins next to a point in this direction.
    pub(super) const fn row(&self, from: usize, direction: usize, stones: u64) -> u64 {
        let ray = self.rays[direction][from];
        let gaps = ray & !stones;
        if direction.is_multiple_of(2) {
            // Below the first gap.
            ray & (gaps & gaps.wrapping_neg()).wrapping_sub(1)
        } else {
            // Above the last gap. The highest bit is never a point, so one zero leads at least.
            ray & !(u64::MAX >> 1 >> (gaps.leading_zeros() - 1))
        }
    }

    /// Returns the direction of the line that joins two neighbours.
    pub(super) fn direction(&self, from: usize, to: usize) -> Option<usize> {
        (0..8).find(|direction| self.step(1 << from, *direction) == 1 << to)
    }

    /// Returns the direction of the line that joins two points, which are known to be neighbours.
    pub(super) const fn direction_of_neighbours(&self, from: usize, to: usize) -> usize {
        self.directions[to + MAX_STEP - from] as usize
    }

    /// Returns the neighbour in a direction in which a line is known to lead.
    pub(super) const fn neighbour(&self, from: usize, direction: usize) -> usize {
        let step = self.steps[direction / 2] as usize;
        if direction.is_multiple_of(2) { from + step } else { from - step }
    }

    const fn shift(&self, points: u64, direction: usize) -> u64 {
        let step = self.steps[direction / 2];
        if direction.is_multiple_of(2) { points << step } else { points >> step }
    }
}

/// Returns the numbers of the points of a mask, in rising order.
pub(super) fn bits(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = mask.trailing_zeros() as usize;
        (mask != 0).then(|| {
            mask &= mask - 1;
            lowest
        })
    })
}
