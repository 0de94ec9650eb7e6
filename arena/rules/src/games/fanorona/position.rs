//! Positions of Fanorona.

use std::fmt;
use std::hash::{Hash, Hasher};

use crate::games::fanorona::chain::Chain;
use crate::games::fanorona::lines::{Lines, bits};
use crate::{
    FanoronaOptions, FanoronaPly, Fields, NotationError, Position, Proof, ProofShape, Reason, Rejection,
    Seat, Verdict,
};

/// The largest number of quiet plies that any cap allows.
const MAX_QUIET: u32 = 100_000;

/// A position of Fanorona.
#[derive(Clone)]
pub struct Fanorona {
    /// The stones of `p1` (white) and `p2` (black).
    stones: [u64; 2],
    lines: &'static Lines,
    quiet: u32,
    quiet_cap: u32,
    seat: Seat,
}

impl Fanorona {
    /// Returns the stones of a seat, as a mask of cell numbers.
    #[must_use]
    pub const fn stones(&self, seat: Seat) -> u64 {
        self.stones[seat.index()]
    }

    /// Returns the number of plies since the last capture.
    #[must_use]
    pub const fn quiet(&self) -> u32 {
        self.quiet
    }

    pub(super) const fn lines(&self) -> &'static Lines {
        self.lines
    }

    pub(super) const fn own(&self) -> u64 {
        self.stones[self.seat.index()]
    }

    pub(super) const fn enemy(&self) -> u64 {
        self.stones[self.seat.other().index()]
    }

    const fn empty(&self) -> u64 {
        self.lines.points & !(self.stones[0] | self.stones[1])
    }

    /// Returns the own stones that can move in this direction.
    const fn movers(&self, direction: usize) -> u64 {
        self.own() & self.lines.before(self.empty(), direction)
    }

    /// Returns the own stones that can move in this direction and capture by doing so.
    const fn captors(&self, direction: usize) -> u64 {
        let (lines, enemy) = (self.lines, self.enemy());
        let approach = lines.before(lines.before(enemy, direction), direction);
        let withdrawal = lines.step(enemy, direction);
        self.movers(direction) & (approach | withdrawal)
    }

    /// Returns whether some ply captures.
    pub(super) fn has_capture(&self) -> bool {
        (0..8).any(|direction| self.captors(direction) != 0)
    }

    fn has_ply(&self) -> bool {
        (0..8).any(|direction| self.movers(direction) != 0)
    }
}

impl Position for Fanorona {
    type Options = FanoronaOptions;
    type Ply = FanoronaPly;

    const HAS_REPETITION: bool = true;
    const HAS_PASSES: bool = false;
    const NOTATION: &'static str = "`d2e3` moves, `d2e3+` captures by approach, `d2e3-` by withdrawal; a chain goes on from point to point: `e3d3+d2-`";

    fn start(options: &FanoronaOptions) -> Self {
        let lines = options.lines();
        let below = (1 << (lines.board.files * (lines.board.ranks / 2))) - 1;
        let mut stones = [below, lines.points & !(below << lines.board.files | below)];
        let middle = lines.board.cells() / 2;
        let stones_of_rank = (0..usize::from(lines.board.files))
            .map(|file| lines.board.number(file, usize::from(lines.board.ranks / 2)))
            .filter(|point| *point != middle);
        for (index, point) in stones_of_rank.enumerate() {
            // The stones alternate, beginning with black.
            stones[1 - index % 2] |= 1 << point;
        }
        Self { stones, lines, quiet: 0, quiet_cap: options.quiet_cap(), seat: Seat::P1 }
    }

    fn read(options: &FanoronaOptions, text: &str) -> Result<Self, NotationError> {
        let mut fields = Fields::of(text);
        let mut stones = [0; 2];
        options.board().read_rows(fields.rows()?, |point, letter| {
            let seat = match letter {
                b'w' => Seat::P1,
                b'b' => Seat::P2,
                _ => return false,
            };
            stones[seat.index()] |= 1 << point;
            true
        })?;
        let seat = fields.seat()?;
        let quiet = fields.number("quiet", MAX_QUIET)?;
        fields.end()?;
        Ok(Self { stones, lines: options.lines(), quiet, quiet_cap: options.quiet_cap(), seat })
    }

    fn seat(&self) -> Seat {
        self.seat
    }

    fn legal_plies(&self, visit: &mut impl FnMut(FanoronaPly)) {
        let (lines, own, enemy) = (self.lines, self.own(), self.enemy());
        if own == 0 || enemy == 0 || self.quiet >= self.quiet_cap {
            return;
        }
        let mut must_capture = false;
        for direction in 0..8 {
            let captors = self.captors(direction);
            must_capture |= captors != 0;
            for from in bits(captors) {
                let to = lines.neighbour(from, direction);
                Chain::start(lines, from, own, enemy).extensions_by(lines, direction, to, visit);
            }
        }
        if must_capture {
            return;
        }
        for direction in 0..8 {
            for from in bits(self.movers(direction)) {
                visit(FanoronaPly::plain(lines.board, from, lines.neighbour(from, direction)));
            }
        }
    }

    fn play_unchecked(&mut self, ply: FanoronaPly) {
        self.stones[self.seat.index()] ^= ply.moved();
        self.seat = self.seat.other();
        self.stones[self.seat.index()] &= !ply.captured();
        self.quiet = if ply.is_capture() { 0 } else { self.quiet + 1 };
    }

    fn outcome(&self) -> Option<Verdict> {
        if self.own() == 0 {
            return Some(Verdict::win(self.seat.other(), Reason::NoStones));
        }
        if self.enemy() == 0 {
            return Some(Verdict::win(self.seat, Reason::NoStones));
        }
        if !self.has_ply() {
            return Some(Verdict::win(self.seat.other(), Reason::NoLegalPly));
        }
        (self.quiet >= self.quiet_cap).then(|| Verdict::draw(Reason::QuietCap))
    }

    fn proofs(&self) -> Vec<Proof> {
        let is_stuck = self.outcome().is_some_and(|verdict| verdict.reason == Reason::NoLegalPly);
        let stones = || bits(self.own()).map(|point| self.lines.board.cell(point)).collect();
        let proof = is_stuck.then(|| Proof { shape: ProofShape::Stuck, seat: self.seat, cells: stones() });
        proof.into_iter().collect()
    }

    fn count(&self) -> Option<Vec<u32>> {
        Some(self.stones.map(u64::count_ones).to_vec())
    }

    fn horizon(&self, plies: u32) -> u32 {
        // A cap that is out of reach has no effect.
        self.quiet_cap.saturating_sub(self.quiet).min(plies)
    }

    fn read_ply(&self, token: &str) -> Result<FanoronaPly, Rejection> {
        self.read_token(token)
    }

    /// Fanorona has no pass.
    fn must_pass(&self) -> bool {
        false
    }

    fn is_legal(&self, ply: FanoronaPly) -> bool {
        self.judge(&ply).is_ok_and(|legal| legal == ply)
    }
}

impl PartialEq for Fanorona {
    fn eq(&self, other: &Self) -> bool {
        self.stones == other.stones && self.seat == other.seat
    }
}

impl Eq for Fanorona {}

impl Hash for Fanorona {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.stones[0]);
        state.write_u64(self.stones[1]);
        state.write_u8(self.seat.index() as u8);
    }
}

impl fmt::Display for Fanorona {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines.board.write_rows(f, |point| {
            match [self.stones[0] >> point & 1, self.stones[1] >> point & 1] {
                [1, _] => Some(b'w'),
                [_, 1] => Some(b'b'),
                _ => None,
            }
        })?;
        write!(f, " {} quiet={}", self.seat, self.quiet)
    }
}

impl fmt::Debug for Fanorona {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fanorona({self})")
    }
}
