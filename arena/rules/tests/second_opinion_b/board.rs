//! A board as a table of letters, `.` where it is empty, and its text.

/// File and rank, from 0.
pub(crate) type Cell = (usize, usize);

/// The eight directions.
pub(crate) const DIRECTIONS: [(i32, i32); 8] =
    [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

/// A square board.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    size: usize,
    /// File by file.
    letters: Vec<char>,
}

impl Board {
    pub(crate) fn new(size: usize) -> Self {
        Self { size, letters: vec!['.'; size * size] }
    }

    pub(crate) fn size(&self) -> usize {
        self.size
    }

    pub(crate) fn at(&self, (file, rank): Cell) -> char {
        self.letters[file * self.size + rank]
    }

    pub(crate) fn put(&mut self, (file, rank): Cell, letter: char) {
        self.letters[file * self.size + rank] = letter;
    }

    /// Returns every cell, file by file.
    pub(crate) fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let size = self.size;
        (0..size).flat_map(move |file| (0..size).map(move |rank| (file, rank)))
    }

    /// Returns the cells that hold one of `letters`.
    pub(crate) fn with(&self, letters: &str) -> Vec<Cell> {
        self.cells().filter(|cell| letters.contains(self.at(*cell))).collect()
    }

    /// Returns whether a cell holds one of `letters`.
    pub(crate) fn has(&self, letters: &str) -> bool {
        self.letters.iter().any(|letter| letters.contains(*letter))
    }

    /// Returns the cell `distance` steps away, if it is on the board.
    pub(crate) fn step(&self, from: Cell, direction: (i32, i32), distance: i32) -> Option<Cell> {
        let file = from.0 as i32 + direction.0 * distance;
        let rank = from.1 as i32 + direction.1 * distance;
        let on_board = 0..self.size as i32;
        (on_board.contains(&file) && on_board.contains(&rank)).then_some((file as usize, rank as usize))
    }

    pub(crate) fn neighbours(&self, cell: Cell) -> impl Iterator<Item = Cell> {
        DIRECTIONS.iter().filter_map(move |direction| self.step(cell, *direction, 1))
    }

    /// Writes the ranks from the top, with numbers for runs of empty cells.
    pub(crate) fn rows(&self) -> String {
        let mut rows = Vec::new();
        for rank in (0..self.size).rev() {
            let mut row = String::new();
            let mut empty = 0;
            for file in 0..self.size {
                match self.at((file, rank)) {
                    '.' => empty += 1,
                    letter => {
                        if empty > 0 {
                            row.push_str(&empty.to_string());
                        }
                        empty = 0;
                        row.push(letter);
                    }
                }
            }
            if empty > 0 {
                row.push_str(&empty.to_string());
            }
            rows.push(row);
        }
        rows.join("/")
    }

    /// Reads rows of the letters; what is not canonical may be taken.
    pub(crate) fn read(size: usize, text: &str, letters: &str) -> Option<Self> {
        let mut board = Self::new(size);
        let rows: Vec<&str> = text.split('/').collect();
        if rows.len() != size {
            return None;
        }
        for (down, row) in rows.iter().enumerate() {
            let mut file = 0;
            let mut number = String::new();
            for letter in row.chars() {
                if letter.is_ascii_digit() {
                    number.push(letter);
                    continue;
                }
                file += run(&mut number)?;
                if file >= size || !letters.contains(letter) {
                    return None;
                }
                board.put((file, size - 1 - down), letter);
                file += 1;
            }
            file += run(&mut number)?;
            if file != size {
                return None;
            }
        }
        Some(board)
    }
}

fn run(number: &mut String) -> Option<usize> {
    let length = if number.is_empty() { 0 } else { number.parse::<u8>().ok()? };
    number.clear();
    Some(length.into())
}

/// Writes a cell, such as `c12`.
pub(crate) fn name((file, rank): Cell) -> String {
    format!("{}{}", (b'a' + file as u8) as char, rank + 1)
}

/// Reads a cell that [`name`] wrote.
pub(crate) fn cell(text: &str) -> Option<Cell> {
    let file = text.bytes().next()?.checked_sub(b'a')?;
    let rank = text.get(1..)?.parse::<usize>().ok()?.checked_sub(1)?;
    Some((file.into(), rank))
}

/// Splits a move such as `a1b12` into its two cells.
pub(crate) fn from_and_to(ply: &str) -> Option<(Cell, Cell)> {
    let second = ply.char_indices().skip(1).find(|(_, letter)| letter.is_ascii_lowercase())?.0;
    Some((cell(&ply[..second])?, cell(&ply[second..])?))
}

/// Returns the text of the field `key=…`.
pub(crate) fn field<'a>(text: Option<&'a str>, key: &str) -> Option<&'a str> {
    text?.strip_prefix(key)?.strip_prefix('=')
}

/// Reads a seat: 0 for `p1`, 1 for `p2`.
pub(crate) fn seat(text: Option<&str>) -> Option<usize> {
    SEATS.iter().position(|seat| Some(*seat) == text)
}

/// The names of the seats.
pub(crate) const SEATS: [&str; 2] = ["p1", "p2"];
