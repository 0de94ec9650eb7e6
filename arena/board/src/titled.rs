//! A board with the names of both seats and a line about the game, for pictures that stand alone.

use rules::Seat;

use crate::colours::plain_stylesheet;
use crate::lettering::{WIDTH, title};
use crate::picture::{Story, plain_inside};
use crate::{Drawing, Scene};

/// What is written around a board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Titles {
    /// The names of `p1`, below the board, and `p2`, above it.
    pub names: [String; 2],
    /// The seat that decides next, whose name is marked.
    pub decider: Option<Seat>,
    /// What is said of the position, in the last line.
    pub line: String,
}

const INK: &str = "#24221e";
const PAPER: &str = "#fffefb";
const ACCENT: &str = "#1a5fb4";

/// The smallest share of its usual size to which text shrinks before it is shortened.
const SMALLEST: f64 = 0.62;

/// Returns an SVG file like that of [`crate::plain_picture`] with the names of both seats beside their pieces and a line
/// below.
#[must_use]
pub fn titled_picture(drawing: &Drawing, scene: &Scene, story: &Story, titles: &Titles) -> String {
    let (width, height) = drawing.size();
    let size = (width / 15.0).clamp(34.0, 60.0);
    let band = size * 1.7;
    let whole = height + 3.0 * band;
    let seat = |index: usize, y: f64| {
        let letter = scene.owners()[index];
        let piece = drawing.pieces().iter().find(|piece| piece.letter == letter);
        let icon = piece.map_or_else(String::new, |piece| {
            let scale = size * 1.3 / 100.0;
            format!(
                "<use href=\"#{}\" transform=\"translate({:.1} {y:.1}) scale({scale:.3})\"/>",
                piece.symbol, size
            )
        });
        let decides = titles.decider.is_some_and(|decider| index == usize::from(decider == Seat::P2));
        let mark = match decides {
            true => format!(
                "<circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"{:.1}\" fill=\"{ACCENT}\"/>",
                width - size * 0.8,
                size * 0.3
            ),
            false => String::new(),
        };
        icon + &fitted(&titles.names[index], 1.9 * size, y, size, width - 3.4 * size) + &mark
    };
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {whole:.1}\" width=\"{width}\" height=\"{whole:.1}\">\
         <style>{}.b-title{{stroke:{INK};fill:none;stroke-width:1;stroke-linecap:round;stroke-linejoin:round}}</style>\
         <rect width=\"{width}\" height=\"{whole:.1}\" fill=\"{PAPER}\"/><g transform=\"translate(0 {band:.1})\">{}</g>{}{}{}</svg>\n",
        plain_stylesheet(drawing.theme()),
        plain_inside(drawing, scene, story),
        seat(1, band / 2.0),
        seat(0, band * 1.5 + height),
        fitted(&titles.line, size * 0.4, band * 2.4 + height, size * 0.86, width - 0.8 * size),
    )
}

/// Returns text that is at most so wide: smaller where it has to be, and shortened in its middle where that is not enough.
fn fitted(text: &str, x: f64, y: f64, size: f64, room: f64) -> String {
    let count = text.chars().count().max(1) as f64;
    let size = size.min((room / (WIDTH * count)).max(size * SMALLEST));
    title(&shortened(text, (room / (WIDTH * size) + 0.01) as usize), x, y, size)
}

/// Shortens text to `most` characters: its beginning and its end.
fn shortened(text: &str, most: usize) -> String {
    let count = text.chars().count();
    if count <= most {
        return text.to_owned();
    }
    let (tail, head) = (most.saturating_sub(1) / 2, most.saturating_sub(1).div_ceil(2));
    text.chars().take(head).chain(['…']).chain(text.chars().skip(count - tail)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_keeps_its_beginning_and_its_end() {
        assert_eq!(shortened("alphabeta-2026-11-a", 9), "alph…11-a".to_owned());
        assert_eq!(shortened("short", 5), "short");
        assert_eq!(shortened("short", 1), "…");
    }

    #[test]
    fn names_stand_beside_their_pieces_and_the_decider_is_marked() {
        let setup = rules::find("fanorona").expect("a game").setup(&[]).expect("options");
        let drawing = Drawing::of(&setup).expect("a drawing");
        let scene = Scene::of(&drawing, &setup.referee(None).expect("a start").position()).expect("a scene");
        let titles =
            |decider| Titles { names: ["<a>".to_owned(), "b".to_owned()], decider, line: String::new() };
        let svg = |decider| titled_picture(&drawing, &scene, &Story::default(), &titles(decider));
        assert_eq!(svg(None).matches("class=\"b-title\"").count(), 4);
        assert_eq!(svg(None).matches(ACCENT).count() + 1, svg(Some(Seat::P1)).matches(ACCENT).count());
        assert_ne!(svg(Some(Seat::P1)), svg(Some(Seat::P2)));
    }
}
