//! Takes what it can and keeps company, in any game: it asks the arena for the board and the legal plies.
//!
//! A ply is worth ten for each capture that can be read from it (`+`, `-`, `x`, or a piece where it ends), one for
//! each piece of its own kind next to where it ends, and minus one for each other piece there. Ties are drawn by lot.
use std::collections::HashMap;
use std::io::{self, BufRead, Write};

/// The letters of the pieces by file and rank.
type Board = HashMap<(i32, i32), char>;

/// The generator of Park and Miller: the standard library has none.
struct Random(u64);

impl Random {
    /// Returns a number below `n`.
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0 * 48271 % 2147483647;
        self.0 as usize % n
    }
}

/// Reads the number at the start of a text.
fn number(text: &str) -> Option<i32> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().ok()
}

/// Reads `bbb/1w1/www`: the top rank comes first.
fn read_board(rows: &str) -> Board {
    let mut board = Board::new();
    for (rank, row) in (1..).zip(rows.rsplit('/')) {
        let (mut file, mut run) = (1, 0);
        for c in row.chars() {
            match c.to_digit(10) {
                Some(digit) => run = 10 * run + digit as i32,
                None => {
                    board.insert((file + run, rank), c);
                    (file, run) = (file + run + 1, 0);
                }
            }
        }
    }
    board
}

fn score(board: &Board, ply: &str) -> i32 {
    let cells: Vec<_> = ply
        .char_indices()
        .filter(|(_, c)| c.is_ascii_lowercase())
        .filter_map(|(i, c)| Some((c as i32 - 'a' as i32 + 1, number(&ply[i + 1..])?)))
        .collect();
    let (first, last) = match (cells.first(), cells.last()) {
        (Some(first), Some(last)) => (first, last),
        _ => return 0, // pass, swap
    };
    let captures = ply.matches(['+', '-', 'x']).count() + usize::from(board.contains_key(last));
    let kind = board.get(first); // None: the ply places a new piece, and every piece is company
    let mut value = 10 * captures as i32;
    for x in -1..=1 {
        for y in -1..=1 {
            if let Some(letter) = board.get(&(last.0 + x, last.1 + y)).filter(|_| (x, y) != (0, 0)) {
                value += if kind.is_none() || kind == Some(letter) { 1 } else { -1 };
            }
        }
    }
    value
}

fn best<'a>(board: &Board, legal: &'a [String], random: &mut Random) -> &'a str {
    let highest = legal.iter().map(|ply| score(board, ply)).max();
    let best: Vec<_> = legal.iter().filter(|ply| Some(score(board, ply)) == highest).collect();
    best[random.below(best.len())]
}

fn main() -> io::Result<()> {
    let mut random = Random(1);
    let mut legal: Vec<String> = Vec::new();
    let mut board = Board::new();
    let mut output = io::stdout();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let mut words = line.split_whitespace();
        match words.next().unwrap_or_default() {
            "ugi" => writeln!(output, "id name RustGreedy\nprotocol 1\nplays *\nwant legal board\nugiok")?,
            "game" => {
                let seed = words.find_map(|word| word.strip_prefix("seed=")?.parse::<u64>().ok());
                random = Random(seed.unwrap_or(0) % 2147483646 + 1);
            }
            "isready" => writeln!(output, "readyok")?,
            "board" => board = read_board(words.next().unwrap_or_default()),
            "legal" => legal = words.map(str::to_owned).collect(),
            "go" => writeln!(output, "bestmove {}", best(&board, &legal, &mut random))?,
            "quit" => break,
            _ => {}
        }
        output.flush()?;
    }
    Ok(())
}
