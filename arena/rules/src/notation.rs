//! The common parts of all games' position strings: rows, cells and fields.

pub(crate) mod clicks;
pub(crate) mod prompt;
pub(crate) mod spelling;
pub(crate) mod symmetry;

use std::fmt::{self, Write as _};

use thiserror::Error;

use crate::Seat;
use crate::options::canonical_number;

/// A fault in a position string.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{part}: {fault}")]
pub struct NotationError {
    /// The faulty part of the string: `rows`, `seat`, a key, or `string`.
    pub part: String,
    /// The fault and what would be correct.
    pub fault: String,
}

impl NotationError {
    /// Returns an error about `part`.
    #[must_use]
    pub fn new(part: impl Into<String>, fault: impl Into<String>) -> Self {
        Self { part: part.into(), fault: fault.into() }
    }
}

/// The size of a board. Cells are numbered from 0 (a1), along each rank, upwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// The number of files, 1 to 26.
    pub files: u8,
    /// The number of ranks, 1 to 99.
    pub ranks: u8,
}

impl Board {
    /// Returns a board of these many files and ranks.
    #[must_use]
    pub const fn new(files: u8, ranks: u8) -> Self {
        Self { files, ranks }
    }

    /// Returns the number of cells.
    #[must_use]
    pub const fn cells(self) -> usize {
        self.files as usize * self.ranks as usize
    }

    /// Returns the name of the cell with this number; `Display` writes it.
    #[must_use]
    pub const fn cell(self, number: usize) -> Cell {
        Cell { file: (number % self.files as usize) as u8, rank: (number / self.files as usize) as u8 }
    }

    /// Returns the number of the cell on this file and rank, both from 0.
    #[must_use]
    pub const fn number(self, file: usize, rank: usize) -> usize {
        rank * self.files as usize + file
    }

    /// Reads a cell at the start of `text` and returns its number and the rest. The cell's name must be canonical (no leading
    /// zero) and on the board.
    #[must_use]
    pub fn split_cell(self, text: &str) -> Option<(usize, &str)> {
        let bytes = text.as_bytes();
        let file = bytes.first()?.checked_sub(b'a').filter(|file| *file < self.files)?;
        let digits = bytes[1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let rank = canonical_number(&text[1..=digits])?;
        if rank == 0 || rank > u32::from(self.ranks) {
            return None;
        }
        Some((self.number(usize::from(file), rank as usize - 1), &text[1 + digits..]))
    }

    /// Reads a whole token as a cell and returns its number.
    #[must_use]
    pub fn read_cell(self, text: &str) -> Option<usize> {
        self.split_cell(text).filter(|(_, rest)| rest.is_empty()).map(|(cell, _)| cell)
    }

    /// Reads the rows of a position string and passes every stone's cell and letter to `put`, which returns whether it knows
    /// the letter.
    ///
    /// # Errors
    /// If the rows do not fit the board, a run is not maximal or canonical, or `put` refuses a letter.
    pub fn read_rows(self, rows: &str, mut put: impl FnMut(usize, u8) -> bool) -> Result<(), NotationError> {
        let fault = |fault: String| NotationError::new("rows", fault);
        let count = 1 + rows.bytes().filter(|byte| *byte == b'/').count();
        if count != usize::from(self.ranks) {
            return Err(fault(format!("{count} ranks, but the board has {}", self.ranks)));
        }
        // Rows are short: the standard library takes longer to search for one character than for one of a list.
        for (row, rank) in rows.split(['/']).zip((0..usize::from(self.ranks)).rev()) {
            let name = rank + 1;
            let mut file = 0;
            let mut rest = row;
            while let Some(first) = rest.chars().next() {
                if first.is_ascii_digit() {
                    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
                    let run = match rest.as_bytes()[0] {
                        digit if digits == 1 => Some(u32::from(digit - b'0')),
                        _ => canonical_number(&rest[..digits]),
                    };
                    let run = run.filter(|run| *run > 0);
                    let Some(run) = run else {
                        return Err(fault(format!(
                            "rank {name}: `{}` is not a run of empty cells",
                            &rest[..digits]
                        )));
                    };
                    file = run.saturating_add(file as u32) as usize;
                    rest = &rest[digits..];
                } else {
                    if file < usize::from(self.files)
                        && !(first.is_ascii() && put(self.number(file, rank), first as u8))
                    {
                        return Err(fault(format!(
                            "rank {name}: `{}` is not a stone",
                            first.escape_default()
                        )));
                    }
                    file += 1;
                    rest = &rest[first.len_utf8()..];
                }
            }
            if file != usize::from(self.files) {
                return Err(fault(format!("rank {name}: {file} cells, but the board has {}", self.files)));
            }
        }
        Ok(())
    }

    /// Writes rows. `stone` returns the letter of the stone on a cell.
    ///
    /// # Errors
    /// If the formatter fails.
    pub fn write_rows(self, out: &mut impl fmt::Write, stone: impl Fn(usize) -> Option<u8>) -> fmt::Result {
        for rank in (0..usize::from(self.ranks)).rev() {
            let mut run = 0;
            for file in 0..usize::from(self.files) {
                match stone(self.number(file, rank)) {
                    None => run += 1,
                    Some(letter) => {
                        if run > 0 {
                            write_small(out, run)?;
                            run = 0;
                        }
                        out.write_char(char::from(letter))?;
                    }
                }
            }
            if run > 0 {
                write_small(out, run)?;
            }
            if rank > 0 {
                out.write_char('/')?;
            }
        }
        Ok(())
    }
}

/// A cell's name: `a1`, `i5`, `s19`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell {
    /// The file, from 0.
    pub file: u8,
    /// The rank, from 0.
    pub rank: u8,
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Lists of plies consist of these. Writing characters takes a fraction of the time of formatting.
        f.write_char(char::from(b'a' + self.file))?;
        write_small(f, u32::from(self.rank) + 1)
    }
}

/// Writes a number, which nearly always has one digit.
fn write_small(out: &mut impl fmt::Write, number: u32) -> fmt::Result {
    match char::from_digit(number, 10) {
        Some(digit) => out.write_char(digit),
        None => write!(out, "{number}"),
    }
}

/// Returns the names of the seats of a table: `p1` or `p2`.
fn seat_names(count: usize) -> String {
    let names: Vec<_> = Seat::all(count).map(|seat| format!("`{seat}`")).collect();
    names.split_last().map_or_else(String::new, |(last, others)| format!("{} or {last}", others.join(", ")))
}

/// Reads a seat of a table of `count` seats.
fn read_seat(text: &str, count: usize, part: &str) -> Result<Seat, NotationError> {
    text.parse().ok().filter(|seat: &Seat| seat.index() < count).ok_or_else(|| {
        NotationError::new(part, format!("`{}` is not {}", text.escape_default(), seat_names(count)))
    })
}

/// The fields of a position string, read strictly one after the other.
#[derive(Debug)]
pub struct Fields<'a> {
    rest: Option<&'a str>,
}

impl<'a> Fields<'a> {
    /// Starts to read `text`, whose fields are separated by single spaces.
    #[must_use]
    pub const fn of(text: &'a str) -> Self {
        Self { rest: Some(text) }
    }

    fn next(&mut self) -> Option<&'a str> {
        let rest = self.rest.take()?;
        match rest.split_once(' ') {
            Some((field, rest)) => {
                self.rest = Some(rest);
                Some(field)
            }
            None => Some(rest),
        }
    }

    /// Reads the rows.
    ///
    /// # Errors
    /// If there are none.
    pub fn rows(&mut self) -> Result<&'a str, NotationError> {
        self.next().filter(|rows| !rows.is_empty()).ok_or_else(|| NotationError::new("rows", "missing"))
    }

    /// Reads the seat, at a table of two seats.
    ///
    /// # Errors
    /// If it is not `p1` or `p2`.
    pub fn seat(&mut self) -> Result<Seat, NotationError> {
        self.seat_of(2)
    }

    /// Reads the seat, at a table of `count` seats.
    ///
    /// # Errors
    /// If the table does not have it.
    pub fn seat_of(&mut self, count: usize) -> Result<Seat, NotationError> {
        let field = self.next().ok_or_else(|| {
            NotationError::new("seat", format!("missing: {} follows the rows", seat_names(count)))
        })?;
        read_seat(field, count, "seat")
    }

    /// Reads the value of `key` as a seat of a table of `count` seats.
    ///
    /// # Errors
    /// As [`Fields::value`], and if the table does not have the seat.
    pub fn seat_value(&mut self, key: &str, count: usize) -> Result<Seat, NotationError> {
        read_seat(self.value(key)?, count, key)
    }

    /// Reads the value of `key`, which must come next.
    ///
    /// # Errors
    /// If another key or none follows.
    pub fn value(&mut self, key: &str) -> Result<&'a str, NotationError> {
        let Some(field) = self.next() else {
            return Err(NotationError::new(key, format!("missing: `{key}=` must follow")));
        };
        field.strip_prefix(key).and_then(|rest| rest.strip_prefix('=')).ok_or_else(|| {
            NotationError::new(key, format!("expected `{key}=`, found `{}`", field.escape_default()))
        })
    }

    /// Reads the value of `key` as a canonical number from 0 to `max`.
    ///
    /// # Errors
    /// As [`Fields::value`], and if it is not such a number.
    pub fn number(&mut self, key: &str, max: u32) -> Result<u32, NotationError> {
        let text = self.value(key)?;
        canonical_number(text).filter(|number| *number <= max).ok_or_else(|| {
            NotationError::new(key, format!("`{}` is not a number from 0 to {max}", text.escape_default()))
        })
    }

    /// Reads the value of `key` as canonical numbers separated by commas, each up to its maximum.
    ///
    /// # Errors
    /// As [`Fields::value`], and if the count is wrong or a number is too large.
    pub fn numbers<const N: usize>(&mut self, key: &str, max: [u8; N]) -> Result<[u8; N], NotationError> {
        let text = self.value(key)?;
        let mut numbers = [0; N];
        let parts = text.split(',').map(canonical_number);
        let is_right = text.split(',').count() == N
            && numbers.iter_mut().zip(max).zip(parts).all(|((number, max), part)| {
                let fitting = part.and_then(|part| u8::try_from(part).ok()).filter(|part| *part <= max);
                fitting.inspect(|part| *number = *part).is_some()
            });
        if is_right {
            return Ok(numbers);
        }
        let max: Vec<_> = max.iter().map(u8::to_string).collect();
        let fault = format!("`{}` is not {N} numbers up to {}", text.escape_default(), max.join(","));
        Err(NotationError::new(key, fault))
    }

    /// Ends the string.
    ///
    /// # Errors
    /// If anything is left.
    pub fn end(&mut self) -> Result<(), NotationError> {
        self.next().map_or(Ok(()), |field| {
            let fault = format!("unexpected `{}` at the end", field.escape_default());
            Err(NotationError::new("string", fault))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(board: Board, rows: &str) -> Result<String, NotationError> {
        let mut cells = vec![None; board.cells()];
        board.read_rows(rows, |cell, letter| {
            cells[cell] = Some(letter);
            letter.is_ascii_lowercase()
        })?;
        let mut text = String::new();
        board.write_rows(&mut text, |cell| cells[cell]).expect("a string takes everything");
        Ok(text)
    }

    #[test]
    fn rows_come_back() {
        assert_eq!(round_trip(Board::new(4, 2), "4/a1b1").as_deref(), Ok("4/a1b1"));
        assert_eq!(round_trip(Board::new(19, 1), "19").as_deref(), Ok("19"));
        assert_eq!(round_trip(Board::new(19, 1), "a17b").as_deref(), Ok("a17b"));
    }

    #[test]
    fn rows_that_do_not_fit_are_refused() {
        for rows in [
            "",
            "4",
            "4/4/4",
            "4/5",
            "4/3",
            "4/0a3",
            "4/04",
            "4/a4",
            "4/A3",
            "4/99999999999",
            "4/aé2",
            "4/aaaaa",
        ] {
            assert!(round_trip(Board::new(4, 2), rows).is_err(), "{rows}");
        }
    }

    #[test]
    fn a_run_written_in_two_parts_reads_as_one_number() {
        // `22` is twenty-two empty cells, never two and two: runs are maximal.
        assert!(round_trip(Board::new(4, 1), "22").is_err());
    }

    #[test]
    fn lists_of_numbers_have_their_length_and_maxima() {
        let read = |text| Fields::of(text).numbers("stock", [6, 2]).ok();
        assert_eq!(read("stock=6,0"), Some([6, 0]));
        for bad in
            ["stock=6", "stock=6,2,0", "stock=7,2", "stock=6,3", "stock=06,2", "stock=6,", "stock=6,256"]
        {
            assert_eq!(read(bad), None, "{bad}");
        }
    }

    #[test]
    fn cells_have_one_name() {
        let board = Board::new(19, 19);
        assert_eq!(board.read_cell("a1"), Some(0));
        assert_eq!(board.cell(18 * 19 + 18).to_string(), "s19");
        assert_eq!(board.split_cell("a10xb12"), Some((9 * 19, "xb12")));
        for bad in ["", "a", "a0", "a01", "t1", "a20", "A1", "1a", "a1 ", "é1", "a999999999999"] {
            assert_eq!(board.read_cell(bad), None, "{bad}");
        }
    }
}
