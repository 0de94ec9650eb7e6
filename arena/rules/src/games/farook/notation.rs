//! Position strings of Farook: `rows seat stock=P1,P2,WILD last=CELL,CELL ko=STEP n=PLIES`.

use std::fmt;

use crate::notation::Fields;
use crate::{NotationError, Seat};

use super::geometry::{BOARD, NEIGHBOURS};
use super::{Farook, FarookOptions, MOST, WILD};

/// The letters of the stones, in the order of `Farook::stones`.
const LETTERS: [u8; 3] = *b"wbx";

/// Reads a position string.
pub(super) fn read(options: &FarookOptions, text: &str) -> Result<Farook, NotationError> {
    let mut fields = Fields::of(text);
    let mut stones = [0; 3];
    BOARD.read_rows(fields.rows()?, |cell, letter| {
        let kind = LETTERS.iter().position(|known| *known == letter);
        kind.inspect(|kind| stones[*kind] |= 1 << cell).is_some()
    })?;
    let seat = fields.seat()?;
    let stock = fields.numbers("stock", MOST)?;
    let last = read_last(fields.value("last")?, stones)?;
    let ko = read_ko(fields.value("ko")?, stones, last[seat.other().index()])?;
    let n = fields.number("n", u32::MAX)?;
    fields.end()?;
    Ok(Farook { options: *options, stones, stock, last, ko, seat, n })
}

fn read_last(text: &str, stones: [u16; 3]) -> Result<[u16; 2], NotationError> {
    let fault = |fault: String| NotationError::new("last", fault);
    let Some((first, second)) = text.split_once(',') else {
        return Err(fault(format!("`{}` is not two cells or `-`, such as `a1,-`", text.escape_default())));
    };
    let mut last = [0; 2];
    for (seat, cell) in Seat::BOTH.into_iter().zip([first, second]) {
        if cell == "-" {
            continue;
        }
        let Some(number) = BOARD.read_cell(cell) else {
            return Err(fault(format!("`{}` is not a cell or `-`", cell.escape_default())));
        };
        let stone = 1 << number;
        if (stones[seat.index()] | stones[WILD]) & stone == 0 {
            return Err(fault(format!("{cell} holds no stone that {seat} may move")));
        }
        last[seat.index()] = stone;
    }
    Ok(last)
}

/// Reads the step that KO forbids and returns its target. `stepped` is the stone that the opponent moved on its last turn,
/// which is the previous ply.
fn read_ko(text: &str, stones: [u16; 3], stepped: u16) -> Result<u16, NotationError> {
    let fault = |fault: String| Err(NotationError::new("ko", fault));
    let wild = stones[WILD] & stepped;
    // A composed position may omit KO even if the opponent's last stone is wild.
    if text == "-" {
        return Ok(0);
    }
    let step = BOARD.split_cell(text).and_then(|(from, rest)| Some((from, BOARD.read_cell(rest)?)));
    let Some((from, to)) = step.filter(|(from, to)| NEIGHBOURS[*from] & 1 << to != 0) else {
        return fault(format!("`{}` is not a step such as `b2c2` or `-`", text.escape_default()));
    };
    if wild != 1 << from {
        return fault(format!("{} holds no wild stone that the opponent just stepped", BOARD.cell(from)));
    }
    if (stones[0] | stones[1] | stones[WILD]) & 1 << to != 0 {
        return fault(format!("{} is not empty", BOARD.cell(to)));
    }
    Ok(1 << to)
}

impl fmt::Display for Farook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        BOARD.write_rows(f, |cell| {
            let kind = self.stones.iter().position(|stones| stones & 1 << cell != 0);
            kind.map(|kind| LETTERS[kind])
        })?;
        let [first, second, wild] = self.stock;
        write!(f, " {} stock={first},{second},{wild} last=", self.seat)?;
        write_cell(f, self.last[0])?;
        f.write_str(",")?;
        write_cell(f, self.last[1])?;
        f.write_str(" ko=")?;
        if self.ko != 0 {
            write_cell(f, self.last[self.seat.other().index()])?;
        }
        write_cell(f, self.ko)?;
        write!(f, " n={}", self.n)
    }
}

/// Writes the only cell of a mask, or `-` if it has none.
fn write_cell(f: &mut fmt::Formatter<'_>, mask: u16) -> fmt::Result {
    match mask {
        0 => f.write_str("-"),
        _ => write!(f, "{}", BOARD.cell(mask.trailing_zeros() as usize)),
    }
}
