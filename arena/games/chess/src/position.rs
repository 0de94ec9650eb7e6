//! A position with its text, its plies and its result.

use cozy_chess::{BitBoard, Board, Color, File, Move, Piece, Rank, Square, get_king_moves, get_pawn_attacks};

/// Half-moves without a capture or a pawn move after which the game is a draw.
const FIFTY_MOVES: u8 = 100;

/// What each man counts for, kings aside.
const VALUES: [(Piece, u32); 5] =
    [(Piece::Pawn, 1), (Piece::Knight, 3), (Piece::Bishop, 3), (Piece::Rook, 5), (Piece::Queen, 9)];

/// A position of chess.
#[derive(Debug, Clone)]
pub(crate) struct Position {
    board: Board,
}

/// Why a game is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The seat to move is mated.
    Checkmate(Color),
    /// The seat to move has no legal move and is not in check.
    Stalemate,
    /// No sequence of moves mates: bare kings, a lone knight or bishop, or only bishops of one colour of squares.
    InsufficientMaterial,
    /// Nothing was captured and no pawn was moved for fifty moves of both sides.
    FiftyMoves,
}

impl Verdict {
    /// Returns the result.
    pub(crate) const fn result(self) -> &'static str {
        match self {
            Self::Checkmate(Color::White) => "p2win",
            Self::Checkmate(Color::Black) => "p1win",
            Self::Stalemate | Self::InsufficientMaterial | Self::FiftyMoves => "draw",
        }
    }

    /// Returns the reason, as the protocol has it.
    pub(crate) const fn reason(self) -> &'static str {
        match self {
            Self::Checkmate(_) => "checkmate",
            Self::Stalemate => "stalemate",
            Self::InsufficientMaterial => "insufficient-material",
            Self::FiftyMoves => "fifty-moves",
        }
    }
}

impl Position {
    /// Returns the start of the game.
    pub(crate) fn start() -> Self {
        Self { board: Board::startpos() }
    }

    /// Reads a position from its FEN, which must be spelled as [`Position::fen`] spells it.
    ///
    /// # Errors
    /// Says why the text is no position, for people.
    pub(crate) fn from_fen(text: &str) -> Result<Self, String> {
        let board = Board::from_fen(text, false).map_err(|error| format!("not a position: {error}"))?;
        // The crate lets kings stand side by side.
        if get_king_moves(board.king(Color::White)).has(board.king(Color::Black)) {
            return Err("not a position: the kings stand side by side".to_owned());
        }
        let stands_at_home = |color| board.king(color).file() == File::E;
        let may_castle =
            |color| board.castle_rights(color).short.or(board.castle_rights(color).long).is_some();
        if Color::ALL.iter().any(|color| may_castle(*color) && !stands_at_home(*color)) {
            return Err("not a position: a king that has left its file cannot castle".to_owned());
        }
        let position = Self { board };
        let canonical = position.fen();
        if canonical == text {
            return Ok(position);
        }
        Err(format!("not a position as it is written: that is `{canonical}`"))
    }

    /// Returns the position as FEN, with an en passant square only where such a capture is legal.
    pub(crate) fn fen(&self) -> String {
        format!("{} {} {}", self.key(), self.board.halfmove_clock(), self.board.fullmove_number())
    }

    /// Returns what counts for repetition: the men, who is to move, the rights to castle and to capture en passant.
    pub(crate) fn key(&self) -> String {
        let text = self.board.to_string();
        let fields: Vec<_> = text.split(' ').take(3).collect();
        let square = self.en_passant().map_or_else(|| "-".to_owned(), |square| square.to_string());
        format!("{} {square}", fields.join(" "))
    }

    /// Returns the seat to move.
    pub(crate) fn seat(&self) -> &'static str {
        match self.board.side_to_move() {
            Color::White => "p1",
            Color::Black => "p2",
        }
    }

    /// Returns the board.
    pub(crate) const fn board(&self) -> &Board {
        &self.board
    }

    /// Returns how the game is over, if it is. Mate goes before all draws.
    pub(crate) fn verdict(&self) -> Option<Verdict> {
        if !self.has_moves() {
            let is_check = !self.board.checkers().is_empty();
            let mate = Verdict::Checkmate(self.board.side_to_move());
            return Some(if is_check { mate } else { Verdict::Stalemate });
        }
        if self.is_dead() {
            return Some(Verdict::InsufficientMaterial);
        }
        (self.board.halfmove_clock() >= FIFTY_MOVES).then_some(Verdict::FiftyMoves)
    }

    /// Returns the legal moves with their spelling, in byte order: none when the game is over.
    pub(crate) fn plies(&self) -> Vec<(String, Move)> {
        if self.verdict().is_some() {
            return Vec::new();
        }
        let mut plies: Vec<_> = self.moves().into_iter().map(|mv| (self.spell(mv), mv)).collect();
        plies.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        plies
    }

    /// Returns all moves that the men can make, whether or not the game is over.
    pub(crate) fn moves(&self) -> Vec<Move> {
        let mut all = Vec::with_capacity(40);
        self.board.generate_moves(|moves| {
            all.extend(moves);
            false
        });
        all
    }

    /// Returns the position after a ply, or nothing if the ply is not legal.
    pub(crate) fn after(&self, ply: &str) -> Option<Self> {
        let mut mv: Move = ply.parse().ok()?;
        // The board has castling as the king's capture of its rook.
        if self.is_castling(mv) {
            let is_short = mv.to.file() > mv.from.file();
            mv.to = Square::new(if is_short { File::H } else { File::A }, mv.to.rank());
        }
        let is_legal = self.board.is_legal(mv) && self.spell(mv) == ply && self.verdict().is_none();
        is_legal.then(|| self.play(mv))
    }

    /// Returns the position after a legal move.
    pub(crate) fn play(&self, mv: Move) -> Self {
        let mut board = self.board.clone();
        board.play_unchecked(mv);
        Self { board }
    }

    /// Returns the material of White and of Black.
    pub(crate) fn count(&self) -> [u32; 2] {
        [Color::White, Color::Black].map(|color| {
            VALUES.iter().map(|(piece, value)| value * self.board.colored_pieces(color, *piece).len()).sum()
        })
    }

    /// Returns the spelling of a move: from, to and what a pawn becomes; castling is a king's move of two files.
    fn spell(&self, mv: Move) -> String {
        if !self.board.colors(self.board.side_to_move()).has(mv.to) {
            return mv.to_string();
        }
        let file = if mv.to.file() > mv.from.file() { File::G } else { File::C };
        Move { to: Square::new(file, mv.to.rank()), ..mv }.to_string()
    }

    /// Returns whether a move is spelled as castling: a king that goes from its own file to the file g or c.
    fn is_castling(&self, mv: Move) -> bool {
        mv.from == self.board.king(self.board.side_to_move())
            && mv.from.file() == File::E
            && mv.from.rank() == mv.to.rank()
            && matches!(mv.to.file(), File::G | File::C)
    }

    /// Returns the square on which a pawn can be captured en passant.
    fn en_passant(&self) -> Option<Square> {
        let color = self.board.side_to_move();
        let to = Square::new(self.board.en_passant()?, Rank::Sixth.relative_to(color));
        let pawns = get_pawn_attacks(to, !color) & self.board.colored_pieces(color, Piece::Pawn);
        pawns.into_iter().any(|from| self.board.is_legal(Move { from, to, promotion: None })).then_some(to)
    }

    fn has_moves(&self) -> bool {
        self.board.generate_moves(|_| true)
    }

    /// Returns whether neither side can ever mate, by its men alone.
    fn is_dead(&self) -> bool {
        let [knights, bishops] = [Piece::Knight, Piece::Bishop].map(|piece| self.board.pieces(piece));
        let minor = knights | bishops;
        if self.board.occupied() != minor | self.board.pieces(Piece::King) {
            return false;
        }
        let same_squares =
            (bishops & BitBoard::DARK_SQUARES).is_empty() || (bishops & BitBoard::LIGHT_SQUARES).is_empty();
        minor.len() <= 1 || (knights.is_empty() && same_squares)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Counts the lines of `depth` plies; a draw by material or fifty moves does not end a line, as in published tables.
    fn perft(position: &Position, depth: u32) -> u64 {
        let moves = position.moves();
        if depth == 1 {
            return moves.len() as u64;
        }
        moves.into_iter().map(|mv| perft(&position.play(mv), depth - 1)).sum()
    }

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).expect("a position")
    }

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    #[test]
    fn the_tree_has_as_many_leaves_as_published() {
        let mut starts = BTreeSet::new();
        for line in include_str!("../../tests/perft.csv").lines() {
            let fields: Vec<_> = line.split(',').collect();
            let &["chess", "", from, depth, count] = fields.as_slice() else { continue };
            let start = if from == "start" { Position::start() } else { position(from) };
            let depth = depth.parse().expect("a depth");
            assert_eq!(perft(&start, depth).to_string(), count, "{line}");
            starts.insert((start.fen(), depth));
        }
        assert!(starts.contains(&(Position::start().fen(), 5)) && starts.contains(&(KIWIPETE.to_owned(), 4)));
    }

    #[test]
    fn a_position_is_read_from_its_own_text_alone() {
        for fen in [
            KIWIPETE,
            "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
            "8/8/8/8/8/8/k7/7K b - - 100 1",
        ] {
            assert_eq!(position(fen).fen(), fen);
        }
        for wrong in [
            "",
            "8/8/8/8/8/8/8/8 w - - 0 1",            // no kings
            "k7/8/8/8/8/8/8/K7 w - - 0 1 1",        // a field too many
            "k7/8/8/8/8/8/8/K7 w - - 0",            // a field too few
            "k7/8/8/8/8/8/8/K7 w - - 101 1",        // a count beyond its end
            "k7/8/8/8/8/8/8/K7 w - - +1 1",         // a number spelled otherwise
            "k7/8/8/8/8/8/8/K7 w - - 0 01",         // and another
            "k7/8/8/8/44/8/8/K7 w - - 0 1",         // a run that is not maximal
            "kK6/8/8/8/8/8/8/8 w - - 0 1",          // kings side by side
            "k7/8/8/8/8/8/8/K6P w - - 0 1",         // a pawn on the first rank
            "1k5R/8/8/8/8/8/8/K7 w - - 0 1",        // in check, and not to move
            "r3k2r/8/8/8/8/8/8/R3K2R w QKkq - 0 1", // rights in another order
            "r4k1r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", // a right of a king that has left
            "4k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",  // a right without a rook
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", // nobody can capture en passant
            "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq d3 0 3", // nor on this file
            "8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1",    // the king would be in check
        ] {
            assert!(Position::from_fen(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn castling_is_spelled_as_a_move_of_the_king() {
        let plies = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").plies();
        for ply in ["e1g1", "e1c1"] {
            assert!(plies.iter().any(|(known, _)| known == ply), "{ply}");
        }
        let both = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
        assert_eq!(
            both.after("e1g1").map(|it| it.fen()).as_deref(),
            Some("r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1")
        );
        for ply in ["e1h1", "e1a1", "e1g1q", "e1b1", "E1G1", "e1g1 "] {
            assert!(both.after(ply).is_none(), "{ply}");
        }
        let gone = position("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1");
        assert!(gone.after("e1g1").is_none() && gone.after("e1c1").is_some());
    }

    #[test]
    fn a_pawn_says_what_it_becomes() {
        let position = position("7k/P7/8/8/8/8/8/K7 w - - 0 1");
        for (ply, is_legal) in [
            ("a7a8q", true),
            ("a7a8n", true),
            ("a7a8", false),
            ("a7a8k", false),
            ("a7a8Q", false),
            ("a1a2q", false),
        ] {
            assert_eq!(position.after(ply).is_some(), is_legal, "{ply}");
        }
    }

    #[test]
    fn games_end_for_the_reason_that_comes_first() {
        for (fen, verdict) in [
            ("7k/6Q1/6K1/8/8/8/8/8 b - - 100 90", Some(Verdict::Checkmate(Color::Black))),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 100 90", Some(Verdict::Stalemate)),
            ("7k/8/6K1/8/8/8/8/8 b - - 100 90", Some(Verdict::InsufficientMaterial)),
            ("7k/8/6K1/8/8/8/8/R7 b - - 100 90", Some(Verdict::FiftyMoves)),
            ("7k/8/6K1/8/8/8/8/R7 b - - 99 90", None),
            ("7k/8/6K1/8/8/8/8/N7 b - - 0 1", Some(Verdict::InsufficientMaterial)),
            ("7k/8/6K1/8/8/8/8/B7 b - - 0 1", Some(Verdict::InsufficientMaterial)),
            ("7k/8/6K1/8/8/8/1b6/B1B5 b - - 0 1", Some(Verdict::InsufficientMaterial)), // all on dark squares
            ("7k/8/6K1/8/8/8/b7/B7 b - - 0 1", None),
            ("7k/8/6K1/8/8/8/n7/B7 b - - 0 1", None),
            ("7k/8/6K1/8/8/8/8/NN6 b - - 0 1", None),
            ("7k/8/6K1/8/8/8/P7/8 b - - 0 1", None),
        ] {
            assert_eq!(position(fen).verdict(), verdict, "{fen}");
            assert_eq!(position(fen).plies().is_empty(), verdict.is_some(), "{fen}");
        }
    }

    #[test]
    fn material_is_counted_for_both() {
        assert_eq!(Position::start().count(), [39, 39]);
        assert_eq!(position("7k/8/6K1/8/8/8/8/NN6 b - - 0 1").count(), [6, 0]);
    }
}
