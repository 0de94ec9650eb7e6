//! What a ply did to the board.

use crate::{Drawing, Scene};

/// What a ply did, by the numbers of cells: what is to be shown beside the pieces that stand after it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// The cells that the ply names, in its order: where a piece was put, or the way of one that moved.
    pub path: Vec<usize>,
    /// The lower left and the upper right cell of a rectangle that the ply names.
    pub region: Option<(usize, usize)>,
    /// Cells off the path that lost their pieces.
    pub removed: Vec<usize>,
    /// Cells off the path on which another piece stands than before: turned over, or another colour's now.
    pub turned: Vec<usize>,
    /// Cells off the path on which a piece has appeared.
    pub added: Vec<usize>,
}

impl Marks {
    /// Returns what a ply did, from the scenes before and after it. Cells that are not on the board are passed over.
    #[must_use]
    pub fn of(drawing: &Drawing, before: &Scene, ply: &str, after: &Scene) -> Self {
        let look = drawing.setup.look();
        let (cells, is_region) = look.map(|look| look.cells_of(drawing.board(), ply)).unwrap_or_default();
        let mut marks = Self::default();
        match (is_region, &cells[..]) {
            (true, [low, high]) => marks.region = Some((*low, *high)),
            _ => marks.path = cells,
        }
        let board = before.letters().iter().zip(after.letters()).take(drawing.cells());
        for (cell, (old, new)) in board.enumerate() {
            if old == new || marks.path.contains(&cell) {
                continue;
            }
            match (old, new) {
                (_, '.') => marks.removed.push(cell),
                ('.', _) => marks.added.push(cell),
                _ => marks.turned.push(cell),
            }
        }
        marks
    }

    /// Returns whether the region alone says which pieces were turned over: all that stand on it.
    pub(crate) fn is_whole_region(&self, drawing: &Drawing) -> bool {
        let board = drawing.board();
        self.region.is_some_and(|(low, high)| {
            let (low, high) = (board.cell(low), board.cell(high));
            let side = |from: u8, to: u8| usize::from(to.saturating_sub(from)) + 1;
            side(low.file, high.file) * side(low.rank, high.rank) == self.turned.len()
        })
    }
}
