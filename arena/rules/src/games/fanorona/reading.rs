//! Reading plies of Fanorona, and explaining why they are refused.

use crate::games::fanorona::chain::Chain;
use crate::games::fanorona::ply::Capture;
use crate::{Fanorona, FanoronaPly, Position, Rejection};

const SPELLING: &str = "a ply is a plain step such as e2e3 or captures such as e3d3+d2-";

/// A ply as spelled: points by number, which need not be neighbours.
struct Spelled {
    from: usize,
    path: Path,
}

enum Path {
    Plain(usize),
    Chain(Vec<(usize, Capture)>),
}

impl Fanorona {
    pub(super) fn read_token(&self, token: &str) -> Result<FanoronaPly, Rejection> {
        match self.spelled(token) {
            Ok(spelled) => self.legal(&spelled).map_err(Rejection::Illegal),
            Err(fault) => Err(Rejection::NotAPly(match self.meant(token) {
                Some(ply) => format!("not a ply of this game, did you mean {ply}?"),
                None => format!("not a ply of this game: {fault}"),
            })),
        }
    }

    /// Returns the ply that moves the stone as `ply` does, if it is legal here.
    pub(super) fn judge(&self, ply: &FanoronaPly) -> Result<FanoronaPly, String> {
        let mut at = ply.from();
        let mut legs = Vec::new();
        for leg in ply.legs() {
            let next = self.lines().step(1 << at, leg.direction);
            if next == 0 {
                return Err("a leg leaves the lines".to_owned());
            }
            at = next.trailing_zeros() as usize;
            legs.push((at, leg.capture));
        }
        let path = if ply.is_capture() { Path::Chain(legs) } else { Path::Plain(ply.to()) };
        self.legal(&Spelled { from: ply.from(), path })
    }

    fn spelled(&self, token: &str) -> Result<Spelled, String> {
        let board = self.lines().board;
        if token == "pass" {
            return Err("there is no pass in this game".to_owned());
        }
        let off_board = |text: &str| {
            let looks_like_a_cell = text.as_bytes().first().is_some_and(u8::is_ascii_lowercase)
                && text.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
            if looks_like_a_cell {
                format!("a point lies off the board of {}x{}", board.files, board.ranks)
            } else {
                SPELLING.to_owned()
            }
        };
        let (from, mut rest) = board.split_cell(token).ok_or_else(|| off_board(token))?;
        let mut legs = Vec::new();
        loop {
            let (to, after) = board.split_cell(rest).ok_or_else(|| off_board(rest))?;
            let capture = match after.as_bytes().first() {
                Some(b'+') => Capture::Approach,
                Some(b'-') => Capture::Withdrawal,
                None if legs.is_empty() => return Ok(Spelled { from, path: Path::Plain(to) }),
                _ => return Err("every leg of a chain ends with + or -".to_owned()),
            };
            legs.push((to, capture));
            rest = &after[1..];
            if rest.is_empty() {
                return Ok(Spelled { from, path: Path::Chain(legs) });
            }
        }
    }

    fn legal(&self, spelled: &Spelled) -> Result<FanoronaPly, String> {
        if let Some(verdict) = self.outcome() {
            return Err(format!("the game is over ({})", verdict.reason));
        }
        let (lines, from) = (self.lines(), spelled.from);
        let (point, cell) = (1 << from, lines.board.cell(from));
        if self.enemy() & point != 0 {
            return Err(format!("the stone on {cell} is the opponent's"));
        }
        if self.own() & point == 0 {
            return Err(format!("no stone stands on {cell}"));
        }
        let start = Chain::start(lines, from, self.own(), self.enemy());
        match &spelled.path {
            Path::Plain(to) => self.plain(&start, from, *to),
            Path::Chain(legs) => {
                let mut chain = start;
                for (to, capture) in legs {
                    chain = chain.leg(lines, *to, *capture)?;
                }
                Ok(chain.ply())
            }
        }
    }

    fn plain(&self, start: &Chain, from: usize, to: usize) -> Result<FanoronaPly, String> {
        let (lines, point) = (self.lines(), 1 << to);
        let (from_cell, to_cell) = (lines.board.cell(from), lines.board.cell(to));
        if lines.direction(from, to).is_none() {
            return Err(format!("no line joins {from_cell} and {to_cell}"));
        }
        if (self.own() | self.enemy()) & point != 0 {
            return Err(format!("{to_cell} is occupied"));
        }
        if !self.has_capture() {
            return Ok(FanoronaPly::plain(lines.board, from, to));
        }
        let mut reason = "a capture is possible, so a plain step is not".to_owned();
        let meant = [Capture::Approach, Capture::Withdrawal]
            .into_iter()
            .find_map(|capture| start.leg(lines, to, capture).ok());
        if let Some(chain) = meant {
            reason += &format!("; did you mean {}?", chain.ply());
        }
        Err(reason)
    }

    /// Returns the legal ply that a misspelled token may mean: with capitals, with separators between the first two points
    /// (`e2-e3`, `e2xe3+`), or without the last sign.
    fn meant(&self, token: &str) -> Option<FanoronaPly> {
        let token = token.to_ascii_lowercase();
        let (_, rest) = self.lines().board.split_cell(&token)?;
        let from = &token[..token.len() - rest.len()];
        let legs = rest.trim_start_matches(|letter: char| !letter.is_ascii_alphanumeric() || letter == 'x');
        ["", "+", "-"].iter().find_map(|sign| {
            let spelled = self.spelled(&format!("{from}{legs}{sign}")).ok()?;
            self.legal(&spelled).ok()
        })
    }
}
