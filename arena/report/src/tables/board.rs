//! Drawing a position for the terminal.

use protocol::printable;
use rules::{
    Board, BoardGround, BoardKind, BoardLines, Cell, End, GameLook, PieceColour, PieceLook, PieceOwner,
    PieceShape, Placement, Seat, Setup,
};

use crate::Look;

/// The most ranks that are drawn.
const LARGEST: usize = 26;

/// Draws the board of a position string, with coordinates, a legend of the pieces, the seat that decides and what else the
/// string says. A board of points is drawn with its lines. What shows the `end` of the game stands in brackets, `[o o o o]`; in
/// parentheses where its seat does not win by it. A game without a look has its position string instead of a board.
///
/// Returns `None` for a string that is not a position's. It is not checked against the rules: whatever has rows of known
/// pieces is drawn.
///
/// ```
/// let setup = rules::find("faust")?.setup(&[("size", "2")]).expect("a size");
/// let look = report::Look { width: 80, color: false, ascii: true };
/// let board = report::board_text(&setup, "1b/w1 p1 c=bw n=2", None, &look).expect("a position");
/// assert_eq!(board, "2  . b\n1  w .\n   a b\n\np1 decides, c=bw n=2\nb p1 black, w p2 white\n");
/// # Ok::<(), rules::UnknownGame>(())
/// ```
#[must_use]
pub fn board_text(setup: &Setup, position: &str, end: Option<&End>, look: &Look) -> Option<String> {
    let (seat, rest) = decider(setup, position)?;
    let gap = if rest.is_empty() { "" } else { ", " };
    let state = format!("{seat} decides{gap}{}", printable(rest));
    let Some(game) = setup.look() else {
        return Some(format!("{}\n\n{state}\n", printable(position)));
    };
    let placement = setup.placement(position)?;
    let board = game.board(setup.options()).filter(|board| usize::from(board.ranks) <= LARGEST)?;
    let drawing = Drawing { game, board, placement, look, end };
    let seats = setup.seats();
    let is_at_table = |owner| !matches!(owner, PieceOwner::Seat(seat) if seat.index() >= seats);
    let listed = game.pieces.iter().filter(|piece| !piece.short_name.is_empty() && is_at_table(piece.owner));
    let legend: Vec<_> = listed.map(|piece| drawing.meaning(piece)).collect();
    Some(format!("{}\n{state}\n{}\n", drawing.board(), legend.join(", ")))
}

/// Returns the seat that decides, and what follows it in the position string. A game whose strings do not name it second is
/// asked.
fn decider<'a>(setup: &Setup, position: &'a str) -> Option<(Seat, &'a str)> {
    let (_, rest) = position.split_once(' ').unwrap_or((position, ""));
    let (seat, keys) = rest.split_once(' ').unwrap_or((rest, ""));
    match seat.parse().ok().filter(|seat: &Seat| seat.index() < setup.seats()) {
        Some(seat) => Some((seat, keys)),
        None if setup.game().own_rules().is_none() => None,
        None => Some((setup.referee(Some(position)).ok()?.seat(), "")),
    }
}

struct Drawing<'a> {
    game: &'a GameLook,
    board: Board,
    placement: Placement,
    look: &'a Look,
    end: Option<&'a End>,
}

impl Drawing<'_> {
    fn board(&self) -> String {
        let ranks = usize::from(self.board.ranks);
        let margin = if self.game.has_coordinates { ranks.to_string().len() } else { 0 };
        let mut text = String::new();
        for rank in (1..=ranks).rev() {
            let name = if self.game.has_coordinates { rank.to_string() } else { String::new() };
            let mut line = format!("{name:>margin$} {}", self.indent(rank));
            let mut left = Frame::None;
            for file in 0..usize::from(self.board.files) {
                let right = self.frame(file, rank);
                line.push_str(&self.between(left, right, file == 0));
                line.push_str(&self.point(self.placement.cells[self.board.number(file, rank - 1)]));
                left = right;
            }
            line.push_str(left.closing());
            if self.game.ground.wraps {
                // The rank goes on at its other end.
                line.push_str(if left.closing().is_empty() { " <" } else { "<" });
                line.replace_range(margin..=margin, ">");
            }
            text.push_str(&format!("{line}\n"));
            if let (Some(lines), true) = (self.lines(), rank > 1) {
                text.push_str(&format!("{:margin$}  {}\n", "", self.lines_below(lines, rank)));
            }
        }
        if self.game.has_coordinates {
            let gap = if self.lines().is_some() { "   " } else { " " };
            let files: Vec<_> = ('a'..='z').take(self.board.files.into()).map(String::from).collect();
            text.push_str(&format!("{:margin$}  {}\n", "", files.join(gap)));
        }
        text
    }

    /// Returns the lines that join points, if the board has any. Between ranks that are shifted none are drawn.
    fn lines(&self) -> Option<BoardLines> {
        match self.game.ground {
            BoardGround { kind: BoardKind::Points(lines), half_shifts: 0, .. }
                if lines != BoardLines::None =>
            {
                Some(lines)
            }
            _ => None,
        }
    }

    /// Returns by how much a rank (from 1) is shifted: the width of a cell is two characters.
    fn indent(&self, rank: usize) -> String {
        " ".repeat(usize::from(self.game.ground.half_shifts) * (rank - 1))
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
        let line = match self.lines().is_some() && !is_first {
            true => self.look.choose("\u{2500}\u{2500}\u{2500}", "---"),
            false => " ",
        };
        // A mark takes the place of the line next to its point.
        let rest: String = line.chars().skip(mark.len()).collect();
        if right == Frame::None { format!("{mark}{rest}") } else { format!("{rest}{mark}") }
    }

    /// Returns the lines between this rank and the one below. Alternate diagonals join the points whose file and rank, counted
    /// from 1, have an even sum.
    fn lines_below(&self, lines: BoardLines, rank: usize) -> String {
        let upright = self.look.choose("\u{2502}", "|");
        let rising = self.look.choose("\u{2571}", "/");
        let falling = self.look.choose("\u{2572}", "\\");
        let crossing = self.look.choose("\u{2573}", "X");
        let mut text = upright.to_owned();
        for file in 1..usize::from(self.board.files) {
            // Between this file and the next one: the diagonal of the upper left point, or the other one.
            let diagonal = match lines {
                BoardLines::Alternate if (file + rank).is_multiple_of(2) => falling,
                BoardLines::Alternate => rising,
                BoardLines::Diagonal => crossing,
                BoardLines::Orthogonal | BoardLines::None => " ",
            };
            text.push_str(&format!(" {diagonal} {upright}"));
        }
        text
    }

    fn point(&self, letter: Option<char>) -> String {
        match letter.and_then(|letter| self.game.piece(letter)) {
            None => self.look.choose("\u{b7}", ".").to_owned(),
            Some(piece) => self.colored(piece),
        }
    }

    /// Returns the character of a piece, in the colour of its owner where colours may be used.
    fn colored(&self, piece: &PieceLook) -> String {
        let symbol = if self.look.ascii { piece.letter } else { rich(piece) };
        let code = match self.placement.owner(self.game, piece.owner) {
            _ if !self.look.color => return symbol.to_string(),
            Some(Seat::P1) => "1;33",
            Some(Seat::P2) => "1;36",
            Some(seat) if seat.index() == 2 => "1;31",
            Some(_) => "1;32",
            None => "1;35",
        };
        format!("\u{1b}[{code}m{symbol}\u{1b}[0m")
    }

    fn meaning(&self, piece: &PieceLook) -> String {
        let (symbol, name) = (self.colored(piece), printable(&piece.short_name));
        match self.placement.owner(self.game, piece.owner) {
            Some(seat) => format!("{symbol} {seat} {name}"),
            None => format!("{symbol} {name}"),
        }
    }
}

/// Returns the character that is drawn for a piece where any may be used: its letter, unless one looks like it.
fn rich(piece: &PieceLook) -> char {
    match (piece.shape, piece.colour) {
        (PieceShape::Stone | PieceShape::Disc, PieceColour::Named("white")) => '\u{25cb}',
        (PieceShape::Stone | PieceShape::Disc, PieceColour::Named("black")) => '\u{25cf}',
        (PieceShape::Gem, _) => '\u{25c6}',
        _ => piece.letter,
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

    fn setup(game: &str, options: &[(&str, &str)]) -> Setup {
        rules::find(game).expect("a game").setup(options).expect("options")
    }

    fn draw(game: &str, options: &[(&str, &str)], position: &str) -> String {
        board_text(&setup(game, options), position, None, &ASCII).expect("a position")
    }

    #[test]
    fn a_ring_shows_that_its_ranks_go_on() {
        let position = "9/9/9/9/9/9/9/Fs2f3G p1 phase=play left=2 used=- out=p3:3 n=4";
        let text = draw("2-frenzy", &[("players", "3")], position);
        assert!(text.starts_with("8> . . . . . . . . . <\n"), "{text}");
        assert!(text.contains("1> F s . . f . . . n <\n"), "{text}");
        assert!(text.ends_with("T p3 shark, n neutral fish\n"), "{text}");
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
        assert_eq!(draw("fanorona", &[("size", "3x3")], "bbb/b1w/www p1 quiet=0"), expected[1..]);
    }

    /// Returns the ranks of the board of a game that is over in this position.
    fn draw_end(game: &str, options: &[(&str, &str)], position: &str) -> String {
        let setup = setup(game, options);
        let end = setup.referee(Some(position)).expect("a position").end().expect("the game is over");
        let board = board_text(&setup, position, Some(&end), &ASCII).expect("a position");
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
        let board =
            draw("fanorona", &[("size", "7x5")], "bbbbbbb/bbbbbbb/bwb1wbw/wwwwwww/wwwwwww p1 quiet=0");
        // d3, the centre of 7x5, has an odd sum: no diagonals meet there.
        assert!(board.contains("4  b---b---b---b---b---b---b\n   | / | \\ | / | \\ | / | \\ |\n"), "{board}");
    }

    #[test]
    fn boards_are_drawn_with_any_characters_too() {
        let board = board_text(
            &setup("farook", &[]),
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
        let board = draw("faust", &[("size", "19")], &format!("{rows} p2 c=wb n=19"));
        assert!(board.starts_with("19  b . . . . . . . . . . . . . . . . . .\n18  b"), "{board}");
        assert!(board.contains("\n 1  b") && board.contains("\n    a b c d e f g h i j k l m n o p q r s\n"));
        assert!(board.ends_with("p2 decides, c=wb n=19\nb p2 black, w p1 white\n"), "{board}");
    }

    #[test]
    fn sets_belong_to_those_who_have_swapped_them() {
        let board = draw("sophia", &[], "aAaB/a1AB/B1Ab/bABB p1 stock=0,0 c=BA n=14");
        assert!(board.ends_with("A p2 light, a p2 dark, B p1 light, b p1 dark\n"), "{board}");
    }

    #[test]
    fn colour_adds_nothing_but_colour() {
        let look = Look { color: true, ..ASCII };
        let position = "8/8/8/8/8/8/2s5/f7 p1 phase=play n=1";
        let colored = board_text(&setup("frenzy", &[]), position, None, &look).expect("a position");
        let plain = ["\u{1b}[1;33m", "\u{1b}[1;36m", "\u{1b}[0m"]
            .iter()
            .fold(colored, |text, code| text.replace(code, ""));
        assert_eq!(plain, draw("frenzy", &[], position));
    }

    #[test]
    fn what_is_no_position_is_not_drawn() {
        let setup = setup("faust", &[("size", "2")]);
        for position in [
            "",
            "2/2",
            "2/2 p3 c=bw n=0",
            "2/3 p1 c=bw n=0",
            "2/1x p1 c=bw n=0",
            " p1",
            "99999999999999999999999999 p1",
        ] {
            assert_eq!(board_text(&setup, position, None, &ASCII), None, "{position}");
        }
    }

    #[test]
    fn keys_are_escaped() {
        assert!(draw("faust", &[("size", "2")], "2/2 p1 \u{1b}[2J").contains("p1 decides, \\x1b[2J\n"));
    }
}
