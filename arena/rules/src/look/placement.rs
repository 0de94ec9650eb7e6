//! The pieces of a position and their cells.

use crate::look::piece::PieceOwner;
use crate::look::{HandLook, PieceSource};
use crate::{Board, Cell, GameLook, Seat};

/// What a referee returns about its position besides the string, for code that draws it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PositionView {
    /// The pieces on the board, by their letters.
    pub cells: Vec<(Cell, char)>,
    /// The pieces in hand.
    pub hand: Vec<InHand>,
}

/// Equal pieces in hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InHand {
    /// The seat in front of which they lie; `None` if they lie beside the board.
    pub seat: Option<Seat>,
    /// The letter of the piece.
    pub piece: char,
    /// The number of pieces.
    pub count: u32,
}

/// The pieces of a position and their cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// The letter on each cell, by the cells' numbers.
    pub cells: Vec<Option<char>>,
    /// The pieces in hand. For a [`HandLook::Key`], in the order of its parts.
    pub hand: Vec<InHand>,
    /// The letters of the key `c`, if owners depend on it.
    colours: String,
}

impl Placement {
    /// Returns the owner of a piece.
    #[must_use]
    pub fn owner(&self, look: &GameLook, owner: PieceOwner) -> Option<Seat> {
        match owner {
            PieceOwner::Seat(seat) => Some(seat),
            PieceOwner::Nobody => None,
            PieceOwner::Colour(letter) => colour_owner(look, &self.colours, letter),
        }
    }

    /// Returns the piece that represents each of `seats` seats, `p1` first.
    #[must_use]
    pub fn emblems(&self, look: &GameLook, seats: usize) -> Vec<Option<char>> {
        let emblem = |seat| {
            let is_it =
                |piece: &&crate::PieceLook| piece.is_emblem && self.owner(look, piece.owner) == Some(seat);
            look.pieces.iter().find(is_it).map(|piece| piece.letter)
        };
        Seat::all(seats).map(emblem).collect()
    }
}

/// Returns the value of a key in a list such as `stock=7,6 c=AB`. The standard library takes longer to search texts as short as
/// these for a character.
fn value_of<'a>(keys: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = keys;
    loop {
        let end = rest.bytes().position(|byte| byte == b' ').unwrap_or(rest.len());
        let (pair, after) = rest.split_at(end);
        if let Some(value) = pair.strip_prefix(name).and_then(|value| value.strip_prefix('=')) {
            return Some(value);
        }
        rest = after.get(1..)?;
    }
}

fn colour_owner(look: &GameLook, colours: &str, letter: char) -> Option<Seat> {
    let known = |c: &char| look.piece(*c).is_some();
    let place = colours.chars().filter(known).position(|c| c == letter)?;
    Seat::BOTH.get(place).copied()
}

impl GameLook {
    /// Reads the pieces from a position string, as far as it shows them, without asking the rules. Returns `None` if the string
    /// does not fit the board or names an unknown piece.
    #[must_use]
    pub fn read(&self, board: Board, position: &str) -> Option<Placement> {
        let (first, keys) = position.split_once(' ').unwrap_or((position, ""));
        let mut cells = vec![None; board.cells()];
        if self.source == PieceSource::Rows {
            board
                .read_rows(first, |cell, letter| {
                    cells[cell] = Some(char::from(letter));
                    self.neutral != Some(char::from(letter)) && self.piece(char::from(letter)).is_some()
                })
                .ok()?;
        }
        let key = |name: &str| value_of(keys, name);
        let colours = key("c").unwrap_or_default().to_owned();
        if let (Some(neutral), Some(out)) = (self.neutral, key("out")) {
            let names = out.split(',').filter_map(|part| part.split(':').next());
            let out: Vec<Seat> = names.filter_map(|name| name.parse().ok()).collect();
            let is_out = |letter: char| {
                let owner = self.piece(letter).map(|piece| piece.owner);
                matches!(owner, Some(PieceOwner::Seat(seat)) if out.contains(&seat))
            };
            for cell in cells.iter_mut().flatten().filter(|letter| is_out(**letter)) {
                *cell = neutral;
            }
        }
        let mut hand = Vec::new();
        if let HandLook::Key(name, parts) = &self.hand {
            let mut counts = key(name)?.split(',');
            for part in parts {
                let seat = match part.owner {
                    PieceOwner::Seat(seat) => Some(seat),
                    PieceOwner::Nobody => None,
                    PieceOwner::Colour(letter) => Some(colour_owner(self, &colours, letter)?),
                };
                hand.push(InHand { seat, piece: part.piece, count: counts.next()?.parse().ok()? });
            }
        }
        Some(Placement { cells, hand, colours })
    }

    /// Returns whether a position string alone shows all pieces.
    #[must_use]
    pub fn is_read_from_strings(&self) -> bool {
        self.source == PieceSource::Rows && !matches!(self.hand, HandLook::Told(_))
    }

    /// Adds the pieces that the referee returned to those of a position string. Returns `None` if a cell or a piece does not
    /// exist.
    #[must_use]
    pub fn tell(&self, board: Board, mut placement: Placement, view: &PositionView) -> Option<Placement> {
        if self.source == PieceSource::Cells {
            for (cell, letter) in &view.cells {
                let is_inside = cell.file < board.files && cell.rank < board.ranks;
                let _known = self.piece(*letter).filter(|_| is_inside)?;
                placement.cells[board.number(cell.file.into(), cell.rank.into())] = Some(*letter);
            }
        }
        if let HandLook::Told(_) = self.hand {
            if view.hand.iter().any(|held| self.piece(held.piece).is_none()) {
                return None;
            }
            placement.hand.clone_from(&view.hand);
        }
        Some(placement)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placement(game: &str, position: &str) -> Option<Placement> {
        crate::find(game).unwrap().setup(&[]).unwrap().placement(position)
    }

    #[test]
    fn stock_lies_before_the_seat_that_has_the_set() {
        let hand = |position: &str| {
            let hand = placement("sophia", position).unwrap().hand;
            hand.iter().map(|held| (held.seat, held.piece, held.count)).collect::<Vec<_>>()
        };
        let (one, two) = (Some(Seat::P1), Some(Seat::P2));
        assert_eq!(hand("4/4/4/4 p1 stock=7,6 c=AB n=0"), [(one, 'h', 7), (two, 'k', 6)]);
        assert_eq!(hand("4/4/4/4 p1 stock=7,6 c=BA n=0"), [(two, 'h', 7), (one, 'k', 6)]);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        for position in ["", "4/4/4 p1 stock=6,6,2", "4/4/4/q3 p1 stock=6,6,2", "4/4/4/4 p1", "4/4/4/4"] {
            assert_eq!(placement("farook", position), None, "{position}");
        }
    }

    #[test]
    fn what_is_told_stands_on_known_cells() {
        let mut look = crate::find("farook").unwrap().look().unwrap().clone();
        (look.source, look.hand) = (PieceSource::Cells, HandLook::Told(3));
        let board = Board::new(4, 4);
        let told = |file, rank, letter| {
            let held = InHand { seat: Some(Seat::P2), piece: letter, count: 2 };
            let view = PositionView { cells: vec![(Cell { file, rank }, letter)], hand: vec![held] };
            look.tell(board, look.read(board, "any text").unwrap(), &view)
        };
        let placement = told(3, 1, 'w').unwrap();
        assert_eq!((placement.cells[7], placement.hand[0].count), (Some('w'), 2));
        assert_eq!((told(4, 1, 'w'), told(3, 4, 'w'), told(3, 1, 'q')), (None, None, None));
    }
}
