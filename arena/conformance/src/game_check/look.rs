//! Whether the declared look draws a position: cells that exist, pieces that are known.

use std::collections::BTreeSet;

use board::read_look;
use rules::{Board, Cell, GameLook, HandLook, InHand, PieceSource, PlyEntry, PositionView, Seat};
use serde_json::Value;

use crate::game_check::answer::shown;

/// The values of a game's options.
pub(super) type OptionPairs = [(&'static str, String)];

/// A look, held against positions.
#[derive(Clone, Debug)]
pub(super) struct LookCheck(GameLook);

impl LookCheck {
    /// Reads a declared look, or says what is wrong with it.
    pub(super) fn read(value: &Value) -> Result<Self, String> {
        read_look(value).map(Self).map_err(|error| error.to_string())
    }

    /// Says what of a position cannot be drawn, with these values of the options.
    pub(super) fn check(
        &self,
        options: &OptionPairs,
        position: &str,
        legal: &[String],
        answer: &Value,
    ) -> Result<(), String> {
        let look = &self.0;
        let board = look.board(options).ok_or("the sizes of the board are no numbers from 1 to 26 and 99")?;
        if look.source == PieceSource::Rows {
            let rows = position.split(' ').next().unwrap_or_default();
            let is_known = |_, letter| look.piece(char::from(letter)).is_some();
            board
                .read_rows(rows, is_known)
                .map_err(|error| format!("the first word is no board: {error}"))?;
        }
        let view = view(board, look, answer)?;
        let placement =
            look.read(board, position).ok_or("the look cannot be read from the position string")?;
        look.tell(board, placement, &view).ok_or("`cells` or `hand` name a piece that the look has not")?;
        for proof in answer.get("proofs").and_then(Value::as_array).into_iter().flatten() {
            for cell in proof.get("cells").and_then(Value::as_array).into_iter().flatten() {
                read_cell(board, cell)?;
            }
        }
        if look.entry == PlyEntry::List {
            return Ok(());
        }
        let is_plain = |ply: &&String| !matches!(ply.as_str(), "pass" | "swap");
        match legal.iter().filter(is_plain).find(|ply| !names_cell(board, ply)) {
            Some(ply) => {
                Err(format!("`{ply}` names no cell, so that it cannot be clicked; `enter` must be `list`"))
            }
            None => Ok(()),
        }
    }
}

/// Reads what the answer tells beside the position string.
fn view(board: Board, look: &GameLook, answer: &Value) -> Result<PositionView, String> {
    let mut view = PositionView::default();
    if look.source == PieceSource::Cells {
        let cells = answer.get("cells").and_then(Value::as_array).ok_or("the answer has no list `cells`")?;
        let mut seen = BTreeSet::new();
        for pair in cells {
            let Some([cell, piece]) = pair.as_array().map(Vec::as_slice) else {
                return Err(format!("{} in `cells` is not cell and piece", shown(pair)));
            };
            let cell = read_cell(board, cell)?;
            if !seen.insert((cell.file, cell.rank)) {
                return Err(format!("`{cell}` stands twice in `cells`"));
            }
            view.cells.push((cell, letter(look, piece)?));
        }
    }
    let hand = answer.get("hand").filter(|_| matches!(look.hand, HandLook::Told(_)));
    for entry in hand.and_then(Value::as_array).into_iter().flatten() {
        let wrong = || format!("{} in `hand` is not seat, piece and number", shown(entry));
        let Some([seat, piece, count]) = entry.as_array().map(Vec::as_slice) else { return Err(wrong()) };
        let seat: Option<Seat> = seat.as_str().and_then(|seat| seat.parse().ok());
        let count = count.as_u64().and_then(|count| u32::try_from(count).ok()).ok_or_else(wrong)?;
        view.hand.push(InHand { seat: Some(seat.ok_or_else(wrong)?), piece: letter(look, piece)?, count });
    }
    Ok(view)
}

fn letter(look: &GameLook, value: &Value) -> Result<char, String> {
    let mut letters = value.as_str().unwrap_or_default().chars();
    let letter = letters.next().filter(|letter| letters.next().is_none() && look.piece(*letter).is_some());
    letter.ok_or_else(|| format!("{} is no piece of the look", shown(value)))
}

fn read_cell(board: Board, value: &Value) -> Result<Cell, String> {
    let cell = board.read_cell(value.as_str().unwrap_or_default()).map(|number| board.cell(number));
    cell.ok_or_else(|| format!("{} is no cell of a board of {}x{}", shown(value), board.files, board.ranks))
}

/// Returns whether a cell of the board stands somewhere in a ply.
fn names_cell(board: Board, ply: &str) -> bool {
    ply.char_indices().any(|(start, _)| board.split_cell(&ply[start..]).is_some())
}
