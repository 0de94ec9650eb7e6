//! The pieces of the built-in games, each around the point (0, 0) of a cell 100 wide; and which drawing a piece has.

mod chess_men;
mod ink;

use rules::{PieceColour, PieceLook, PieceShape};

use crate::lettering::glyph;
use crate::pieces::chess_men::chess_man;
use crate::pieces::ink::Ink;

/// The colours that pieces are shaded with.
const SHADED: [&str; 5] = ["white", "black", "wild", "yellow", "blue"];

const FISH: &str = "M39 1C29-20 3-28-17-8C-25-15-33-20-43-21C-38-13-36-7-36 0C-36 7-38 14-43 22C-33 21-25 16-17 10C3 30 29 22 39 1Z";
const SHARK: &str = "M48 1C40-9 28-16 13-18C9-29 1-37-12-41C-9-33-8-25-9-17C-19-15-28-11-35-6C-38-15-42-23-49-29\
                     C-48-19-47-9-43 0C-46 6-48 13-48 21C-42 18-37 13-33 8C-25 12-15 14-6 15C-7 22-11 29-17 35C-5 33 6 26 12 16\
                     C25 14 38 9 48 1Z";

/// Returns the drawings of all pieces with what they refer to, as the inside of a `<defs>`.
pub(crate) fn symbols() -> String {
    let mut svg = String::new();
    for class in SHADED {
        svg += &format!(
            "<radialGradient id=\"b-g-{class}\" cx=\".38\" cy=\".32\" r=\".75\"><stop offset=\"0\" class=\"b-{class}-in\"/>\
             <stop offset=\"1\" class=\"b-{class}-out\"/></radialGradient>"
        );
    }
    for colour in ["white", "black"] {
        svg += &symbol(&format!("stone-{colour}"), &stone(colour));
        svg += &symbol(&format!("disc-{colour}"), &disc(colour));
        svg += &symbol(&format!("fish-{colour}"), &fish(colour));
        svg += &symbol(&format!("shark-{colour}"), &shark(colour));
    }
    svg += &symbol("stone-wild", WILD);
    svg += &symbol("coin-light", &coin("white"));
    svg += &symbol("coin-dark", &coin("black"));
    svg += &symbol("tile-light", &tile("yellow"));
    svg += &symbol("tile-dark", &tile("blue"));
    svg += &symbol("coin-hand", COIN_IN_HAND);
    svg += &symbol("tile-hand", TILE_IN_HAND);
    svg
}

/// The drawing of a piece: its id, and with their ids the parts that are not among [`symbols`].
pub(crate) struct PieceDrawing {
    pub(crate) symbol: String,
    pub(crate) own: Vec<(String, String)>,
}

impl PieceDrawing {
    pub(crate) fn of(piece: &PieceLook) -> Self {
        if let Some(known) = known(piece.shape, piece.colour) {
            return Self { symbol: known.to_owned(), own: Vec::new() };
        }
        let ink = Ink::of(piece.colour);
        let name = piece.shape.name();
        let id = match piece.shape {
            PieceShape::Letter => format!("own-{name}-{}-{}", ink.name, piece.letter),
            _ => format!("own-{name}-{}", ink.name),
        };
        let mut own = vec![(id.clone(), symbol(&id, &inside(piece, &ink)))];
        if !ink.gradient.is_empty() {
            own.push((format!("own-g-{}", ink.name), ink.gradient));
        }
        Self { symbol: id, own }
    }
}

/// Returns the drawing among [`symbols`] that has this shape and colour.
fn known(shape: PieceShape, colour: PieceColour) -> Option<&'static str> {
    let PieceColour::Named(colour) = colour else { return None };
    Some(match (shape, colour) {
        (PieceShape::Stone, "white") => "stone-white",
        (PieceShape::Stone, "black") => "stone-black",
        (PieceShape::Disc, "white") => "disc-white",
        (PieceShape::Disc, "black") => "disc-black",
        (PieceShape::Fish, "white") => "fish-white",
        (PieceShape::Fish, "black") => "fish-black",
        (PieceShape::Shark, "white") => "shark-white",
        (PieceShape::Shark, "black") => "shark-black",
        (PieceShape::Gem, "green") => "stone-wild",
        (PieceShape::Coin, "white") => "coin-light",
        (PieceShape::Coin, "black") => "coin-dark",
        (PieceShape::Tile, "yellow") => "tile-light",
        (PieceShape::Tile, "blue") => "tile-dark",
        (PieceShape::HalfCoin, _) => "coin-hand",
        (PieceShape::HalfTile, _) => "tile-hand",
        _ => return None,
    })
}

/// Returns the inside of the drawing of a piece that is not among [`symbols`].
fn inside(piece: &PieceLook, ink: &Ink) -> String {
    let Ink { paint, edge, line, .. } = ink;
    let shaded = |element: &str| format!("<{element} {paint} {edge} stroke-width=\"2\"/>");
    match piece.shape {
        PieceShape::Stone => shadow(39) + &shaded("circle r=\"38\""),
        PieceShape::Disc => format!(
            "<circle cx=\"2\" cy=\"7\" r=\"40\" class=\"b-shadow\"/><circle cy=\"3\" r=\"39\" {}/>{}",
            ink.spot,
            shaded("circle cy=\"-2\" r=\"39\"")
        ),
        PieceShape::Coin | PieceShape::HalfCoin => format!(
            "{}{}<circle r=\"28\" fill=\"none\" {line} stroke-width=\"2\" stroke-opacity=\".6\"/>",
            shadow(40),
            shaded("circle r=\"39\"")
        ),
        PieceShape::Tile | PieceShape::HalfTile => format!(
            "<rect x=\"-33\" y=\"-31\" width=\"70\" height=\"70\" rx=\"13\" class=\"b-shadow\"/>{}\
             <rect x=\"-24\" y=\"-24\" width=\"48\" height=\"48\" rx=\"6\" fill=\"none\" {line} stroke-width=\"2\" stroke-opacity=\".45\"/>",
            shaded("rect x=\"-35\" y=\"-35\" width=\"70\" height=\"70\" rx=\"13\"")
        ),
        PieceShape::Gem => format!(
            "<path d=\"M2-24L30 4L2 36L-26 4Z\" class=\"b-shadow\"/>{}\
             <path d=\"M0-31L11 0L0 31L-11 0ZM-29 0H29\" fill=\"none\" {line} stroke-width=\"1.5\" stroke-opacity=\".55\"/>",
            shaded("path d=\"M0-31L29 0L0 31L-29 0Z\" stroke-linejoin=\"round\"")
        ),
        PieceShape::Fish => fish_of(&format!("{} {line}", ink.fill), &ink.spot, line),
        PieceShape::Shark => shark_of(&format!("{} {line}", ink.fill), &ink.spot, line),
        PieceShape::Letter => format!(
            "{}{}<path d=\"{}\" transform=\"scale(4.8)\" fill=\"none\" {line} stroke-width=\"1.4\" stroke-linecap=\"round\" stroke-linejoin=\"round\"/>",
            shadow(39),
            shaded("circle r=\"38\""),
            glyph(piece.letter)
        ),
        PieceShape::Ring => {
            let ring = |attributes: &str, width: u32| {
                format!("<circle r=\"29\" fill=\"none\" {attributes} stroke-width=\"{width}\"/>")
            };
            ring(line, 19) + &ring(&ink.stroke, 14)
        }
        PieceShape::Cross => {
            let cross = |attributes: &str, width: u32| {
                format!(
                    "<path d=\"M-24-24L24 24M24-24L-24 24\" fill=\"none\" {attributes} stroke-width=\"{width}\" stroke-linecap=\"round\"/>"
                )
            };
            cross(line, 19) + &cross(&ink.stroke, 14)
        }
        PieceShape::King
        | PieceShape::Queen
        | PieceShape::Rook
        | PieceShape::Bishop
        | PieceShape::Knight
        | PieceShape::Pawn => chess_man(piece.shape, ink),
    }
}

fn symbol(id: &str, inside: &str) -> String {
    format!("<g id=\"{id}\">{inside}</g>")
}

fn shadow(radius: u32) -> String {
    format!("<circle cx=\"2\" cy=\"4\" r=\"{radius}\" class=\"b-shadow\"/>")
}

fn stone(colour: &str) -> String {
    format!(
        "{}<circle r=\"38\" fill=\"url(#b-g-{colour})\" class=\"b-{colour}-edge\" stroke-width=\"2\"/>",
        shadow(39)
    )
}

/// A flat disc with the other colour on its underside.
fn disc(colour: &str) -> String {
    let other = if colour == "white" { "black" } else { "white" };
    format!(
        "{}<circle cy=\"3\" r=\"39\" class=\"b-{other}\"/><circle cy=\"-2\" r=\"39\" fill=\"url(#b-g-{colour})\"/>\
         <circle cy=\"-2\" r=\"39\" fill=\"none\" stroke-width=\"1.5\" class=\"b-{colour}-edge\"/>",
        "<circle cx=\"2\" cy=\"7\" r=\"40\" class=\"b-shadow\"/>"
    )
}

/// Body, outline and features of an animal of a colour.
fn inks(colour: &str) -> (&'static str, &'static str, &'static str) {
    match colour {
        "white" => ("class=\"b-pale b-deep-line\"", "class=\"b-deep\"", "class=\"b-deep-line\""),
        _ => ("class=\"b-deep b-pale-line\"", "class=\"b-pale\"", "class=\"b-pale-line\""),
    }
}

fn fish(colour: &str) -> String {
    let (body, eye, line) = inks(colour);
    fish_of(body, eye, line)
}

fn fish_of(body: &str, eye: &str, line: &str) -> String {
    format!(
        "<g transform=\"scale(1.08)\"><path d=\"{FISH}\" {body} stroke-width=\"3\" stroke-linejoin=\"round\"/>\
         <path d=\"M14-12Q7 1 14 14\" fill=\"none\" {line} stroke-width=\"2.5\" stroke-linecap=\"round\"/>\
         <path d=\"M-6-2Q-1 1-6 5M-15-1Q-11 1-15 4\" fill=\"none\" {line} stroke-width=\"2\" stroke-linecap=\"round\"/>\
         <circle cx=\"24\" cy=\"-4\" r=\"3.6\" {eye}/></g>"
    )
}

fn shark(colour: &str) -> String {
    let (body, eye, line) = inks(colour);
    shark_of(body, eye, line)
}

fn shark_of(body: &str, eye: &str, line: &str) -> String {
    format!(
        "<path d=\"{SHARK}\" {body} stroke-width=\"3\" stroke-linejoin=\"round\"/>\
         <path d=\"M41 5C35 7 29 7 23 5M12-7Q9-1 12 6M5-8Q2-1 5 6M-2-8Q-5-1-2 6\" fill=\"none\" {line} \
         stroke-width=\"2.5\" stroke-linecap=\"round\"/><circle cx=\"28\" cy=\"-5\" r=\"3.2\" {eye}/>"
    )
}

/// A smaller, cut stone.
const WILD: &str = "<path d=\"M2-24L30 4L2 36L-26 4Z\" class=\"b-shadow\"/>\
    <path d=\"M0-31L29 0L0 31L-29 0Z\" fill=\"url(#b-g-wild)\" class=\"b-wild-edge\" stroke-width=\"2.5\" stroke-linejoin=\"round\"/>\
    <path d=\"M0-31L11 0L0 31L-11 0ZM-29 0H29\" fill=\"none\" class=\"b-wild-edge\" stroke-width=\"1.5\" stroke-opacity=\".55\"/>";

/// A round stone of the first set, with a ring.
fn coin(colour: &str) -> String {
    format!(
        "{}<circle r=\"39\" fill=\"url(#b-g-{colour})\" class=\"b-{colour}-edge\" stroke-width=\"2\"/>\
         <circle r=\"28\" fill=\"none\" class=\"b-white-edge\" stroke-width=\"2\" stroke-opacity=\".6\"/>",
        shadow(40)
    )
}

/// A square stone of the second set, with a border.
fn tile(colour: &str) -> String {
    let line = if colour == "blue" { "b-pale-line" } else { "b-yellow-edge" };
    format!(
        "<rect x=\"-33\" y=\"-31\" width=\"70\" height=\"70\" rx=\"13\" class=\"b-shadow\"/>\
         <rect x=\"-35\" y=\"-35\" width=\"70\" height=\"70\" rx=\"13\" fill=\"url(#b-g-{colour})\" class=\"b-{colour}-edge\" stroke-width=\"2\"/>\
         <rect x=\"-24\" y=\"-24\" width=\"48\" height=\"48\" rx=\"6\" fill=\"none\" class=\"{line}\" stroke-width=\"2\" stroke-opacity=\".45\"/>"
    )
}

/// A stone whose side is not chosen yet: half light, half dark.
const COIN_IN_HAND: &str = "<circle cx=\"2\" cy=\"4\" r=\"40\" class=\"b-shadow\"/><circle r=\"39\" fill=\"url(#b-g-white)\"/>\
    <path d=\"M0-39A39 39 0 0 1 0 39Z\" fill=\"url(#b-g-black)\"/>\
    <circle r=\"39\" fill=\"none\" class=\"b-white-edge\" stroke-width=\"2\"/>";

/// As above, of the second set.
const TILE_IN_HAND: &str = "<rect x=\"-33\" y=\"-31\" width=\"70\" height=\"70\" rx=\"13\" class=\"b-shadow\"/>\
    <rect x=\"-35\" y=\"-35\" width=\"70\" height=\"70\" rx=\"13\" fill=\"url(#b-g-yellow)\"/>\
    <path d=\"M0-35H22A13 13 0 0 1 35-22V22A13 13 0 0 1 22 35H0Z\" fill=\"url(#b-g-blue)\"/>\
    <rect x=\"-35\" y=\"-35\" width=\"70\" height=\"70\" rx=\"13\" fill=\"none\" class=\"b-yellow-edge\" stroke-width=\"2\"/>";
