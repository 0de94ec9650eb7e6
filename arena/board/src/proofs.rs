//! What shows the end of a game, drawn around the pieces: it covers none.

use rules::{Cell, End, Proof, ProofShape};

use crate::Drawing;

/// Half the width of a frame around a cell.
const REACH: f64 = 46.0;

/// How round the corners of a frame around cells are.
const ROUND: f64 = 16.0;

/// Returns the frames of what ended a game. Where both seats have something, that of the seat that does not win is dotted.
pub(crate) fn proofs(drawing: &Drawing, end: &End) -> String {
    let frames = end.proofs.iter().flat_map(|proof| {
        let weak = if end.is_beaten(proof) { " b-weak" } else { "" };
        let shapes = shapes(drawing, proof);
        shapes
            .into_iter()
            .map(move |shape| format!("<{shape} class=\"b-proof-halo\"/><{shape} class=\"b-proof{weak}\"/>"))
    });
    frames.collect()
}

/// Returns the elements of a proof, without their brackets.
fn shapes(drawing: &Drawing, proof: &Proof) -> Vec<String> {
    let board = drawing.board();
    let centre = |cell: &Cell| {
        let number = board.number(cell.file.into(), cell.rank.into());
        drawing.places().get(number).map(|place| (place.x, place.y))
    };
    let points: Vec<_> = proof.cells.iter().filter_map(centre).collect();
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return Vec::new() };
    match proof.shape {
        ProofShape::Row => vec![capsule(*first, *last)],
        ProofShape::Square => vec![frame(*first, *last)],
        ProofShape::Corners | ProofShape::Stuck => points.iter().map(|point| frame(*point, *point)).collect(),
    }
}

/// Returns a frame with round ends around the cells from one point to another.
fn capsule((x, y): (f64, f64), (u, v): (f64, f64)) -> String {
    let (length, angle) = ((u - x).hypot(v - y), (v - y).atan2(u - x).to_degrees());
    format!(
        "rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"{REACH}\" transform=\"translate({:.1} {:.1}) rotate({angle:.1})\"",
        -length / 2.0 - REACH,
        -REACH,
        length + 2.0 * REACH,
        2.0 * REACH,
        f64::midpoint(x, u),
        f64::midpoint(y, v),
    )
}

/// Returns a frame around the cells between two corners.
fn frame((x, y): (f64, f64), (u, v): (f64, f64)) -> String {
    format!(
        "rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"{ROUND}\"",
        x.min(u) - REACH,
        y.min(v) - REACH,
        (x - u).abs() + 2.0 * REACH,
        (y - v).abs() + 2.0 * REACH,
    )
}
