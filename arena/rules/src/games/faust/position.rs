//! Positions of Faust.

use std::fmt;
use std::hash::{Hash, Hasher};

use crate::games::faust::grid::{Colour, Grid};
use crate::games::faust::patterns::shape;
use crate::{
    Cell, Dice, FaustOptions, FaustPly, Fields, NotationError, Position, Reason, Rejection, Seat, Verdict,
};

/// The largest number of plies that any cap allows.
const MAX_PLIES: u32 = 100_000;
/// From this number of plies on, a seat to move without a disc has lost, because both have placed one before.
const FIRST_LOSS: u32 = 3;

/// A position of Faust.
#[derive(Clone)]
pub struct Faust {
    grid: Grid,
    plies: u32,
    seat: Seat,
    /// The colour of `p1`.
    first: Colour,
    options: FaustOptions,
}

impl Faust {
    /// Returns the colour with which a seat plays.
    #[must_use]
    pub const fn colour(&self, seat: Seat) -> Colour {
        match seat {
            Seat::P1 => self.first,
            _ => self.first.other(),
        }
    }

    /// Returns the colour of the disc on a cell of the board.
    #[must_use]
    pub fn disc(&self, cell: Cell) -> Option<Colour> {
        self.grid.at(usize::from(cell.file), usize::from(cell.rank))
    }

    /// Returns the number of discs of a colour.
    #[must_use]
    pub const fn count(&self, colour: Colour) -> u16 {
        self.grid.count(colour)
    }

    /// Returns the number of plies played.
    #[must_use]
    pub const fn plies(&self) -> u32 {
        self.plies
    }

    /// Returns the options.
    #[must_use]
    pub const fn options(&self) -> &FaustOptions {
        &self.options
    }

    pub(super) const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Returns the colour of the seat to move.
    pub(super) const fn mover(&self) -> Colour {
        self.colour(self.seat)
    }

    /// Returns whether the swap is legal, if the game is not over.
    pub(super) const fn may_swap(&self) -> bool {
        self.options.has_swap() && self.plies == 1 && matches!(self.first, Colour::Black)
    }

    const fn is_annihilated(&self) -> bool {
        self.plies >= FIRST_LOSS && self.grid.count(self.mover()) == 0
    }

    /// Returns whether no ply is legal on any board.
    const fn has_ended(&self) -> bool {
        self.is_annihilated() || self.plies >= self.options.max_moves()
    }

    /// Visits the legal plies of a game that has not ended, except those that place a disc.
    fn other_plies(&self, visit: &mut impl FnMut(FaustPly)) {
        let (mover, perimeter) = (self.mover(), self.options.perimeter());
        let mut is_stuck = self.grid.is_full();
        let mut visit_some = |ply| {
            is_stuck = false;
            visit(ply);
        };
        self.grid.rectangles(mover, perimeter, &mut |block| visit_some(FaustPly::Rectangle(block)));
        self.grid.patterns(&mut |block| visit_some(FaustPly::Pattern(block)));
        if self.may_swap() {
            visit_some(FaustPly::Swap);
        }
        if is_stuck && self.has_ply(mover.other()) {
            visit(FaustPly::Pass);
        }
    }

    /// Returns whether the seat with this colour could place a disc or capture, if it were to move.
    pub(super) fn has_ply(&self, colour: Colour) -> bool {
        let mut has_pattern = false;
        if self.grid.is_full() {
            self.grid.patterns(&mut |_| has_pattern = true);
        }
        has_pattern || !self.grid.is_full() || self.grid.has_rectangle(colour, self.options.perimeter())
    }
}

impl Position for Faust {
    type Options = FaustOptions;
    type Ply = FaustPly;

    const HAS_REPETITION: bool = false;
    const NOTATION: &'static str = "`c3` places a disc; `c3xe5` flips a rectangle and `Bc3xf5` a pattern, from the lower left cell to the upper right one; `swap`; `pass`";

    fn start(options: &FaustOptions) -> Self {
        let grid = Grid::empty(options.board().files);
        Self { grid, plies: 0, seat: Seat::P1, first: Colour::Black, options: *options }
    }

    fn read(options: &FaustOptions, text: &str) -> Result<Self, NotationError> {
        let mut fields = Fields::of(text);
        let board = options.board();
        let mut grid = Grid::empty(board.files);
        board.read_rows(fields.rows()?, |number, letter| {
            let colour = match letter {
                b'b' => Colour::Black,
                b'w' => Colour::White,
                _ => return false,
            };
            let cell = board.cell(number);
            grid.place(colour, usize::from(cell.file), usize::from(cell.rank));
            true
        })?;
        let seat = fields.seat()?;
        let first = match fields.value("c")? {
            "bw" => Colour::Black,
            "wb" => Colour::White,
            other => {
                let fault = format!("`{}` is not `bw` or `wb`", other.escape_default());
                return Err(NotationError::new("c", fault));
            }
        };
        let plies = fields.number("n", MAX_PLIES)?;
        fields.end()?;
        Ok(Self { grid, plies, seat, first, options: *options })
    }

    fn seat(&self) -> Seat {
        self.seat
    }

    fn legal_plies(&self, visit: &mut impl FnMut(FaustPly)) {
        if !self.has_ended() {
            self.grid.empty_cells(&mut |cell| visit(FaustPly::Place(cell)));
            self.other_plies(visit);
        }
    }

    fn random_ply(&self, dice: &mut Dice, plies: &mut Vec<FaustPly>) -> Option<FaustPly> {
        plies.clear();
        if self.has_ended() {
            return None;
        }
        self.other_plies(&mut |ply| plies.push(ply));
        let empty = self.grid.empty_count();
        let count = empty + plies.len();
        let place = (count > 0).then(|| dice.below(count))?;
        match place.checked_sub(empty) {
            Some(place) => plies.get(place).copied(),
            None => self.grid.nth_empty_cell(place).map(FaustPly::Place),
        }
    }

    fn play_unchecked(&mut self, ply: FaustPly) {
        let mover = self.mover();
        match ply {
            FaustPly::Place(cell) => {
                self.grid.place(mover, usize::from(cell.file), usize::from(cell.rank));
            }
            FaustPly::Rectangle(block) => self.grid.flip(mover, block, |_| block.files()),
            FaustPly::Pattern(block) => {
                if let Some(shape) = shape(block) {
                    self.grid.flip(mover, block, |row| shape[row] << block.left());
                }
            }
            FaustPly::Swap => self.first = self.first.other(),
            FaustPly::Pass => {}
        }
        self.seat = self.seat.other();
        self.plies += 1;
    }

    fn outcome(&self) -> Option<Verdict> {
        if self.is_annihilated() {
            return Some(Verdict::win(self.seat.other(), Reason::Annihilated));
        }
        let is_dead = self.grid.is_full()
            && !self.may_swap()
            && !self.has_ply(Colour::Black)
            && !self.has_ply(Colour::White);
        if is_dead {
            return Some(Verdict::draw(Reason::NoLegalPly));
        }
        (self.plies >= self.options.max_moves()).then(|| Verdict::draw(Reason::MaxMoves))
    }

    fn count(&self) -> Option<Vec<u32>> {
        Some(Seat::BOTH.map(|seat| self.grid.count(self.colour(seat)).into()).to_vec())
    }

    fn horizon(&self, _plies: u32) -> u32 {
        self.plies
    }

    fn read_ply(&self, token: &str) -> Result<FaustPly, Rejection> {
        let ply = self.spelled(token).map_err(|fault| {
            Rejection::NotAPly(match self.meant(token) {
                Some(ply) => format!("not a ply of this game, did you mean {ply}?"),
                None => format!("not a ply of this game: {fault}"),
            })
        })?;
        match self.objection(ply) {
            Some(reason) => Err(Rejection::Illegal(reason)),
            None => Ok(ply),
        }
    }

    fn is_legal(&self, ply: FaustPly) -> bool {
        self.objection(ply).is_none()
    }
}

impl PartialEq for Faust {
    fn eq(&self, other: &Self) -> bool {
        self.grid == other.grid && self.seat == other.seat && self.first == other.first
    }
}

impl Eq for Faust {}

impl Hash for Faust {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.grid.hash(state);
        state.write_u8((self.seat.index() as u8) << 1 | self.first as u8);
    }
}

impl fmt::Display for Faust {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = self.options.board();
        board.write_rows(f, |number| self.disc(board.cell(number)).map(|colour| colour.letter() as u8))?;
        let (one, two) = (self.colour(Seat::P1), self.colour(Seat::P2));
        write!(f, " {} c={}{} n={}", self.seat, one.letter(), two.letter(), self.plies)
    }
}

impl fmt::Debug for Faust {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Faust({self})")
    }
}
