//! Tic-tac-toe on square boards: a game to start from. Change the rules below; `arena_rules.rs` answers the arena's questions.

mod arena_rules;

use arena_rules::{Choice, End, Info, Rules, Seat, Values, cell, cell_of, read_rows, rows};

const LETTERS: &str = "xo";

#[derive(Clone)]
struct Position {
    /// By rank and file, from a1: 0 empty, 1 a piece of p1, 2 a piece of p2.
    board: Vec<u8>,
    /// Files and ranks.
    size: usize,
    seat: Seat,
}

/// Returns the piece of a seat.
fn piece(seat: Seat) -> u8 {
    if seat == Seat::P1 { 1 } else { 2 }
}

impl Position {
    /// Returns whether a line, `size` cells from `first` on, is full of the pieces of `seat`.
    fn is_full_of(&self, seat: Seat, first: usize, step: usize) -> bool {
        (0..self.size).all(|i| self.board[first + i * step] == piece(seat))
    }

    fn has_line(&self, seat: Seat) -> bool {
        let size = self.size;
        (0..size).any(|i| self.is_full_of(seat, i, size) || self.is_full_of(seat, i * size, 1))
            || self.is_full_of(seat, 0, size + 1)
            || self.is_full_of(seat, size - 1, size - 1)
    }

    fn count(&self, seat: Seat) -> usize {
        self.board.iter().filter(|&&found| found == piece(seat)).count()
    }
}

impl Rules for Position {
    const INFO: Info = Info {
        id: "tic-tac-toe",
        version: "1.0",
        title: "Tic-tac-toe",
        about: "a line of own pieces from edge to edge",
        notation: "the cell of the new piece: `b2`",
        options: &[Choice { name: "size", about: "files and ranks", default: "3", values: Values::Range(3, 9) }],
        rules: "The board is a square of `size` files and ranks, and is empty at the start. p1 has the crosses, p2 the rings. p1 \
                plays first.\n\n\
                A ply puts an own piece on an empty cell. A seat whose pieces fill a rank, a file or a long diagonal wins \
                (`line`). A full board without such a line is a draw (`full`).",
        look: r##"{"board":{"kind":"cells","width":"size","height":"size"},"from":"rows","pieces":{
                "x":{"shape":"cross","colour":"blue","name":"cross","seat":"p1"},
                "o":{"shape":"ring","colour":"red","name":"ring","seat":"p2"}},
                "enter":"to","coordinates":true}"##,
        ..Info::EMPTY
    };

    fn start(options: &[u32]) -> Self {
        let size = options[0] as usize;
        Self { board: vec![0; size * size], size, seat: Seat::P1 }
    }

    /// What `show` would write otherwise is refused without our doing.
    fn parse(options: &[u32], text: &str) -> Result<Self, String> {
        let size = options[0] as usize;
        let (ranks, seat) = text.split_once(' ').unwrap_or((text, ""));
        let board = read_rows(ranks, size, size, LETTERS).ok_or("it begins with `size` rows of `size` cells")?;
        let seat = Seat::read(seat).ok_or("`p1` or `p2` follows the rows")?;
        let position = Self { board, size, seat };
        let ahead = usize::from(seat == Seat::P2);
        if position.count(Seat::P1) != position.count(Seat::P2) + ahead {
            return Err("the pieces do not fit the seat".to_owned());
        }
        Ok(position)
    }

    fn show(&self) -> String {
        format!("{} {}", rows(&self.board, self.size, LETTERS), self.seat.name())
    }

    fn seat(&self) -> Seat {
        self.seat
    }

    fn legal(&self) -> Vec<String> {
        let cells = (0..self.board.len()).filter(|&i| self.board[i] == 0);
        cells.map(|i| cell(i % self.size, i / self.size)).collect()
    }

    fn play(&mut self, ply: &str) {
        let (file, rank, _) = cell_of(ply);
        self.board[rank * self.size + file] = piece(self.seat);
        self.seat = self.seat.other();
    }

    fn end(&self) -> Option<End> {
        if let Some(winner) = [Seat::P1, Seat::P2].into_iter().find(|&seat| self.has_line(seat)) {
            return Some(End { winner: Some(winner), reason: "line", words: "a line from edge to edge" });
        }
        let is_full = self.board.iter().all(|&piece| piece != 0);
        is_full.then_some(End { winner: None, reason: "full", words: "the board is full" })
    }
}

arena_rules::export!(Position);
