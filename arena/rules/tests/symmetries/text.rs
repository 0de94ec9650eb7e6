//! A position string taken apart, and its cells mapped.

use std::fmt;

/// The rows, the seat and the keys of a position string.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    /// The ranks from the top, `.` for an empty cell.
    pub(crate) rows: Vec<Vec<char>>,
    pub(crate) seat: String,
    pub(crate) keys: Vec<(String, String)>,
}

impl Text {
    /// Takes a valid position string apart.
    pub(crate) fn of(text: &str) -> Self {
        let mut parts = text.split(' ');
        let rows = parts.next().expect("rows").split('/').map(cells).collect();
        let seat = parts.next().expect("a seat").to_owned();
        let pair = |part: &str| {
            let (key, value) = part.split_once('=').expect("a key and a value");
            (key.to_owned(), value.to_owned())
        };
        Self { rows, seat, keys: parts.map(pair).collect() }
    }

    /// Returns the value of a key; empty where there is none.
    pub(crate) fn value(&self, key: &str) -> &str {
        self.keys.iter().find(|(name, _)| name == key).map_or("", |(_, value)| value)
    }

    /// Changes the value of a key, if there is one.
    pub(crate) fn change(&mut self, key: &str, change: impl Fn(&str) -> String) {
        for (name, value) in &mut self.keys {
            if name == key {
                *value = change(value);
            }
        }
    }

    pub(crate) fn files(&self) -> usize {
        self.rows[0].len()
    }

    pub(crate) fn ranks(&self) -> usize {
        self.rows.len()
    }

    /// Exchanges the letters of the stones.
    pub(crate) fn exchange(&mut self, letter: impl Fn(char) -> char) {
        for cell in self.rows.iter_mut().flatten() {
            *cell = letter(*cell);
        }
    }
}

fn cells(row: &str) -> Vec<char> {
    let mut cells = Vec::new();
    let mut run = 0;
    for letter in row.chars() {
        match letter.to_digit(10) {
            Some(digit) => run = run * 10 + digit as usize,
            None => {
                cells.extend(std::iter::repeat_n('.', std::mem::take(&mut run)));
                cells.push(letter);
            }
        }
    }
    cells.extend(std::iter::repeat_n('.', run));
    cells
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, row) in self.rows.iter().enumerate() {
            if index > 0 {
                f.write_str("/")?;
            }
            for run in row.chunk_by(|one, other| *one == '.' && *other == '.') {
                match run[0] {
                    '.' => write!(f, "{}", run.len())?,
                    letter => write!(f, "{letter}")?,
                }
            }
        }
        write!(f, " {}", self.seat)?;
        self.keys.iter().try_for_each(|(key, value)| write!(f, " {key}={value}"))
    }
}

/// A symmetry of a rectangle of cells: first the axes are exchanged, then either direction is turned round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Map {
    pub(crate) transposes: bool,
    pub(crate) turns_files: bool,
    pub(crate) turns_ranks: bool,
}

impl Map {
    pub(crate) const IDENTITY: Self = Self { transposes: false, turns_files: false, turns_ranks: false };

    /// Returns the eight symmetries of a square, or the four of another rectangle.
    pub(crate) fn all(is_square: bool) -> impl Iterator<Item = Self> {
        (0..if is_square { 8 } else { 4 }).map(|bits| Self {
            turns_files: bits & 1 != 0,
            turns_ranks: bits & 2 != 0,
            transposes: bits & 4 != 0,
        })
    }

    /// Maps a cell given by its file and rank, from 0, on a board of so many files and ranks.
    fn cell(self, (file, rank): (usize, usize), (files, ranks): (usize, usize)) -> (usize, usize) {
        let ((file, rank), (files, ranks)) = match self.transposes {
            true => ((rank, file), (ranks, files)),
            false => ((file, rank), (files, ranks)),
        };
        let turned = |place, count, is_turned| if is_turned { count - 1 - place } else { place };
        (turned(file, files, self.turns_files), turned(rank, ranks, self.turns_ranks))
    }

    /// Maps the board, and every cell that is named by one of the keys.
    pub(crate) fn apply(self, text: &mut Text, keys: &[&str]) {
        let size = (text.files(), text.ranks());
        let (files, ranks) = if self.transposes { (size.1, size.0) } else { size };
        let mut rows = vec![vec!['.'; files]; ranks];
        for (row, letters) in text.rows.iter().enumerate() {
            for (file, letter) in letters.iter().enumerate() {
                let (file, rank) = self.cell((file, size.1 - 1 - row), size);
                rows[ranks - 1 - rank][file] = *letter;
            }
        }
        text.rows = rows;
        for key in keys {
            text.change(key, |value| self.names(value, size));
        }
    }

    /// Maps the cells in the value of a key; boards with such keys have fewer than ten ranks.
    fn names(self, value: &str, size: (usize, usize)) -> String {
        let mut mapped = String::new();
        let mut letters = value.bytes();
        while let Some(letter) = letters.next() {
            if !letter.is_ascii_lowercase() {
                mapped.push(char::from(letter));
                continue;
            }
            let digit = letters.next().expect("a file has its rank");
            let (file, rank) = self.cell((usize::from(letter - b'a'), usize::from(digit - b'1')), size);
            mapped.push(char::from(b'a' + file as u8));
            mapped.push_str(&(rank + 1).to_string());
        }
        mapped
    }
}

#[test]
fn cells_are_mapped_on_the_board_and_in_keys() {
    let check = |transposes, turns_files, turns_ranks, expected: &str| {
        let mut text = Text::of("w3/4/3x/b3 p1 stock=5,5,1 last=d2,- ko=d2c1 n=9");
        Map { transposes, turns_files, turns_ranks }.apply(&mut text, &["last", "ko"]);
        assert_eq!(text.to_string(), expected);
    };
    check(false, false, false, "w3/4/3x/b3 p1 stock=5,5,1 last=d2,- ko=d2c1 n=9");
    check(false, true, false, "3w/4/x3/3b p1 stock=5,5,1 last=a2,- ko=a2b1 n=9");
    check(false, false, true, "b3/3x/4/w3 p1 stock=5,5,1 last=d3,- ko=d3c4 n=9");
    check(true, false, false, "1x2/4/4/b2w p1 stock=5,5,1 last=b4,- ko=b4a3 n=9");
    check(true, true, false, "2x1/4/4/w2b p1 stock=5,5,1 last=c4,- ko=c4d3 n=9");
}
