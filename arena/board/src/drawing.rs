//! What all positions of a game with its options have in common.

use std::collections::BTreeMap;

use rules::{
    Board, BoardExtent, BoardGround, BoardKind, BoardTheme, GameLook, HandLook, PieceLook, PieceOwner,
    PieceSource, PlyEntry, Seat, Setup,
};

use crate::background::{background, coordinates, is_sunken, texts};
use crate::colours::class;
use crate::layout::{Layout, PieceLocation};
use crate::pieces::{PieceDrawing, symbols};

/// The board of a game with its options, the places on it and beside it, and the pieces.
#[derive(Debug)]
pub struct Drawing {
    pub(crate) layout: Layout,
    pub(crate) setup: Setup,
    /// How many seats the table has.
    pub(crate) seats: usize,
    pieces: Vec<Piece>,
    /// The drawings of those pieces that are not among [`Drawing::symbols`], by their ids.
    own_symbols: BTreeMap<String, String>,
    look_ground: BoardGround,
    places: Vec<PieceLocation>,
    /// The places of what is in hand.
    pub(crate) hands: Vec<Hand>,
    /// The board without coordinates, and with them if it has any.
    pub(crate) ground: String,
    background: String,
    pub(crate) has_coordinates: bool,
}

/// A piece of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The letter in scenes: that of position strings, or another one for a piece in hand that has no side up yet.
    pub letter: char,
    /// What it is called.
    pub name: String,
    /// Its drawing, as an id of [`Drawing::symbols`] or [`Drawing::own_symbols`].
    pub symbol: String,
}

/// The places of what a seat has in hand.
#[derive(Debug)]
pub(crate) struct Hand {
    /// The letter of the pieces; `None` where all kinds lie together.
    pub(crate) piece: Option<char>,
    /// Whose they are; `None` for what lies beside both.
    pub(crate) seat: Option<Seat>,
    /// The first place.
    pub(crate) first: usize,
    /// How many there are.
    pub(crate) count: usize,
}

/// The look of a board of one cell without pieces.
static BLANK: GameLook = GameLook {
    ground: BoardGround { kind: BoardKind::Cells, theme: BoardTheme::Linen, wraps: false, half_shifts: 0 },
    width: BoardExtent::Fixed(1),
    height: BoardExtent::Fixed(1),
    has_coordinates: false,
    source: PieceSource::Cells,
    pieces: Vec::new(),
    hand: HandLook::None,
    entry: PlyEntry::List,
    kinds: Vec::new(),
    neutral: None,
    group_prefix: String::new(),
};

impl Drawing {
    /// Returns the drawing of a game with its options; `None` for a game without a look, or whose look has no board of such a
    /// size.
    #[must_use]
    pub fn of(setup: &Setup) -> Option<Self> {
        Self::with(setup, setup.look()?)
    }

    /// Returns a board of one empty cell, for a game that [`Drawing::of`] does not draw and whose positions are shown as text
    /// ([`crate::Scene::blank`]).
    #[must_use]
    pub fn blank(setup: &Setup) -> Self {
        Self::with(setup, &BLANK).expect("a cell is a board")
    }

    fn with(setup: &Setup, look: &GameLook) -> Option<Self> {
        let board = look.board(setup.options())?;
        let layout = Layout::new(board, look.ground, look.hand != HandLook::None);
        let mut places = layout.cells();
        let hands = hands(setup, look, &layout, &mut places)?;
        // Both sets of a game whose seats may swap have places in both trays: their marks are drawn once.
        let mut marks: Vec<PieceLocation> = Vec::new();
        for place in &places[board.cells()..] {
            if !marks.contains(place) {
                marks.push(place.clone());
            }
        }
        let mut own_symbols = BTreeMap::new();
        let mut piece = |piece: &PieceLook| {
            let PieceDrawing { symbol, own } = PieceDrawing::of(piece);
            own_symbols.extend(own);
            Piece { letter: piece.letter, name: piece.name.clone(), symbol }
        };
        let pieces = look.pieces.iter().map(&mut piece).collect();
        let ground = background(&layout, look.ground, &marks);
        let names = if look.has_coordinates { texts(&coordinates(&layout)) } else { String::new() };
        let background = format!("{ground}{names}");
        Some(Self {
            layout,
            setup: setup.clone(),
            seats: setup.seats(),
            pieces,
            own_symbols,
            look_ground: look.ground,
            places,
            hands,
            ground,
            background,
            has_coordinates: look.has_coordinates,
        })
    }

    /// Returns the width and the height, in hundredths of a cell.
    #[must_use]
    pub fn size(&self) -> (f64, f64) {
        (self.layout.width(), self.layout.height())
    }

    /// Returns how far right the last rank lies from the first one, and how wide the margin around the cells is. The
    /// coordinates of a board that is turned round need both.
    #[must_use]
    pub fn skew(&self) -> (f64, f64) {
        (self.layout.skew(), self.layout.margin)
    }

    /// Returns every place where a piece can be shown: the cells from a1 along each rank, then the places in hand.
    /// The board is turned round by taking `(width - x, height - y)` for `(x, y)`.
    #[must_use]
    pub fn places(&self) -> &[PieceLocation] {
        &self.places
    }

    /// Returns the number of cells: of the places, the first ones, which are on the board.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.layout.board.cells()
    }

    /// Returns the pieces.
    #[must_use]
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Returns the class that the element around a board must have, for its colours.
    #[must_use]
    pub fn class(&self) -> &'static str {
        class(self.look_ground.theme)
    }

    /// Returns the board without pieces, as SVG. Texts of class `b-file` and `b-rank` are the coordinates.
    #[must_use]
    pub fn background(&self) -> &str {
        &self.background
    }

    /// Returns the drawings of the pieces of the built-in games, as the inside of a `<defs>`.
    #[must_use]
    pub fn symbols() -> String {
        symbols()
    }

    /// Returns the drawings of those pieces that are not among [`Drawing::symbols`], by their ids. Equal ids of several boards
    /// have equal drawings, which refer to [`Drawing::symbols`].
    #[must_use]
    pub const fn own_symbols(&self) -> &BTreeMap<String, String> {
        &self.own_symbols
    }

    /// Returns the mark of the cells that the last ply names.
    #[must_use]
    pub fn last_symbol(&self) -> &'static str {
        match self.look_ground.kind {
            BoardKind::Points(_) | BoardKind::Hexagons => "mark-spot",
            BoardKind::Cells if is_sunken(self.look_ground) => "mark-cell",
            BoardKind::Cells | BoardKind::Checkered => "mark-last",
        }
    }

    pub(crate) fn board(&self) -> Board {
        self.layout.board
    }

    /// Returns the class of the board's theme as the style sheets of single pictures name it.
    pub(crate) fn theme(&self) -> rules::BoardTheme {
        self.look_ground.theme
    }
}

/// Adds the places of what can be in hand. `None` where the start of the game does not fit the look.
fn hands(
    setup: &Setup,
    look: &GameLook,
    layout: &Layout,
    places: &mut Vec<PieceLocation>,
) -> Option<Vec<Hand>> {
    let mut hands = Vec::new();
    let mut put = |piece, seat, count| {
        let first = places.len();
        places.extend(match seat {
            Some(seat) => layout.tray_places(count, seat == Seat::P1),
            None => beside(layout, count),
        });
        hands.push(Hand { piece, seat, first, count });
    };
    match &look.hand {
        HandLook::None => {}
        HandLook::Told(count) => {
            Seat::BOTH.into_iter().for_each(|seat| put(None, Some(seat), usize::from(*count)));
        }
        HandLook::Key(_, parts) => {
            let start = look.read(layout.board, &setup.referee(None).ok()?.position())?;
            for (part, held) in parts.iter().zip(start.hand) {
                let count = (held.count as usize).min(GameLook::MOST_IN_HAND);
                match part.owner {
                    PieceOwner::Seat(seat) => put(Some(part.piece), Some(seat), count),
                    // After a swap the other seat has them.
                    PieceOwner::Colour(_) => {
                        Seat::BOTH.into_iter().for_each(|seat| put(Some(part.piece), Some(seat), count));
                    }
                    PieceOwner::Nobody => put(Some(part.piece), None, count),
                }
            }
        }
    }
    Some(hands)
}

/// Returns `count` places in the right margin, around its middle.
fn beside(layout: &Layout, count: usize) -> Vec<PieceLocation> {
    const GAP: f64 = 46.0;
    let top = (layout.height() - GAP * (count as f64 - 1.0)) / 2.0;
    let place = |index: usize| PieceLocation {
        x: layout.width() - layout.margin / 2.0,
        y: top + GAP * index as f64,
        scale: 0.5,
        name: String::new(),
    };
    (0..count).map(place).collect()
}
