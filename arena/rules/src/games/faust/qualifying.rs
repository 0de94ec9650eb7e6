//! Finding rectangles: those that qualify by their discs and walls, and among these the ones that no other contains.

use std::ops::{ControlFlow, Range};

use arrayvec::ArrayVec;

use crate::Cell;
use crate::games::faust::Perimeter;
use crate::games::faust::cell_set::CellSet;
use crate::games::faust::grid::{Colour, Grid, MAX_SIZE, MAX_WORDS};
use crate::games::faust::ply::Block;

/// The most rectangles that are kept for comparison. All between the same two ranks fit.
const MOST: usize = 192;
const _: () = assert!(MOST >= MAX_SIZE * (MAX_SIZE + 1) / 2);

/// The cells of the first file of a board, by its size.
const FIRST_FILES: [[u64; MAX_WORDS]; MAX_SIZE + 1] = {
    let mut table = [[0; MAX_WORDS]; MAX_SIZE + 1];
    let mut size = 1;
    while size <= MAX_SIZE {
        let mut cell = 0;
        while cell < size * size {
            table[size][cell / 64] |= 1 << (cell % 64);
            cell += size;
        }
        size += 1;
    }
    table
};

impl Grid {
    /// Visits every rectangle that `mover` may flip, in the order of lowest, flattest and leftmost.
    pub(super) fn rectangles(&self, mover: Colour, perimeter: Perimeter, visit: &mut impl FnMut(Block)) {
        let size = self.size();
        let mut found = ArrayVec::<Qualifying, MOST>::new();
        if self.collect(mover, perimeter, 0..size, 1..size + 1, &mut found).is_continue() {
            let corners: ArrayVec<_, MOST> = found.iter().map(|one| Corners::of(one.block())).collect();
            for (one, inner) in found.iter().zip(&corners) {
                // Checking all is faster than stopping at the first.
                if !corners
                    .iter()
                    .fold(false, |found, outer| found | (outer != inner && outer.contain(*inner)))
                {
                    visit(one.block());
                }
            }
            return;
        }
        // Too many to keep: a few at a time, each compared with its surroundings on the board.
        for bottom in 0..size {
            for height in 1..=size - bottom {
                found.clear();
                let _ = self.collect(mover, perimeter, bottom..bottom + 1, height..height + 1, &mut found);
                let blocks = found.iter().map(|one| one.block());
                blocks.filter(|block| self.larger(*block, mover, perimeter).is_none()).for_each(&mut *visit);
            }
        }
    }

    /// Returns whether `mover` may flip any rectangle. If one qualifies, so does the largest around it.
    pub(super) fn has_rectangle(&self, mover: Colour, perimeter: Perimeter) -> bool {
        let size = self.size();
        self.qualifying(mover, perimeter, 0..size, 1..size + 1, &mut |_| ControlFlow::Break(())).is_break()
    }

    /// Puts the rectangles that qualify for `mover` into a list in order, unless there are too many.
    fn collect(
        &self,
        mover: Colour,
        perimeter: Perimeter,
        bottoms: Range<usize>,
        heights: Range<usize>,
        list: &mut ArrayVec<Qualifying, MOST>,
    ) -> ControlFlow<()> {
        self.qualifying(mover, perimeter, bottoms, heights, &mut |one| match list.try_push(one) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        })?;
        list.sort_unstable();
        ControlFlow::Continue(())
    }

    /// Visits every rectangle that qualifies for `mover` by its discs and walls, even if another contains it, with its lowest
    /// rank among `bottoms` and one of the `heights`.
    fn qualifying(
        &self,
        mover: Colour,
        perimeter: Perimeter,
        bottoms: Range<usize>,
        heights: Range<usize>,
        visit: &mut impl FnMut(Qualifying) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match self.size() {
            ..=8 => self.qualifying_in::<1>(mover, perimeter, bottoms, heights, visit),
            9..=11 => self.qualifying_in::<2>(mover, perimeter, bottoms, heights, visit),
            12..=13 => self.qualifying_in::<3>(mover, perimeter, bottoms, heights, visit),
            14..=16 => self.qualifying_in::<4>(mover, perimeter, bottoms, heights, visit),
            _ => self.qualifying_in::<MAX_WORDS>(mover, perimeter, bottoms, heights, visit),
        }
    }

    fn qualifying_in<const WORDS: usize>(
        &self,
        mover: Colour,
        perimeter: Perimeter,
        bottoms: Range<usize>,
        heights: Range<usize>,
        visit: &mut impl FnMut(Qualifying) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let size = self.size();
        let (own, enemy) = (self.discs::<WORDS>(mover), self.discs::<WORDS>(mover.other()));
        let first_file = CellSet::of(&FIRST_FILES[size]);
        let first_rank = CellSet::below(size);
        let bottoms = CellSet::below(bottoms.end * size) & !CellSet::below(bottoms.start * size);
        // A lower left cell has discs or board edges below and on its left.
        let discs = own | enemy;
        let corners = bottoms & (discs << size | first_rank) & (discs << 1 | first_file);
        // Every set holds lower left cells. Columns have a certain height and one colour. There are none if no block of enemy
        // discs is as high.
        let mut columns = ArrayVec::<_, MAX_SIZE>::new();
        let (mut own_column, mut enemy_column) = (own, enemy);
        // The cells with a column that ends on the last rank.
        let mut last_rank = CellSet::below(size * size) & !CellSet::below(size * (size - 1));
        while columns.len() + 1 < heights.end && !(corners & enemy_column).is_empty() {
            columns.push((own_column, enemy_column, last_rank));
            let grown = |column: CellSet<WORDS>| column & column >> size;
            (own_column, enemy_column) = (grown(own_column), grown(enemy_column));
            last_rank = last_rank >> size;
        }
        // Rows have `width` cells of one colour.
        let (mut own_row, mut enemy_row) = (own, enemy);
        // The cells with a row that would end on the last file.
        let mut last_start = first_file << (size - 1);
        for width in 1..=size {
            if width > 1 {
                let grown = |row: CellSet<WORDS>| row & row >> 1 & !last_start;
                (own_row, enemy_row) = (grown(own_row), grown(enemy_row));
                last_start = last_start >> 1;
            }
            let mut block = corners & enemy_row;
            if block.is_empty() {
                break;
            }
            let (own_below, enemy_below) = (own_row << size, enemy_row << size);
            // The rows above, which are the top rows of the next block.
            let (mut own_above, mut enemy_above) = (own_row, enemy_row);
            for (height, &(own_column, enemy_column, last_rank)) in (1..).zip(&columns) {
                block = block & enemy_above;
                if block.is_empty() {
                    break;
                }
                (own_above, enemy_above) = (own_above >> size, enemy_above >> size);
                if height < heights.start {
                    continue;
                }
                // Few rows of one colour have a row of one colour next to them.
                let block =
                    block & (own_below | enemy_below | first_rank) & (own_above | enemy_above | last_rank);
                if block.is_empty() {
                    continue;
                }
                let ends = if height == size {
                    Walls::OFF_BOARD
                } else {
                    Walls::of([own_below, own_above], [enemy_below, enemy_above], first_rank, last_rank)
                };
                // The ends of most blocks on a large board rule them out, whatever their sides.
                let is_open = ends.won | ends.even | if width < height { ends.lost } else { CellSet::NONE };
                if (block & is_open).is_empty() {
                    continue;
                }
                let sides = if width == size {
                    Walls::OFF_BOARD
                } else {
                    let walls =
                        |column: CellSet<WORDS>| [column << 1 & !first_file, column >> width & !last_start];
                    Walls::of(walls(own_column), walls(enemy_column), first_file, last_start)
                };
                let mut hits = ends.won & (sides.won | sides.even) | ends.even & sides.won;
                // Walls of different lengths are compared by their cells.
                if perimeter == Perimeter::Cells {
                    if width > height {
                        hits = hits | ends.won & sides.lost;
                    } else if width < height {
                        hits = hits | ends.lost & sides.won;
                    }
                }
                for start in (block & hits).cells() {
                    let block = Block::of(self.cell(start), width, height);
                    visit(Qualifying::of(block, ends.enemy.map(|wall| wall.has(start))))?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// For two opposite walls: where they are the mover's, where they are the enemy's, and where they cancel out.
struct Walls<const WORDS: usize> {
    won: CellSet<WORDS>,
    even: CellSet<WORDS>,
    lost: CellSet<WORDS>,
    /// Where each of the two is the enemy's.
    enemy: [CellSet<WORDS>; 2],
}

impl<const WORDS: usize> Walls<WORDS> {
    /// Both walls lie off the board.
    const OFF_BOARD: Self =
        Self { won: CellSet::NONE, even: CellSet::ALL, lost: CellSet::NONE, enemy: [CellSet::NONE; 2] };

    /// Evaluates walls on the board. For the cells of `first` the first wall is off the board, for those of `last` the other
    /// one.
    fn of(
        own: [CellSet<WORDS>; 2],
        enemy: [CellSet<WORDS>; 2],
        first: CellSet<WORDS>,
        last: CellSet<WORDS>,
    ) -> Self {
        // A wall off the board takes the colour of the opposite one.
        let complete = |[one, other]: [CellSet<WORDS>; 2]| [one | other & first, other | one & last];
        let (own, enemy) = (complete(own), complete(enemy));
        Self {
            won: own[0] & own[1],
            even: own[0] & enemy[1] | enemy[0] & own[1],
            lost: enemy[0] & enemy[1],
            enemy,
        }
    }
}

/// A rectangle that qualifies, as a number that sorts in the order of visits: by its lowest rank, its highest, its walls below
/// and above, and its files.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Qualifying(u32);

impl Qualifying {
    /// Returns the number of a block. `enemy` says whether the walls below and above are the enemy's.
    const fn of(block: Block, enemy: [bool; 2]) -> Self {
        let ends = match enemy {
            [false, false] => 0,
            [true, true] => 1,
            [false, true] => 2,
            [true, false] => 3,
        };
        let ranks = (block.bottom() << 5 | block.top()) << 2 | ends;
        Self(((ranks << 5 | block.left()) << 5 | block.right()) as u32)
    }

    fn block(self) -> Block {
        let part = |shift: u32| (self.0 >> shift & 0x1f) as u8;
        Block { low: Cell { file: part(5), rank: part(17) }, high: Cell { file: part(0), rank: part(12) } }
    }
}

/// The files and ranks of a rectangle, each in a byte that grows with the rectangle.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Corners(u32);

impl Corners {
    const fn of(block: Block) -> Self {
        let Block { low, high } = block;
        Self(u32::from_le_bytes([low.file ^ 0x1f, low.rank ^ 0x1f, high.file, high.rank]))
    }

    /// Returns whether the other rectangle is inside this one, or equal to it.
    const fn contain(self, other: Self) -> bool {
        const TOPS: u32 = 0x8080_8080;
        // No byte borrows from another.
        ((self.0 | TOPS) - other.0) & TOPS == TOPS
    }
}
