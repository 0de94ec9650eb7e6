//! The lines of boards of all sizes: which points are connected.

use crate::Board;

/// The eight directions as changes of file and rank. Opposite directions differ in the lowest bit; even ones lead to points
/// with higher numbers.
pub(super) const DIRECTIONS: [(i8, i8); 8] =
    [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (-1, 1), (1, -1)];

/// The sizes, files before ranks.
pub(super) const SIZES: [&str; 12] =
    ["3x3", "3x5", "3x7", "5x3", "5x5", "5x7", "7x3", "7x5", "7x7", "9x3", "9x5", "9x7"];

/// The largest number of points, 63, plus one: an index below it needs no check.
const MAX_POINTS: usize = 64;

/// The largest difference between the numbers of neighbours.
const MAX_STEP: usize = 10;

/// The number of differences between the numbers of neighbours, rounded up so that an index needs no check.
const DIFFERENCES: usize = 32;

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
    /// For each direction, the points from which a line leads in that direction.
    pub(super) ahead: [u64; 8],
    /// For each point, the points to which lines lead.
    neighbours: [u64; MAX_POINTS],
    /// For each point and direction, all points in that direction.
    rays: [[u64; 8]; MAX_POINTS],
    /// For each pair of opposite directions, the difference between the numbers of neighbours.
    steps: [u32; 4],
    /// The direction for each such difference plus [`MAX_STEP`].
    directions: [u8; DIFFERENCES],
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
                // The sum of file and rank has the same parity whether both count from 0 or from 1.
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
            rays: [[0; 8]; MAX_POINTS],
            steps: [1, files, files + 1, files - 1],
            directions: [0; DIFFERENCES],
        };
        let mut direction = 0;
        while direction < 8 {
            lines.directions[lines.neighbour(MAX_STEP, direction)] = direction as u8;
            let mut point = 0;
            while point < board.cells() {
                let mut next = lines.step(1 << point, direction);
                lines.neighbours[point] |= next;
                while next != 0 {
                    lines.rays[point][direction] |= next;
                    next = lines.step(next, direction);
                }
                point += 1;
            }
            direction += 1;
        }
        lines
    }

    /// Returns the points to which lines lead from a point.
    pub(super) const fn neighbours(&self, from: usize) -> u64 {
        self.neighbours[from % MAX_POINTS]
    }

    /// Returns the points one step from `from` in this direction.
    pub(super) const fn step(&self, from: u64, direction: usize) -> u64 {
        self.shift(from & self.ahead[direction], direction)
    }

    /// Returns the points from which one step in this direction leads to a point of `to`.
    pub(super) const fn before(&self, to: u64, direction: usize) -> u64 {
        self.shift(to, direction ^ 1) & self.ahead[direction]
    }

    /// Returns the unbroken rows of `stones` that begin next to two neighbours: beyond `to` and behind `from`, in the direction
    /// of the step between them.
    pub(super) const fn rows(&self, from: usize, to: usize, direction: usize, stones: u64) -> [u64; 2] {
        let axis = direction / 2 % 4;
        // One row leads up from the higher point and one down from the lower. Without branches, because which of the two is
        // beyond `to` is unpredictable.
        let is_up = direction.is_multiple_of(2);
        let (high, low) = if is_up { (to, from) } else { (from, to) };
        let up = self.rays[high % MAX_POINTS][2 * axis];
        let gaps = up & !stones;
        // Below the first gap.
        let up = up & (gaps & gaps.wrapping_neg()).wrapping_sub(1);
        let down = self.rays[low % MAX_POINTS][2 * axis + 1];
        let gaps = down & !stones;
        // Above the last gap. The highest bit is never a point, so there is at least one leading zero.
        let down = down & !(u64::MAX >> 1 >> (gaps.leading_zeros() - 1));
        if is_up { [up, down] } else { [down, up] }
    }

    /// Returns the next point in this direction, if there is one.
    pub(super) const fn next(&self, from: usize, direction: usize) -> u64 {
        self.rays[from % MAX_POINTS][direction % 8] & self.neighbours(from)
    }

    /// Returns the direction of the line that joins two neighbours.
    pub(super) fn direction(&self, from: usize, to: usize) -> Option<usize> {
        (0..8).find(|direction| self.step(1 << from, *direction) == 1 << to)
    }

    /// Returns the direction of the line between two points that are known to be neighbours.
    pub(super) const fn direction_of_neighbours(&self, from: usize, to: usize) -> usize {
        self.directions[(to + MAX_STEP - from) % DIFFERENCES] as usize
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

/// Returns the numbers of the points of a mask, in ascending order.
pub(super) fn bits(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = mask.trailing_zeros() as usize;
        (mask != 0).then(|| {
            mask &= mask - 1;
            lowest
        })
    })
}
