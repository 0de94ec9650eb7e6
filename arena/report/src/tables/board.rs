//! Drawing a position for the terminal.

use protocol::printable;
use rules::{Cell, End, Seat};

use crate::Look;

/// The most files and ranks that are drawn.
const LARGEST: usize = 26;

/// What a letter of a position string stands for.
struct Stone {
    letter: char,
    /// The character that is drawn where any may be used.
    rich: char,
    meaning: &'static str,
    owner: Owner,
}

/// Whose a stone is.
#[derive(Clone, Copy)]
enum Owner {
    /// This seat's.
    Seat(Seat),
    /// The seat's that has this letter in the key `c`: the first letter there is that of `p1`.
    Colour(char),
    /// Nobody's.
    Common,
}

const fn stone(letter: char, rich: char, meaning: &'static str, owner: Owner) -> Stone {
    Stone { letter, rich, meaning, owner }
}

const P1: Owner = Owner::Seat(Seat::P1);
const P2: Owner = Owner::Seat(Seat::P2);

const FAROOK: &[Stone] = &[
    stone('w', '\u{25cb}', "white", P1),
    stone('b', '\u{25cf}', "black", P2),
    stone('x', '\u{25c6}', "wild", Owner::Common),
];
const FAUST: &[Stone] = &[
    stone('b', '\u{25cf}', "black", Owner::Colour('b')),
    stone('w', '\u{25cb}', "white", Owner::Colour('w')),
];
const FRENZY: &[Stone] = &[stone('s', 's', "shark", P1), stone('f', 'f', "fish", P2)];
const TWO_FRENZY: &[Stone] = &[
    stone('F', 'F', "fish", P1),
    stone('S', 'S', "shark", P1),
    stone('f', 'f', "fish", P2),
    stone('s', 's', "shark", P2),
];
const SOPHIA: &[Stone] = &[
    stone('A', 'A', "light", Owner::Colour('A')),
    stone('a', 'a', "dark", Owner::Colour('A')),
    stone('B', 'B', "light", Owner::Colour('B')),
    stone('b', 'b', "dark", Owner::Colour('B')),
];
const FANORONA: &[Stone] = &[stone('w', '\u{25cb}', "white", P1), stone('b', '\u{25cf}', "black", P2)];

/// Draws the board of a position string, with coordinates, a legend of the stones, the seat that decides and the
/// keys of the string. Fanorona is drawn with its lines. What shows the `end` of the game stands in brackets, `[o o o o]`; in
/// parentheses where its seat does not win by it.
///
/// Returns `None` for a game that this arena does not know and for a string that is not a position's. It is not
/// checked against the rules: whatever has rows of known stones is drawn.
///
/// ```
/// let look = report::Look { width: 80, color: false, ascii: true };
/// let board = report::board_text("faust", "1b/w1 p1 c=bw n=2", None, &look).unwrap();
/// assert_eq!(board, "2  . b\n1  w .\n   a b\n\np1 decides, c=bw n=2\nb p1 black, w p2 white\n");
/// ```
#[must_use]
pub fn board_text(game: &str, position: &str, end: Option<&End>, look: &Look) -> Option<String> {
    let stones = match game {
        "farook" => FAROOK,
        "faust" => FAUST,
        "frenzy" => FRENZY,
        "2-frenzy" => TWO_FRENZY,
        "sophia" => SOPHIA,
        "fanorona" => FANORONA,
        _ => return None,
    };
    let (rows, rest) = position.split_once(' ')?;
    let (seat, keys) = rest.split_once(' ').unwrap_or((rest, ""));
    let seat: Seat = seat.parse().ok()?;
    let cells = cells(rows, stones)?;
    let drawing = Drawing { cells, stones, keys, look, has_lines: game == "fanorona", end };
    let gap = if keys.is_empty() { "" } else { ", " };
    let legend: Vec<_> = stones.iter().map(|stone| drawing.meaning(stone)).collect();
    Some(format!("{}\n{seat} decides{gap}{}\n{}\n", drawing.board(), printable(keys), legend.join(", ")))
}

/// Returns the stones on the board, top rank first; nothing unless it is a rectangle of known stones.
fn cells<'a>(rows: &str, stones: &'a [Stone]) -> Option<Vec<Vec<Option<&'a Stone>>>> {
    let mut board: Vec<Vec<Option<&Stone>>> = Vec::new();
    for row in rows.split('/') {
        let mut cells = Vec::new();
        let mut run = 0;
        for c in row.chars() {
            if let Some(digit) = c.to_digit(10) {
                run = run * 10 + digit as usize;
            } else {
                cells.resize(cells.len() + run, None);
                run = 0;
                cells.push(Some(stones.iter().find(|stone| stone.letter == c)?));
            }
            if cells.len() + run > LARGEST {
                return None;
            }
        }
        cells.resize(cells.len() + run, None);
        board.push(cells);
    }
    let files = board[0].len();
    let is_board = files > 0 && board.len() <= LARGEST && board.iter().all(|row| row.len() == files);
    is_board.then_some(board)
}

struct Drawing<'a> {
    cells: Vec<Vec<Option<&'a Stone>>>,
    stones: &'a [Stone],
    keys: &'a str,
    look: &'a Look,
    has_lines: bool,
    end: Option<&'a End>,
}

impl Drawing<'_> {
    fn board(&self) -> String {
        let ranks = self.cells.len();
        let margin = ranks.to_string().len();
        let mut text = String::new();
        for (rank, row) in (1..=ranks).rev().zip(&self.cells) {
            let mut line = format!("{rank:>margin$} ");
            let mut left = Frame::None;
            for (file, cell) in row.iter().enumerate() {
                let right = self.frame(file, rank);
                line.push_str(&self.between(left, right, file == 0));
                line.push_str(&self.point(*cell));
                left = right;
            }
            line.push_str(left.closing());
            text.push_str(&format!("{line}\n"));
            if self.has_lines && rank > 1 {
                text.push_str(&format!("{:margin$}  {}\n", "", self.lines_below(rank)));
            }
        }
        let gap = if self.has_lines { "   " } else { " " };
        let files: Vec<_> = ('a'..='z').take(self.cells[0].len()).map(|file| file.to_string()).collect();
        text.push_str(&format!("{:margin$}  {}\n", "", files.join(gap)));
        text
    }

    /// Returns how the point of this file, from 0, and rank, from 1, shows the end of the game.
    fn frame(&self, file: usize, rank: usize) -> Frame {
        let Some(end) = self.end else { return Frame::None };
        let is_here = |cell: &Cell| (usize::from(cell.file), usize::from(cell.rank) + 1) == (file, rank);
        let mut here = end.proofs.iter().filter(|proof| proof.cells.iter().any(is_here)).peekable();
        match (here.peek().is_some(), here.all(|proof| end.is_beaten(proof))) {
            (false, _) => Frame::None,
            (true, false) => Frame::Proof,
            (true, true) => Frame::Beaten,
        }
    }

    /// Returns what stands between two points, or before the first one of a rank.
    fn between(&self, left: Frame, right: Frame, is_first: bool) -> String {
        let mark = match (left, right) {
            _ if left == right => "",
            (left, Frame::None) => left.closing(),
            (Frame::None, right) => right.opening(),
            _ => "|",
        };
        let line = match self.has_lines && !is_first {
            true => self.look.choose("\u{2500}\u{2500}\u{2500}", "---"),
            false => " ",
        };
        // A mark takes the place of the line next to its point.
        let rest: String = line.chars().skip(mark.len()).collect();
        if right == Frame::None { format!("{mark}{rest}") } else { format!("{rest}{mark}") }
    }

    /// Returns the lines between this rank and the one below. The diagonals join the points whose file and rank,
    /// counted from 1, have an even sum.
    fn lines_below(&self, rank: usize) -> String {
        let upright = self.look.choose("\u{2502}", "|");
        let rising = self.look.choose("\u{2571}", "/");
        let falling = self.look.choose("\u{2572}", "\\");
        let mut text = upright.to_owned();
        for file in 1..self.cells[0].len() {
            // Between this file and the next one: the diagonal of the upper left point, or the other one.
            let diagonal = if (file + rank).is_multiple_of(2) { falling } else { rising };
            text.push_str(&format!(" {diagonal} {upright}"));
        }
        text
    }

    fn point(&self, cell: Option<&Stone>) -> String {
        match cell {
            None => self.look.choose("\u{b7}", ".").to_owned(),
            Some(stone) => self.colored(stone),
        }
    }

    /// Returns the character of a stone, in the colour of its owner where colours may be used.
    fn colored(&self, stone: &Stone) -> String {
        let symbol = if self.look.ascii { stone.letter } else { stone.rich };
        let code = match self.owner(stone) {
            _ if !self.look.color => return symbol.to_string(),
            Some(Seat::P1) => "1;33",
            Some(Seat::P2) => "1;36",
            None => "1;35",
        };
        format!("\u{1b}[{code}m{symbol}\u{1b}[0m")
    }

    fn meaning(&self, stone: &Stone) -> String {
        let symbol = self.colored(stone);
        match self.owner(stone) {
            Some(seat) => format!("{symbol} {seat} {}", stone.meaning),
            None => format!("{symbol} {}", stone.meaning),
        }
    }

    fn owner(&self, stone: &Stone) -> Option<Seat> {
        match stone.owner {
            Owner::Seat(seat) => Some(seat),
            Owner::Common => None,
            Owner::Colour(letter) => {
                let colours = self.keys.split(' ').find_map(|pair| pair.strip_prefix("c="))?;
                let known = |c: &char| self.stones.iter().any(|stone| stone.letter == *c);
                let place = colours.chars().filter(known).position(|c| c == letter)?;
                Seat::BOTH.get(place).copied()
            }
        }
    }
}

/// How a point shows the end of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Frame {
    /// Not at all.
    None,
    /// The game ended by it.
    Proof,
    /// It would have won, but the other seat's comes first.
    Beaten,
}

impl Frame {
    const fn opening(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Proof => "[",
            Self::Beaten => "(",
        }
    }

    const fn closing(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Proof => "]",
            Self::Beaten => ")",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASCII: Look = Look { width: 80, color: false, ascii: true };

    fn draw(game: &str, position: &str) -> String {
        board_text(game, position, None, &ASCII).expect("a position")
    }

    #[test]
    fn fanorona_has_its_lines() {
        let expected = r"
3  b---b---b
   | \ | / |
2  b---.---w
   | / | \ |
1  w---w---w
   a   b   c

p1 decides, quiet=0
w p1 white, b p2 black
";
        assert_eq!(draw("fanorona", "bbb/b1w/www p1 quiet=0"), expected[1..]);
    }

    /// Returns the ranks of the board of a game that is over in this position.
    fn draw_end(game: &str, options: &[(&str, &str)], position: &str) -> String {
        let setup = rules::find(game).expect("a game").setup(options).expect("options");
        let end = setup.referee(Some(position)).expect("a position").end().expect("the game is over");
        let board = board_text(game, position, Some(&end), &ASCII).expect("a position");
        board.split("   a b").next().expect("ranks").split("   a   b").next().expect("ranks").to_owned()
    }

    #[test]
    fn what_ended_the_game_stands_in_brackets() {
        let over = "4/4/ww2/wwww p2 stock=0,6,2 last=-,- ko=- n=11";
        assert_eq!(draw_end("farook", &[], over), "4  . . . .\n3  . . . .\n2 [w w]. .\n1 [w w w w]\n");
        let over = "a3/1b2/2a1/bbba p1 stock=3,3 c=AB n=8";
        assert_eq!(draw_end("sophia", &[], over), "4 [a]. . .\n3  .[b]. .\n2  . .[a].\n1 [b b b a]\n");
    }

    #[test]
    fn what_would_have_won_stands_in_parentheses() {
        let over = "bbbb/4/4/AAAA p1 stock=0,0 c=AB n=20";
        assert_eq!(draw_end("sophia", &[], over), "4 [b b b b]\n3  . . . .\n2  . . . .\n1 (A A A A)\n");
    }

    #[test]
    fn brackets_take_the_place_of_lines() {
        let expected = r"
3  w--[b]--w
   | \ | / |
2  w--[b]--w
   | / | \ |
1  w--[b]--w
";
        let over = draw_end("fanorona", &[("size", "3x3")], "wbw/wbw/wbw p2 quiet=3");
        assert_eq!(over, expected[1..]);
    }

    #[test]
    fn lines_run_through_the_strong_points_of_every_size() {
        let board = draw("fanorona", "bbbbbbb/bbbbbbb/bwb1wbw/wwwwwww/wwwwwww p1 quiet=0");
        // d3, the centre of 7x5, has an odd sum: no diagonals meet there.
        assert!(board.contains("4  b---b---b---b---b---b---b\n   | / | \\ | / | \\ | / | \\ |\n"), "{board}");
    }

    #[test]
    fn boards_are_drawn_with_any_characters_too() {
        let board = board_text(
            "farook",
            "bb1w/bwxb/wwbw/1bxw p1 stock=0,0,0 last=-,- ko=- n=14",
            None,
            &Look::plain(80),
        );
        let expected = "4  ● ● · ○\n3  ● ○ ◆ ●\n2  ○ ○ ● ○\n1  · ● ◆ ○\n   a b c d\n\n\
                        p1 decides, stock=0,0,0 last=-,- ko=- n=14\n○ p1 white, ● p2 black, ◆ wild\n";
        assert_eq!(board.as_deref(), Some(expected));
    }

    #[test]
    fn large_boards_keep_their_columns() {
        let rows = ["b18"; 19].join("/");
        let board = draw("faust", &format!("{rows} p2 c=wb n=19"));
        assert!(board.starts_with("19  b . . . . . . . . . . . . . . . . . .\n18  b"), "{board}");
        assert!(board.contains("\n 1  b") && board.contains("\n    a b c d e f g h i j k l m n o p q r s\n"));
        assert!(board.ends_with("p2 decides, c=wb n=19\nb p2 black, w p1 white\n"), "{board}");
    }

    #[test]
    fn sets_belong_to_those_who_have_swapped_them() {
        let board = draw("sophia", "aAaB/a1AB/B1Ab/bABB p1 stock=0,0 c=BA n=14");
        assert!(board.ends_with("A p2 light, a p2 dark, B p1 light, b p1 dark\n"), "{board}");
    }

    #[test]
    fn colour_adds_nothing_but_colour() {
        let look = Look { color: true, ..ASCII };
        let colored = board_text("frenzy", "2s/f2 p1 phase=play n=1", None, &look).expect("a position");
        let plain = ["\u{1b}[1;33m", "\u{1b}[1;36m", "\u{1b}[0m"]
            .iter()
            .fold(colored, |text, code| text.replace(code, ""));
        assert_eq!(plain, draw("frenzy", "2s/f2 p1 phase=play n=1"));
    }

    #[test]
    fn what_is_no_position_is_not_drawn() {
        for (game, position) in [
            ("chess", "8 p1"),
            ("faust", ""),
            ("faust", "2/2"),
            ("faust", "2/2 p3 c=bw n=0"),
            ("faust", "2/3 p1 c=bw n=0"),
            ("faust", "2/1x p1 c=bw n=0"),
            ("faust", " p1"),
            ("faust", "99999999999999999999999999 p1"),
            ("faust", "27 p1"),
        ] {
            assert_eq!(board_text(game, position, None, &ASCII), None, "{position}");
        }
    }

    #[test]
    fn keys_are_escaped() {
        assert!(draw("faust", "2/2 p1 \u{1b}[2J").contains("p1 decides, \\x1b[2J\n"));
    }
}
