//! Positions and moves as other programs write them: EPD, FEN with idle fields, and the notation of game logs.

use cozy_chess::{Board, Move};

use crate::notation::san;
use crate::position::Position;

/// Reads the position at the start of a line of EPD, or a FEN, and returns it as the rules spell it.
///
/// Counters that are missing are those of a new game; an en passant square that allows no capture is left out. Operations of EPD
/// (`bm Nf3; id "x";`) count for nothing, but for `hmvc` and `fmvn`, which are the counters.
///
/// # Errors
/// Says why the text is no position of chess, for people.
pub fn position_from_epd(line: &str) -> Result<String, String> {
    let words: Vec<_> = line.split_whitespace().collect();
    let [men, seat, castling, _, rest @ ..] = &words[..] else {
        return Err("a position has at least four fields: men, side to move, castling, en passant".to_owned());
    };
    let operation = |name: &str| {
        let at = rest.iter().position(|word| *word == name)?;
        rest.get(at + 1)?.trim_end_matches(';').parse::<u32>().ok()
    };
    let plain = |i: usize| rest.get(i).and_then(|word| word.parse::<u32>().ok());
    let halfmoves = plain(0).or_else(|| operation("hmvc")).unwrap_or(0);
    let fullmoves = plain(1).or_else(|| operation("fmvn")).unwrap_or(1).max(1);
    let written = format!("{men} {seat} {castling} {} {halfmoves} {fullmoves}", words[3]);
    let idle = format!("{men} {seat} {castling} - {halfmoves} {fullmoves}");
    // An en passant square that cannot be is refused by the board, one that is idle by the spelling.
    Position::from_fen(&written).or_else(|_| Position::from_fen(&idle)).map(|position| position.fen())
}

/// Returns the plies of moves in the notation of game logs (`Nf3`, `exd5`, `O-O`, `e8=Q+`) or as UCI writes them, from the start or
/// from a position that [`position_from_epd`] returned.
///
/// # Errors
/// Names the first move that is none, or that is not legal there.
pub fn plies_from_san<'a>(
    start: Option<&str>,
    moves: impl IntoIterator<Item = &'a str>,
) -> Result<Vec<String>, String> {
    let mut position = start.map_or_else(|| Ok(Position::start()), Position::from_fen)?;
    let mut plies = Vec::new();
    for text in moves {
        let legal = position.plies();
        let all: Vec<Move> = legal.iter().map(|(_, mv)| *mv).collect();
        let bare = text.trim_end_matches(['+', '#', '!', '?']).replace('0', "O");
        let (ply, mv) = legal
            .iter()
            .find(|(ply, mv)| ply == text || spelled(position.board(), &all, *mv, &bare))
            .ok_or_else(|| format!("`{text}` is no legal move of `{}`", position.fen()))?;
        plies.push(ply.clone());
        position = position.play(*mv);
    }
    Ok(plies)
}

/// Returns whether a text is the notation of a move; a promotion may lack its `=`.
fn spelled(board: &Board, all: &[Move], mv: Move, text: &str) -> bool {
    let san = san(board, all, mv);
    san == text || san.replace('=', "") == text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_idle_in_a_position_is_left_out() {
        let check = |line: &str, fen: &str| assert_eq!(position_from_epd(line).as_deref(), Ok(fen), "{line}");
        let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq";
        check(&format!("{after_e4} e3 0 1"), &format!("{after_e4} - 0 1"));
        check(&format!("{after_e4} - bm e5; id \"x\";"), &format!("{after_e4} - 0 1"));
        check(&format!("{after_e4} - hmvc 3; fmvn 7;"), &format!("{after_e4} - 3 7"));
        // Black may capture here.
        let capture = "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3";
        check(capture, capture);
    }

    #[test]
    fn a_text_that_is_no_position_is_refused() {
        for text in ["", "rnbqkbnr w - -", "8/8/8/8/8/8/8/8 w - - 0 1", "x y z - 0 1"] {
            assert!(position_from_epd(text).is_err(), "{text}");
        }
    }

    #[test]
    fn moves_are_read_as_logs_and_as_engines_write_them() {
        let plies = |text: &str| plies_from_san(None, text.split_whitespace());
        assert_eq!(
            plies("e4 d5 exd5 e5 dxe6 Bb4 exf7+ Kd7 fxg8=N").unwrap().join(" "),
            "e2e4 d7d5 e4d5 e7e5 d5e6 f8b4 e6f7 e8d7 f7g8n"
        );
        assert_eq!(plies("Nf3 Nf6 g3 g6 Bg2 Bg7 0-0 O-O").unwrap()[6..], ["e1g1", "e8g8"]);
        assert_eq!(plies("e2e4 e7e5 Ng1f3").unwrap_err().split(' ').next(), Some("`Ng1f3`"));
        let start = position_from_epd("4k3/8/8/8/8/8/8/R3K2R w KQ -").unwrap();
        assert_eq!(plies_from_san(Some(&start), ["O-O-O"]).unwrap(), ["e1c1"]);
    }
}
