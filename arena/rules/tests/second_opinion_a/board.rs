//! Cells, directions and rows in their plainest form: pairs of numbers, and a map from cells to letters.

use std::collections::BTreeMap;

/// File and rank, both from zero.
pub(crate) type Cell = (i32, i32);

/// The stones on a board, as the letters of the position string.
pub(crate) type Stones = BTreeMap<Cell, char>;

/// The eight directions.
pub(crate) const AROUND: [Cell; 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

/// Returns the cell `n` steps from `cell`, which may be off the board.
pub(crate) fn ahead(cell: Cell, direction: Cell, n: i32) -> Cell {
    (cell.0 + n * direction.0, cell.1 + n * direction.1)
}

/// Returns every cell of a board, rank by rank from the bottom.
pub(crate) fn cells(width: i32, height: i32) -> Vec<Cell> {
    (0..height).flat_map(|rank| (0..width).map(move |file| (file, rank))).collect()
}

/// Returns whether a cell is on the board.
pub(crate) fn is_on(cell: Cell, width: i32, height: i32) -> bool {
    (0..width).contains(&cell.0) && (0..height).contains(&cell.1)
}

/// Writes a cell: `c4`.
pub(crate) fn name(cell: Cell) -> String {
    let letter = char::from_u32('a' as u32 + cell.0.unsigned_abs()).expect("a file of the board");
    format!("{letter}{}", cell.1 + 1)
}

/// Reads a cell, which may be off the board; whoever reads compares what it writes.
pub(crate) fn read_cell(text: &str) -> Option<Cell> {
    let file = text.chars().next().filter(char::is_ascii_lowercase)?;
    let rank: i32 = text[1..].parse().ok()?;
    Some((file as i32 - 'a' as i32, rank.checked_sub(1)?))
}

/// Reads a list of numbers: `6,6,2`.
pub(crate) fn read_numbers(text: &str) -> Option<Vec<u64>> {
    text.split(',').map(|number| number.parse().ok()).collect()
}

/// Reads a seat.
pub(crate) fn read_seat(text: &str) -> Option<usize> {
    ["p1", "p2"].iter().position(|seat| *seat == text)
}

/// Writes the rows of a board.
pub(crate) fn write_rows(stones: &Stones, width: i32, height: i32) -> String {
    let mut rows = Vec::new();
    for rank in (0..height).rev() {
        let mut row = String::new();
        let mut gap = 0;
        for file in 0..width {
            match stones.get(&(file, rank)) {
                None => gap += 1,
                Some(letter) => {
                    if gap > 0 {
                        row += &gap.to_string();
                    }
                    gap = 0;
                    row.push(*letter);
                }
            }
        }
        if gap > 0 {
            row += &gap.to_string();
        }
        rows.push(row);
    }
    rows.join("/")
}

/// Reads rows with these letters, roughly; whoever reads compares what it writes.
pub(crate) fn read_rows(text: &str, width: i32, height: i32, letters: &str) -> Option<Stones> {
    let mut stones = Stones::new();
    let mut rank = height;
    for row in text.split('/') {
        rank -= 1;
        let mut file = 0;
        for letter in row.chars() {
            if let Some(gap) = letter.to_digit(10) {
                file += i32::try_from(gap).ok()?;
            } else if letters.contains(letter) && is_on((file, rank), width, height) {
                stones.insert((file, rank), letter);
                file += 1;
            } else {
                return None;
            }
        }
        if file != width {
            return None;
        }
    }
    (rank == 0).then_some(stones)
}
