//! The standard algebraic notation of game logs, such as `Nbd2`, `exd8=Q+` and `O-O`.

use cozy_chess::{Board, Move, Piece};

use crate::position::Position;

/// Returns the notation of a move, without the sign of check or mate. `moves` are all legal moves of the board.
pub(crate) fn san(board: &Board, moves: &[Move], mv: Move) -> String {
    let own = board.colors(board.side_to_move());
    if own.has(mv.to) {
        return if mv.to.file() > mv.from.file() { "O-O" } else { "O-O-O" }.to_owned();
    }
    let piece = board.piece_on(mv.from).unwrap_or(Piece::Pawn);
    let is_capture = board.occupied().has(mv.to) || (piece == Piece::Pawn && mv.from.file() != mv.to.file());
    let mut text = String::with_capacity(8);
    if piece == Piece::Pawn {
        if is_capture {
            text.push_str(&mv.from.file().to_string());
        }
    } else {
        text.push(char::from(piece).to_ascii_uppercase());
        let rivals: Vec<_> = moves
            .iter()
            .filter(|other| {
                other.to == mv.to && other.from != mv.from && board.piece_on(other.from) == Some(piece)
            })
            .collect();
        let shares_file = rivals.iter().any(|other| other.from.file() == mv.from.file());
        let shares_rank = rivals.iter().any(|other| other.from.rank() == mv.from.rank());
        if !rivals.is_empty() && (!shares_file || shares_rank) {
            text.push_str(&mv.from.file().to_string());
        }
        if shares_file {
            text.push_str(&mv.from.rank().to_string());
        }
    }
    if is_capture {
        text.push('x');
    }
    text.push_str(&mv.to.to_string());
    if let Some(promotion) = mv.promotion {
        text.push('=');
        text.push(char::from(promotion).to_ascii_uppercase());
    }
    text
}

/// Returns the sign for check or mate in the position after a move.
pub(crate) fn sign(after: &Position) -> &'static str {
    if after.board().checkers().is_empty() {
        ""
    } else if after.moves().is_empty() {
        "#"
    } else {
        "+"
    }
}
