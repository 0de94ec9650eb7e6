//! Othello on square boards: the twin of `othello.c`, which gives the same answers.

mod arena_rules;

use arena_rules::{Choice, End, Info, Rules, Seat, Values, cell, cell_of, read_rows, rows};

const LETTERS: &str = "bw";

#[derive(Clone)]
struct Position {
    /// By rank and file, from a1: 0 empty, 1 a disc of p1, 2 a disc of p2.
    board: Vec<u8>,
    /// Files and ranks.
    size: usize,
    seat: Seat,
}

/// Returns the disc of a seat.
fn disc(seat: Seat) -> u8 {
    if seat == Seat::P1 { 1 } else { 2 }
}

fn size_of(options: &[u32]) -> usize {
    4 + 2 * options[0] as usize
}

impl Position {
    /// Returns the discs that a disc of `seat` on a cell encloses in one direction, as cells.
    fn enclosed(
        &self,
        seat: Seat,
        file: usize,
        rank: usize,
        dx: isize,
        dy: isize,
    ) -> impl Iterator<Item = usize> {
        let step = dy * self.size as isize + dx;
        let start = rank * self.size + file;
        let (mut x, mut y, mut count) = (file.wrapping_add_signed(dx), rank.wrapping_add_signed(dy), 0);
        let length = loop {
            if x >= self.size || y >= self.size {
                break 0;
            }
            match self.board[y * self.size + x] {
                0 => break 0,
                piece if piece == disc(seat) => break count,
                _ => count += 1,
            }
            (x, y) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
        };
        (1..=length).map(move |i| start.wrapping_add_signed(step * i))
    }

    fn can_place(&self, seat: Seat, file: usize, rank: usize) -> bool {
        let mut around = DIRECTIONS.into_iter();
        self.board[rank * self.size + file] == 0
            && around.any(|(dx, dy)| self.enclosed(seat, file, rank, dx, dy).next().is_some())
    }

    /// Returns where a seat can place a disc.
    fn places(&self, seat: Seat) -> impl Iterator<Item = (usize, usize)> {
        let cells = (0..self.size).flat_map(|file| (0..self.size).map(move |rank| (file, rank)));
        cells.filter(move |&(file, rank)| self.can_place(seat, file, rank))
    }

    fn count(&self, seat: Seat) -> usize {
        self.board.iter().filter(|&&piece| piece == disc(seat)).count()
    }
}

const DIRECTIONS: [(isize, isize); 8] =
    [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

impl Rules for Position {
    const INFO: Info = Info {
        id: "othello",
        version: "1.0",
        title: "Othello",
        about: "discs that are enclosed change sides; most discs win",
        notation: "the cell of the new disc: `d3`; `pass` where there is no other ply",
        pass: true,
        options: &[Choice {
            name: "size",
            about: "files and ranks",
            default: "8",
            values: Values::Words(&["4", "6", "8", "10", "12", "14", "16"]),
        }],
        rules: "The board is a square of `size` files and ranks. p1 has the black discs, p2 the white ones. Of the four cells in the \
                middle, the lower left and the upper right hold white discs at the start, the other two black ones. p1 plays first.\n\n\
                A ply puts an own disc on an empty cell so that it **encloses** discs of the other seat: in at least one of the eight \
                directions, one or more of them follow without a gap, and then an own disc. All discs enclosed in this way, in all \
                directions, become the player's own.\n\n\
                A seat that can enclose nothing must `pass`; otherwise it may not. The game ends when neither seat can enclose \
                anything. The seat with more discs wins (`most-discs`); equal numbers are a draw (`equal-discs`).",
        look: r#"{"board":{"kind":"cells","width":"size","height":"size"},"from":"rows","pieces":{"b":{"shape":"disc","colour":"black","name":"black disc","seat":"p1"},"w":{"shape":"disc","colour":"white","name":"white disc","seat":"p2"}},"enter":"to","coordinates":true}"#,
        ..Info::EMPTY
    };

    fn start(options: &[u32]) -> Self {
        let size = size_of(options);
        let (mut board, middle) = (vec![0; size * size], size / 2 * (size + 1));
        (board[middle], board[middle - size - 1]) = (2, 2);
        (board[middle - 1], board[middle - size]) = (1, 1);
        Self { board, size, seat: Seat::P1 }
    }

    fn parse(options: &[u32], text: &str) -> Result<Self, String> {
        let size = size_of(options);
        let (ranks, seat) = text.split_once(' ').unwrap_or((text, ""));
        let board = read_rows(ranks, size, size, LETTERS)
            .ok_or("it begins with as many ranks and files as `size` says")?;
        let seat = Seat::read(seat).ok_or("`p1` or `p2` follows the ranks")?;
        Ok(Self { board, size, seat })
    }

    fn show(&self) -> String {
        rows(&self.board, self.size, LETTERS) + " " + self.seat.name()
    }

    fn seat(&self) -> Seat {
        self.seat
    }

    fn legal(&self) -> Vec<String> {
        self.places(self.seat).map(|(file, rank)| cell(file, rank)).collect()
    }

    fn play(&mut self, ply: &str) {
        if ply != "pass" {
            let (file, rank, _) = cell_of(ply);
            let turned =
                DIRECTIONS.into_iter().flat_map(|(dx, dy)| self.enclosed(self.seat, file, rank, dx, dy));
            let changed: Vec<_> = turned.chain([rank * self.size + file]).collect();
            changed.into_iter().for_each(|cell| self.board[cell] = disc(self.seat));
        }
        self.seat = self.seat.other();
    }

    fn end(&self) -> Option<End> {
        if [self.seat, self.seat.other()].into_iter().any(|seat| self.places(seat).next().is_some()) {
            return None;
        }
        let (p1, p2) = (self.count(Seat::P1), self.count(Seat::P2));
        Some(match p1.cmp(&p2) {
            std::cmp::Ordering::Greater => {
                End { winner: Some(Seat::P1), reason: "most-discs", words: "more black discs" }
            }
            std::cmp::Ordering::Less => {
                End { winner: Some(Seat::P2), reason: "most-discs", words: "more white discs" }
            }
            std::cmp::Ordering::Equal => {
                End { winner: None, reason: "equal-discs", words: "equally many discs" }
            }
        })
    }

    fn more(&self) -> String {
        format!(",\"count\":[{},{}]", self.count(Seat::P1), self.count(Seat::P2))
    }
}

arena_rules::export!(Position);
