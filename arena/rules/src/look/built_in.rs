//! The looks of the built-in games.

use std::sync::LazyLock;

use crate::Seat;
use crate::look::piece::{PieceColour, PieceLook, PieceOwner, PieceShape};
use crate::look::{
    BoardExtent, BoardGround, BoardKind, BoardLines, BoardTheme, GameLook, HandLook, HandPart, PieceSource,
    PlyEntry, PlyKind,
};

/// The games that have a look, by their ids.
static LOOKS: LazyLock<[(&str, GameLook); 6]> = LazyLock::new(|| {
    [
        ("farook", farook()),
        ("faust", faust()),
        ("frenzy", frenzy()),
        ("2-frenzy", two_frenzy()),
        ("sophia", sophia()),
        ("fanorona", fanorona()),
    ]
});

/// The looks of 2-Frenzy for three and for four seats.
static TABLES: LazyLock<[GameLook; 2]> = LazyLock::new(|| [frenzy_table(3), frenzy_table(4)]);

/// Returns the look of a built-in game at a table of `seats` seats.
pub(crate) fn look_at_table(game: &str, seats: usize) -> Option<&'static GameLook> {
    match (game, seats) {
        ("2-frenzy", 3) => Some(&TABLES[0]),
        ("2-frenzy", 4) => Some(&TABLES[1]),
        _ => look_of(game),
    }
}

/// Returns the look of a built-in game.
pub(crate) fn look_of(game: &str) -> Option<&'static GameLook> {
    LOOKS.iter().find(|(id, _)| *id == game).map(|(_, look)| look)
}

const P1: PieceOwner = PieceOwner::Seat(Seat::P1);
const P2: PieceOwner = PieceOwner::Seat(Seat::P2);
const NOBODY: PieceOwner = PieceOwner::Nobody;
/// The owner of the round set of Sophia, and that of the square one.
const ROUND: PieceOwner = PieceOwner::Colour('A');
const SQUARE: PieceOwner = PieceOwner::Colour('B');

const BLACK: PieceColour = PieceColour::Named("black");
const WHITE: PieceColour = PieceColour::Named("white");
const GREEN: PieceColour = PieceColour::Named("green");
const YELLOW: PieceColour = PieceColour::Named("yellow");
const BLUE: PieceColour = PieceColour::Named("blue");
const RED: PieceColour = PieceColour::Named("red");
const GREY: PieceColour = PieceColour::Named("grey");

/// The main facts of a piece: its letter, shape, colour and owner.
type Kind = (char, PieceShape, PieceColour, PieceOwner);

fn piece(kind: Kind, name: &str, short_name: &str, is_emblem: bool) -> PieceLook {
    let (letter, shape, colour, owner) = kind;
    PieceLook {
        letter,
        shape,
        colour,
        name: name.to_owned(),
        short_name: short_name.to_owned(),
        owner,
        is_emblem,
    }
}

fn kind(rest: &str, code: &str, words: &str, is_on_cell: bool) -> PlyKind {
    let (rest, code, words) = (rest.to_owned(), code.to_owned(), words.to_owned());
    PlyKind { rest, code, words, is_on_cell, is_region: false }
}

fn region(rest: &str, code: &str, words: &str, is_on_cell: bool) -> PlyKind {
    PlyKind { is_region: true, ..kind(rest, code, words, is_on_cell) }
}

/// Returns the pieces in hand according to the key `stock`.
fn stock(parts: &[(char, PieceOwner)]) -> HandLook {
    let parts = parts.iter().map(|(piece, owner)| HandPart { piece: *piece, owner: *owner });
    HandLook::Key("stock".to_owned(), parts.collect())
}

/// Returns a board without a hand, where clicks on all of its cells make a ply. `size` is its side; if it is `None`, an option
/// gives the size.
fn look(kind: BoardKind, theme: BoardTheme, size: Option<u8>, pieces: Vec<PieceLook>) -> GameLook {
    let extent = || size.map_or_else(|| BoardExtent::Option("size".to_owned()), BoardExtent::Fixed);
    GameLook {
        ground: BoardGround { kind, theme, wraps: false, half_shifts: 0 },
        width: extent(),
        height: extent(),
        has_coordinates: true,
        source: PieceSource::Rows,
        pieces,
        hand: HandLook::None,
        entry: PlyEntry::Path,
        kinds: Vec::new(),
        neutral: None,
        group_prefix: String::new(),
    }
}

fn farook() -> GameLook {
    let pieces = vec![
        piece(('w', PieceShape::Stone, WHITE, P1), "white", "white", true),
        piece(('b', PieceShape::Stone, BLACK, P2), "black", "black", true),
        piece(('x', PieceShape::Gem, GREEN, NOBODY), "wild", "wild", false),
    ];
    GameLook {
        hand: stock(&[('w', P1), ('b', P2), ('x', NOBODY)]),
        kinds: vec![kind("", "own", "an own stone", true), kind("W", "wild", "a wild stone", false)],
        ..look(BoardKind::Cells, BoardTheme::Felt, Some(4), pieces)
    }
}

fn faust() -> GameLook {
    let pieces = vec![
        piece(('b', PieceShape::Disc, BLACK, PieceOwner::Colour('b')), "black", "black", true),
        piece(('w', PieceShape::Disc, WHITE, PieceOwner::Colour('w')), "white", "white", true),
    ];
    let kinds = vec![
        kind("", "place", "place a disc", true),
        region("x", "flip", "flip the rectangle", true),
        region("Bx", "pattern", "flip the pattern", false),
    ];
    GameLook { kinds, ..look(BoardKind::Cells, BoardTheme::Green, None, pieces) }
}

fn school(pieces: Vec<PieceLook>) -> GameLook {
    GameLook {
        group_prefix: "keep=".to_owned(),
        ..look(BoardKind::Checkered, BoardTheme::Sea, Some(8), pieces)
    }
}

fn frenzy() -> GameLook {
    school(vec![
        piece(('s', PieceShape::Shark, BLACK, P1), "sharks", "shark", true),
        piece(('f', PieceShape::Fish, WHITE, P2), "fish", "fish", true),
    ])
}

fn two_frenzy() -> GameLook {
    school(vec![
        piece(('F', PieceShape::Fish, WHITE, P1), "white fish", "fish", true),
        piece(('S', PieceShape::Shark, WHITE, P1), "white sharks", "shark", false),
        piece(('f', PieceShape::Fish, BLACK, P2), "black fish", "fish", true),
        piece(('s', PieceShape::Shark, BLACK, P2), "black sharks", "shark", false),
    ])
}

fn frenzy_table(seats: usize) -> GameLook {
    let kinds = [
        ('F', 'S', WHITE, "white"),
        ('f', 's', BLACK, "black"),
        ('G', 'T', RED, "red"),
        ('g', 't', YELLOW, "yellow"),
    ];
    let mut pieces = Vec::new();
    for (seat, (fish, shark, colour, name)) in Seat::all(seats).zip(kinds) {
        let owner = PieceOwner::Seat(seat);
        pieces.push(piece((fish, PieceShape::Fish, colour, owner), &format!("{name} fish"), "fish", true));
        pieces.push(piece(
            (shark, PieceShape::Shark, colour, owner),
            &format!("{name} sharks"),
            "shark",
            false,
        ));
    }
    pieces.push(piece(('n', PieceShape::Fish, GREY, NOBODY), "neutral fish", "neutral fish", false));
    let mut look = school(pieces);
    look.neutral = Some('n');
    if seats == 3 {
        look.width = BoardExtent::Fixed(9);
        look.ground.wraps = true;
    }
    look
}

fn sophia() -> GameLook {
    let pieces = vec![
        // The round set wants light stones, the other one dark ones.
        piece(('A', PieceShape::Coin, WHITE, ROUND), "round light", "light", true),
        piece(('a', PieceShape::Coin, BLACK, ROUND), "round dark", "dark", false),
        piece(('h', PieceShape::HalfCoin, WHITE, ROUND), "round in hand", "", false),
        piece(('B', PieceShape::Tile, YELLOW, SQUARE), "square light", "light", false),
        piece(('b', PieceShape::Tile, BLUE, SQUARE), "square dark", "dark", true),
        piece(('k', PieceShape::HalfTile, YELLOW, SQUARE), "square in hand", "", false),
    ];
    let kinds = vec![kind("L", "light", "light side up", false), kind("D", "dark", "dark side up", false)];
    GameLook {
        hand: stock(&[('h', ROUND), ('k', SQUARE)]),
        kinds,
        ..look(BoardKind::Checkered, BoardTheme::Linen, None, pieces)
    }
}

fn fanorona() -> GameLook {
    let pieces = vec![
        piece(('w', PieceShape::Stone, WHITE, P1), "white", "white", true),
        piece(('b', PieceShape::Stone, BLACK, P2), "black", "black", true),
    ];
    let kinds = vec![
        kind("", "stop", "stop here", true),
        kind("+", "+", "by approach", true),
        kind("-", "-", "by withdrawal", true),
    ];
    GameLook { kinds, ..look(BoardKind::Points(BoardLines::Alternate), BoardTheme::Wood, None, pieces) }
}
