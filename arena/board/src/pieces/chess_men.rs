//! Chess men, as plain outlines that can be told apart when they are 24 pixels wide.

use rules::PieceShape;

use crate::pieces::ink::Ink;

/// The foot on which all men stand, and the line above it.
const FOOT: &str = "M-29 38H29V33Q29 27 22 25H-22Q-29 27-29 33Z";

/// Returns the outline of a man above its foot, and the lines within it.
const fn outline(shape: PieceShape) -> (&'static str, &'static str) {
    match shape {
        PieceShape::King => (
            "M-5-18V-25H-13V-34H-5V-42H5V-34H13V-25H5V-18Q12-24 21-22Q36-18 33-3Q31 9 19 25H-19Q-31 9-33-3Q-36-18-21-22Q-12-24-5-18Z",
            "M0-12V14M-20 12Q0 4 20 12",
        ),
        PieceShape::Queen => (
            "M-19 25L-36-19L-18-3L-13-33L0-7L13-33L18-3L36-19L19 25Z\
             M-36-19m-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0M-13-35m-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0\
             M13-35m-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0M36-19m-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0",
            "M-21 13Q0 6 21 13",
        ),
        PieceShape::Rook => (
            "M-17 25L-15-11L-26-17V-38H-13V-29H-6V-38H6V-29H13V-38H26V-17L15-11L17 25Z",
            "M-15-11H15M-17 15H17",
        ),
        PieceShape::Bishop => (
            "M-12 25Q-25 14-24-2Q-22-18-4-31Q-8-34-7-38Q-5-43 0-43Q5-43 7-38Q8-34 4-31Q22-18 24-2Q25 14 12 25Z",
            "M0-20V4M-10-9H10M-16 15H16",
        ),
        PieceShape::Knight => (
            "M-20 25C-19 8-4 6-4-7C-9 1-17 1-23 8C-27 14-37 11-37 1C-34-9-29-13-27-21C-25-27-20-30-15-31L-14-42L-3-33C20-33 30-10 23 25Z",
            "M8-23Q18-8 13 17",
        ),
        _ => ("M-14 25Q-3 14-5 2H-15V-5H-9A17 17 0 1 1 9-5H15V2H5Q3 14 14 25Z", ""),
    }
}

/// Returns the drawing of a chess man.
pub(super) fn chess_man(shape: PieceShape, ink: &Ink) -> String {
    let (body, within) = outline(shape);
    let Ink { fill, line, spot, .. } = ink;
    let eye = match shape {
        PieceShape::Knight => format!("<circle cx=\"-16\" cy=\"-18\" r=\"4\" {spot}/>"),
        _ => String::new(),
    };
    format!(
        "<g stroke-width=\"4\" stroke-linejoin=\"round\" stroke-linecap=\"round\"><path d=\"{body}\" {fill} {line}/>\
         <path d=\"{FOOT}\" {fill} {line}/><path d=\"{within}\" fill=\"none\" {line}/>{eye}</g>"
    )
}
