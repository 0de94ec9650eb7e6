//! Reading plies of Faust, and explaining why they are refused.

use crate::games::faust::patterns::shape;
use crate::games::faust::ply::Block;
use crate::{Faust, FaustPly, Position};

const SPELLING: &str =
    "a ply is a cell such as c3, a rectangle such as c3xe5, a pattern such as Bc3xf5, swap or pass";

impl Faust {
    /// Reads a token as a ply of the game, legal or not.
    pub(super) fn spelled(&self, token: &str) -> Result<FaustPly, String> {
        let board = self.options().board();
        match token {
            "pass" => return Ok(FaustPly::Pass),
            "swap" => return Ok(FaustPly::Swap),
            _ => {}
        }
        let (is_pattern, cells) = token.strip_prefix('B').map_or((false, token), |cells| (true, cells));
        let no_cell = |text: &str| {
            let is_like_a_cell = text.as_bytes().first().is_some_and(u8::is_ascii_lowercase)
                && text.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
            let fault = format!("a cell lies off the board of {0}x{0}", board.files);
            if is_like_a_cell { fault } else { SPELLING.to_owned() }
        };
        let (low, rest) = board.split_cell(cells).ok_or_else(|| no_cell(cells))?;
        if rest.is_empty() && !is_pattern {
            return Ok(FaustPly::Place(board.cell(low)));
        }
        let rest = rest.strip_prefix('x').ok_or(SPELLING)?;
        let (high, rest) = board.split_cell(rest).ok_or_else(|| no_cell(rest))?;
        if !rest.is_empty() {
            return Err(SPELLING.to_owned());
        }
        let block = Block { low: board.cell(low), high: board.cell(high) };
        if block.low.file > block.high.file || block.low.rank > block.high.rank {
            return Err("the lower left cell comes first, then the upper right one".to_owned());
        }
        match (is_pattern, shape(block)) {
            (false, _) => Ok(FaustPly::Rectangle(block)),
            (true, Some(_)) => Ok(FaustPly::Pattern(block)),
            (true, None) => Err("the block of a pattern has 4x3 or 3x4 cells".to_owned()),
        }
    }

    /// Returns the legal ply that a misspelled token may mean: with capitals, separators, or corners in another order.
    pub(super) fn meant(&self, token: &str) -> Option<FaustPly> {
        let board = self.options().board();
        let plain: String =
            token.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
        let two_cells = |text: &str| {
            let (one, rest) = board.split_cell(text)?;
            let other = board.read_cell(rest.strip_prefix('x').unwrap_or(rest))?;
            let (one, other) = (board.cell(one), board.cell(other));
            let (mut low, mut high) = (one, one);
            low.file = one.file.min(other.file);
            low.rank = one.rank.min(other.rank);
            high.file = one.file.max(other.file);
            high.rank = one.rank.max(other.rank);
            Some(Block { low, high })
        };
        let readings = [
            self.spelled(&plain).ok(),
            two_cells(&plain).map(FaustPly::Rectangle),
            plain.strip_prefix('b').and_then(two_cells).map(FaustPly::Pattern),
        ];
        readings.into_iter().flatten().find(|ply| self.objection(*ply).is_none())
    }

    /// Returns why a ply is not legal here.
    pub(super) fn objection(&self, ply: FaustPly) -> Option<String> {
        if let Some(verdict) = self.outcome() {
            return Some(format!("the game is over ({})", verdict.reason));
        }
        if !self.is_on_board(ply) {
            return Some("the ply lies off the board".to_owned());
        }
        match ply {
            FaustPly::Place(cell) => self.disc(cell).map(|_| format!("{cell} is occupied")),
            FaustPly::Rectangle(block) => {
                self.grid().flaw(block, self.mover(), self.options().perimeter()).map(|flaw| flaw.to_string())
            }
            FaustPly::Pattern(block) => {
                let is_held = shape(block).is_some() && self.grid().holds_pattern(block);
                (!is_held).then(|| format!("{block} does not hold the pattern"))
            }
            FaustPly::Swap if !self.options().has_swap() => Some("there is no swap with swap=off".to_owned()),
            FaustPly::Swap => {
                (!self.may_swap()).then(|| "swap is possible only as the second ply of the game".to_owned())
            }
            FaustPly::Pass => (self.may_swap() || self.has_ply(self.mover()))
                .then(|| "pass is possible only without any other ply".to_owned()),
        }
    }
    /// Returns whether the cells of a ply, which may come from another board, are on this board and in order.
    fn is_on_board(&self, ply: FaustPly) -> bool {
        let (low, high) = match ply {
            FaustPly::Place(cell) => (cell, cell),
            FaustPly::Rectangle(block) | FaustPly::Pattern(block) => (block.low, block.high),
            FaustPly::Swap | FaustPly::Pass => return true,
        };
        let size = self.options().board().files;
        low.file <= high.file && low.rank <= high.rank && high.file < size && high.rank < size
    }
}
