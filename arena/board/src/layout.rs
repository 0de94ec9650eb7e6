//! Where things are: the size of a board, the centres of its cells, and the places of pieces in hand.

use rules::{Board, BoardGround, BoardKind};

/// The width and height of a cell. All measures are in these units, a hundredth of a cell each.
pub(crate) const CELL: f64 = 100.0;

/// How far the centres of hexagons on adjacent ranks are from each other, and how high one is.
const HEXAGON: (f64, f64) = (86.6, 115.4);

/// Where a piece can be shown: a cell of the board, or a place beside it for a piece in hand.
#[derive(Clone, Debug, PartialEq)]
pub struct PieceLocation {
    /// The centre, from the left edge.
    pub x: f64,
    /// The centre, from the top edge.
    pub y: f64,
    /// How large pieces are here; 1 on the board.
    pub scale: f64,
    /// The name of the cell; empty beside the board.
    pub name: String,
}

/// The measures of a board with a margin for its coordinates and, where there are pieces in hand, trays above and below.
///
/// Everything is symmetric, so that a board is turned round by taking every point from the other end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    pub(crate) board: Board,
    /// The width of the margin around the cells.
    pub(crate) margin: f64,
    /// The height of a tray.
    pub(crate) tray: f64,
    /// How far right each rank lies from the one below.
    pub(crate) shift: f64,
    /// How far the centres of adjacent ranks are from each other, and how high a cell is.
    rank: (f64, f64),
}

impl Layout {
    pub(crate) fn new(board: Board, ground: BoardGround, has_trays: bool) -> Self {
        // Coordinates of a large board are larger, so that they can be read when it is shown as small as others.
        let zoom = f64::from(board.files.max(board.ranks)).max(8.0) / 8.0;
        Self {
            board,
            margin: 40.0 * zoom,
            tray: if has_trays { 76.0 * zoom } else { 0.0 },
            shift: f64::from(ground.half_shifts) * CELL / 2.0,
            rank: if ground.kind == BoardKind::Hexagons { HEXAGON } else { (CELL, CELL) },
        }
    }

    pub(crate) fn width(&self) -> f64 {
        f64::from(self.board.files) * CELL + self.skew() + 2.0 * self.margin
    }

    pub(crate) fn height(&self) -> f64 {
        let (step, height) = self.rank;
        tenths(f64::from(self.board.ranks - 1) * step + height) + 2.0 * (self.margin + self.tray)
    }

    /// Returns how far right the last rank lies from the first one.
    pub(crate) fn skew(&self) -> f64 {
        self.shift * f64::from(self.board.ranks - 1)
    }

    /// Returns the left and upper edge of the cells.
    pub(crate) fn corner(&self) -> (f64, f64) {
        (self.margin, self.margin + self.tray)
    }

    /// Returns the centre of a cell by its number from a1 along each rank.
    pub(crate) fn centre(&self, cell: usize) -> (f64, f64) {
        let cell = self.board.cell(cell);
        let (left, top) = self.corner();
        let rank = self.board.ranks - 1 - cell.rank;
        let (step, height) = self.rank;
        let x = left + (f64::from(cell.file) + 0.5) * CELL + self.shift * f64::from(cell.rank);
        (x, tenths(top + f64::from(rank) * step + height / 2.0))
    }

    /// Returns the places of the cells, by their numbers.
    pub(crate) fn cells(&self) -> Vec<PieceLocation> {
        let place = |cell| {
            let (x, y) = self.centre(cell);
            PieceLocation { x, y, scale: 1.0, name: self.board.cell(cell).to_string() }
        };
        (0..self.board.cells()).map(place).collect()
    }

    /// Returns `count` places in the tray of `p1`, below the board, or of `p2`, above it.
    pub(crate) fn tray_places(&self, count: usize, is_below: bool) -> Vec<PieceLocation> {
        let space = f64::from(self.board.files) * CELL;
        let gap = (self.tray * 0.68).min(space / count.max(1) as f64);
        let scale = gap / CELL * 1.05;
        let y = if is_below { self.height() - self.tray * 0.46 } else { self.tray * 0.46 };
        // The tray of `p2` begins at the right, as seen by somebody who sits there.
        let start = (self.width() - gap * (count as f64 - 1.0)) / 2.0;
        let place = |index: usize| {
            let x = start + gap * index as f64;
            let x = if is_below { x } else { self.width() - x };
            PieceLocation { x, y, scale, name: String::new() }
        };
        (0..count).map(place).collect()
    }
}

/// Rounds to a tenth of a unit, which nobody sees and which is written in few digits.
fn tenths(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}
