//! A whole picture of a position, with the marks of the last turn and of the end of the game on it.

use rules::End;

use crate::background::coordinates;
use crate::colours::{picture_stylesheet, plain_stylesheet};
use crate::layout::{CELL, PieceLocation};
use crate::lettering::strokes;
use crate::proofs::proofs;
use crate::{Drawing, Marks, Scene};

/// What a picture says of itself to those who cannot see it, and to those who point at it.
#[derive(Clone, Debug, Default)]
pub struct Caption {
    /// What it shows, in a few words.
    pub title: String,
    /// The same at length.
    pub description: String,
}

/// What is shown beside the pieces: how the position came about, and whether the game is over there.
#[derive(Clone, Debug, Default)]
pub struct Story {
    /// What each ply of the last turn did, the last one last.
    pub turn: Vec<Marks>,
    /// The end of the game, where it is over by its rules.
    pub end: Option<End>,
}

/// Returns the drawings of marks, as the inside of a `<defs>`, each around the point (0, 0) of a cell 100 wide:
/// [`Drawing::last_symbol`] is drawn below the pieces, `mark-removed`, `mark-turned` and `mark-added` above them.
#[must_use]
pub fn mark_symbols() -> &'static str {
    "<g id=\"mark-last\"><rect x=\"-50\" y=\"-50\" width=\"100\" height=\"100\" class=\"b-last\"/><rect x=\"-48\" y=\"-48\" width=\"96\" height=\"96\" class=\"b-edge\"/></g>\
     <g id=\"mark-cell\"><rect x=\"-46\" y=\"-46\" width=\"92\" height=\"92\" rx=\"16\" class=\"b-last\"/><rect x=\"-44\" y=\"-44\" width=\"88\" height=\"88\" rx=\"14\" class=\"b-edge\"/></g>\
     <g id=\"mark-spot\"><circle r=\"48\" class=\"b-last\"/><circle r=\"46\" class=\"b-edge\"/></g>\
     <g id=\"mark-removed\"><path d=\"M-17-17L17 17M17-17L-17 17\" class=\"b-halo\"/><path d=\"M-17-17L17 17M17-17L-17 17\" class=\"b-taken\"/></g>\
     <g id=\"mark-turned\"><circle r=\"44\" class=\"b-halo\"/><circle r=\"44\" class=\"b-ring\"/></g>\
     <g id=\"mark-added\"><circle r=\"44\" stroke-dasharray=\"10 18\" class=\"b-halo\"/><circle r=\"44\" stroke-dasharray=\"10 18\" class=\"b-ring\"/></g>"
}

/// Returns an SVG file of a scene, with the marks of the turn that led to it, and of what ended the game.
///
/// ```
/// let setup = rules::find("fanorona")?.setup(&[("size", "3x3")]).expect("a size");
/// let drawing = board::Drawing::of(&setup).expect("every game is drawn");
/// let scene = board::Scene::of(&drawing, "bbb/b1w/www p1 quiet=0").expect("a position");
/// let svg = board::picture(&drawing, &scene, &board::Story::default(), &board::Caption::default());
/// assert!(svg.starts_with("<svg ") && svg.contains("href=\"#stone-white\""));
/// # Ok::<(), rules::UnknownGame>(())
/// ```
#[must_use]
pub fn picture(drawing: &Drawing, scene: &Scene, story: &Story, caption: &Caption) -> String {
    let (width, height) = drawing.size();
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{:.0}\" height=\"{:.0}\" \
         class=\"{}\" role=\"img\" aria-labelledby=\"title description\"><title id=\"title\">{}</title>\
         <desc id=\"description\">{}</desc><style>{}</style>{}</svg>\n",
        width * 0.8,
        height * 0.8,
        drawing.class(),
        escape(&caption.title),
        escape(&caption.description),
        picture_stylesheet(drawing.theme()),
        inside(drawing, scene, story, drawing.background()),
    )
}

/// Returns the same for a program that makes pixels of it: in the colours of the light, its coordinates drawn by strokes, so
/// that it looks the same whatever typefaces there are. It is as large as [`Drawing::size`] says.
#[must_use]
pub fn plain_picture(drawing: &Drawing, scene: &Scene, story: &Story) -> String {
    let (width, height) = drawing.size();
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\
         <style>{}</style>{}</svg>\n",
        plain_stylesheet(drawing.theme()),
        plain_inside(drawing, scene, story),
    )
}

/// Returns what lies within a picture whose coordinates are drawn by strokes.
pub(crate) fn plain_inside(drawing: &Drawing, scene: &Scene, story: &Story) -> String {
    let names = if drawing.has_coordinates { strokes(&coordinates(&drawing.layout)) } else { String::new() };
    let background = format!("{}{names}", drawing.ground);
    inside(drawing, scene, story, &background)
}

fn inside(drawing: &Drawing, scene: &Scene, story: &Story, background: &str) -> String {
    let (mut below, mut above) = (String::new(), String::new());
    if let Some((last, earlier)) = story.turn.split_last() {
        for marks in earlier {
            let (ends, way) = steps(drawing, marks);
            below += &ends;
            if !way.is_empty() {
                above += &format!("<g opacity=\".5\">{way}</g>");
            }
        }
        let (ends, rest) = layers(drawing, last);
        below += &ends;
        above += &rest;
    }
    above += &story.end.as_ref().map(|end| proofs(drawing, end)).unwrap_or_default();
    let own: String = drawing.own_symbols().values().map(String::as_str).collect();
    let (symbols, pieces) = (Drawing::symbols() + &own, pieces(drawing, scene));
    format!("<defs>{symbols}{}</defs>{background}{below}{pieces}{above}", mark_symbols())
}

fn pieces(drawing: &Drawing, scene: &Scene) -> String {
    let mut svg = String::new();
    for (letter, place) in scene.letters().iter().zip(drawing.places()) {
        if let Some(piece) = drawing.pieces().iter().find(|piece| piece.letter == *letter) {
            svg += &put(&piece.symbol, place);
        }
    }
    svg
}

fn put(symbol: &str, place: &PieceLocation) -> String {
    let PieceLocation { x, y, scale, .. } = place;
    let scale = if *scale == 1.0 { String::new() } else { format!(" scale({scale:.3})") };
    format!("<use href=\"#{symbol}\" transform=\"translate({x:.1} {y:.1}){scale}\"/>")
}

/// Returns marks of cells.
fn on(drawing: &Drawing, symbol: &str, cells: &[usize]) -> String {
    cells.iter().filter_map(|cell| drawing.places().get(*cell)).map(|place| put(symbol, place)).collect()
}

/// Returns what is drawn below and above the pieces for the way of a ply: the cells at its ends, and its arrow.
fn steps(drawing: &Drawing, marks: &Marks) -> (String, String) {
    let ends = match &marks.path[..] {
        [] => vec![],
        [only] => vec![*only],
        [first, .., last] => vec![*first, *last],
    };
    let places = marks.path.iter().filter_map(|cell| drawing.places().get(*cell));
    let points: Vec<_> = places.map(|place| (place.x, place.y)).collect();
    (on(drawing, drawing.last_symbol(), &ends), arrow(&points))
}

/// Returns what is drawn below and above the pieces for all that a ply did.
fn layers(drawing: &Drawing, marks: &Marks) -> (String, String) {
    let places = drawing.places();
    let (below, way) = steps(drawing, marks);
    let mut above = on(drawing, "mark-removed", &marks.removed);
    if !marks.is_whole_region(drawing) {
        above += &on(drawing, "mark-turned", &marks.turned);
    }
    above += &on(drawing, "mark-added", &marks.added);
    if let Some((low, high)) = marks.region
        && let (Some(low), Some(high)) = (places.get(low), places.get(high))
    {
        let (x, y) = (low.x - CELL / 2.0, high.y - CELL / 2.0);
        let (width, height) = (high.x - low.x + CELL, low.y - high.y + CELL);
        for class in ["b-halo", "b-ring"] {
            above += &format!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"12\" class=\"{class}\"/>"
            );
        }
    }
    (below, above + &way)
}

/// Returns an arrow along a way, which ends where the piece on the last cell begins.
fn arrow(points: &[(f64, f64)]) -> String {
    let [.., (x, y), (u, v)] = points else { return String::new() };
    let length = (u - x).hypot(v - y).max(1.0);
    let (right, down) = ((u - x) / length, (v - y) / length);
    // A point so far before the end, and so far beside the way.
    let at = |before: f64, beside: f64| {
        format!("{:.1} {:.1}", u - right * before - down * beside, v - down * before + right * beside)
    };
    let way: Vec<_> = points[..points.len() - 1].iter().map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
    let way = format!("M{}L{}", way.join("L"), at(70.0, 0.0));
    let head = format!("M{}L{}L{}Z", at(40.0, 0.0), at(70.0, 20.0), at(70.0, -20.0));
    format!(
        "<path d=\"{way}\" class=\"b-halo\"/><path d=\"{head}\" class=\"b-edge\"/>\
         <path d=\"{way}\" class=\"b-arrow\"/><path d=\"{head}\" class=\"b-head\"/>"
    )
}

/// Returns text as it may stand between two tags.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
