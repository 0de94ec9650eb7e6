//! What all positions of a game with its options have in common.

use rules::{Board, Seat, Setup};

use crate::background::{background, coordinates, texts};
use crate::layout::{Layout, Place};
use crate::looks::{Keeper, Look, Piece, Stock, Style, look};
use crate::pieces::symbols;

/// The board of a game with its options, the places on it and beside it, and the pieces.
#[derive(Debug)]
pub struct Drawing {
    pub(crate) layout: Layout,
    pub(crate) look: &'static Look,
    places: Vec<Place>,
    /// For each part of the stock that the game has, the places of its pieces before `p1` and before `p2`.
    pub(crate) hands: Vec<Hand>,
    /// The board without coordinates.
    pub(crate) ground: String,
    background: String,
}

/// The places of a part of the stock.
#[derive(Debug)]
pub(crate) struct Hand {
    pub(crate) stock: Stock,
    /// The first place before `p1`, and before `p2`; the same for what lies beside both.
    pub(crate) first: [usize; 2],
    /// How many there are.
    pub(crate) count: usize,
}

impl Drawing {
    /// Returns the drawing of a game with its options; `None` for a game that nobody has drawn yet.
    #[must_use]
    pub fn of(setup: &Setup) -> Option<Self> {
        let look = look(setup.game().id)?;
        let start = setup.referee(None).ok()?.position();
        let mut fields = start.split(' ');
        let rows = fields.next()?;
        let board = Board::new(files(rows.split('/').next()?) as u8, rows.split('/').count() as u8);
        let stocks: Vec<usize> =
            fields.find_map(|field| field.strip_prefix("stock=")).map_or_else(Vec::new, |counts| {
                counts.split(',').map(|count| count.parse().unwrap_or(0)).collect()
            });
        let layout = Layout::new(board, !stocks.is_empty());
        let mut places = layout.cells();
        let mut hands = Vec::new();
        for (stock, count) in look.stock.iter().zip(stocks) {
            let mut put = |new: Vec<Place>| {
                let first = places.len();
                places.extend(new);
                first
            };
            let first = match stock.of {
                Keeper::Seat(seat) => [put(layout.tray_places(count, seat == Seat::P1)); 2],
                // After a swap the other seat has them.
                Keeper::Set(_) => [true, false].map(|is_below| put(layout.tray_places(count, is_below))),
                Keeper::Common => [put(beside(&layout, count)); 2],
            };
            hands.push(Hand { stock: *stock, first, count });
        }
        // Both sets of a game whose seats may swap have places in both trays: their marks are drawn once.
        let mut marks: Vec<Place> = Vec::new();
        for place in &places[board.cells()..] {
            if !marks.contains(place) {
                marks.push(place.clone());
            }
        }
        let ground = background(&layout, look.style, &marks);
        let background = format!("{ground}{}", texts(&coordinates(&layout)));
        Some(Self { layout, look, places, hands, ground, background })
    }

    /// Returns the width and the height, in hundredths of a cell.
    #[must_use]
    pub fn size(&self) -> (f64, f64) {
        (self.layout.width(), self.layout.height())
    }

    /// Returns every place where a piece can be shown: the cells from a1 along each rank, then the places in hand.
    /// The board is turned round by taking `(width - x, height - y)` for `(x, y)`.
    #[must_use]
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// Returns the number of cells: so many of the places are on the board.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.layout.board.cells()
    }

    /// Returns the pieces.
    #[must_use]
    pub fn pieces(&self) -> &'static [Piece] {
        self.look.pieces
    }

    /// Returns the class that the element around a board must have, for its colours.
    #[must_use]
    pub fn class(&self) -> &'static str {
        self.look.style.class()
    }

    /// Returns the board without pieces, as SVG. Texts of class `b-file` and `b-rank` are the coordinates.
    #[must_use]
    pub fn background(&self) -> &str {
        &self.background
    }

    /// Returns the drawings of the pieces of all games, as the inside of a `<defs>`.
    #[must_use]
    pub fn symbols() -> String {
        symbols()
    }

    /// Returns the mark of the cells that the last ply names.
    #[must_use]
    pub fn last_symbol(&self) -> &'static str {
        match self.look.style {
            Style::Lines => "mark-spot",
            Style::Felt => "mark-cell",
            Style::Green | Style::Sea | Style::Linen => "mark-last",
        }
    }

    pub(crate) fn board(&self) -> Board {
        self.layout.board
    }
}

/// Returns the length of a row.
fn files(row: &str) -> usize {
    let mut files = 0;
    let mut run = 0;
    for letter in row.chars() {
        match letter.to_digit(10) {
            Some(digit) => run = run * 10 + digit as usize,
            None => {
                files += run + 1;
                run = 0;
            }
        }
    }
    files + run
}

/// Returns so many places in the right margin, around its middle.
fn beside(layout: &Layout, count: usize) -> Vec<Place> {
    const GAP: f64 = 46.0;
    let top = (layout.height() - GAP * (count as f64 - 1.0)) / 2.0;
    let place = |index: usize| Place {
        x: layout.width() - layout.margin / 2.0,
        y: top + GAP * index as f64,
        scale: 0.5,
        name: String::new(),
    };
    (0..count).map(place).collect()
}
