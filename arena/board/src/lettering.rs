//! Coordinates drawn by strokes, for pictures that must not depend on the typefaces of a machine.

use crate::background::Coordinate;

/// How far the middles of two digits are from each other, in tenths of the size.
const ADVANCE: f64 = 5.4;

/// Returns coordinates as paths.
pub(crate) fn strokes(coordinates: &[Coordinate]) -> String {
    coordinates.iter().map(strokes_of).collect()
}

fn strokes_of(Coordinate { x, y, size, name, .. }: &Coordinate) -> String {
    let scale = size / 10.0;
    let start = -ADVANCE * (name.len() as f64 - 1.0) / 2.0;
    let path = |(place, letter): (usize, char)| {
        let shift = start + ADVANCE * place as f64;
        format!(
            "<path transform=\"translate({x:.1} {y:.1}) scale({scale:.3}) translate({shift:.2})\" d=\"{}\" class=\"b-stroke\"/>",
            glyph(letter)
        )
    };
    name.chars().enumerate().map(path).collect()
}

/// Returns the strokes of a digit or a lower-case letter around its middle, ten units being the size of the letters. There
/// are as many letters as a board has files at most.
fn glyph(letter: char) -> &'static str {
    match letter {
        '0' => "M0-3.6A2.1 3.6 0 1 0 0 3.6A2.1 3.6 0 1 0 0-3.6",
        '1' => "M-1.6-2.3L.5-3.6V3.6",
        '2' => "M-2-1.6A2 2 0 1 1 1.6-.4L-2 3.6H2.1",
        '3' => "M-1.8-3.6H1.9L-.3-.7A2.15 2.15 0 1 1-2 2.6",
        '4' => "M.9 3.6V-3.6L-2.3 1.6H2.3",
        '5' => "M1.8-3.6H-1.5L-1.8-.4A2.25 2.25 0 1 1-2 2.7",
        '6' => "M1.6-3.6C-.6-3-2.1-.6-2.1 1.4A2.1 2.2 0 1 0 2.1 1.4A2.1 2.2 0 1 0-2.1 1.4",
        '7' => "M-2.1-3.6H2.1L-.8 3.6",
        '8' => {
            "M0-3.6A1.75 1.75 0 1 0 0-.1A1.75 1.75 0 1 0 0-3.6M0-.1A2.05 1.85 0 1 0 0 3.6A2.05 1.85 0 1 0 0-.1"
        }
        '9' => "M-1.6 3.6C.6 3 2.1.6 2.1-1.4A2.1 2.2 0 1 0-2.1-1.4A2.1 2.2 0 1 0 2.1-1.4",
        'a' => "M2.1-1.4V3.4M2.1 1A2.1 2.4 0 1 1-2.1 1A2.1 2.4 0 1 1 2.1 1",
        'b' => "M-2.1-3.8V3.4M-2.1 1A2.1 2.4 0 1 1 2.1 1A2.1 2.4 0 1 1-2.1 1",
        'c' => "M1.8-.3A2.1 2.4 0 1 0 1.8 2.3",
        'd' => "M2.1-3.8V3.4M2.1 1A2.1 2.4 0 1 1-2.1 1A2.1 2.4 0 1 1 2.1 1",
        'e' => "M-2.1 1H2.1A2.1 2.4 0 1 0 1.6 2.6",
        'f' => "M1.7-3.8H1.2A1.6 1.6 0 0 0-.4-2.2V3.4M-1.9-1.4H1.5",
        'g' => {
            "M2.1-1.4V3.4A2.1 1.9 0 0 1 0 5.3A2.6 2.2 0 0 1-1.8 4.6M2.1 1A2.1 2.4 0 1 1-2.1 1A2.1 2.4 0 1 1 2.1 1"
        }
        'h' => "M-2-3.8V3.4M-2 1A2 2.4 0 0 1 2 1V3.4",
        'i' => "M0-1.4V3.4M0-3.6V-3.5",
        'j' => "M.6-1.4V3.7A1.6 1.6 0 0 1-1 5.3H-1.4M.6-3.6V-3.5",
        'k' => "M-1.9-3.8V3.4M1.8-1.4L-1.9 1.7M-.5.6L2.1 3.4",
        'l' => "M0-3.8V3.4",
        'm' => "M-3.2-1.4V3.4M-3.2.6A1.6 2 0 0 1 0 .6V3.4M0 .6A1.6 2 0 0 1 3.2 .6V3.4",
        'n' => "M-2-1.4V3.4M-2 1A2 2.4 0 0 1 2 1V3.4",
        'o' => "M0-1.4A2.2 2.4 0 1 0 0 3.4A2.2 2.4 0 1 0 0-1.4",
        'p' => "M-2.1-1.4V5.3M-2.1 1A2.1 2.4 0 1 1 2.1 1A2.1 2.4 0 1 1-2.1 1",
        'q' => "M2.1-1.4V5.3M2.1 1A2.1 2.4 0 1 1-2.1 1A2.1 2.4 0 1 1 2.1 1",
        'r' => "M-1.4-1.4V3.4M-1.4 1A2.6 2.4 0 0 1 1.7-1.3",
        's' => "M1.7-.6C1.2-1.7-1.7-1.8-1.7-.2C-1.7 1.5 1.8.5 1.8 2.2C1.8 3.9-1.5 3.7-1.9 2.4",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_and_digit_of_the_largest_board_has_strokes_of_its_own() {
        let letters: Vec<char> = ('0'..='9').chain('a'..='s').collect();
        let mut seen = std::collections::BTreeSet::new();
        for letter in letters {
            assert!(glyph(letter).starts_with('M') && seen.insert(glyph(letter)), "{letter}");
        }
        let options = [("size", "19")];
        let setup = rules::find("faust").expect("a game").setup(&options).expect("a size");
        let drawing = crate::Drawing::of(&setup).expect("a drawing");
        let all = crate::background::coordinates(&drawing.layout);
        assert!(all.iter().flat_map(|one| one.name.chars()).all(|letter| !glyph(letter).is_empty()));
        assert_eq!(strokes(&all).matches("<path ").count(), 19 + 9 + 2 * 10);
    }
}
