//! Position strings of Sophia: `rows seat stock=A,B c=AB n=PLIES`.

use std::fmt;

use crate::NotationError;
use crate::notation::Fields;

use super::geometry::bit;
use super::{Sophia, SophiaOptions};

/// Reads a position string.
pub(super) fn read(options: &SophiaOptions, text: &str) -> Result<Sophia, NotationError> {
    let mut fields = Fields::of(text);
    let (mut sets, mut light) = ([0; 2], 0);
    options.board().read_rows(fields.rows()?, |number, letter| {
        let cell = 1 << bit(number, options.size());
        match letter {
            b'A' | b'a' => sets[0] |= cell,
            b'B' | b'b' => sets[1] |= cell,
            _ => return false,
        }
        if letter.is_ascii_uppercase() {
            light |= cell;
        }
        true
    })?;
    let seat = fields.seat()?;
    let stock = fields.numbers("stock", [options.stones(); 2])?;
    let is_swapped = match fields.value("c")? {
        "AB" => false,
        "BA" => true,
        other => {
            let fault = format!("`{}` is not `AB` or `BA`", other.escape_default());
            return Err(NotationError::new("c", fault));
        }
    };
    let n = fields.number("n", u32::MAX)?;
    fields.end()?;
    Ok(Sophia { options: *options, sets, light, stock, is_swapped, seat, n })
}

impl fmt::Display for Sophia {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.options.board().write_rows(f, |number| {
            let cell = 1 << bit(number, self.options.size());
            let [first, second] = self.sets.map(|set| set & cell != 0);
            match (first, second, self.light & cell != 0) {
                (true, _, true) => Some(b'A'),
                (true, _, false) => Some(b'a'),
                (false, true, true) => Some(b'B'),
                (false, true, false) => Some(b'b'),
                (false, false, _) => None,
            }
        })?;
        let [first, second] = self.stock;
        let c = if self.is_swapped { "BA" } else { "AB" };
        write!(f, " {} stock={first},{second} c={c} n={}", self.seat, self.n)
    }
}
