//! The symmetries of boards, as maps of position strings. They make symmetric positions equal.
//!
//! This module knows no rules: it parses strings and maps cells.

use std::fmt::{self, Write as _};

/// The rows, the seat and the keys of a position string.
#[derive(Clone, Debug)]
pub struct Diagram {
    /// The ranks from the top, `.` for an empty cell. All are equally long.
    pub rows: Vec<Vec<char>>,
    /// The seat that decides.
    pub seat: String,
    /// The keys with their values, in order.
    pub keys: Vec<(String, String)>,
}

impl Diagram {
    /// Parses a position string of any game; `None` if it does not have that form.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let parts = Parts::of(text)?;
        let (files, ranks) = parts.size;
        Some(Self {
            rows: (0..ranks).map(|row| parts.cells[row * files..][..files].to_vec()).collect(),
            seat: parts.seat.to_owned(),
            keys: parts.keys.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect(),
        })
    }

    /// Returns the value of a key; empty if it is missing.
    #[must_use]
    pub fn value(&self, key: &str) -> &str {
        self.keys.iter().find(|(name, _)| name == key).map_or("", |(_, value)| value)
    }

    /// Changes the value of a key, if there is one.
    pub fn change(&mut self, key: &str, change: impl Fn(&str) -> String) {
        for (name, value) in &mut self.keys {
            if name == key {
                *value = change(value);
            }
        }
    }

    /// Returns how many files there are.
    #[must_use]
    pub fn files(&self) -> usize {
        self.rows[0].len()
    }

    /// Returns how many ranks there are.
    #[must_use]
    pub fn ranks(&self) -> usize {
        self.rows.len()
    }

    /// Exchanges the letters of the stones.
    pub fn exchange(&mut self, letter: impl Fn(char) -> char) {
        for cell in self.rows.iter_mut().flatten() {
            *cell = letter(*cell);
        }
    }
}

impl fmt::Display for Diagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, row) in self.rows.iter().enumerate() {
            if index > 0 {
                f.write_char('/')?;
            }
            write_row(row, f)?;
        }
        write!(f, " {}", self.seat)?;
        self.keys.iter().try_for_each(|(key, value)| write!(f, " {key}={value}"))
    }
}

/// The parts of a position string, borrowed from the text.
struct Parts<'a> {
    /// The cells rank by rank from the top, `.` for an empty one.
    cells: Vec<char>,
    /// The numbers of files and ranks.
    size: (usize, usize),
    seat: &'a str,
    keys: Vec<(&'a str, &'a str)>,
}

impl<'a> Parts<'a> {
    /// Parses a position string; `None` if it does not have that form.
    fn of(text: &'a str) -> Option<Self> {
        let mut parts = text.split(' ');
        let (mut cells, mut files, mut ranks) = (Vec::new(), 0, 0);
        for row in parts.next()?.split('/') {
            let start = cells.len();
            if !push_cells(row, &mut cells) {
                return None;
            }
            if ranks == 0 {
                files = cells.len();
            }
            if files == 0 || cells.len() - start != files {
                return None;
            }
            ranks += 1;
        }
        let seat = parts.next()?;
        let keys = parts.map(|part| part.split_once('=')).collect::<Option<_>>()?;
        Some(Self { cells, size: (files, ranks), seat, keys })
    }

    /// Writes the image under a symmetry into `text`, with `cells` as scratch space. Both are overwritten.
    fn write_image(&self, map: BoardMap, cell_keys: &[&str], text: &mut String, cells: &mut Vec<char>) {
        let files = map.size(self.size).0;
        map.cells(&self.cells, self.size, cells);
        text.clear();
        for (index, row) in cells.chunks(files).enumerate() {
            if index > 0 {
                text.push('/');
            }
            let _ = write_row(row, text);
        }
        text.push(' ');
        text.push_str(self.seat);
        for (key, value) in &self.keys {
            for part in [" ", key, "="] {
                text.push_str(part);
            }
            match cell_keys.contains(key) {
                true => map.push_names(value, self.size, text),
                false => text.push_str(value),
            }
        }
    }
}

/// The most cells of a board. The position string of a game of one's own need not begin with rows: its numbers may be anything.
const MOST_CELLS: usize = 64 * 64;

/// Appends the cells of a row, `.` for an empty one, and returns whether the board has room for them.
fn push_cells(row: &str, cells: &mut Vec<char>) -> bool {
    let mut run = 0;
    for letter in row.chars() {
        match letter.to_digit(10) {
            Some(digit) => run = (run * 10 + digit as usize).min(MOST_CELLS + 1),
            None => {
                if cells.len() + run >= MOST_CELLS {
                    return false;
                }
                cells.extend(std::iter::repeat_n('.', std::mem::take(&mut run)));
                cells.push(letter);
            }
        }
    }
    if cells.len() + run > MOST_CELLS {
        return false;
    }
    cells.extend(std::iter::repeat_n('.', run));
    true
}

/// Writes a row, its empty cells as numbers.
fn write_row(row: &[char], out: &mut impl fmt::Write) -> fmt::Result {
    for run in row.chunk_by(|one, other| *one == '.' && *other == '.') {
        match run[0] {
            '.' => match run.len() {
                digit @ ..10 => out.write_char(char::from(b'0' + digit as u8))?,
                many => write!(out, "{many}")?,
            },
            letter => out.write_char(letter)?,
        }
    }
    Ok(())
}

/// The keys of a game's position strings that name cells.
#[must_use]
pub fn cell_keys(game: &str) -> &'static [&'static str] {
    match game {
        "farook" => &["last", "ko"],
        "2-frenzy" => &["used"],
        _ => &[],
    }
}

/// Returns the first, in byte order, of a position's images under the symmetries of its board. Two symmetric positions with the
/// same seat to decide have the same one. Text that is not a position string is returned unchanged.
///
/// Every built-in game has all symmetries of its board, as `protocol-spec/games/` states. Exchanges of the seats or of their
/// stones are not included. The symmetries of other games are unknown, so their positions stay unchanged.
///
/// ```
/// let corner = "b3/4/4/4 p1 stock=6,5,2 last=-,a4 ko=- n=1";
/// let other = "3b/4/4/4 p1 stock=6,5,2 last=-,d4 ko=- n=1";
/// assert_eq!(rules::canonical("farook", corner), rules::canonical("farook", other));
/// ```
#[must_use]
pub fn canonical(game: &str, position: &str) -> String {
    let is_built_in = crate::find(game).is_ok();
    let Some(parts) = Parts::of(position).filter(|_| is_built_in) else { return position.to_owned() };
    let keys = cell_keys(game);
    let (mut first, mut image, mut cells) = (String::new(), String::new(), Vec::new());
    for map in BoardMap::of(game, parts.size) {
        parts.write_image(map, keys, &mut image, &mut cells);
        // The first image is the position itself.
        if first.is_empty() || image < first {
            std::mem::swap(&mut first, &mut image);
        }
    }
    first
}

/// A symmetry of a rectangle of cells. It first exchanges the axes, then reverses either direction, then moves the files to the
/// right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardMap {
    /// Whether files become ranks.
    pub transposes: bool,
    /// Whether left becomes right.
    pub turns_files: bool,
    /// Whether top becomes bottom.
    pub turns_ranks: bool,
    /// By how many files everything moves to the right, from the last file to the first, on a board whose files wrap.
    pub shift: usize,
}

impl BoardMap {
    /// The identity.
    pub const IDENTITY: Self = Self { transposes: false, turns_files: false, turns_ranks: false, shift: 0 };

    /// Returns the eight symmetries of a square, or the four of another rectangle.
    pub fn all(is_square: bool) -> impl Iterator<Item = Self> {
        (0..if is_square { 8 } else { 4 }).map(|bits| Self {
            turns_files: bits & 1 != 0,
            turns_ranks: bits & 2 != 0,
            transposes: bits & 4 != 0,
            shift: 0,
        })
    }

    /// Returns the symmetries of the board of a built-in game with this size. The first one is the identity.
    pub fn of(game: &str, (files, ranks): (usize, usize)) -> impl Iterator<Item = Self> {
        // The files of 2-Frenzy for three seats wrap, and no other table of it has as many.
        let shifts = if (game, files) == ("2-frenzy", 9) { files } else { 1 };
        (0..shifts).flat_map(move |shift| Self::all(files == ranks).map(move |map| Self { shift, ..map }))
    }

    /// Maps a cell given by its file and rank, from 0, on a board of this size.
    fn cell(self, (file, rank): (usize, usize), (files, ranks): (usize, usize)) -> (usize, usize) {
        let ((file, rank), (files, ranks)) = match self.transposes {
            true => ((rank, file), (ranks, files)),
            false => ((file, rank), (files, ranks)),
        };
        let turned = |place, count, is_turned| if is_turned { count - 1 - place } else { place };
        let file = turned(file, files, self.turns_files) + self.shift;
        (if file >= files { file - files } else { file }, turned(rank, ranks, self.turns_ranks))
    }

    /// Returns the files and ranks of the image of a board of this size.
    const fn size(self, (files, ranks): (usize, usize)) -> (usize, usize) {
        if self.transposes { (ranks, files) } else { (files, ranks) }
    }

    /// Overwrites `image` with the image of a board: both rank by rank from the top.
    fn cells(self, board: &[char], size: (usize, usize), image: &mut Vec<char>) {
        let (files, ranks) = self.size(size);
        image.clear();
        image.resize(board.len(), '.');
        for (place, letter) in board.iter().enumerate().filter(|(_, letter)| **letter != '.') {
            let (file, rank) = self.cell((place % size.0, size.1 - 1 - place / size.0), size);
            image[(ranks - 1 - rank) * files + file] = *letter;
        }
    }

    /// Maps the board, and every cell named by one of the keys.
    pub fn apply(self, text: &mut Diagram, keys: &[&str]) {
        let size = (text.files(), text.ranks());
        let (files, ranks) = self.size(size);
        let mut image = Vec::new();
        self.cells(&text.rows.concat(), size, &mut image);
        text.rows = (0..ranks).map(|row| image[row * files..][..files].to_vec()).collect();
        for key in keys {
            text.change(key, |value| {
                let mut mapped = String::new();
                self.push_names(value, size, &mut mapped);
                mapped
            });
        }
    }

    /// Appends the value of a key with its cells mapped. Boards with such keys have fewer than ten ranks.
    fn push_names(self, value: &str, size: (usize, usize), mapped: &mut String) {
        let mut letters = value.chars();
        while let Some(letter) = letters.next() {
            let place =
                |low: char, high: char, c: char| (low..=high).contains(&c).then(|| c as usize - low as usize);
            let cell = place('a', 'z', letter)
                .zip(letters.clone().next().and_then(|digit| place('1', '9', digit)))
                .filter(|(file, rank)| *file < size.0 && *rank < size.1);
            let Some(cell) = cell else {
                mapped.push(letter);
                continue;
            };
            let _rank = letters.next();
            let (file, rank) = self.cell(cell, size);
            mapped.push(char::from(b'a' + file as u8));
            let _ = write!(mapped, "{}", rank + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_mapped_on_the_board_and_in_keys() {
        let check = |transposes, turns_files, turns_ranks, expected: &str| {
            let mut text = Diagram::parse("w3/4/3x/b3 p1 stock=5,5,1 last=d2,- ko=d2c1 n=9").unwrap();
            BoardMap { transposes, turns_files, turns_ranks, shift: 0 }.apply(&mut text, &["last", "ko"]);
            assert_eq!(text.to_string(), expected);
        };
        check(false, false, false, "w3/4/3x/b3 p1 stock=5,5,1 last=d2,- ko=d2c1 n=9");
        check(false, true, false, "3w/4/x3/3b p1 stock=5,5,1 last=a2,- ko=a2b1 n=9");
        check(false, false, true, "b3/3x/4/w3 p1 stock=5,5,1 last=d3,- ko=d3c4 n=9");
        check(true, false, false, "1x2/4/4/b2w p1 stock=5,5,1 last=b4,- ko=b4a3 n=9");
        check(true, true, false, "2x1/4/4/w2b p1 stock=5,5,1 last=c4,- ko=c4d3 n=9");
    }

    #[test]
    fn numbers_are_no_board_of_any_size() {
        for text in
            ["99999999999999999999999999999 p1", "4097 p1", "22222222 3 p1", "x4096 p1", "4095x/4096 p1"]
        {
            assert!(Diagram::parse(text).is_none(), "{text}");
        }
        assert!(Diagram::parse("4096 p1").is_some() && Diagram::parse("64/64/64 p1").is_some());
    }

    #[test]
    fn the_first_of_all_images_stands_for_a_position() {
        for game in crate::GAMES {
            let tables = game.options.iter().filter(|spec| spec.name == crate::PLAYERS_OPTION);
            let tables = tables
                .flat_map(|spec| ["3", "4"].map(|players| game.setup(&[(spec.name, players)]).unwrap()));
            let lines = std::iter::once(game.setup(&[]).unwrap()).chain(tables).flat_map(|setup| {
                let mut referee = setup.referee(None).unwrap();
                crate::longest_line(&setup).into_iter().map(move |ply| {
                    let position = referee.position();
                    referee.submit(&ply).unwrap();
                    position
                })
            });
            for position in lines {
                let diagram = Diagram::parse(&position).unwrap();
                assert_eq!(diagram.to_string(), position);
                let images: Vec<_> = BoardMap::of(game.id, (diagram.files(), diagram.ranks()))
                    .map(|map| {
                        let mut image = diagram.clone();
                        map.apply(&mut image, cell_keys(game.id));
                        image.to_string()
                    })
                    .collect();
                for image in &images {
                    assert_eq!(Some(&canonical(game.id, image)), images.iter().min(), "{position}");
                }
            }
        }
    }

    #[test]
    fn what_is_no_position_is_left_alone() {
        for text in ["", "3", "3/4 p1 n=1", "3 p1 n", " p1", "/ p1 n=1", "0/3 p1"] {
            assert_eq!(canonical("farook", text), text);
        }
        // For a game that is not built in, no symmetry is known.
        assert_eq!(canonical("chess", "b3/4/4/4 p1 n=1"), "b3/4/4/4 p1 n=1");
        // Nothing in the value of a key is a cell of this board.
        assert_eq!(canonical("farook", "1w p1 last=z9,a é"), "1w p1 last=z9,a é");
    }
}
