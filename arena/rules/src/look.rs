//! The look of a game, as data: its board, its pieces, and how clicks make a ply.
//!
//! A look is a declaration without markup: the code that draws has its own lists of shapes and colours. The built-in games have
//! their looks here ([`crate::Game::look`]). A game of one's own declares one, which crate `board` reads from JSON.

pub(crate) mod built_in;
pub(crate) mod piece;
pub(crate) mod placement;

use crate::Board;
use crate::look::piece::PieceLook;

/// The look of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameLook {
    /// How the board is drawn.
    pub ground: BoardGround,
    /// The number of files.
    pub width: BoardExtent,
    /// The number of ranks.
    pub height: BoardExtent,
    /// Whether the board has labels for files and ranks.
    pub has_coordinates: bool,
    /// Where the pieces of a position come from.
    pub source: PieceSource,
    /// The pieces, in the order of the legend.
    pub pieces: Vec<PieceLook>,
    /// The pieces in hand.
    pub hand: HandLook,
    /// How clicks make a ply.
    pub entry: PlyEntry,
    /// The meaning of the rest of a ply's spelling, besides its cells and signs.
    pub kinds: Vec<PlyKind>,
    /// The piece that replaces every piece of a seat that is out, according to the key `out` of the position string.
    pub neutral: Option<char>,
    /// The prefix of a ply that names a group of adjacent equal pieces by one of them; empty if there is none.
    pub group_prefix: String,
}

/// How a board is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardGround {
    /// What is drawn for each cell.
    pub kind: BoardKind,
    /// Its colours.
    pub theme: BoardTheme,
    /// Whether the files wrap: the last one is next to the first.
    pub wraps: bool,
    /// By how many half cells each rank is shifted to the right of the one below.
    pub half_shifts: u8,
}

/// What is drawn for each cell of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardKind {
    /// Squares between lines, or sunken squares in the theme [`BoardTheme::Felt`].
    Cells,
    /// Squares of two shades.
    Checkered,
    /// Hexagons.
    Hexagons,
    /// Points that these lines join.
    Points(BoardLines),
}

/// The lines between the points of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardLines {
    /// Along files and ranks.
    Orthogonal,
    /// Along files, ranks and all diagonals.
    Diagonal,
    /// Along files and ranks, and the diagonals of points whose file and rank have an even sum.
    Alternate,
    /// No lines.
    None,
}

/// The colours of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardTheme {
    /// A pouch of felt.
    Felt,
    /// Green, as for discs that are flipped.
    Green,
    /// Water.
    Sea,
    /// Two shades of linen.
    Linen,
    /// Wood.
    Wood,
    /// Maple and walnut.
    Maple,
}

impl BoardTheme {
    /// Every theme with its name.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::Felt, "felt"),
        (Self::Green, "green"),
        (Self::Sea, "sea"),
        (Self::Linen, "linen"),
        (Self::Wood, "wood"),
        (Self::Maple, "maple"),
    ];

    /// Returns the default theme of a kind of board.
    #[must_use]
    pub const fn usual(kind: BoardKind) -> Self {
        match kind {
            BoardKind::Cells => Self::Felt,
            BoardKind::Checkered => Self::Maple,
            BoardKind::Hexagons => Self::Linen,
            BoardKind::Points(_) => Self::Wood,
        }
    }
}

/// The number of files or ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardExtent {
    /// A fixed number.
    Fixed(u8),
    /// The value of this option: a number, or two with an `x` between them, files first.
    Option(String),
}

/// Where the pieces of a position come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceSource {
    /// Rows in the first word of the position string ([`Board::read_rows`]).
    Rows,
    /// The referee ([`crate::PositionView::cells`]).
    Cells,
}

/// The pieces in hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HandLook {
    /// None.
    None,
    /// Those that the referee returns ([`crate::PositionView::hand`]). At most this many are shown in front of each seat.
    Told(u8),
    /// The value of a key of the position string: numbers separated by commas, one for each part.
    Key(String, Vec<HandPart>),
}

/// A part of the pieces in hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandPart {
    /// The letter of the piece.
    pub piece: char,
    /// The owner.
    pub owner: piece::PieceOwner,
}

/// How clicks make a ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlyEntry {
    /// A click on the last cell that it names.
    To,
    /// A click on the first cell that it names and one on the last.
    FromTo,
    /// Clicks on all cells that it names, in order.
    Path,
    /// A choice from the list of legal plies.
    List,
}

impl PlyEntry {
    /// Every way, with its name.
    pub const ALL: [(Self, &'static str); 4] =
        [(Self::To, "to"), (Self::FromTo, "from-to"), (Self::Path, "path"), (Self::List, "list")];
}

/// The meaning of the rest of a ply's spelling, besides its cells and signs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlyKind {
    /// The rest: `W` of `Wc4`; empty if there is none.
    pub rest: String,
    /// The code of the choice.
    pub code: String,
    /// The meaning, for people.
    pub words: String,
    /// Whether another click on the last cell may choose it.
    pub is_on_cell: bool,
    /// Whether the cells of the ply are two corners of a rectangle.
    pub is_region: bool,
}

impl GameLook {
    /// The most cells of a board that is drawn.
    pub const MOST_CELLS: usize = 1024;

    /// The most pieces in hand that are shown in front of each seat.
    pub const MOST_IN_HAND: usize = 40;

    /// Returns the board of a game with these options. Returns `None` if the look names options that the game does not have or
    /// that are not sizes, or if the board has more than [`GameLook::MOST_CELLS`] cells.
    #[must_use]
    pub fn board(&self, options: &[(&'static str, String)]) -> Option<Board> {
        let size = |extent: &BoardExtent, is_width: bool| match extent {
            BoardExtent::Fixed(size) => Some(*size),
            BoardExtent::Option(name) => {
                let (_, value) = options.iter().find(|(key, _)| key == name)?;
                let part = match value.split_once('x') {
                    Some((width, height)) => {
                        if is_width {
                            width
                        } else {
                            height
                        }
                    }
                    None => value,
                };
                part.parse().ok()
            }
        };
        let board = Board::new(size(&self.width, true)?, size(&self.height, false)?);
        let fits = (1..=26).contains(&board.files) && (1..=99).contains(&board.ranks);
        (fits && board.cells() <= Self::MOST_CELLS).then_some(board)
    }

    /// Returns the piece of a letter.
    #[must_use]
    pub fn piece(&self, letter: char) -> Option<&PieceLook> {
        self.pieces.iter().find(|piece| piece.letter == letter)
    }

    /// Returns the kind of a ply, from its spelling without cells and signs.
    #[must_use]
    pub fn kind(&self, rest: &str) -> Option<&PlyKind> {
        self.kinds.iter().find(|kind| kind.rest == rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_of_every_game_is_as_large_as_its_rows() {
        for (game, options, size) in [
            ("farook", &[][..], (4, 4)),
            ("faust", &[("size", "19")], (19, 19)),
            ("frenzy", &[], (8, 8)),
            ("2-frenzy", &[], (8, 8)),
            ("2-frenzy", &[("players", "3")], (9, 8)),
            ("2-frenzy", &[("players", "4")], (8, 8)),
            ("sophia", &[("size", "5")], (5, 5)),
            ("fanorona", &[("size", "9x3")], (9, 3)),
        ] {
            let setup = crate::find(game).unwrap().setup(options).unwrap();
            let board = setup.look().unwrap().board(setup.options()).unwrap();
            assert_eq!((board.files, board.ranks), size, "{game}");
            let rows = setup.referee(None).unwrap().position();
            assert!(board.read_rows(rows.split(' ').next().unwrap(), |_, _| true).is_ok(), "{game}");
        }
    }

    #[test]
    fn a_board_that_cannot_be_is_none() {
        let mut look = crate::find("farook").unwrap().look().unwrap().clone();
        for (width, height) in [(0, 4), (27, 4), (4, 0), (4, 100), (26, 40)] {
            (look.width, look.height) = (BoardExtent::Fixed(width), BoardExtent::Fixed(height));
            assert_eq!(look.board(&[]), None, "{width}x{height}");
        }
        look.width = BoardExtent::Option("size".into());
        for options in [&[][..], &[("size", "many".to_owned())], &[("other", "4".to_owned())]] {
            assert_eq!(look.board(options), None);
        }
    }
}
