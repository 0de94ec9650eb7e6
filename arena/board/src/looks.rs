//! What each game looks like: its pieces and the kind of its board.

use rules::Seat;

/// A kind of board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// A pouch of felt with sunken cells.
    Felt,
    /// Green with lines, as discs are turned on.
    Green,
    /// Water.
    Sea,
    /// Two shades of linen.
    Linen,
    /// Points joined by lines, cut in wood.
    Lines,
}

impl Style {
    pub(crate) const ALL: [Self; 5] = [Self::Felt, Self::Green, Self::Sea, Self::Linen, Self::Lines];

    /// Returns the name of the class of boards of this kind.
    pub(crate) const fn class(self) -> &'static str {
        match self {
            Self::Felt => "board-felt",
            Self::Green => "board-green",
            Self::Sea => "board-sea",
            Self::Linen => "board-linen",
            Self::Lines => "board-lines",
        }
    }
}

/// A piece of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The letter in scenes: that of position strings, or another one for a piece in hand that has no side up yet.
    pub letter: char,
    /// What it is called.
    pub name: &'static str,
    /// Its drawing, as an id of [`crate::Drawing::symbols`].
    pub symbol: &'static str,
}

const fn piece(letter: char, name: &'static str, symbol: &'static str) -> Piece {
    Piece { letter, name, symbol }
}

/// What a game looks like.
#[derive(Debug)]
pub(crate) struct Look {
    pub(crate) style: Style,
    pub(crate) pieces: &'static [Piece],
    /// Which piece stands for each seat beside its name.
    pub(crate) owners: Owners,
    /// The pieces of the stock, in the order of the key `stock`.
    pub(crate) stock: &'static [Stock],
}

/// Which piece stands for which seat.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Owners {
    /// These, `p1` first.
    Fixed([char; 2]),
    /// The first where the key `c` names the first letter first, else the second one; both exchanged for `p2`.
    ByKey { first: char, pieces: [char; 2] },
}

/// A part of the stock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stock {
    pub(crate) letter: char,
    pub(crate) of: Keeper,
}

/// Where a part of the stock lies.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Keeper {
    /// Before this seat.
    Seat(Seat),
    /// Before the seat that the key `c` gives this letter.
    Set(char),
    /// Beside both.
    Common,
}

const FAROOK: Look = Look {
    style: Style::Felt,
    pieces: &[
        piece('w', "white", "stone-white"),
        piece('b', "black", "stone-black"),
        piece('x', "wild", "stone-wild"),
    ],
    owners: Owners::Fixed(['w', 'b']),
    stock: &[
        Stock { letter: 'w', of: Keeper::Seat(Seat::P1) },
        Stock { letter: 'b', of: Keeper::Seat(Seat::P2) },
        Stock { letter: 'x', of: Keeper::Common },
    ],
};

const FAUST: Look = Look {
    style: Style::Green,
    pieces: &[piece('b', "black", "disc-black"), piece('w', "white", "disc-white")],
    owners: Owners::ByKey { first: 'b', pieces: ['b', 'w'] },
    stock: &[],
};

const FRENZY: Look = Look {
    style: Style::Sea,
    pieces: &[piece('s', "sharks", "shark-black"), piece('f', "fish", "fish-white")],
    owners: Owners::Fixed(['s', 'f']),
    stock: &[],
};

const TWO_FRENZY: Look = Look {
    style: Style::Sea,
    pieces: &[
        piece('F', "white fish", "fish-white"),
        piece('S', "white sharks", "shark-white"),
        piece('f', "black fish", "fish-black"),
        piece('s', "black sharks", "shark-black"),
    ],
    owners: Owners::Fixed(['F', 'f']),
    stock: &[],
};

const SOPHIA: Look = Look {
    style: Style::Linen,
    pieces: &[
        piece('A', "round light", "coin-light"),
        piece('a', "round dark", "coin-dark"),
        piece('B', "square light", "tile-light"),
        piece('b', "square dark", "tile-dark"),
        piece('h', "round in hand", "coin-hand"),
        piece('k', "square in hand", "tile-hand"),
    ],
    // Who has the round set wants light stones, the other one dark ones.
    owners: Owners::ByKey { first: 'A', pieces: ['A', 'b'] },
    stock: &[Stock { letter: 'h', of: Keeper::Set('A') }, Stock { letter: 'k', of: Keeper::Set('B') }],
};

const FANORONA: Look = Look {
    style: Style::Lines,
    pieces: &[piece('w', "white", "stone-white"), piece('b', "black", "stone-black")],
    owners: Owners::Fixed(['w', 'b']),
    stock: &[],
};

/// Returns what a game looks like; `None` for one that has no drawing.
pub(crate) fn look(game: &str) -> Option<&'static Look> {
    Some(match game {
        "farook" => &FAROOK,
        "faust" => &FAUST,
        "frenzy" => &FRENZY,
        "2-frenzy" => &TWO_FRENZY,
        "sophia" => &SOPHIA,
        "fanorona" => &FANORONA,
        _ => return None,
    })
}
